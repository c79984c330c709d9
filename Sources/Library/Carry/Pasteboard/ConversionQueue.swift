package import CarryModel
package import CarrySelections
import CarrySystem
package import CarryXdnd

/// Requests of destinations for data of a selection owner: one conversion at a time, since some programs answer no
/// other requests meanwhile.
package final class ConversionQueue {
  private let reader: SelectionReader
  private unowned let client: Client
  private let offers: [ForeignTypes.Offer]
  /// Another owner would send other data.
  private let owner: UInt32
  /// The same owner would too if it has acquired the selection again; nil if that is unknown.
  private let ownership: SelectionReader.Ownership?
  /// Whether data may be requested now.
  private let mayAsk: () -> Bool
  /// The timestamp of each request: the source's own, or 0.
  package var time: UInt32 = 0
  private var requests: [(request: ItemRequest, offer: ForeignTypes.Offer)] = []
  private let group: DataBudget.Group
  private var conversion: UInt32?
  /// The request that is being converted, or saved.
  private var current: ItemRequest?
  /// For the type that arrives as a saved file; nil if there is none.
  private let saver: ForeignSaver?
  /// The type that is also available as a file; nil if none is.
  private let fileType: String?
  /// The conversion of `holdAll`.
  private var holding: UInt32?
  /// When the waiting requests last sent a sign of life.
  private var told = Instant.zero
  /// When the received bytes were last reported.
  private var reported = Instant.zero
  /// The data that `holdAll` has read, by type.
  private var held: [String: [UInt8]] = [:]
  private var isHolding = false

  private static let maxRequests = 1024

  /// - Parameters:
  ///   - owner: the current owner of the selection.
  ///   - ownership: the period of ownership; nil if data of any period will do.
  ///   - saver: for the type that arrives as a saved file.
  ///   - fileType: the type to request as a file if it is too large to be sent as bytes; nil for none.
  ///   - mayAsk: whether data may be requested.
  package init(
    _ reader: SelectionReader, _ client: Client, owner: UInt32, during ownership: SelectionReader.Ownership? = nil,
    _ offers: [ForeignTypes.Offer],
    saver: ForeignSaver? = nil, fileType: String? = nil, mayAsk: @escaping () -> Bool = { true }
  ) {
    (self.reader, self.client, self.owner, self.offers, self.mayAsk) = (reader, client, owner, offers, mayAsk)
    (self.ownership, self.saver, self.fileType) = (ownership, saver, fileType)
    group = reader.group()
  }

  /// Why the data is unavailable.
  private struct Gone: Error, CustomStringConvertible {
    var why = IncomingData.Failure.refused

    var description: String {
      switch why {
      case .refused: "the other application did not hand it over"
      case .timedOut: "the other application did not answer in time"
      case .gone: "the other application has ended"
      case .replaced: "something else has been copied, or dragged, since"
      case .tooLarge:
        "the other application hands over too much: at most \(IncomingData.Bounds().bytes >> 20) MiB at a time, and "
          + "\(Limits.incomingBytes >> 20) MiB of all that is under way, of which others have to be left as much"
      }
    }
  }

  /// Returns one item with all types: text, a link, a picture, or addresses that are not those of files. The item
  /// retains the queue.
  package func wholeItem() -> DragItem {
    let provider = ItemProvider()
    provider.suggestedName = saver?.file.name
    provider.isForeign = fileType != nil
    for offer in offers { provider.registerRequests(forType: offer.type) { self.load($0, offer) } }
    return DragItem(itemProvider: provider)
  }

  /// Ends the queue: no more data will arrive.
  package func end() {
    cancel()
    if let holding { reader.cancel(holding) }
    holding = nil
    saver?.cancel()
    let all = requests
    requests = []
    for (request, _) in all { request.answer(.failure(Gone())) }
  }

  /// Reads all types now, as far as they fit, and then serves them from memory: the other application's drag is to
  /// end.
  ///
  /// - Parameters:
  ///   - most: the maximum bytes of all types together.
  ///   - patience: how long a source may be idle; the limit for all types together is three times as long.
  ///   - completion: called once, with whether there is any data. Not called after `end`.
  package func holdAll(most: Int, patience: Interval, completion: @escaping (_ hasAny: Bool) -> Void) {
    isHolding = true
    let until = MonotonicClock.now() + patience + patience + patience
    // A key of the portal would be useless later.
    hold(offers.filter { $0.decoding != .portal }[...], most: most, patience, until: until, completion)
  }

  private func hold(
    _ rest: ArraySlice<ForeignTypes.Offer>, most: Int, _ patience: Interval, until: Instant,
    _ completion: @escaping (Bool) -> Void
  ) {
    let now = MonotonicClock.now()
    guard let offer = rest.first, most > 0, now < until, reader.owner == owner else {
      isHolding = false
      answerFromMemory(isOver: true)
      return completion(!held.isEmpty || saver?.saved != nil)
    }
    let bounds = IncomingData.Bounds(bytes: most, answer: patience, rest: patience, whole: until - now)
    let goOn = { [weak self] (data: ReceivedData?) in
      guard let self else { return }
      holding = nil
      held[offer.type] = data?.bytes
      answerFromMemory(isOver: false)
      hold(rest.dropFirst(), most: most - (data?.bytes.count ?? 0), patience, until: until, completion)
    }
    if offer.decoding == .directSave, let saver {
      return saver.save(time: time, within: bounds, for: group) { _ in
      } completion: { outcome in
        if case .bytes(let data) = outcome { goOn(data) } else { goOn(nil) }
      }
    }
    holding = reader.convert(to: offer.sources, time: time, within: bounds, for: group, at: now) { result in
      goOn(try? result.get())
    }
  }

  /// Answers the requests for data that has been read; at the end all others, too.
  private func answerFromMemory(isOver: Bool) {
    let all = requests
    requests = []
    for (request, offer) in all where !isAnsweredFromMemory(request, offer) {
      if isOver { request.answer(.failure(Gone())) } else { requests.append((request, offer)) }
    }
  }

  private func isAnsweredFromMemory(_ request: ItemRequest, _ offer: ForeignTypes.Offer) -> Bool {
    if let bytes = held[offer.type] {
      request.answer(.success(.data(bytes)))
    } else if offer.decoding == .directSave, let file = saver?.saved {
      request.answer(.success(.descriptor(file.descriptor)))
    } else {
      return false
    }
    return true
  }

  private func load(_ request: ItemRequest, _ offer: ForeignTypes.Offer) {
    guard !isAnsweredFromMemory(request, offer) else { return }
    guard mayAsk(), requests.count < Self.maxRequests else { return request.answer(.failure(Gone())) }
    requests.append((request, offer))
    // Unwanted data may keep arriving for an hour, with the other requests waiting for it.
    request.onCancelled = { [weak self, unowned request] in self?.giveUp(request) }
    convertNext(at: MonotonicClock.now())
  }

  /// The data is a key: the portal has the files.
  private func fetch(_ key: [UInt8], for request: ItemRequest) {
    guard let portal = FileTransferPortal(client) else { return request.answer(.failure(Gone())) }
    portal.fetch(key) { list in
      request.answer(list.map { .success(.data($0)) } ?? .failure(Gone()))
    }
  }

  /// Nil if the owner still has the data.
  private var whyNothingComes: IncomingData.Failure? {
    // This needs no request to the X server.
    if ownership.map(reader.isReplaced) == true { return .replaced }
    let current = reader.owner
    if current == 0 { return .gone }
    return current == owner ? nil : .replaced
  }

  private func convertNext(at now: Instant) {
    guard current == nil, !isHolding else { return }
    // If the data is gone it is gone for all requests, and the owner is not asked a thousand times.
    if !requests.isEmpty, let why = whyNothingComes {
      let all = requests
      requests = []
      for (request, _) in all { request.answer(.failure(Gone(why: why))) }
    }
    guard current == nil, let (request, offer) = requests.first else { return }
    current = request
    if offer.decoding == .directSave, let saver {
      save(request, offer, by: saver)
    } else {
      convert(request, offer, to: offer.sources, at: now)
    }
    tellAll(at: MonotonicClock.now())
  }

  private func convert(
    _ request: ItemRequest, _ offer: ForeignTypes.Offer, to sources: [ForeignTypes.Source], at now: Instant
  ) {
    conversion = reader.convert(to: sources, time: time, during: ownership, for: group, at: now) {
      [weak self] in
      self?.hasCome($0, for: request)
    } completion: { [weak self] result in
      guard let self else { return }
      conversion = nil
      if case .failure(let why) = result, offer.type == fileType, [.refused, .timedOut, .tooLarge].contains(why) {
        return convertToFile(request, why)
      }
      ends(request)
      switch result {
      case .success(let data) where offer.decoding == .portal: fetch(data.bytes, for: request)
      case .success(let data):
        // Until the destination has received it.
        request.retainedUntilSent = data.share
        request.answer(.success(.data(data.bytes)))
      case .failure(let why): request.answer(.failure(Gone(why: why)))
      }
      convertNext(at: MonotonicClock.now())
    }
  }

  /// Requests the address of a file instead of bytes that the owner does not send, because they are too large or a
  /// file.
  private func convertToFile(_ request: ItemRequest, _ why: IncomingData.Failure) {
    conversion = reader.convert(
      to: [.init(XdndOffer.uriList, .none)], time: time, during: ownership, for: group, at: MonotonicClock.now()
    ) { [weak self] in
      self?.hasCome($0, for: request)
    } completion: { [weak self] result in
      guard let self else { return }
      conversion = nil
      ends(request)
      let paths = (try? result.get()).map { ForeignFile.paths(in: $0.bytes) } ?? []
      request.answer(paths.count == 1 ? .success(.file(path: paths[0])) : .failure(Gone(why: why)))
      convertNext(at: MonotonicClock.now())
    }
    tellAll(at: MonotonicClock.now())
  }

  private func save(_ request: ItemRequest, _ offer: ForeignTypes.Offer, by saver: ForeignSaver) {
    saver.save(time: time, within: .init(), for: group) { [weak self] in
      self?.hasCome($0, for: request)
    } completion: { [weak self] outcome in
      guard let self else { return }
      let others = Array(offer.sources.dropFirst())
      if case .nothing = outcome, !others.isEmpty {
        return convert(request, offer, to: others, at: MonotonicClock.now())
      }
      ends(request)
      switch outcome {
      case .file(let file): request.answer(.success(.descriptor(file.descriptor)))
      case .bytes(let data):
        request.retainedUntilSent = data.share
        request.answer(.success(.data(data.bytes)))
      case .nothing(let why): request.answer(.failure(Gone(why: why)))
      }
      convertNext(at: MonotonicClock.now())
    }
  }

  /// - Parameter count: the number of bytes received.
  private func hasCome(_ count: Int, for request: ItemRequest) {
    let now = MonotonicClock.now()
    // Some programs send a hundred megabytes in parts of 4 KiB.
    if now - reported > .milliseconds(100) {
      reported = now
      request.reportProgress(completedUnitCount: count)
    }
    if now - told > .seconds(1) { tellAll(at: now) }
  }

  private func ends(_ request: ItemRequest) {
    current = nil
    requests.removeAll { $0.request === request }
  }

  /// Sends a sign of life for all waiting requests: loads without one time out.
  private func tellAll(at now: Instant) {
    told = now
    for (request, _) in requests { request.waits() }
  }

  /// Discards a request that is no longer wanted.
  private func giveUp(_ request: ItemRequest) {
    requests.removeAll { $0.request === request }
    guard current === request else { return }
    cancel()
    convertNext(at: MonotonicClock.now())
  }

  private func cancel() {
    if let conversion {
      reader.cancel(conversion)
    } else if current != nil {
      saver?.cancel()
    }
    (conversion, current) = (nil, nil)
  }
}
