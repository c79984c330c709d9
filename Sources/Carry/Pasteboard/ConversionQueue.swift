package import CarryModel
package import CarrySelections
import CarrySystem
package import CarryXdnd

/// Data that destinations wait for from the owner of a selection: one conversion at a time, since some programs answer no
/// others meanwhile.
package final class ConversionQueue {
  private let reader: SelectionReader
  private unowned let client: Client
  private let offers: [ForeignTypes.Offer]
  /// Another owner would give other data.
  private let owner: UInt32
  /// And so would the same one that has taken the selection anew; nil where that is not known.
  private let ownership: SelectionReader.Ownership?
  /// Whether data may be asked for now.
  private let mayAsk: () -> Bool
  /// The time that goes with each request: the source's own, or 0.
  package var time: UInt32 = 0
  private var requests: [(request: ItemRequest, offer: ForeignTypes.Offer)] = []
  private let group: DataBudget.Group
  private var conversion: UInt32?
  /// What is being converted, or saved.
  private var current: ItemRequest?
  /// For the type that comes as a saved file; nil where there is none.
  private let saver: ForeignSaver?
  /// The type that can be had as a file as well; nil where none can.
  private let fileType: String?
  /// That of `holdAll`.
  private var holding: UInt32?
  /// When those who wait were last told that they are not forgotten.
  private var told = Instant.zero
  /// When it was last said how much has come.
  private var reported = Instant.zero
  /// What `holdAll` has read, by type.
  private var held: [String: [UInt8]] = [:]
  private var isHolding = false

  private static let mostRequests = 1024

  /// - Parameters:
  ///   - owner: who owns the selection now.
  ///   - ownership: since when; nil where the same owner's data will do, whichever it is.
  ///   - saver: for the type that comes as a saved file.
  ///   - fileType: the type that becomes a file where it cannot be had as bytes, as it is too large; nil for none.
  ///   - mayAsk: whether data may be asked for.
  package init(
    _ reader: SelectionReader, _ client: Client, owner: UInt32, during ownership: SelectionReader.Ownership? = nil,
    _ offers: [ForeignTypes.Offer],
    saver: ForeignSaver? = nil, fileType: String? = nil, mayAsk: @escaping () -> Bool = { true }
  ) {
    (self.reader, self.client, self.owner, self.offers, self.mayAsk) = (reader, client, owner, offers, mayAsk)
    (self.ownership, self.saver, self.fileType) = (ownership, saver, fileType)
    group = reader.group()
  }

  /// Why data does not come.
  private struct Gone: Error, CustomStringConvertible {
    var why = IncomingData.Failure.refused

    var description: String {
      switch why {
      case .refused: "the other application did not hand it over"
      case .gone: "the other application has ended"
      case .replaced: "something else has been copied, or dragged, since"
      case .tooLarge:
        "the other application hands over too much: at most \(IncomingData.Bounds().bytes >> 20) MiB at a time, and "
          + "\(DataBudget.usual >> 20) MiB of all that is under way, of which others have to be left as much"
      }
    }
  }

  /// One item with all types: text, a link, a picture, or addresses that are not those of files. The item holds the queue.
  package func wholeItem() -> DragItem {
    let provider = ItemProvider()
    provider.suggestedName = saver?.file.name
    provider.isForeign = fileType != nil
    for offer in offers { provider.registerRequests(forType: offer.type) { self.load($0, offer) } }
    return DragItem(itemProvider: provider)
  }

  /// Nothing more will come.
  package func end() {
    cancel()
    if let holding { reader.cancel(holding) }
    holding = nil
    saver?.cancel()
    let all = requests
    requests = []
    for (request, _) in all { request.answer(.failure(Gone())) }
  }

  /// Reads all types now, as far as they fit, and serves them from memory from then on: the other application's drag is to end.
  ///
  /// - Parameters:
  ///   - most: bytes of all types together.
  ///   - patience: how long a source may rest, and three times as long for all types together.
  ///   - completion: called once; whether there is anything. Not called after `end`.
  package func holdAll(most: Int, patience: Interval, completion: @escaping (_ hasAny: Bool) -> Void) {
    isHolding = true
    let until = MonotonicClock.now() + patience + patience + patience
    // A key of the portal's would be of no use later.
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
      if let data { held[offer.type] = data.bytes }
      answerFromMemory(isOver: false)
      hold(rest.dropFirst(), most: most - (data?.bytes.count ?? 0), patience, until: until, completion)
    }
    if offer.decoding == .directSave, let saver {
      return saver.save(time: time, within: bounds, for: group) { _ in
      } completion: { outcome in
        if case .bytes(let data) = outcome { goOn(data) } else { goOn(nil) }
      }
    }
    holding = reader.convert(to: offer.source, time: time, within: bounds, for: group, at: now) { result in
      goOn(try? result.get())
    }
  }

  /// Answers those who wait for what has been read; at the end all others, too.
  private func answerFromMemory(isOver: Bool) {
    let all = requests
    requests = []
    for (request, offer) in all where !isAnsweredFromMemory(request, offer) {
      if isOver { request.answer(.failure(Gone())) } else { requests.append((request, offer)) }
    }
  }

  private func isAnsweredFromMemory(_ request: ItemRequest, _ offer: ForeignTypes.Offer) -> Bool {
    if let bytes = held[offer.type] {
      request.answer(.success(.data(ForeignTypes.decoded(bytes, offer.decoding))))
    } else if offer.decoding == .directSave, let file = saver?.saved {
      request.answer(.success(.descriptor(file.descriptor)))
    } else {
      return false
    }
    return true
  }

  private func load(_ request: ItemRequest, _ offer: ForeignTypes.Offer) {
    guard !isAnsweredFromMemory(request, offer) else { return }
    guard mayAsk(), requests.count < Self.mostRequests else { return request.answer(.failure(Gone())) }
    requests.append((request, offer))
    // What nobody waits for any more may come for an hour, and the others would wait for that.
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

  /// Nil where the owner still has it.
  private var whyNothingComes: IncomingData.Failure? {
    // Nobody has to be asked for that.
    if ownership.map(reader.isReplaced) == true { return .replaced }
    let current = reader.owner
    if current == 0 { return .gone }
    return current == owner ? nil : .replaced
  }

  private func convertNext(at now: Instant) {
    guard current == nil, !isHolding else { return }
    // Nothing to be had is nothing for all of them, and the owner is not asked a thousand times for that.
    if !requests.isEmpty, let why = whyNothingComes {
      let all = requests
      requests = []
      for (request, _) in all { request.answer(.failure(Gone(why: why))) }
    }
    guard current == nil, let (request, offer) = requests.first else { return }
    current = request
    if offer.decoding == .directSave, let saver {
      save(request, by: saver)
    } else {
      convert(request, offer, at: now)
    }
    tellAll(at: MonotonicClock.now())
  }

  private func convert(_ request: ItemRequest, _ offer: ForeignTypes.Offer, at now: Instant) {
    conversion = reader.convert(to: offer.source, time: time, during: ownership, for: group, at: now) {
      [weak self] in
      self?.hasCome($0, for: request)
    } completion: { [weak self] result in
      guard let self else { return }
      conversion = nil
      if case .failure(let why) = result, offer.type == fileType, why == .refused || why == .tooLarge {
        return convertToFile(request, why)
      }
      ends(request)
      switch result {
      case .success(let data) where offer.decoding == .portal: fetch(data.bytes, for: request)
      case .success(let data):
        // Until the destination has it.
        request.keptUntilSent = data.share
        request.answer(.success(.data(ForeignTypes.decoded(data.bytes, offer.decoding))))
      case .failure(let why): request.answer(.failure(Gone(why: why)))
      }
      convertNext(at: MonotonicClock.now())
    }
  }

  /// What the owner does not hand over as bytes, as it is too large or a file, is had as the address of a file.
  private func convertToFile(_ request: ItemRequest, _ why: IncomingData.Failure) {
    conversion = reader.convert(
      to: XdndOffer.uriList, time: time, during: ownership, for: group, at: MonotonicClock.now()
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

  private func save(_ request: ItemRequest, by saver: ForeignSaver) {
    saver.save(time: time, within: .init(), for: group) { [weak self] in
      self?.hasCome($0, for: request)
    } completion: { [weak self] outcome in
      guard let self else { return }
      ends(request)
      switch outcome {
      case .file(let file): request.answer(.success(.descriptor(file.descriptor)))
      case .bytes(let data):
        request.keptUntilSent = data.share
        request.answer(.success(.data(data.bytes)))
      case .nothing(let why): request.answer(.failure(Gone(why: why)))
      }
      convertNext(at: MonotonicClock.now())
    }
  }

  /// - Parameter count: how many bytes have come.
  private func hasCome(_ count: Int, for request: ItemRequest) {
    let now = MonotonicClock.now()
    // Some programs hand over a hundred megabytes in parts of 4 KiB.
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

  /// Whoever waits for what is asked for later is told that it is not forgotten: loads of which nothing is heard are given up.
  private func tellAll(at now: Instant) {
    told = now
    for (request, _) in requests { request.waits() }
  }

  /// Nobody waits for it any more.
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
