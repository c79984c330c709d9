import CarryModel
package import CarrySystem
import CLinux

/// The state of the path where applications look for the engine.
package struct SocketFacts: Equatable, Sendable {
  package enum Answer: Equatable, Sendable {
    case answers
    /// No process listens: an engine has died and left its socket.
    case refused
    /// A process listens, but does not respond.
    case silent
  }

  package enum Place: Equatable, Sendable {
    /// The socket's directory is missing or not this user's; the text gives the reason.
    case unknown(String)
    case missing
    case notASocket
    case socket(uid: UInt32, mode: UInt32, Answer)
  }

  /// Made safe for a terminal.
  package var path: String
  package var place: Place
  /// The socket's directory; nil when there is no path.
  package var directory: SocketDirectory?
  /// Whether this is the runtime directory, and not one named by the user.
  package var isInRuntimeDirectory = true

  package init(path: String, place: Place, directory: SocketDirectory? = nil) {
    self.path = path
    self.place = place
    self.directory = directory
  }

  /// Examines the socket and pings its listener. If the service manager listens, this starts the engine.
  static func read(_ given: String?) -> SocketFacts {
    var facts = look(given)
    if !facts.path.isEmpty {
      let path = given ?? (try? RuntimeSocket.path()) ?? facts.path
      facts.directory = SocketDirectory(ofSocket: path)
      facts.isInRuntimeDirectory = given == nil && environment("CARRY_SOCKET")?.hasPrefix("/") != true
    }
    return facts
  }

  private static func look(_ given: String?) -> SocketFacts {
    let path: String
    do { if let given { path = given } else { path = try RuntimeSocket.path() } } catch {
      return SocketFacts(path: "", place: .unknown(error.sentence))
    }
    let name = SafeText.displayable(path, limit: 4096)
    var there = stat()
    guard lstat(path, &there) == 0 else { return SocketFacts(path: name, place: .missing) }
    guard there.st_mode & UInt32(S_IFMT) == UInt32(S_IFSOCK) else { return SocketFacts(path: name, place: .notASocket) }
    return SocketFacts(path: name, place: .socket(uid: there.st_uid, mode: there.st_mode & 0o777, ask(path)))
  }

  private static func ask(_ path: String) -> Answer {
    guard let connection = try? SocketListener.connect(to: path) else { return .refused }
    // wl_display.get_registry, the first request of every client: every server of the protocol answers it.
    let words: [UInt32] = [1, 12 << 16 | 1, 2]
    let sent = words.withUnsafeBytes { send(connection.raw, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
    guard sent == 12 else { return .silent }
    var ready = pollfd(fd: connection.raw, events: Int16(POLLIN), revents: 0)
    // An engine that is just being started needs a moment.
    while poll(&ready, 1, 2000) < 0, clinux_errno() == EINTR {}
    var word: UInt32 = 0
    return recv(connection.raw, &word, 4, CInt(MSG_DONTWAIT)) > 0 ? .answers : .silent
  }
}
