import CLinux
import CarryModel
import CarrySystem

/// The other end: `carry drag --add`.
extension AddingDoor {
  /// Adds files to the newest window, or gives the right to open one.
  ///
  /// File managers may start several calls at the same moment. One of these opens a window, and the others wait for it.
  ///
  /// - Parameter paths: absolute.
  /// - Returns: the right to open a window, to be kept until that listens; nil when the files were added.
  /// - Throws: why the window does not take the files.
  static func callOrOpen(_ paths: [String]) throws(Problem) -> RightToOpen? {
    guard let folder = folder(creating: true),
      let lock = try? Descriptor.open("\(folder)/.opening\(prefix)", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
    else { return RightToOpen(nil) }
    let deadline = MonotonicClock.now().seconds + longestOpening
    while true {
      let isFirst = flock(lock.raw, LOCK_EX | LOCK_NB) == 0
      if try call(paths) { return nil }
      if isFirst || MonotonicClock.now().seconds > deadline { return RightToOpen(lock) }
      // Milliseconds.
      poll(nil, 0, 20)
    }
  }

  /// Seconds that a window may take until it listens.
  private static let longestOpening = 5.0

  /// The lock of whoever opens a window. It is given back at the end of this object, or of the process.
  final class RightToOpen {
    private let lock: Descriptor?
    init(_ lock: consuming Descriptor?) { self.lock = lock }
  }

  /// Adds files to the newest window of this user on this display.
  ///
  /// - Parameter paths: absolute.
  /// - Returns: false when there is no window.
  /// - Throws: why the window does not take the files.
  private static func call(_ paths: [String]) throws(Problem) -> Bool {
    guard let folder = folder(creating: false) else { return false }
    // A later window has a later socket.
    let sockets = Files.list(folder, most: 1000).filter { $0.hasPrefix(prefix) }
      .compactMap { name -> (path: String, time: timespec)? in
        var there = stat()
        let path = "\(folder)/\(name)"
        return lstat(path, &there) == 0 && there.st_uid == getuid() ? (path, there.st_mtim) : nil
      }
      .sorted { ($0.time.tv_sec, $0.time.tv_nsec) > ($1.time.tv_sec, $1.time.tv_nsec) }
    for candidate in sockets {
      // One that refuses was left behind.
      guard let socket = try? SocketListener.connectAtOnce(to: candidate.path),
        SocketListener.peer(of: socket.raw)?.uid == getuid()
      else { continue }
      try call(paths, on: socket)
      return true
    }
    return false
  }

  private static func call(_ paths: [String], on socket: borrowing Descriptor) throws(Problem) {
    let bytes = paths.flatMap { path -> [UInt8] in Array(path.utf8) + [0] }
    var sent = 0
    let deadline = MonotonicClock.now().seconds + 5
    /// Waits until the window reads or answers.
    func wait(for event: CInt) throws(Problem) {
      var p = pollfd(fd: socket.raw, events: Int16(event), revents: 0)
      let left = deadline - MonotonicClock.now().seconds
      if left <= 0 || poll(&p, 1, CInt(left * 1000) + 1) == 0 { throw Problem("the window does not answer") }
    }
    while sent < bytes.count {
      let n = bytes.withUnsafeBytes {
        send(socket.raw, $0.baseAddress! + sent, $0.count - sent, CInt(MSG_NOSIGNAL))
      }
      switch n > 0 ? 0 : clinux_errno() {
      case 0: sent += n
      case EAGAIN: try wait(for: POLLOUT)
      case EINTR: break
      default: throw Problem("the window has hung up")
      }
    }
    shutdown(socket.raw, CInt(SHUT_WR))
    var answer: [UInt8] = []
    var hasMore = true
    while hasMore, answer.count < 8192 {
      var chunk = [UInt8](repeating: 0, count: 4096)
      let n = CLinux.read(socket.raw, &chunk, chunk.count)
      if n > 0 { answer += chunk[..<n] }
      switch n >= 0 ? 0 : clinux_errno() {
      case 0: hasMore = n > 0
      case EAGAIN: try wait(for: POLLIN)
      case EINTR: break
      default: hasMore = false
      }
    }
    guard answer.last == UInt8(ascii: "\n") else { throw Problem("the window has hung up") }
    let sentence = String(decoding: answer.dropLast(), as: UTF8.self)
    if !sentence.isEmpty { throw Problem(SafeText.displayable(sentence, limit: 4096)) }
  }
}
