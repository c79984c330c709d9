import Carry
import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-drawing [OPTION]...

        A drawing of lines and areas. It is carried away as what the target can do most with: as the drawing itself, as
        a PDF document, or as a picture (PNG, JPEG). A drawing that is dropped is shown.

          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: C changes the colours, Ctrl+Q quits.
        """)
    Program.run("Drawing") { Easel($0, options) }
  }
}
