/// A folder with one file, for tests of what several programs do with it. The folder is gone after the test.
package final class LetterFolder {
  private let folder: TestFolder
  package var path: String { folder.path }
  package var file: String { path + "/letter.txt" }

  package init() throws {
    folder = try TestFolder("coordination")
    try write("one")
  }

  package func write(_ text: String, to name: String = "letter.txt") throws { try folder.write(text, to: name) }
}
