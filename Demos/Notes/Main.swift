import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-notes [OPTION]... [FILE]...

        Notes in tabs. Drop text and pictures into one, a link on the "+" to open it in a tab of its own; press a
        paragraph, a picture, or what is selected, until it lifts, and carry it away. Nothing is saved, and no link is
        ever opened.

          --letter               one note to write, without tabs
          --class NAME           what docks and window managers know the window as
          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: Ctrl+T a new tab, Ctrl+W closes one, Ctrl+Tab the next one, Ctrl+Z takes back, Ctrl+A selects all.
        """, flags: ["--letter"], values: ["--class"])
    Program.run("Notes") { Notes($0, options) }
  }
}
