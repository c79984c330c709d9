import CX11
import Carry
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// One drag of another program over one window of a Carry application: the pure machine, its session, and its data.
final class ArrivingDrag {
  /// The source's window.
  let source: UInt32
  /// The window that it came over.
  let target: UInt32
  /// What the source calls the target.
  var name: UInt32
  /// How many positions have come.
  private(set) var positions = 0
  private let x: XConnection
  private let client: Client
  private let reader: SelectionReader
  /// What the source's Enter said.
  private var words: XdndMessage.Words
  /// What is known of the drag once it was looked at.
  private struct Facts {
    let types: ForeignTypes
    /// The file that the source would save; nil where it has to save none.
    let save: ForeignSave?
    /// Where the drag comes from; nil where nobody can tell.
    let process: Int32?
    /// Who owned the selection then. Another owner would give other data.
    let owner: UInt32
  }
  private var facts: Facts?

  /// Whose drag it is, as far as anybody can tell.
  enum Program: Hashable {
    case process(Int32)
    /// Of a process that the X server does not know.
    case connection(UInt32)
    /// Another program than the source's has the data. Any program can name any window as the source.
    case unknown
  }

  /// Whether the X server is to be asked about the drag: `lookAround`.
  private(set) var wantsFacts = false
  private(set) var machine = IncomingDrag()
  private var effects: [IncomingDrag.Effect] = []
  private var isCarryingOut = false
  private var session: ForeignDrag?
  /// What `learn` has found out: the files and folders, if all that is dragged is such.
  private var files: [ForeignFile] = []
  /// The time of the newest position, or of the drop: sources want it back with each request.
  private var time: UInt32 = 0
  /// The reading of the addresses.
  private var conversion: UInt32?
  private var queue: ConversionQueue?
  var onOver: (() -> Void)?
  /// Z15: called when the shelf keeps items of the drag, which outlive it: with its session.
  var onKept: ((ForeignDrag) -> Void)?

  /// A list of addresses is read while the drag hovers: so much of it.
  private static let mostAddressBytes = 1 << 20
  /// Z15: what is kept for the shelf of what is no file, and how long each type may take.
  private static let mostKeptBytes = 4 << 20
  private static let keptPatience = Interval.seconds(1)

  init(
    from source: UInt32, over target: UInt32, named name: UInt32, _ words: XdndMessage.Words, _ x: XConnection,
    _ client: Client, _ reader: SelectionReader
  ) {
    (self.source, self.target, self.name) = (source, target, name)
    (self.x, self.client, self.reader) = (x, client, reader)
    self.words = words
  }

  /// Asks the X server about the drag. That is not done for each that begins: any program can send any number of messages.
  func lookAround(at now: Instant) {
    wantsFacts = false
    guard machine.isLearning else { return }
    // Any program can name any number; what is known of a window is forgotten only when a window is destroyed.
    guard x.parent(of: source) != nil else { return sourceGone(at: now) }
    var numbers = [words.w2, words.w3, words.w4]
    if words.w1 & 1 != 0 { numbers = x.words(source, "XdndTypeList", most: ForeignTypes.mostLooked) }
    let names = x.names(of: numbers)
    let owner = reader.owner
    // Any program can send messages that name another program's window. Its data would come from the owner of the selection.
    let of = x.process(of: source)
    let process = owner != 0 && (owner & ~x.idMask == source & ~x.idMask || x.process(of: owner) == of) ? of : nil
    let save = Self.save(of: source, names, process, x)
    let types = ForeignTypes(names, savedType: save?.type)
    facts = Facts(types: types, save: types.needsSaving ? save : nil, process: process, owner: owner)
    x.select(StructureNotifyMask, on: source)
    learn(at: now)
    carryOut(at: now)
  }

  /// The file that the source would save. One that sees other files than the bridge could not find the place for it.
  private static func save(of source: UInt32, _ names: [String], _ process: Int32?, _ x: XConnection) -> ForeignSave? {
    guard names.contains(XdndOffer.directSave), ForeignItems.areOfOurFiles(process) else { return nil }
    return x.bytes(source, XdndOffer.directSave, most: ForeignSave.longest).flatMap { ForeignSave(named: $0) }
  }

  /// Known once it was looked at the drag.
  var program: Program {
    guard let facts else { return .unknown }
    if let process = facts.process { return .process(process) }
    let connection = source & ~x.idMask
    return facts.owner & ~x.idMask == connection ? .connection(connection) : .unknown
  }

  // MARK: From the source

  /// Takes in another Enter of the source, in place of the first.
  ///
  /// - Returns: false once the X server has been asked about the drag.
  func beginsAgain(_ words: XdndMessage.Words, named name: UInt32) -> Bool {
    guard facts == nil, !machine.isOver, !machine.isDropped else { return false }
    (self.words, self.name) = (words, name)
    return true
  }

  func position(_ point: CarryModel.Point, time: UInt32, at now: Instant) {
    self.time = time
    positions += 1
    machine.position(point, at: now, into: &effects)
    carryOut(at: now)
  }

  func left(at now: Instant) {
    machine.left(into: &effects)
    carryOut(at: now)
  }

  func dropped(time: UInt32, at now: Instant) {
    self.time = time
    queue?.time = time
    machine.dropped(into: &effects)
    carryOut(at: now)
  }

