import CarryModel
import CLinux
package import CarrySystem

/// Reads the data that a source handed over. Runs on a worker; trusts nothing about the descriptors.
package enum PayloadReader {
  private static let chunk = 1 << 19

  /// Called with the number of bytes so far, and the total if it is known.
  package typealias Progress = (_ bytes: Int, _ total: Int?) -> Void

  /// Reads all data into a sink and closes the descriptors.
  ///
  /// - Parameter progress: called repeatedly with the number of bytes so far.
  /// - Returns: the number of bytes.
  package static func read(
    _ payload: Payload, into sink: any Sink, _ transfer: TransferState, progress: @escaping Progress
  ) -> Result<Int, LoadError> {
    let result = store(payload, into: sink, transfer, progress: progress)
    if case .failure = result { (sink as? SavingSink)?.undo() }
    payload.close()
    return result
  }

  private static func store(
    _ payload: Payload, into sink: any Sink, _ transfer: TransferState, progress: @escaping Progress
  ) -> Result<Int, LoadError> {
    do {
      let bytes =
        switch payload {
        case .file(let fd): try file(fd, .file, sink, transfer, progress)
        case .memory(let fd): try file(fd, .memory, sink, transfer, progress)
        case .stream(let fd): try stream(fd, sink, transfer, progress)
        case .ring(let memory, let socket): try ring(memory, socket, sink, transfer, progress)
        case .folder(let fd): try folder(fd, sink, transfer, progress)
        case .original(let fd, let path):
          try original(fd, path, sink) ?? file(fd, .file, sink, transfer, progress)
        case .failed(let code, let message):
          throw LoadError(LoadError.Code(rawValue: code) ?? .sourceFailed, message)
        }
      try sink.finish()
      return .success(bytes)
    } catch let error as LoadError {
      return .failure(error)
    } catch {
      return .failure(LoadError(.local, sentence(of: error)))
    }
  }

  private static func unusable() -> LoadError {
    LoadError(.unusableDescriptor, "the source handed over something that is not safe to read")
  }

  /// The error for a failure text from the source, which may contain anything.
  private static func failure(_ sentence: UnsafeRawBufferPointer) -> LoadError {
    let sentence =
      sentence.count > Limits.nameBytes ? "" : SafeText.displayable(String(decoding: sentence, as: UTF8.self))
    return LoadError(.sourceFailed, sentence.isEmpty ? "the source stopped before it had sent everything" : sentence)
  }

  private static func checkCancellation(_ transfer: TransferState) throws {
    if transfer.isCancelled { throw LoadError(.cancelled, "the load was cancelled") }
  }

  private static func folder(
    _ fd: CInt, _ sink: any Sink, _ transfer: TransferState, _ progress: @escaping Progress
  ) throws -> Int {
    guard PassedDescriptor.isSafe(fd, .folder) else { throw unusable() }
    try checkCancellation(transfer)
    guard let sink = sink as? SavingSink else {
      throw LoadError(.unusableDescriptor, "the source handed over a folder where data was asked for")
    }
    return try sink.copyFolder(fd) { progress($0, nil) }
  }

  private static func original(_ fd: CInt, _ path: String, _ sink: any Sink) throws -> Int? {
    guard PassedDescriptor.isSafe(fd, .file) else { throw unusable() }
    return try (sink as? SavingSink)?.openOriginal(fd, path: path)
  }

  /// Reads a file with pread, never through a mapping: a file that shrinks meanwhile then ends early instead of
  /// raising SIGBUS. The size at the start counts, so a source that appends forever cannot fill the disk. Data in the
  /// kernel's cache is read directly into its destination. The rest is copied through a buffer of our own: reading a
  /// foreign file may never return, and a lock held across the read would be held forever.
  private static func file(
    _ fd: CInt, _ kind: PassedDescriptor.Kind, _ sink: any Sink, _ transfer: TransferState,
    _ progress: Progress
  ) throws -> Int {
    guard PassedDescriptor.isSafe(fd, kind), let size = PassedDescriptor.size(of: fd) else { throw unusable() }
    if kind == .file, let sink = sink as? SavingSink {
      var status = stat()
      if fstat(fd, &status) == 0 { sink.willCopyAttributes(from: status) }
    }
    let own = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 4096)
    defer { own.deallocate() }
    // Through our own open file description, if permitted: the source may change flags of its own at any time.
    // O_DIRECT, for instance, makes reads wait for the disk and fail if they are not aligned to blocks.
    let reopened = kind == .file ? clinux_open("/proc/self/fd/\(fd)", O_RDONLY | O_CLOEXEC, 0) : -1
    defer { if reopened >= 0 { close(reopened) } }
    let source = reopened >= 0 ? reopened : fd
    var done = 0
    func read(most: Int) throws -> Int {
      try checkCancellation(transfer)
      return try check("pread") { pread(source, own.baseAddress, min(most, own.count), done) }
    }
    var isCached = reopened >= 0
    if isCached, let sink = sink as? any FileReceivingSink {
      done = try sink.clone(from: source, size: size) { progress($0, size) }
    }
    // Not earlier: a copy that shares the file's blocks needs no space.
    if done < size || size == 0 { try sink.reserve(size - done) }
    let memory = sink as? any MemorySink
    while done < size {
      if isCached {
        try checkCancellation(transfer)
        let at = off_t(done)
        let n = try memory?.fill(min(chunk, size - done)) {
          clinux_read_cached(source, $0.baseAddress, $0.count, at)
        }
        if let n, n > 0 {
          done += n
          progress(done, size)
          continue
        }
        // Do not retry on a file system that cannot report what it has cached, such as FUSE.
        isCached = n != nil && (n == 0 || clinux_errno() == EAGAIN)
      }
      let n = try read(most: size - done)
      guard n > 0 else { throw LoadError(.local, "the source's file became shorter while it was read") }
      try sink.append(UnsafeRawBufferPointer(rebasing: own[..<n]))
      done += n
      progress(done, size)
    }
    // Files in /proc report a size of 0.
    if kind == .file, try read(most: 1) > 0 {
      throw LoadError(.local, "the source's file has more than the \(size) bytes that it said it has")
    }
    return done
  }

  private static func stream(
    _ fd: CInt, _ sink: any Sink, _ transfer: TransferState, _ progress: Progress
  ) throws -> Int {
    guard PassedDescriptor.isSafe(fd, .stream) else { throw unusable() }
    // The source may hold the same open file and read the announced bytes itself. An open file description of our own
    // can be non-blocking without changing the source's.
    let pipe = try Descriptor.open("/proc/self/fd/\(fd)", O_RDONLY | O_NONBLOCK)
    var done = 0
    try readPipe(pipe.raw) {
      try checkCancellation(transfer)
    } _: { bytes in
      try sink.append(bytes)
      done += bytes.count
      progress(done, nil)
    }
    return done
  }

  /// Reads a pipe that does not block, to its end.
  ///
  /// - Parameter checkCancellation: called repeatedly while nothing arrives; throws to stop waiting.
  package static func readPipe(
    _ fd: CInt, _ checkCancellation: () throws -> Void, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let own = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 4096)
    defer { own.deallocate() }
    while true {
      try checkCancellation()
      let n = CLinux.read(fd, own.baseAddress, own.count)
      if n < 0 {
        switch clinux_errno() {
        case EINTR: continue
        case EAGAIN: try TransferWait.untilReadable(fd)
        default: throw SystemError.last("read")
        }
        continue
      }
      if n == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: own[..<n]))
    }
  }

  private static func ring(
    _ memory: CInt, _ socket: CInt, _ sink: any Sink, _ transfer: TransferState, _ progress: Progress
  ) throws -> Int {
    guard PassedDescriptor.isSafeRing(memory: memory, socket: socket, size: RingLayout.size) else { throw unusable() }
    // Sealed against shrinking: the mapping cannot raise SIGBUS.
    guard let base = clinux_map(memory, RingLayout.size, false) else { throw SystemError.last("mmap") }
    defer { munmap(base, RingLayout.size) }
    var done = 0
    var slot = 0
    // One byte longer than the longest packet, to distinguish a longer packet from a truncated one.
    let packet = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 + Limits.nameBytes + 1, alignment: 4)
    defer { packet.deallocate() }
    while true {
      let n = try RingSocket.receive(socket, packet) { try checkCancellation(transfer) }
      let number = n < 4 ? RingLayout.failed : packet.load(as: UInt32.self)
      if number == RingLayout.failed { throw failure(UnsafeRawBufferPointer(rebasing: packet[min(4, n)..<n])) }
      guard n == 4 else { throw unusable() }
      if number == RingLayout.end { return done }
      let count = Int(number)
      guard count > 0, count <= RingLayout.slotSize else { throw unusable() }
      try sink.append(UnsafeRawBufferPointer(start: base + slot * RingLayout.slotSize, count: count))
      var credit: UInt8 = 0
      // The source may have exited after its last slot: not an error here.
      _ = send(socket, &credit, 1, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      slot = (slot + 1) % RingLayout.slots
      done += count
      progress(done, nil)
    }
  }
}
