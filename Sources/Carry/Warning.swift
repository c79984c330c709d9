import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// What a programmer should know and nothing returns: one line on stderr, as toolkits do it. Each is said once.
enum Warning {
  private static let most = 100
  private static let said = Mutex<Set<String>>([])

  /// Where the lines go; a test listens here.
  nonisolated(unsafe) static var write: @Sendable (String) -> Void = { Output.write($0, to: STDERR_FILENO) }

  /// - Parameter text: a sentence that says what to do.
  static func say(_ text: String) {
    let line: String? = said.withLock {
      guard $0.count <= most, $0.insert(text).inserted else { return nil }
      return $0.count > most ? "there are more warnings, which are not shown" : text
    }
    if let line { write("carry: warning: \(SafeText.displayable(line, limit: 400))\n") }
  }
}
