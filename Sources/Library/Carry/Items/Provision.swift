import CLinux
import CarryModel
import CarrySystem
import CarryWireClient

extension ItemProvider {
  /// Hands over a representation to a destination.
  func provide(_ type: String, by provision: Provision) {
    guard let representation = representation(for: type) else {
      return provision.wire.fail("the item has no representation of this type")
    }
    var provision = provision
    provision.isForeign = isForeign
    provision.name = { self.suggestedName }
    provision.onMissingFile = { [weak self] in self?.onMissingFile?() }
    switch representation {
    case .bytes(let bytes): provision.request(type, []).answer(.success(.data(bytes)))
    case .file(let options, let path): provision.request(type, options).answer(.success(.file(path: path)))
    case .content(let options, let handler): handler(provision.request(type, options))
    case .stream(let writer):
      let total = byteCounts[type]
      provision.stream(total: total) { stream in
        stream.totalBytes = total
        try writer(stream)
      }
    }
  }

  private func representation(for type: String) -> Representation? {
    guard case .source(let list) = side else { return nil }
    return list.first { $0.type == type }?.representation
  }
}

/// The source's side of a load: hands over content of any kind to one destination. Used on the client's thread.
struct Provision {
  /// Data up to this size goes in one piece of sealed memory; more goes through a ring, which is faster than the page
  /// faults of that many fresh pages.
  static let memoryLimit = 256 * 1024

  let wire: WireProvision
  /// What the destination wants to do with the representation.
  let form: LoadForm
  let client: Client
  /// The streams of the item's session; nil without a session.
  let streams: SessionStreams?
  /// Whether another program has named the file of the answer.
  var isForeign = false
  /// Returns the name for a folder of the answer; nil for a default name.
  var name: () -> String? = { nil }
  /// Called if the file of the answer no longer exists.
  var onMissingFile: () -> Void = {}

  init(_ wire: WireProvision, as form: LoadForm, _ client: Client, _ streams: SessionStreams?) {
    (self.wire, self.form, self.client, self.streams) = (wire, form, client, streams)
  }

  /// Creates a request, whose answer goes to the destination.
  ///
  /// - Parameter options: what the destination may do with a file of the answer, unless the request's options are
  ///   changed.
  func request(_ type: String, _ options: ItemProvider.FileOptions) -> ItemRequest {
    let ticket = streams?.ticket(isStream: false)
    let request = ItemRequest(type, ItemRequest.Form(form), wire, options) { result, options, kept in
      switch result {
      case .success(.data(let bytes)): send(bytes, keeping: kept)
      case .success(.file(let path)): open(path, asOriginal: form == .original && options.contains(.openInPlace))
      case .success(.descriptor(let fd)): send(descriptor: fd)
      case .success(.stream(let writer)): stream(writer)
      case .failure(let error): wire.fail("\(error)")
      }
    }
    request.answerMaking = { [unowned request] bytes in answer(request, making: bytes) }
    // The wire object retains the request until it is over.
    wire.onEvent = { event in
      switch event {
      case .delivered: ticket?.arrived()
      case .cancelled, .lost: request.cancel()
      case .destinationProgress(let progress):
        request.onDestinationProgress?(Int(clamping: progress.completed), progress.total.map { Int(clamping: $0) })
      }
    }
    return request
  }

