import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-customers [OPTION]...

        A list of customers. A card that is dropped brings name, number and photo; a text brings a name. Each row can be
        carried away, as a card or as text, alone or with others. Pictures of customers are files, which other apps may open
        and change; the demos' file provider serves them, too, if the system has a manifest that says so.

          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: Ctrl+Q quits.
        """)
    Program.run("Customers") { Customers($0, options) }
  }
}
