import CLinux
import CarryModel
import CarrySystem
import CarryWireClient

/// The source's side of a load: hands over a descriptor for a representation of any kind.
extension ItemProvider {
  /// Data up to this size goes in one piece of sealed memory; more goes through a ring, which is faster than the page
  /// faults of that many fresh pages.
  static let memoryLimit = 256 * 1024

  /// - Parameter form: what the destination wants to do with the representation.
  func provide(
    _ type: String, as form: LoadForm, to provision: WireProvision, client: Client, streams: SessionStreams?
  ) {
    guard let representation = representation(for: type) else {
      return provision.fail("the item has no representation of this type")
    }
    func request(_ options: FileOptions) -> ItemRequest {
      Self.request(
        type, as: form, to: provision, client: client, streams: streams, options: options, isForeign: isForeign,
        name: { self.suggestedName }, whenMissing: { [weak self] in self?.onMissingFile?() })
    }
    switch representation {
    case .bytes(let bytes): request([]).answer(.success(.data(bytes)))
    case .file(let options, let path): request(options).answer(.success(.file(path: path)))
    case .content(let options, let handler): handler(request(options))
    case .stream(let writer):
      let total = byteCounts[type]
      Self.stream(to: provision, client: client, streams: streams, total: total) { stream in
        stream.totalBytes = total
        try writer(stream)
      }
    }
  }

  /// Creates a request, whose answer goes to the destination.
  ///
  /// - Parameters:
  ///   - options: what the destination may do with a file of the answer, unless the request's options are changed.
  ///   - isForeign: whether another program has named the file of the answer.
  ///   - name: returns the name for a folder of the answer; nil for a default name.
  static func request(
    _ type: String, as form: LoadForm, to provision: WireProvision, client: Client, streams: SessionStreams?,
    options: FileOptions, isForeign: Bool = false, name: @escaping () -> String?, whenMissing: (() -> Void)? = nil
  ) -> ItemRequest {
    let ticket = streams?.ticket(isStream: false)
    let request = ItemRequest(type, ItemRequest.Form(form), provision, options) { result, options, kept in
      switch result {
      case .success(.data(let bytes)):
        handOver(bytes: bytes, keeping: kept, to: provision, client: client, streams: streams)
      case .success(.file(let path)):
        let asOriginal = form == .original && options.contains(.openInPlace)
        let give = { (found: FoundFile) in
          let isThere = handOver(
            found, path, as: form, name: name(), to: provision, client: client, streams: streams)
          if !isThere { whenMissing?() }
        }
        guard isForeign else { return give(FoundFile(path, asOriginal: asOriginal, isForeign: false)) }
        openAside(path, asOriginal: asOriginal, to: provision, client: client, give)
      case .success(.descriptor(let fd)):
        handOver(descriptor: fd, as: form, to: provision, client: client, streams: streams)
      case .failure(let error): provision.fail("\(error)")
      }
    }
    request.answerMaking = { [unowned request] bytes in
      answer(request, making: bytes, for: provision, client: client, streams: streams)
    }
    // The wire object retains the request until it is over.
    provision.onEvent = { event in
      switch event {
      case .delivered: ticket?.arrived()
      case .cancelled, .lost: request.cancel()
      case .destinationProgress(let progress):
        request.onDestinationProgress?(Int(clamping: progress.completed), progress.total.map { Int(clamping: $0) })
      }
    }
    return request
  }

