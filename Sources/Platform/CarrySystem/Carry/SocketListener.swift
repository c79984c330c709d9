import CarryModel
import CLinux

/// A listening Unix socket. A lock file ensures that only one process owns it at a time.
package final class SocketListener {
  /// Why the socket is unavailable.
  package enum Problem: Explained, Equatable, Sendable {
    /// Another engine holds the lock.
    case taken(path: String)
    case pathTooLong(path: String)
    /// The path is not a socket, so it is left alone.
    case notASocket(path: String)
    /// Another program listens there, such as the service manager on behalf of an engine.
    case served(path: String)
    case system(SystemError)

    /// Whether the cause is another engine that runs or can be started, rather than a mistake.
    package var isTaken: Bool {
      switch self {
      case .taken, .served: true
      case .pathTooLong, .notASocket, .system: false
      }
    }

    package var sentence: String {
      switch self {
      case .taken(let path): "another engine listens on \(path); stop it first, or give --socket another path"
      case .served(let path):
        "\(path) is kept by the service manager, which starts the engine when it is needed (systemctl --user status "
          + "carry.socket); nothing to do here, unless --socket names another path"
      case .notASocket(let path):
        "\(path) exists and is no socket; give --socket another path, or set CARRY_SOCKET to one"
      case .pathTooLong(let path): "\(path): a socket's path has at most 107 bytes; give --socket a shorter one"
      case .system(let e):
        e.code == ENOENT || e.code == EACCES
          ? "\(e.sentence); set XDG_RUNTIME_DIR to a directory of your own, or give --socket a path" : e.sentence
      }
    }
  }

  package let path: String
  private let socket: Descriptor
  private let lock: Descriptor
  /// Whether the socket belongs to the service manager and remains when this process ends.
  private let isHandedOver: Bool
  private var isRemoved = false
  private var isListening = false

  package var descriptor: CInt { socket.raw }

  /// Acquires the lock of a path, and replaces a socket that a dead engine has left behind. Only the lock shows
  /// whether an engine is running.
  ///
  /// - Parameter isListening: False if the caller cannot serve clients yet. It then calls `startListening`, which
  ///   creates the socket.
  package init(path: String, isListening: Bool = true) throws(Problem) {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { throw .pathTooLong(path: path) }
    self.path = path
    isHandedOver = false
    do {
      lock = try Self.lock(path)
      let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
      let socket = Descriptor(owning: try check("socket") { CLinux.socket(AF_UNIX, kind, 0) })
      // A socket whose lock is free was left behind. Anything else is in use.
      var there = stat()
      if lstat(path, &there) == 0 {
        guard there.st_mode & UInt32(S_IFMT) == UInt32(S_IFSOCK) else { throw Problem.notASocket(path: path) }
        guard !Self.isServed(path) else { throw Problem.served(path: path) }
        unlink(path)
      }
      self.socket = socket
      if isListening { try startListening() }
    } catch let e as SystemError {
      throw .system(e)
    } catch let e as Problem {
      throw e
    } catch {
      throw .system(SystemError(code: EINVAL, call: "listen", subject: path))
    }
  }

  /// Creates the socket and listens, unless already done.
  package func startListening() throws(SystemError) {
    guard !isListening, !isHandedOver else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    // Umask would affect the whole process, including files that other threads create meanwhile.
    try check("fchmod", path) { fchmod(socket.raw, 0o600) }
    try check("bind", path) {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    try check("listen", path) { listen(socket.raw, 128) }
    isListening = true
  }

  /// Listens on the service manager's socket, which stays in the file system when this process ends.
  package init(_ socket: HandedOverSocket) throws(Problem) {
    path = socket.path
    isHandedOver = true
    do { lock = try Self.lock(path) } catch let e as SystemError {
      throw .system(e)
    } catch let e as Problem {
      throw e
    } catch {
      throw .system(SystemError(code: EINVAL, call: "flock", subject: path))
    }
    self.socket = socket.take()
  }

  private static func lock(_ path: String) throws -> Descriptor {
    let lockPath = path + ".lock"
    let lock = try Descriptor.open(lockPath, O_CREAT | O_RDWR | O_NOFOLLOW, mode: 0o600)
    // A client that checks for an engine holds the lock for a moment, so try again.
    for attempt in 1...10 {
      if flock(lock.raw, LOCK_EX | LOCK_NB) == 0 {
        // Touch the file for clients that wait with inotify, which does not report a lock.
        futimens(lock.raw, nil)
        break
      }
      guard clinux_errno() == EWOULDBLOCK else { throw SystemError.last("flock", lockPath) }
      guard attempt < 10 else { throw Problem.taken(path: path) }
      poll(nil, 0, 5)
    }
    return lock
  }

  /// Whether any process listens on the socket at a path. A trial connection would be a client to serve, so this
  /// reads the kernel's table. False if unknown.
  package static func isServed(_ path: String) -> Bool {
    guard let table = try? Files.readAll("/proc/net/unix", limit: 16 << 20) else { return false }
    // Num RefCount Protocol Flags Type St Inode Path; the flag 00010000 means listening.
    for line in table.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 7)
      guard fields.count == 8, fields[7].elementsEqual(path.utf8) else { continue }
      if fields[3].elementsEqual("00010000".utf8) { return true }
    }
    return false
  }

  deinit {
    if isHandedOver, !isRemoved {
      // The engine could not start, so hang up on the waiting clients, or the service manager would start the engine
      // for them again and again. After a regular end, clients wait for the next engine.
      while case .connection = accept() {}
    }
    removeFiles()
  }

  /// Removes the socket from the file system. The lock is still held, so the files are this engine's own.
  package func removeFiles() {
    guard !isRemoved else { return }
    isRemoved = true
    if !isHandedOver { unlink(path) }
    unlink(path + ".lock")
  }

  /// Lets another engine have the path, after `removeFiles`. This is the last call. It is needed because a process
  /// keeps its descriptors while one of its threads still waits for a file system.
  package func release() {
    // The service manager's socket continues to listen.
    if !isHandedOver { shutdown(socket.raw, CInt(SHUT_RDWR)) }
    flock(lock.raw, LOCK_UN)
  }

  /// The process at the other end of a connection, from the kernel.
  package struct Peer: Equatable, Sendable {
    package var pid: Int32
    package var uid: UInt32

    package init(pid: Int32, uid: UInt32) { (self.pid, self.uid) = (pid, uid) }
  }

  /// The result of an attempt to accept.
  package enum Accepted: ~Copyable {
    case connection(Descriptor, Peer)
    case nothing
    /// No descriptors left: stop accepting for a while.
    case exhausted
  }

  package func accept() -> Accepted {
    let flags = CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    while true {
      let fd = clinux_accept4(socket.raw, flags)
      if fd >= 0 {
        let connection = Descriptor(owning: fd)
        guard let peer = Self.peer(of: fd) else { return .nothing }
        return .connection(connection, peer)
      }
      switch clinux_errno() {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .nothing
      }
    }
  }

  package static func peer(of fd: CInt) -> Peer? {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    guard clinux_peer_credentials(fd, &pid, &uid, &gid) == 0 else { return nil }
    return Peer(pid: pid, uid: uid)
  }

  /// Whether a living engine holds the path's lock.
  package static func isTaken(_ path: String) -> Bool {
    guard let lock = try? Descriptor.open(path + ".lock", O_RDWR | O_NOFOLLOW) else { return false }
    guard flock(lock.raw, LOCK_EX | LOCK_NB) != 0 else { return false }
    return clinux_errno() == EWOULDBLOCK
  }

  /// Whether a process holds the lock of a listener at this path, according to the kernel's data about the process.
  ///
  /// Any client may have named the path, so no file is accessed: its file system could hang.
  package static func isTaken(_ path: String, by pid: Int32) -> Bool {
    guard let name = path.split(separator: "/").last else { return false }
    let lock = name + ".lock"
    // An engine's lock has one of the lowest descriptors.
    return (0..<256).contains { fd in
      guard Files.link("/proc/\(pid)/fd/\(fd)")?.split(separator: "/").last == lock[...],
        let facts = try? Files.readStart("/proc/\(pid)/fdinfo/\(fd)", most: 4096)
      else { return false }
      return String(decoding: facts, as: UTF8.self).split(separator: "\n").contains {
        $0.hasPrefix("lock:") && $0.contains("FLOCK") && $0.contains("WRITE")
      }
    }
  }

  /// Connects to a listener; the caller owns the descriptor. The corresponding C function is `connect`.
  ///
  /// Between `bind` and `listen` an engine's socket exists and refuses connections. If the engine lives, this waits.
  package static func connect(to path: String) throws(SystemError) -> Descriptor {
    for _ in 0..<200 {
      do throws(SystemError) { return try connectOnce(to: path) } catch {
        guard error.code == ECONNREFUSED, isTaken(path) else { throw error }
        poll(nil, 0, 5)
      }
    }
    return try connectOnce(to: path)
  }

  /// Connects without waiting: fails if the listener cannot accept the connection now.
  package static func connectAtOnce(to path: String) throws(SystemError) -> Descriptor {
    try connectOnce(to: path, flags: CInt(SOCK_NONBLOCK.rawValue))
  }

  private static func connectOnce(to path: String, flags: CInt = 0) throws(SystemError) -> Descriptor {
    var address = sockaddr_un()
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemError(code: ENAMETOOLONG, call: "connect", subject: path)
    }
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | flags
    let socket = Descriptor(owning: try check("socket") { CLinux.socket(AF_UNIX, kind, 0) })
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try check("connect", path) {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          CLinux.connect(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    return socket
  }
}
