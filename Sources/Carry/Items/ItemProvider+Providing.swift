import CLinux
import CarryModel
import CarrySystem
import CarryWireClient

/// The source's side of a load: hands over a descriptor for a representation of any kind.
extension ItemProvider {
  /// Data up to this size goes in one sealed piece of memory; more goes through a ring, which is faster than the first
  /// touch of so many fresh pages.
  private static let memoryLimit = 256 * 1024

  func provide(_ type: String, to provision: WireProvision, client: Client, streams: SessionStreams?) {
    guard let representation = representation(for: type) else {
      return provision.fail("the item has no representation of this type")
    }
    switch representation {
    case .content(let handler):
      let ticket = streams?.ticket(isStream: false)
      let request = ItemRequest(type, provision) { result in
        switch result {
        case .success(.data(let bytes)): Self.handOver(bytes: bytes, to: provision, client: client, streams: streams)
        case .success(.file(let path)): Self.handOver(file: path, to: provision)
        case .success(.descriptor(let fd)): Self.handOver(descriptor: fd, to: provision)
        case .failure(let error): provision.fail("\(error)")
        }
      }
      // The wire's object keeps the request until it is over.
      provision.onEvent = { event in
        switch event {
        case .delivered: ticket?.arrived()
        case .cancelled, .lost: request.cancel()
        }
      }
      handler(request)
    case .stream(let writer):
      Self.stream(to: provision, client: client, streams: streams, writer)
    }
  }

  private func representation(for type: String) -> Representation? {
    guard case .source(let list) = side else { return nil }
    return list.first { $0.type == type }?.representation
  }

  private static func handOver(file path: String, to provision: WireProvision) {
    do {
      let fd = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      guard PassedDescriptor.isSafe(fd.raw, .file) else {
        return provision.fail("\(path): not a regular file")
      }
      provision.file(fd.raw)
    } catch {
      provision.fail(error.sentence)
    }
  }

  private static func handOver(descriptor fd: CInt, to provision: WireProvision) {
    if PassedDescriptor.isSafe(fd, .file) {
      provision.file(fd)
    } else if PassedDescriptor.isSafe(fd, .stream) {
      provision.stream(fd)
    } else {
      provision.fail("the descriptor is neither a regular file nor the reading end of a pipe")
    }
  }

  private static func handOver(
    bytes: [UInt8], to provision: WireProvision, client: Client, streams: SessionStreams?
  ) {
    if bytes.count <= memoryLimit, let fd = try? SealedMemory.make(bytes) {
      provision.memory(fd.raw)
      return
    }
    // T10: where the kernel does not seal memory, the bytes go through the ring as well.
    stream(to: provision, client: client, streams: streams) { try bytes.withUnsafeBytes($0.write) }
  }

  private static func stream(
    to provision: WireProvision, client: Client, streams: SessionStreams?,
    _ writer: @escaping @Sendable (StreamWriter) throws -> Void
  ) {
    let ring: RingWriter
    do { ring = try RingWriter() } catch { return provision.fail(error.sentence) }
    let cancellation = Cancellation()
    let completions = client.transfers.completions
    let owner = OnClientThread(provision)
    let ticket = streams?.ticket(isStream: true)
    let written = OnClientThread(ticket)
    do {
      try Worker.start {
        let stream = StreamWriter(ring, cancellation) { bytes in
          completions.add { owner.value.progress(kibibytes: bytes / 1024) }
        }
        var isRead = false
        defer { completions.add { [isRead] in written.value?.ended(isRead: isRead) } }
        do {
          try writer(stream)
          try stream.finish()
          isRead = true
        } catch {
          // The reader sees that the socket ends without its final message, and so knows that this failed.
          Log.debug("a stream representation failed: \(error)")
        }
      }
    } catch {
      ticket?.ended(isRead: false)
      return provision.fail("no thread can be made to send the data: \(error.sentence)")
    }
    provision.onEvent = { event in
      switch event {
      case .delivered: ticket?.arrived()
      case .cancelled: cancellation.cancel()
      // The destination goes on reading without the engine.
      case .lost: break
      }
    }
    provision.ring(memory: ring.memory, socket: ring.otherEnd)
    // The connection's queue has copies of the descriptors. Our descriptor must not keep the other end alive.
    ring.closeOtherEnd()
  }
}