  func sourceGone(at now: Instant) {
    machine.sourceGone(into: &effects)
    carryOut(at: now)
  }

  /// There are too many drops: this one gets no data any more. Its source hears that, and does not wait.
  func makesRoom(at now: Instant) {
    machine.ended(taken: false, into: &effects)
    carryOut(at: now)
  }

  func advance(to now: Instant) {
    guard !wantsFacts else { return }
    if machine.advance(to: now, into: &effects) { learned([], at: now) }
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
      case .learn: wantsFacts = true
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

  private func send(_ message: XdndMessage) { x.send(message, from: name, to: source, at: source) }

  private func over() {
    if let conversion { reader.cancel(conversion) }
    conversion = nil
    queue?.end()
    queue = nil
    onOver?()
  }

  // MARK: What is dragged

  /// Addresses are read now: the number of files, and their types, are what a target decides by.
  private func learn(at now: Instant) {
    guard isOfOurFiles, let facts, reader.owner == facts.owner, let offer = facts.types.addresses
    else { return learned([], at: now) }
    conversion = reader.convert(
      to: offer.source, time: time, within: .init(bytes: Self.mostAddressBytes, answer: IncomingDrag.learning), at: now
    ) { [weak self] result in
      guard let self else { return }
      conversion = nil
      guard let data = try? result.get() else { return noFiles() }
      look(at: ForeignTypes.decoded(data.bytes, offer.decoding))
    }
  }

  /// A folder of a server that does not answer must not keep the bridge waiting.
  private func look(at list: [UInt8]) {
    let paths = ForeignFile.paths(in: list)
    guard !paths.isEmpty else { return noFiles() }
    let isLooking = client.runAside(lookingAt: paths) {
      ForeignFile.all(in: list)
    } then: { [weak self] files in
      guard let self else { return }
      let now = MonotonicClock.now()
      learned(files ?? [], at: now)
      carryOut(at: now)
    }
    if isLooking { machine.isLooking(at: MonotonicClock.now()) } else { noFiles() }
  }

  private func noFiles() {
    let now = MonotonicClock.now()
    learned([], at: now)
    carryOut(at: now)
  }

  private func learned(_ files: [ForeignFile], at now: Instant) {
    guard machine.isLearning else { return }
    if let conversion { reader.cancel(conversion) }
    conversion = nil
    self.files = files
    let hasItems = facts.map { !$0.types.offers.isEmpty && $0.owner != 0 } ?? false
    machine.learned(hasItems: hasItems, at: now, into: &effects)
  }

  /// Whether both ends see the same files as the bridge, so that these may be opened by their names. A program in a sandbox
  /// could name a file that it cannot read, and drop it on itself.
  ///
  /// What the source is cannot be relied on: the X server lets any program make a window of another program the owner of the
  /// selection, and then asks the program that did so. But a program that sees the files can open them without the bridge.
  private var isOfOurFiles: Bool {
    guard let process = facts?.process, let taker = x.process(of: target) else { return false }
    return ForeignItems.areOfOurFiles(process) && ForeignItems.areOfOurFiles(taker)
  }

  private func begin(at point: CarryModel.Point) {
    // A target that sees other files than the bridge gets none of them from the shelf, either.
    guard let facts else { return ended(.cancel, 0) }
    let items = files.isEmpty ? [makeQueue(facts).wholeItem()] : files.map(\.itemOutsideSandboxes)
    // Any program can send the messages of a drag, and nobody has to drag for that.
    let isByButton = x.hasButtonDown
    guard
      let session = ForeignDrag(
        client, from: facts.process, isByButton: isByButton, items, over: target, at: point)
    else { return ended(.cancel, 0) }
    self.session = session
    session.onProposal = { [weak self] operation in
      guard let self else { return }
      machine.proposed(accepts: operation.transfersData, into: &effects)
      carryOut(at: MonotonicClock.now())
    }
    session.onEnd = { [weak self] in self?.ended($0, $1) }
    session.onKept = { [weak self] in self?.kept() }
  }

  /// Z15: dropped on the shelf. The other program's drag is to end, so what it gives has to be here before.
  private func kept() {
    guard let queue else { return leaveItems() }
    queue.holdAll(most: Self.mostKeptBytes, patience: Self.keptPatience) { [weak self] hasAny in
      if hasAny { self?.leaveItems() } else { self?.ended(.cancel, 0) }
    }
  }

  /// The drag is over, and its items are not.
  private func leaveItems() {
    guard let session else { return }
    (self.session, queue) = (nil, nil)
    onKept?(session)
    machine.ended(taken: true, into: &effects)
    carryOut(at: MonotonicClock.now())
  }

  private func makeQueue(_ facts: Facts) -> ConversionQueue {
    let saver = facts.save.map { [x, source] file in
      ForeignSaver(file, reader, client) { x.setText($0, XdndOffer.directSave, of: source) }
    }
    let queue = ConversionQueue(reader, client, owner: facts.owner, facts.types.offers, saver: saver) { [weak self] in
      self?.machine.isDropped == true
    }
    queue.time = time
    self.queue = queue
    return queue
  }

  private func ended(_ operation: CarryModel.DropOperation, _ delivered: Int) {
    machine.ended(taken: operation.transfersData && delivered > 0, into: &effects)
    carryOut(at: MonotonicClock.now())
  }
}
