import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-mail [OPTION]...

        Messages to carry away, alone or together, and one that is being written: text is dropped at the caret, images
        across the whole width.

          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: what is typed goes into the letter; Ctrl+Z takes the last change back, Ctrl+Q quits.
        """)
    Program.run("Mail") { Mail($0, options) }
  }
}
