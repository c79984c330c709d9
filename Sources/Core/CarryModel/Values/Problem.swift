/// An error with a sentence to show to a person.
package protocol Explained: Error {
  /// What is wrong, with the file, line, device or client at fault, and what to do next if that is known.
  var sentence: String { get }
}

/// The sentence that describes any error to a person.
package func sentence(of error: any Error) -> String { (error as? any Explained)?.sentence ?? "\(error)" }

/// An error that keeps a program from doing its job.
package struct Problem: Explained, Equatable, Sendable {
  package var sentence: String
  /// The program's exit status.
  package var status: Int32

  package init(_ sentence: String, status: Int32 = 1) {
    self.sentence = sentence
    self.status = status
  }
}

/// A mistake in a file, with its line.
package struct FileProblem: Explained, Equatable, Sendable {
  package var file: String
  /// The line, from 1; 0 for the file as a whole.
  package var line: Int
  package var message: String

  package init(file: String, line: Int = 0, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  package var sentence: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }
}
