import CLinux
package import CarryModel

/// The protocol between systemd and a service: sockets passed at the start, and notifications of the service's state.
///
/// Replaces the few lines of sd_listen_fds(3) and sd_notify(3) that Carry needs. libsystemd would add compression and
/// cryptography libraries, and their memory.
package enum ServiceManager {
  /// Why systemd's sockets cannot be used.
  package enum Problem: Explained, Equatable, Sendable {
    case tooMany(Int)
    case notAListener
    case noPath
    case notOurs(path: String)

    package var sentence: String {
      switch self {
      case .tooMany(let n): "the service manager handed over \(n) sockets; carry.socket must have one ListenStream="
      case .notAListener:
        "the service manager passed a descriptor that is not a listening stream socket; carry.socket must have ListenStream="
      case .noPath:
        "the service manager's socket has no path in the file system; ListenStream= of carry.socket must name one"
      case .notOurs(let path):
        "\(path) is not this user's alone; carry.socket needs SocketMode=0600, in a user unit"
      }
    }
  }

  /// The number of the first descriptor passed.
  private static let first: CInt = 3

  /// The listening socket that systemd passed; nil if systemd did not start this process.
  ///
  /// Removes the socket's environment variables, so that children do not use the socket. The corresponding C function
  /// is `sd_listen_fds`.
  package static func takeListeningSocket() throws(Problem) -> HandedOverSocket? {
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
    let isOurs = try handsOverOne(pid: environment("LISTEN_PID"), count: environment("LISTEN_FDS"))
    return isOurs ? try HandedOverSocket(first) : nil
  }

  /// Whether these values of LISTEN_PID and LISTEN_FDS mean that one socket was passed to this process.
  package static func handsOverOne(pid: String?, count: String?) throws(Problem) -> Bool {
    guard let pid, Int32(pid) == getpid(), let count = count.flatMap({ Int($0) }), count > 0 else { return false }
    guard count == 1 else { throw .tooMany(count) }
    return true
  }

  /// How often to notify the service manager's watchdog: twice within its timeout. Nil if there is no watchdog. The
  /// corresponding C function is `sd_watchdog_enabled`.
  package static func heartbeat(
    pid: String? = environment("WATCHDOG_PID"), microseconds: String? = environment("WATCHDOG_USEC")
  ) -> Interval? {
    guard pid == nil || pid.flatMap({ Int32($0) }) == getpid(), let us = microseconds.flatMap({ Int64($0) }),
      (2...86_400_000_000).contains(us)
    else { return nil }
    return Interval(microseconds: us / 2)
  }

  /// Sends the service's state, such as `READY=1`; does nothing without a service manager. Never waits. The
  /// corresponding C function is `sd_notify`.
  ///
  /// - Parameter path: The socket to send to; a leading @ represents the NUL of an abstract address.
  package static func notify(_ state: String, to path: String? = environment("NOTIFY_SOCKET")) {
    guard let path, path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count > 1
    else { return }
    var address = sockaddr_un()
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let fd = socket(AF_UNIX, kind, 0)
    guard fd >= 0 else { return }
    let descriptor = Descriptor(owning: fd)
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: path.utf8)
      if path.hasPrefix("@") { $0[0] = 0 }
    }
    // An abstract address is as long as its name, without a trailing NUL.
    let length = MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("@") ? 0 : 1)
    var text = state
    text.withUTF8 { bytes in
      _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(
            descriptor.raw, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT), $0,
            socklen_t(length))
        }
      }
    }
  }
}

/// A listening socket that the service manager created and keeps. The engine closes it at the end, but never removes
/// it from the file system.
package final class HandedOverSocket {
  package let path: String
  private var fd: CInt

  /// Checks that the descriptor is a listening Unix stream socket, bound to a path that belongs to this user alone.
  init(_ fd: CInt) throws(ServiceManager.Problem) {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let named = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(fd, $0, &length) }
    }
    guard named == 0, address.sun_family == sa_family_t(AF_UNIX), Self.option(fd, SO_ACCEPTCONN) == 1,
      Self.option(fd, SO_TYPE) == CInt(SOCK_STREAM.rawValue)
    else { throw .notAListener }
    let count = max(0, Int(length) - MemoryLayout<sa_family_t>.size)
    let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0.prefix(count).prefix { $0 != 0 }) }
    guard !bytes.isEmpty else { throw .noPath }
    path = String(decoding: bytes, as: UTF8.self)
    var there = stat()
    guard lstat(path, &there) == 0, there.st_mode & UInt32(S_IFMT) == UInt32(S_IFSOCK), there.st_uid == getuid(),
      there.st_mode & 0o077 == 0
    else { throw .notOurs(path: path) }
    _ = clinux_set_close_on_exec(fd)
    _ = clinux_set_status_flags(fd, clinux_get_status_flags(fd) | O_NONBLOCK)
    self.fd = fd
  }

  deinit { if fd >= 0 { close(fd) } }

  /// Gives up ownership of the descriptor, once.
  func take() -> Descriptor {
    defer { fd = -1 }
    return Descriptor(owning: fd)
  }

  private static func option(_ fd: CInt, _ name: CInt) -> CInt? {
    var value: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    return getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }
}
