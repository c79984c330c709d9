import Carry
import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-picture-editor [OPTION]...

        Drop a picture, and change it: draw on it with a finger or the mouse, turn it, save it. Where the source allows
        that, it is the source's own file that is opened and saved.

          --turn                 turn each picture that is dropped, and save it at once
          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: R turns, Ctrl+S saves, Ctrl+Q quits.
        """, flags: ["--turn"])
    Program.run("Picture Editor") { Editor($0, options) }
  }
}
