import CX11
import Carry
import CarryModel
import CarrySystem
import CarryXdnd

/// One drag of another program over one window of a Carry application: the pure machine, its session, and its data.
final class ArrivingDrag {
  /// The source's window.
  let source: UInt32
  /// The window that it came over.
  let target: UInt32
  private let x: XConnection
  private let client: Client
  private let reader: SelectionReader
  private let types: ForeignTypes
  /// Where the drag comes from; nil where nobody can tell.
  private let process: Int32?
  /// Who owned the selection when the drag came. Another owner would give other data.
  private let owner: UInt32
  private(set) var machine = IncomingDrag()
  private var effects: [IncomingDrag.Effect] = []
  private var isCarryingOut = false
  private var session: ForeignDrag?
  /// What `learn` has found out: the addresses.
  private var list: [UInt8]?
  /// The time of the newest position, or of the drop: sources want it back with each request.
  private var time: UInt32 = 0
  /// Data that targets wait for: one conversion at a time, since some sources answer no others meanwhile.
  private var requests: [(request: ItemRequest, offer: ForeignTypes.Offer)] = []
  private var conversion: UInt32?
  var onOver: (() -> Void)?

  /// A list of addresses is read while the drag hovers: so much of it.
  private static let mostAddressBytes = 1 << 20
  private static let mostRequests = 1024

  init(
    from source: UInt32, over target: UInt32, _ words: XdndMessage.Words, _ x: XConnection, _ client: Client,
    _ reader: SelectionReader
  ) {
    (self.source, self.target) = (source, target)
    (self.x, self.client, self.reader) = (x, client, reader)
    var numbers = [words.w2, words.w3, words.w4]
    if words.w1 & 1 != 0 { numbers = x.words(source, "XdndTypeList", most: ForeignTypes.mostLooked) }
    types = ForeignTypes(numbers.filter { $0 != 0 }.compactMap { x.name(of: $0) })
    owner = reader.owner
    // Any program can send messages that name another program's window. Its data would come from the owner of the selection.
    let of = x.process(of: source)
    process = owner != 0 && (owner & ~x.idMask == source & ~x.idMask || x.process(of: owner) == of) ? of : nil
    x.select(StructureNotifyMask, on: source)
  }

  // MARK: From the source

  func position(_ point: CarryModel.Point, time: UInt32, at now: Instant) {
    self.time = time
    machine.position(point, at: now, into: &effects)
    carryOut(at: now)
  }

  func left(at now: Instant) {
    machine.left(into: &effects)
    carryOut(at: now)
  }

  func dropped(time: UInt32, at now: Instant) {
    self.time = time
    machine.dropped(into: &effects)
    carryOut(at: now)
  }

  func sourceGone(at now: Instant) {
    machine.sourceGone(into: &effects)
    carryOut(at: now)
  }

  func advance(to now: Instant) {
    if machine.advance(to: now, into: &effects) { learned(nil, at: now) }
    carryOut(at: now)
  }

  // MARK: What is to be done

  private func carryOut(at now: Instant) {
    // What is done may ask for more.
    guard !isCarryingOut else { return }
    isCarryingOut = true
    defer { isCarryingOut = false }
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .learn: learn(at: now)
      case .begin(let point): begin(at: point)
      case .move(let point): session?.move(to: point)
      case .drop(let point): session?.drop(at: point)
      case .cancel: session?.cancel()
      case .status(let accepts): send(.status(accepts: accepts, action: x.atom("XdndActionCopy")))
      case .finished(let taken): send(.finished(accepted: taken, action: x.atom("XdndActionCopy")))
      case .over: over()
      }
    }
  }

  private func send(_ message: XdndMessage) { x.send(message, from: target, to: source, at: source) }

  private func over() {
    if let conversion { reader.cancel(conversion) }
    conversion = nil
    for (request, _) in requests { request.answer(.failure(Gone())) }
    requests = []
    onOver?()
  }

  /// Why data does not come.
  private struct Gone: Error, CustomStringConvertible {
    var description: String { "the other application did not hand it over" }
  }

  // MARK: What is dragged

  /// Addresses are read now: the number of files, and their types, are what a target decides by.
  private func learn(at now: Instant) {
    guard types.hasAddresses, ForeignItems.areOfOurFiles(process), reader.owner == owner,
      let offer = types.offers.first(where: { $0.type == XdndOffer.uriList })
    else { return learned(nil, at: now) }
    conversion = reader.convert(
      to: offer.source, time: time, most: Self.mostAddressBytes, patience: IncomingDrag.learning, at: now
    ) { [weak self] bytes in
      guard let self else { return }
      conversion = nil
      let now = MonotonicClock.now()
      learned(bytes.map { ForeignTypes.decoded($0, offer.decoding) }, at: now)
      carryOut(at: now)
    }
  }

  private func learned(_ list: [UInt8]?, at now: Instant) {
    if let conversion { reader.cancel(conversion) }
    conversion = nil
    self.list = list
    machine.learned(hasItems: !types.offers.isEmpty && owner != 0, at: now, into: &effects)
  }

  private func begin(at point: CarryModel.Point) {
    let files = ForeignItems.files(of: list ?? [])
    let items = files.isEmpty ? [wholeItem()] : files
    guard let session = ForeignDrag(client, from: process, items, over: target, at: point) else {
      return ended(.cancel, 0)
    }
    self.session = session
    session.onProposal = { [weak self] operation in
      guard let self else { return }
      machine.proposed(accepts: operation.transfersData, into: &effects)
      carryOut(at: MonotonicClock.now())
    }
    session.onEnd = { [weak self] in self?.ended($0, $1) }
  }

  private func ended(_ operation: CarryModel.DropOperation, _ delivered: Int) {
    machine.ended(taken: operation.transfersData && delivered > 0, into: &effects)
    carryOut(at: MonotonicClock.now())
  }

  /// One item with all types: text, a link, a picture, or addresses that are not those of files.
  private func wholeItem() -> DragItem {
    let provider = ItemProvider()
    for offer in types.offers {
      provider.registerRequests(forType: offer.type) { [weak self] request in
        guard let self else { return request.answer(.failure(Gone())) }
        load(request, offer)
      }
    }
    return DragItem(itemProvider: provider)
  }

  // MARK: Data

  private func load(_ request: ItemRequest, _ offer: ForeignTypes.Offer) {
    guard machine.isDropped, requests.count < Self.mostRequests else { return request.answer(.failure(Gone())) }
    requests.append((request, offer))
    convertNext(at: MonotonicClock.now())
  }

  private func convertNext(at now: Instant) {
    guard conversion == nil, let (request, offer) = requests.first else { return }
    guard !request.isCancelled, reader.owner == owner else {
      requests.removeFirst()
      request.answer(.failure(Gone()))
      return convertNext(at: now)
    }
    conversion = reader.convert(to: offer.source, time: time, at: now) { count in
      request.reportProgress(completedUnitCount: count)
    } completion: { [weak self] bytes in
      guard let self else { return }
      conversion = nil
      requests.removeFirst()
      if let bytes {
        request.answer(.success(.data(ForeignTypes.decoded(bytes, offer.decoding))))
      } else {
        request.answer(.failure(Gone()))
      }
      convertNext(at: MonotonicClock.now())
    }
  }
}
