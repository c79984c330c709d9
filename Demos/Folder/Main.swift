import Carry
import DemoKit

@main enum Main {
  nonisolated static func main() {
    let options = Program.options(
      CommandLine.arguments,
      help: """
        usage: carry-folder [OPTION]... DIR

        A folder's window: what is dropped is saved there, and what is there can be carried away. Where nothing can be
        written, a drop is forbidden, and the window says why.

          --read-only            write nothing, whatever the folder's permissions are
          --geometry WxH+X+Y     the window's size and place, in pixels
          --json                 say what happens as lines of JSON on standard output
          --help                 this text

        Keys: Ctrl+Q quits.
        """, flags: ["--read-only"])
    guard let path = options.operands.first, options.operands.count == 1 else {
      Program.fail("give one folder; --help says more", status: 2)
    }
    guard Program.isFolder(path) else { Program.fail("\(path) is no folder") }
    Program.run("Folder") { FolderWindow($0, path, options) }
  }
}
