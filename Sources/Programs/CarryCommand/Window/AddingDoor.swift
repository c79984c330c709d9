import CLinux
import CarryModel
import CarrySystem

/// The socket by which a running `carry drag` takes more files from another shell, and the call to it.
///
/// The caller sends absolute paths, each with a zero behind it, and closes its sending side. The answer is empty where the
/// files were added, and otherwise the reason why not. Only the same user may call, and for the same display.
final class AddingDoor {
  /// The most bytes of a call: as many paths as a window has tiles, each as long as a path may be.
  static let most = DragThing.most * 4097
  /// The most calls at once. A caller that says nothing is forgotten when others come.
  private static let maxCalls = 4

  private struct Call {
    var descriptor: CInt
    var bytes: [UInt8]
  }

  private let path: String
  private let socket: Descriptor
  private let take: ([String]) throws(Problem) -> Void
  private var calls: [Call] = []
  /// How long nobody is let in where the process has no descriptor left.
  private static let rest = Interval.seconds(1)
  /// The alarm that ends the pause.
  private var pause: Int?

  /// Listens; nil where there is no place for the socket.
  ///
  /// - Parameter take: called with absolute paths; throws the sentence for the caller.
  init?(take: @escaping ([String]) throws(Problem) -> Void) {
    guard let folder = Self.folder(creating: true),
      let socket = try? Self.listen("\(folder)/\(Self.prefix)\(getpid())")
    else { return nil }
    path = "\(folder)/\(Self.prefix)\(getpid())"
    self.take = take
    self.socket = socket
    Self.removeAbandoned(in: folder)
    listen()
  }

  private func listen() { ToolLoop.watch(socket.raw) { [unowned self] in self.accept() } }

  deinit {
    unlink(path)
    if let pause { ToolLoop.cancel(alarm: pause) }
    ToolLoop.unwatch(socket.raw)
    for call in calls { end(call) }
  }

  // MARK: Where

  /// A directory of the user's own in the runtime directory; nil where others may write to it, or it cannot be made.
  static func folder(creating: Bool) -> String? {
    guard let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"),
      SocketDirectory(ofSocket: runtime + "/x").state == .ownersAlone
    else { return nil }
    let folder = runtime + "/carry-drag"
    if creating { mkdir(folder, 0o700) }
    var there = stat()
    guard lstat(folder, &there) == 0, there.st_mode & UInt32(S_IFMT) == UInt32(S_IFDIR), there.st_uid == getuid(),
      there.st_mode & 0o077 == 0
    else { return nil }
    return folder
  }

  /// The display without its screen, as a part of a file name, and a hyphen.
  static var prefix: String {
    var display = environment("DISPLAY") ?? ""
    if let colon = display.lastIndex(of: ":"), let dot = display[colon...].lastIndex(of: ".") {
      display = String(display[..<dot])
    }
    return String(display.map { $0 == "/" ? "_" : $0 }) + "-"
  }

  /// Removes the sockets of windows that were killed, on whichever display: those at which nobody listens, and whose process
  /// has gone. A window of this moment has a process, but does not listen yet.
  private static func removeAbandoned(in folder: String) {
    for name in Files.list(folder, most: 1000) {
      guard let hyphen = name.lastIndex(of: "-"), let pid = pid_t(name[name.index(after: hyphen)...]), pid > 0,
        kill(pid, 0) < 0, clinux_errno() == ESRCH
      else { continue }
      var there = stat()
      let path = "\(folder)/\(name)"
      guard lstat(path, &there) == 0, there.st_mode & UInt32(S_IFMT) == UInt32(S_IFSOCK) else { continue }
      do { _ = try SocketListener.connectAtOnce(to: path) } catch {
        if error.code == ECONNREFUSED { unlink(path) }
      }
    }
  }

  private static func listen(_ path: String) throws -> Descriptor {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemError(code: ENAMETOOLONG, call: "bind", subject: path)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let socket = Descriptor(owning: try check("socket") { CLinux.socket(AF_UNIX, kind, 0) })
    // The process that had this number has gone.
    unlink(path)
    try check("fchmod", path) { fchmod(socket.raw, 0o600) }
    try check("bind", path) {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    try check("listen", path) { CLinux.listen(socket.raw, 8) }
    return socket
  }

  // MARK: Being called

  private func accept() {
    let fd = clinux_accept4(socket.raw, CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue))
    guard fd >= 0 else {
      // Whoever calls would wake the loop again and again.
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(clinux_errno()) { takeRest() }
      return
    }
    guard SocketListener.peer(of: fd)?.uid == getuid() else {
      close(fd)
      return
    }
    if calls.count == Self.maxCalls { end(calls.removeFirst()) }
    calls.append(Call(descriptor: fd, bytes: []))
    ToolLoop.watch(fd) { [unowned self] in self.read(fd) }
  }

  private func takeRest() {
    ToolLoop.unwatch(socket.raw)
    pause = ToolLoop.at(MonotonicClock.now() + Self.rest) { [unowned self] in
      pause = nil
      listen()
    }
  }

  private func end(_ call: Call) {
    ToolLoop.unwatch(call.descriptor)
    close(call.descriptor)
  }

  private func read(_ fd: CInt) {
    guard let i = calls.firstIndex(where: { $0.descriptor == fd }) else { return }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let n = CLinux.read(fd, &chunk, chunk.count)
    if n < 0, [EAGAIN, EINTR].contains(clinux_errno()) { return }
    if n > 0 {
      calls[i].bytes += chunk[..<n]
      if calls[i].bytes.count <= Self.most { return }
    }
    let call = calls.remove(at: i)
    defer { end(call) }
    guard n >= 0 else { return }
    let answer = Array(answer(to: call.bytes).utf8)
    // A caller that does not read its answer does not get it.
    _ = send(fd, answer, answer.count, CInt(MSG_NOSIGNAL))
  }

  private func answer(to bytes: [UInt8]) -> String {
    guard bytes.count <= Self.most else { return "the list of files is too long" }
    do throws(Problem) {
      try take(try Self.paths(bytes))
      return "\n"
    } catch { return error.sentence + "\n" }
  }

  /// The paths of a call.
  static func paths(_ bytes: [UInt8]) throws(Problem) -> [String] {
    guard bytes.last == 0 else { throw Problem("the call is not complete") }
    let parts = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
    guard parts.count <= DragThing.most else { throw Problem("at most \(DragThing.most) files at once") }
    var paths: [String] = []
    for part in parts {
      guard let path = String(validating: part, as: UTF8.self), path.hasPrefix("/") else {
        throw Problem("a path is not absolute, or not UTF-8")
      }
      paths.append(path)
    }
    return paths
  }
}