  private static func answer(
    _ request: ItemRequest, making bytes: @escaping @Sendable () throws -> [UInt8], for provision: WireProvision,
    client: Client, streams: SessionStreams?
  ) {
    // One answer counts.
    guard !request.isCancelled, request.answerMaking != nil else { return }
    request.answerMaking = nil
    let begin: (StreamLimiter.Slot?) -> Void = { turn in
      let listener = provision.onEvent
      provision.onEvent = { event in
        listener?(event)
        if case .cancelled = event { turn?.isCancelled() }
      }
      let this = OnClientThread((request: request, turn: turn))
      do throws(SystemError) {
        try Worker.start { [completions = client.transfers.completions] in
          let result = Result { ItemProvider.Content.data(try bytes()) }
          completions.add {
            this.value.turn?.ended()
            this.value.request.answer(result)
          }
        }
      } catch {
        turn?.ended()
        request.answer(.failure(LoadError(.local, "no thread can be made to write the value: \(error.sentence)")))
      }
    }
    guard let streams else { return begin(nil) }
    client.transfers.begin(in: streams.limiter(of: provision.drop), provision, start: begin, giveUp: {})
  }

  private func representation(for type: String) -> Representation? {
    guard case .source(let list) = side else { return nil }
    return list.first { $0.type == type }?.representation
  }

  /// Hands over a file, or a folder in the form that the destination wants.
  ///
  /// - Returns: false if the file no longer exists.
  private static func handOver(
    _ found: FoundFile, _ path: String, as form: LoadForm, name: String?, to provision: WireProvision, client: Client,
    streams: SessionStreams?
  ) -> Bool {
    switch found.kind {
    case .original(let path): provision.original(found.descriptor, path: path)
    case .file where form == .sandboxed:
      stream(found, path, to: provision, client: client, streams: streams)
    case .file: provision.file(found.descriptor)
    case .folder where form == .copy || form == .original: provision.folder(found.descriptor)
    case .folder:
      let name = name.flatMap { try? SafeText.fileName($0) } ?? SuggestedFileName.of(nil, for: FileType.folder)
      let isMove = streams?.isMove ?? false
      // A folder that waits for its turn is not kept open meanwhile.
      let (isForeign, path) = (found.isForeign, Files.absolute(path))
      stream(to: provision, client: client, streams: streams) { stream in
        let folder = FoundFile(path, asOriginal: false, isForeign: isForeign)
        switch folder.kind {
        case .folder: break
        case .failed(let error): throw LoadError(.sourceFailed, error.sentence)
        default: throw LoadError(.sourceFailed, "\(path): no folder any more")
        }
        try withExtendedLifetime(folder) {
          try FolderZip.write(folder.descriptor, as: name, isMove: isMove) { try stream.write($0) }
        }
      }
    case .neither: provision.fail("\(path): neither a regular file nor a folder")
    case .failed(let error):
      provision.fail(error.sentence)
      return error.code != ENOENT
    }
    return true
  }

  /// Opens a file that another program has named, on a thread that may wait for its file system.
  private static func openAside(
    _ path: String, asOriginal: Bool, to provision: WireProvision, client: Client,
    _ handOver: @escaping (FoundFile) -> Void
  ) {
    client.runBlockingInTurn(for: provision, lookingAt: path) {
      FoundFile(path, asOriginal: asOriginal, isForeign: true)
    } then: { found in
      if let found { handOver(found) } else { provision.fail("\(path): its file system does not answer") }
    }
  }

  private static func handOver(
    descriptor fd: CInt, as form: LoadForm, to provision: WireProvision, client: Client, streams: SessionStreams?
  ) {
    if form == .sandboxed, PassedDescriptor.isSafe(fd, .file) {
      do {
        stream(try FoundFile(copying: fd), "the file", to: provision, client: client, streams: streams)
      } catch { provision.fail(error.sentence) }
    } else if PassedDescriptor.isSafe(fd, .file) {
      provision.file(fd)
    } else if PassedDescriptor.isSafe(fd, .stream) {
      provision.stream(fd)
    } else {
      provision.fail("the descriptor is neither a regular file nor the reading end of a pipe")
    }
  }

