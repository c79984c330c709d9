import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-dock [OPTION]... [NAME=COMMAND | FILE.desktop]...

        A bar of icons at the bottom of the screen. Click or tap one to start its program or bring its window to the
        front; hover over it with a drag, and the same happens while the drag goes on. Drag an icon to a half of the
        screen to open its window there, beside the one in front. Without arguments: Pinboard and Notes.

          --hides                lie below the edge of the screen until swiped up
          --geometry WxH+X+Y     the bar's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys, once it was clicked: arrows choose, Enter opens.
        """, flags: ["--hides"])
    var entries = options.operands.map { operand -> Entry in
      let entry =
        operand.hasSuffix(".desktop")
        ? Program.read(operand, limit: 1 << 20).flatMap { Entry(desktopFile: String(decoding: $0, as: UTF8.self)) }
        : Entry(argument: operand)
      guard let entry else {
        Program.fail("\(operand): neither NAME=COMMAND nor a .desktop file of a program", status: 2)
      }
      return entry
    }
    if entries.isEmpty {
      entries = [
        Entry(name: "Pinboard", words: ["carry-pinboard", "--samples"]), Entry(name: "Notes", words: ["carry-notes"]),
      ]
    }
    Program.run("Dock") { Dock($0, options, entries) }
  }
}
