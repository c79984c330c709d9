import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// Warnings for programmers that no return value carries: one line on stderr, as toolkits do. Each is printed once.
package enum Warning {
  private static let most = 100
  private static let said = Mutex<Set<String>>([])

  /// The warnings so far, for tests.
  package static var sentences: Set<String> { said.withLock { $0 } }

  /// - Parameter text: a sentence that says what to do.
  package static func say(_ text: String) {
    let line: String? = said.withLock {
      guard $0.count <= most, $0.insert(text).inserted else { return nil }
      return $0.count > most ? "there are more warnings, which are not shown" : text
    }
    if let line { Output.write("carry: warning: \(SafeText.displayable(line, limit: 400))\n", to: STDERR_FILENO) }
  }
}
