import CarryModel
package import CarrySystem

extension WireConnection {
  /// Why there is no connection. Each problem has a sentence for the user.
  package enum Problem: Explained, Equatable, Sendable {
    case noEngine(path: String)
    case notYours(path: String)
    case pathTooLong(path: String)
    /// The engine listens but does not respond: it is still starting, or stopped.
    case silent(path: String)
    case system(SystemError)
    case lost(String)
    /// The engine has ended the connection for a violation; the next connection would end in the same way.
    case thrownOut(String)

    package var sentence: String {
      switch self {
      case .noEngine(let path): "no engine listens on \(path); start carryd, or set CARRY_SOCKET to its socket"
      case .pathTooLong(let path):
        "\(path): a socket's path has at most 107 bytes; set CARRY_SOCKET to a shorter one"
      case .notYours(let path): "\(path) belongs to another user's engine"
      case .silent(let path):
        "the engine on \(path) has not answered within \(Int(Limits.connectSeconds)) s; it may be starting still, or be "
          + "stopped: try again, or see 'carry doctor'"
      case .system(let e): e.sentence
      case .lost(let why), .thrownOut(let why): "the connection to the engine was lost: \(why)"
      }
    }
  }
}
