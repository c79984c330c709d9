import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-drag-source [OPTION]...

        Images to carry away: stacks that lift as many items, two codes that are cut out of their picture, a photo that
        knows where it was taken, and images from a server that is far away.

          --doubles              a stack that is tapped again gives its images again
          --delay SECONDS        how long the nearest of the far images takes (default 3)
          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: D allows doubles or not, Ctrl+Q quits.
        """, flags: ["--doubles"], values: ["--delay"])
    var delay = 3.0
    if let text = options.values["--delay"] {
      guard let seconds = Double(text), (0...25).contains(seconds) else {
        Program.fail("--delay takes seconds, 0 to 25", status: 2)
      }
      delay = seconds
    }
    Program.run("Drag Source") { Sheet($0, options, delay: delay) }
  }
}
