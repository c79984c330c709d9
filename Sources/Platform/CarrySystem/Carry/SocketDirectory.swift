import CLinux

/// The directory of the engine's socket, and whether other users could interfere there.
package struct SocketDirectory: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case ownersAlone
    case missing
    /// The directory belongs to another user other than root.
    case belongs(uid: UInt32)
    /// Others can write to the directory, and could take the name of the socket or of its lock. `mode` is the
    /// permission bits.
    case shared(mode: UInt32)
  }

  package var path: String
  package var state: State

  package init(path: String, state: State) {
    self.path = path
    self.state = state
  }

  /// Checks the directory of a socket, but not the directories above.
  package init(ofSocket socket: String) {
    let parts = socket.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    path = parts.isEmpty ? "." : parts.count == 1 ? "/" : parts.joined(separator: "/")
    var there = stat()
    guard stat(path, &there) == 0, there.st_mode & UInt32(S_IFMT) == UInt32(S_IFDIR) else {
      state = .missing
      return
    }
    let mode = there.st_mode & 0o7777
    let isOurs = there.st_uid == getuid() || there.st_uid == 0
    state = !isOurs ? .belongs(uid: there.st_uid) : mode & 0o022 != 0 ? .shared(mode: mode) : .ownersAlone
  }
}
