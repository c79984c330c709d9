import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-drop-destination [OPTION]... [PICTURE]...

        A gallery of images that were dropped. Each has its place at once, and shows when its data has come. Images that
        are carried onto the bin are deleted.

          --samples              begin with some landscapes, drawn by the program
          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: arrows select, Delete deletes, Ctrl+Z brings back, Page Up and Page Down scroll, Ctrl+Q quits.
        """, flags: ["--samples"])
    Program.run("Drop Destination") { Gallery($0, options) }
  }
}
