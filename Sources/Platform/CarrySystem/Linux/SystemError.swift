import CarryModel
import CLinux

/// A system call that failed, with the name of the call and its subject.
package struct SystemError: Explained, Equatable, Sendable {
  /// The errno value.
  package var code: CInt
  /// The C function that failed.
  package var call: String
  /// The path or other subject of the call; empty if there is none to name.
  package var subject: String

  package init(code: CInt, call: String, subject: String = "") {
    self.code = code
    self.call = call
    self.subject = subject
  }

  /// The error that the C library just set.
  package static func last(_ call: String, _ subject: String = "") -> SystemError {
    SystemError(code: clinux_errno(), call: call, subject: subject)
  }

  /// The system's text for the code, such as "No such file or directory".
  package var reason: String { String(cString: strerror(code)) }

  /// One line for the user: the subject, then the reason.
  package var sentence: String {
    subject.isEmpty ? "\(call): \(reason)" : "\(subject): \(reason)"
  }
}

/// Runs a system call that returns -1 on failure, and repeats it when a signal interrupted it.
@discardableResult
package func check<T: SignedInteger>(_ call: String, _ subject: String = "", _ body: () -> T) throws(SystemError) -> T {
  while true {
    let result = body()
    if result != -1 { return result }
    let error = SystemError.last(call, subject)
    if error.code != EINTR { throw error }
  }
}