  /// Makes the bytes on a thread of its own, when the drop's turn comes, and answers the request with them.
  private func answer(_ request: ItemRequest, making bytes: @escaping @Sendable () throws -> [UInt8]) {
    // One answer counts.
    guard !request.isCancelled, request.answerMaking != nil else { return }
    request.answerMaking = nil
    let begin: (StreamLimiter.Slot?) -> Void = { turn in
      let listener = wire.onEvent
      wire.onEvent = { event in
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
    client.transfers.begin(in: streams.limiter(of: wire.drop), wire, start: begin, giveUp: {})
  }

  /// Opens a file, and hands it over. A file that another program has named is opened on a thread that may wait for
  /// its file system.
  private func open(_ path: String, asOriginal: Bool) {
    guard isForeign else { return send(FoundFile(path, asOriginal: asOriginal, isForeign: false), path) }
    client.runBlockingInTurn(for: wire, lookingAt: path) {
      FoundFile(path, asOriginal: asOriginal, isForeign: true)
    } then: { found in
      if let found { send(found, path) } else { wire.fail("\(path): its file system does not answer") }
    }
  }

  /// Hands over a file, or a folder in the form that the destination wants.
  private func send(_ found: FoundFile, _ path: String) {
    switch found.kind {
    case .original(let path): wire.original(found.descriptor, path: path)
    case .file where form == .sandboxed: streamContent(of: found, path)
    case .file: wire.file(found.descriptor)
    case .folder where form == .copy || form == .original: wire.folder(found.descriptor)
    case .folder:
      let name = name().flatMap { try? SafeText.fileName($0) } ?? SuggestedFileName.of(nil, for: FileType.folder)
      let isMove = streams?.isMove ?? false
      // A folder that waits for its turn is not kept open meanwhile.
      let (isForeign, path) = (found.isForeign, Files.absolute(path))
      stream { stream in
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
    case .neither: wire.fail("\(path): neither a regular file nor a folder")
    case .failed(let error):
      wire.fail(error.sentence)
      if error.code == ENOENT { onMissingFile() }
    }
  }

  private func send(descriptor fd: CInt) {
    if form == .sandboxed, PassedDescriptor.isSafe(fd, .file) {
      do { streamContent(of: try FoundFile(copying: fd), "the file") } catch { wire.fail(error.sentence) }
    } else if PassedDescriptor.isSafe(fd, .file) {
      wire.file(fd)
    } else if PassedDescriptor.isSafe(fd, .stream) {
      wire.stream(fd)
    } else {
      wire.fail("the descriptor is neither a regular file nor the reading end of a pipe")
    }
  }

  /// Sends a file's content to a destination that must not have its descriptor.
  ///
  /// - Parameter path: for errors.
  private func streamContent(of file: FoundFile, _ path: String) {
    let size = PassedDescriptor.size(of: file.descriptor) ?? 0
    stream(total: size) { stream in
      stream.totalBytes = size
      try FileCopy.read(file.descriptor, size: size, path) { try stream.write($0) }
    }
  }

  private func send(_ bytes: [UInt8], keeping kept: (any Sendable)?) {
    if bytes.count <= Self.memoryLimit, let fd = try? SealedMemory.make(bytes) {
      wire.memory(fd.raw)
      return
    }
    // If the kernel cannot seal memory, these bytes go through the ring as well.
    stream(total: bytes.count) { stream in
      stream.totalBytes = bytes.count
      // Reports the total in bytes, instead of the units that the source has reported before.
      stream.keepAlive()
      try withExtendedLifetime(kept) { try bytes.withUnsafeBytes(stream.write) }
    }
  }

  /// Hands over what `writer` writes, when the drop's turn comes.
  ///
  /// - Parameter total: the number of bytes; nil if unknown.
  func stream(total: Int? = nil, _ writer: @escaping @Sendable (StreamWriter) throws -> Void) {
    let ticket = streams?.ticket(isStream: true)
    let begin = { (turn: StreamLimiter.Slot?) in
      // Before the ring: a receiver that knows the size need not move what has arrived.
      if let total, !wire.isLocal { wire.progress(TransferProgress(completed: 0, total: UInt64(total))) }
      write(ticket, turn, writer)
    }
    guard let streams else { return begin(nil) }
    client.transfers.begin(in: streams.limiter(of: wire.drop), wire) {
      begin($0)
    } giveUp: {
      ticket?.ended(isRead: false)
    }
  }

  /// Hands over a ring, and starts a thread that fills it.
  private func write(
    _ ticket: SessionStreams.Ticket?, _ turn: StreamLimiter.Slot?,
    _ writer: @escaping @Sendable (StreamWriter) throws -> Void
  ) {
    let end = { (isRead: Bool) in
      ticket?.ended(isRead: isRead)
      turn?.ended()
    }
    let ring: RingWriter
    do { ring = try RingWriter() } catch {
      wire.fail(error.sentence)
      return end(false)
    }
    let cancellation = Cancellation()
    let completions = client.transfers.completions
    let owner = OnClientThread(wire)
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
      wire.fail("no thread can be made to send the data: \(error.sentence)")
      return end(false)
    }
    // A request that was answered this way still receives the destination's progress.
    let listener = wire.onEvent
    wire.onEvent = { event in
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
    wire.ring(memory: ring.memory, socket: ring.otherEnd)
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