  /// Sends a file's content to a destination that must not have its descriptor.
  ///
  /// - Parameter path: for errors.
  private static func stream(
    _ file: FoundFile, _ path: String, to provision: WireProvision, client: Client, streams: SessionStreams?
  ) {
    let size = PassedDescriptor.size(of: file.descriptor) ?? 0
    stream(to: provision, client: client, streams: streams, total: size) { stream in
      stream.totalBytes = size
      try FileCopy.read(file.descriptor, size: size, path) { try stream.write($0) }
    }
  }

  private static func handOver(
    bytes: [UInt8], keeping kept: (any Sendable)?, to provision: WireProvision, client: Client,
    streams: SessionStreams?
  ) {
    if bytes.count <= memoryLimit, let fd = try? SealedMemory.make(bytes) {
      provision.memory(fd.raw)
      return
    }
    // If the kernel cannot seal memory, these bytes go through the ring as well.
    stream(to: provision, client: client, streams: streams, total: bytes.count) { stream in
      stream.totalBytes = bytes.count
      // Reports the total in bytes, instead of the units that the source has reported before.
      stream.keepAlive()
      try withExtendedLifetime(kept) { try bytes.withUnsafeBytes(stream.write) }
    }
  }

  /// - Parameter total: the number of bytes; nil if unknown.
  private static func stream(
    to provision: WireProvision, client: Client, streams: SessionStreams?, total: Int? = nil,
    _ writer: @escaping @Sendable (StreamWriter) throws -> Void
  ) {
    let ticket = streams?.ticket(isStream: true)
    let begin = { (turn: StreamLimiter.Slot?) in
      // Before the ring: a receiver that knows the size need not move what has arrived.
      if let total, !provision.isLocal { provision.progress(TransferProgress(completed: 0, total: UInt64(total))) }
      write(to: provision, client: client, ticket, turn, writer)
    }
    guard let streams else { return begin(nil) }
    client.transfers.begin(in: streams.limiter(of: provision.drop), provision) {
      begin($0)
    } giveUp: {
      ticket?.ended(isRead: false)
    }
  }

  /// Hands over a ring, and starts a thread that fills it.
  private static func write(
    to provision: WireProvision, client: Client, _ ticket: SessionStreams.Ticket?, _ turn: StreamLimiter.Slot?,
    _ writer: @escaping @Sendable (StreamWriter) throws -> Void
  ) {
    let end = { (isRead: Bool) in
      ticket?.ended(isRead: isRead)
      turn?.ended()
    }
    let ring: RingWriter
    do { ring = try RingWriter() } catch {
      provision.fail(error.sentence)
      return end(false)
    }
    let cancellation = Cancellation()
    let completions = client.transfers.completions
    let owner = OnClientThread(provision)
    let written = OnClientThread(end)
    do {
      try Worker.start {
        let stream = StreamWriter(ring, cancellation) { completed, total in
          completions.add {
            owner.value.progress(
              TransferProgress(completed: UInt64(completed), total: total.map { UInt64(max(0, $0)) }))
          }
        }
        var isRead = false
        defer { completions.add { [isRead] in written.value(isRead) } }
        do {
          try writer(stream)
          try stream.finish()
          isRead = true
        } catch {
          stream.fail(error)
        }
      }
    } catch {
      provision.fail("no thread can be made to send the data: \(error.sentence)")
      return end(false)
    }
    // A request that was answered this way still receives the destination's progress.
    let listener = provision.onEvent
    provision.onEvent = { event in
      switch event {
      case .delivered: ticket?.arrived()
      case .cancelled:
        cancellation.cancel()
        turn?.isCancelled()
      case .destinationProgress: listener?(event)
      // The destination continues reading without the engine.
      case .lost: break
      }
    }
    provision.ring(memory: ring.memory, socket: ring.otherEnd)
    // The connection's queue holds copies of the descriptors. Our descriptor must not keep the other end alive.
    ring.closeOtherEnd()
  }
}

extension ItemRequest.Form {
  init(_ form: LoadForm) {
    switch form {
    case .data, .sandboxed: self = .data
    case .copy: self = .copy
    case .original: self = .original
    }
  }
}
