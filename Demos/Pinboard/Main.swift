import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-pinboard [OPTION]... [PICTURE]...

        A board of photos. Press one until it lifts and carry it: about the board, to another app, or from one.

          --samples              hang some landscapes, drawn by the program
          --export FOLDER        write these landscapes there, as PNG files, and end
          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: Tab selects, arrows move, Delete takes down, Ctrl+Z and Ctrl+Y go back and forth,
        Ctrl+C copies and Ctrl+V pastes.
        """, flags: ["--samples"], values: ["--export"])
    if let folder = options.values["--export"] { return Samples.export(to: folder) }
    Program.run("Pinboard") { Pinboard($0, options) }
  }
}
