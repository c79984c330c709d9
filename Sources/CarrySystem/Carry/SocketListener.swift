import CarryModel
import CLinux

/// A listening Unix socket that one process at a time owns, as its lock file says.
package final class SocketListener {
  /// Why the socket could not be had.
  package enum Problem: Explained, Equatable, Sendable {
    /// Another engine holds the lock.
    case taken(path: String)
    case pathTooLong(path: String)
    /// Something that is no socket is there, and stays there.
    case notASocket(path: String)
    /// Another program listens there, such as the service manager on behalf of an engine.
    case served(path: String)
    case system(SystemError)

    /// Whether another engine is in the way, or stands ready, rather than a mistake.
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
  /// Whether the socket is the service manager's, and stays when we go.
  private let isHandedOver: Bool
  private var isRemoved = false
  private var isListening = false

  package var descriptor: CInt { socket.raw }

  /// Takes a path for itself. A socket left behind by an engine that died is replaced: only the lock says who lives.
  ///
  /// - Parameter isListening: false where there is more to do before clients can be answered; `startListening` follows,
  ///   and only then there is a socket to be found.
  package init(path: String, isListening: Bool = true) throws(Problem) {
    guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { throw .pathTooLong(path: path) }
    self.path = path
    isHandedOver = false
    do {
      lock = try Self.lock(path)
      let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
      let socket = Descriptor(owning: try check("socket") { CLinux.socket(AF_UNIX, kind, 0) })
      // A socket that nobody holds the lock of was left behind; anything else is somebody's.
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

  /// Makes the socket and listens, if that is still to be done.
  package func startListening() throws(SystemError) {
    guard !isListening, !isHandedOver else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    // Not by the umask, which is the whole process's: what other threads make meanwhile would get it, too.
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

  /// Listens on the service manager's socket, which stays in the file system when we go.
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
    // A client that looks whether an engine lives holds the lock for a moment.
    for attempt in 1...10 {
      if flock(lock.raw, LOCK_EX | LOCK_NB) == 0 {
        // News for clients that wait, though the file be an older engine's: taking a lock is none.
        futimens(lock.raw, nil)
        break
      }
      guard clinux_errno() == EWOULDBLOCK else { throw SystemError.last("flock", lockPath) }
      guard attempt < 10 else { throw Problem.taken(path: path) }
      poll(nil, 0, 5)
    }
    return lock
  }

  /// Whether any process listens on the socket at a path, found out without a connection: that would be a client to
  /// serve. False where the kernel does not tell.
  package static func isServed(_ path: String) -> Bool {
    guard let table = try? Files.readAll("/proc/net/unix", limit: 16 << 20) else { return false }
    // Num RefCount Protocol Flags Type St Inode Path; the flag 00010000 says that it listens.
    for line in table.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 7)
      guard fields.count == 8, fields[7].elementsEqual(path.utf8) else { continue }
      if fields[3].elementsEqual("00010000".utf8) { return true }
    }
    return false
  }

  deinit {
    if isHandedOver, !isRemoved {
      // The engine could not start. Who waits for it is told by a hang-up: the service manager would start it for them
      // again and again. After a regular end they wait for the next one.
      while case .connection = accept() {}
    }
    removeFiles()
  }

  /// Takes the socket out of the file system: nobody finds it any more. While the lock is held nobody else has made
  /// these files anew.
  package func removeFiles() {
    guard !isRemoved else { return }
    isRemoved = true
    if !isHandedOver { unlink(path) }
    unlink(path + ".lock")
  }

  /// Lets another engine have the path now, after `removeFiles`; the last call. Descriptors do not go with a process of
  /// which a thread still waits for a file system.
  package func release() {
    // The service manager's goes on listening.
    if !isHandedOver { shutdown(socket.raw, CInt(SHUT_RDWR)) }
    flock(lock.raw, LOCK_UN)
  }

  /// Who is at the other end of a connection, as the kernel says.
  package struct Peer: Equatable, Sendable {
    package var pid: Int32
    package var uid: UInt32
  }

  /// What came of an attempt to accept.
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

  /// Whether an engine lives that has the path, as the lock says.
  package static func isTaken(_ path: String) -> Bool {
    guard let lock = try? Descriptor.open(path + ".lock", O_RDWR | O_NOFOLLOW) else { return false }
    guard flock(lock.raw, LOCK_EX | LOCK_NB) != 0 else { return false }
    return clinux_errno() == EWOULDBLOCK
  }

  /// Connects to a listener; the caller owns the descriptor. The corresponding C function is `connect`.
  ///
  /// Between `bind` and `listen` an engine's socket is there and refuses: where the engine lives, that is waited for.
  package static func connect(to path: String) throws(SystemError) -> Descriptor {
    for _ in 0..<200 {
      do throws(SystemError) { return try connectOnce(to: path) } catch {
        guard error.code == ECONNREFUSED, isTaken(path) else { throw error }
        poll(nil, 0, 5)
      }
    }
    return try connectOnce(to: path)
  }

  /// Connects without waiting: fails where the listener cannot take it now.
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
