import CLinux
import CarrySystem

/// A file whose file system does not respond when it is closed; nil if there is no FUSE.
package final class StuckFile {
  package private(set) var fd: CInt = -1
  private let place: TestFolder
  private let socket: Descriptor
  private let server: ChildProcess
  package private(set) var flushes = 0
  package private(set) var cameTooLate = false

  package init?() throws {
    place = try TestFolder("stuck")
    var pair: [CInt] = [-1, -1]
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    try check("socketpair") { socketpair(AF_UNIX, kind, 0, &pair) }
    socket = Descriptor(owning: pair[0])
    let theirs = Descriptor(owning: pair[1])
    server = try ChildProcess(
      ["python3", Checkout.peers + "/stuckfile.py", place.path], output: .inherit, descriptors: [theirs.raw])
    _ = consume theirs
    var byte: UInt8 = 0
    var count: CInt = 0
    _ = Wait.until(seconds: 20, descriptor: socket.raw) {
      clinux_receive_descriptors(socket.raw, &byte, 1, &fd, 1, &count) >= 0
    }
    guard byte == UInt8(ascii: "d"), count == 1, fd >= 0,
      Wait.until(seconds: 20, { recv(socket.raw, &byte, 1, 0) == 1 })
    else { return nil }
  }

  /// The path of another file there; any access to it blocks.
  package var silentPath: String { "/proc/\(server.pid)/root\(place.path)/silent" }

  /// Reads the requests to the file system.
  package func look() {
    var byte: UInt8 = 0
    while recv(socket.raw, &byte, 1, CInt(MSG_DONTWAIT)) == 1 {
      if byte == UInt8(ascii: "F") { flushes += 1 } else { cameTooLate = true }
    }
  }

  /// Closes it here, on another thread, once others have it: a started child would otherwise wait for that before it
  /// runs.
  package func destroy() {
    guard fd >= 0 else { return }
    AsideCloser.close(fd)
    fd = -1
  }

  /// Completes the pending close.
  package func answer() { _ = "x".withCString { send(socket.raw, $0, 1, CInt(MSG_NOSIGNAL)) } }

  deinit {
    answer()
    destroy()
    _ = server.stop(SIGKILL)
  }
}
