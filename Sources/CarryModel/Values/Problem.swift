/// An error with the words that a person reads.
package protocol Explained: Error {
  /// What is wrong, with the file, line, device or client at fault, and what to do next where there is something.
  var sentence: String { get }
}

/// What to tell a person of any error.
package func sentence(of error: any Error) -> String { (error as? any Explained)?.sentence ?? "\(error)" }

/// What keeps a program from doing what it was asked for.
package struct Problem: Explained, Equatable, Sendable {
  package var sentence: String
  /// What the program exits with.
  package var status: Int32

  package init(_ sentence: String, status: Int32 = 1) {
    self.sentence = sentence
    self.status = status
  }
}

/// A mistake in a file, with its place.
package struct FileProblem: Explained, Equatable, Sendable {
  package var file: String
  /// From 1; 0 when the file as a whole is meant.
  package var line: Int
  package var message: String

  package init(file: String, line: Int = 0, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  package var sentence: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }
}
