import CLinux
import CarrySystem
import CarryWireClient

/// Reads what a source handed over. Runs on a worker; trusts nothing about the descriptors.
enum Receiver {
  private static let chunk = 1 << 20

  /// Reads all of it into a sink and closes the descriptors.
  ///
  /// - Parameter progress: called now and then with the number of bytes so far.
  /// - Returns: how many bytes there were.
  static func receive(
    _ delivery: WireLoad.Delivery, into sink: any Sink, unless cancellation: Cancellation, progress: (Int) -> Void
  ) -> Result<Int, LoadError> {
    defer { delivery.close() }
    do {
      switch delivery {
      case .file(let fd):
        return .success(try file(fd, .file, sink, cancellation, progress))
      case .memory(let fd):
        return .success(try file(fd, .memory, sink, cancellation, progress))
      case .stream(let fd):
        return .success(try stream(fd, sink, cancellation, progress))
      case .ring(let memory, let socket):
        return .success(try ring(memory, socket, sink, cancellation, progress))
      case .failed(let code, let message):
        return .failure(LoadError(LoadError.Code(rawValue: code) ?? .sourceFailed, message))
      }
    } catch let error as LoadError {
      return .failure(error)
    } catch let error as SystemError {
      return .failure(LoadError(.local, error.sentence))
    } catch {
      return .failure(LoadError(.local, "\(error)"))
    }
  }

  private static func unusable() -> LoadError {
    LoadError(.unusableDescriptor, "the source handed over something that is not safe to read")
  }

  private static func goOn(_ cancellation: Cancellation) throws {
    if cancellation.isCancelled { throw LoadError(.cancelled, "the load was cancelled") }
  }

  /// With pread, never through a mapping: a file that shrinks meanwhile then ends early instead of raising SIGBUS.
  private static func file(
    _ fd: CInt, _ kind: PassedDescriptor.Kind, _ sink: any Sink, _ cancellation: Cancellation,
    _ progress: (Int) -> Void
  ) throws -> Int {
    guard PassedDescriptor.isSafe(fd, kind), let size = PassedDescriptor.size(of: fd) else { throw unusable() }
    try sink.expect(size)
    let own = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 4096)
    defer { own.deallocate() }
    var done = 0
    // A file may have grown, and those of /proc say that they are empty: what counts is where reading ends.
    while kind == .file || done < size {
      try goOn(cancellation)
      let left = kind == .file ? chunk : size - done
      func read(_ into: UnsafeMutableRawBufferPointer) throws -> Int {
        try check("pread") { pread(fd, into.baseAddress, into.count, done) }
      }
      let n: Int
      if let direct = try sink.fill(most: kind == .file ? 4 * chunk : min(left, 4 * chunk), read) {
        n = direct
      } else {
        n = try read(UnsafeMutableRawBufferPointer(rebasing: own[..<min(left, own.count)]))
        if n > 0 { try sink.take(UnsafeRawBufferPointer(rebasing: own[..<n])) }
      }
      if n == 0 {
        guard done >= size else {
          throw LoadError(.local, "the source's file became shorter while it was read")
        }
        break
      }
      done += n
      progress(done)
    }
    return done
  }

  private static func stream(
    _ fd: CInt, _ sink: any Sink, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws -> Int {
    guard PassedDescriptor.isSafe(fd, .stream) else { throw unusable() }
    let own = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 4096)
    defer { own.deallocate() }
    var done = 0
    while true {
      try goOn(cancellation)
      try RingSocket.wait(fd)
      let n = try check("read") { read(fd, own.baseAddress, own.count) }
      if n == 0 { return done }
      try sink.take(UnsafeRawBufferPointer(rebasing: own[..<n]))
      done += n
      progress(done)
    }
  }

  private static func ring(
    _ memory: CInt, _ socket: CInt, _ sink: any Sink, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws -> Int {
    guard PassedDescriptor.isSafeRing(memory: memory, socket: socket, size: RingLayout.size) else { throw unusable() }
    // Sealed against shrinking: mapping it cannot raise SIGBUS.
    guard let base = clinux_map(memory, RingLayout.size, false) else { throw SystemError.last("mmap") }
    defer { munmap(base, RingLayout.size) }
    RingSocket.prepare(socket)
    var done = 0
    var slot = 0
    while true {
      try goOn(cancellation)
      var number: UInt32 = 0
      let n = try withUnsafeMutableBytes(of: &number) { try RingSocket.receive(socket, $0) }
      guard n == 4 else {
        throw LoadError(.sourceFailed, "the source stopped before it had sent everything")
      }
      if number == RingLayout.end { return done }
      let count = Int(number)
      guard count > 0, count <= RingLayout.slotSize else { throw unusable() }
      try sink.take(UnsafeRawBufferPointer(start: base + slot * RingLayout.slotSize, count: count))
      var credit: UInt8 = 1
      // The source may have sent its last slot and gone: that is no failure of ours.
      _ = send(socket, &credit, 1, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      slot = (slot + 1) % RingLayout.slots
      done += count
      progress(done)
    }
  }
}
