import Carry
import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-search [OPTION]... [WORD]...

        Type a few letters to find documents of the demos: cards and pictures of Customers, photos of Pinboard. What is
        found can be carried away. The apps need not run: their file provider serves the documents, if the system has
        a manifest that says so.

          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: Esc empties the field, Ctrl+Q quits.
        """)
    Program.run("Search") { Search($0, options) }
  }
}
