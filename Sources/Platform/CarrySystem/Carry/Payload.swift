import CLinux

/// The data that a source hands over for a load. The recipient closes the descriptors.
package enum Payload: Equatable, Sendable {
  case file(CInt)
  case memory(CInt)
  case stream(CInt)
  case ring(memory: CInt, socket: CInt)
  case folder(CInt)
  /// - Parameter path: The source's claim; it may name another file.
  case original(CInt, path: String)
  case failed(code: UInt32, message: String)

  /// Closes the descriptors; blocks for as long as closing a file does.
  package func close() {
    switch self {
    case .file(let fd), .memory(let fd), .stream(let fd), .folder(let fd), .original(let fd, _): CLinux.close(fd)
    case .ring(let memory, let socket):
      CLinux.close(memory)
      CLinux.close(socket)
    case .failed: break
    }
  }

  /// Closes the descriptors without waiting, for the client's thread.
  package func closeAside() {
    switch self {
    // Closing the last descriptor of memory frees it, which takes 0.2 s for 1 GiB, and a writer may hold a pipe's
    // lock.
    case .file(let fd), .folder(let fd), .original(let fd, _), .memory(let fd), .stream(let fd):
      AsideCloser.closeAlone(fd)
    case .ring(let memory, let socket):
      AsideCloser.closeAlone(memory)
      // Descriptors queued in the socket are closed with it.
      AsideCloser.closeAlone(socket)
    case .failed: break
    }
  }
}
