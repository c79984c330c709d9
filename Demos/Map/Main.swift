import Carry
import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-map [OPTION]...

        A map of a lake and what is around it. What knows its place, such as the photo of Drag Source, gets a pin there
        when it is dropped, wherever on the map that happens.

          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: Backspace takes the newest pin away, Ctrl+Q quits.
        """)
    Program.run("Map") { Map($0, options) }
  }
}
