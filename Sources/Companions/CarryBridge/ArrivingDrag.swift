import Carry
import CarryModel
import CarrySelections
import CarryXdnd

/// A drag of another program over one window of a Carry application: the state machine, its session and its data.
final class ArrivingDrag {
  /// The source's window.
  let source: UInt32
  /// The window under the drag.
  let target: UInt32
  /// The name by which the source addresses the target.
  var name: UInt32
  /// The number of positions received.
  private(set) var positions = 0
  private let x: any XDisplay
  private let client: Client
  private let reader: SelectionReader
  private let makeSession: SessionMaker
  /// The contents of the source's Enter message.
  private var words: XdndMessage.Words
  /// What the X server has reported about the drag.
  private struct Facts {
    let types: ForeignTypes
    /// The file that the source offers to save; nil if there is none.
    let save: ForeignSave?
    /// The source's process; nil if unknown.
    let process: Int32?
    /// The owner of the selection at that time. Another owner would supply other data.
    let owner: UInt32
  }
  private var facts: Facts?

  /// The program that drags, as far as known.
  enum Program: Hashable {
    case process(Int32)
    /// The X server does not know the process.
    case connection(UInt32)
    /// A program other than the source's owns the data. Any program can name any window as the source.
    case unknown
  }

  /// Whether `queryFacts` has to query the X server about the drag.
  private(set) var wantsFacts = false
  private(set) var machine = IncomingDrag()
  private var effects: [IncomingDrag.Effect] = []
  private var isCarryingOut = false
  private var session: (any ForeignSession)?
  /// The result of `learn`: the files and folders, if nothing else is dragged.
  private var files: [ForeignFile] = []
  /// The time of the newest position or of the drop, which sources expect in each request.
  private var time: UInt32 = 0
  /// The pending conversion of the URI list.
  private var conversion: UInt32?
  private var queue: ConversionQueue?
  var onOver: (() -> Void)?
  /// Called with the session when the shelf keeps items of the drag, which outlive it.
  var onKept: ((any ForeignSession) -> Void)?

  private static let keptPatience = Interval.seconds(1)

  /// Begins a session at the engine; nil without an engine.
  typealias SessionMaker = (
    _ process: Int32?, _ isByButton: Bool, _ items: [DragItem], _ target: UInt32, _ point: CarryModel.Point
  ) -> (any ForeignSession)?

  init(
    from source: UInt32, over target: UInt32, named name: UInt32, _ words: XdndMessage.Words, _ x: any XDisplay,
    _ client: Client, _ reader: SelectionReader, makeSession: @escaping SessionMaker
  ) {
    (self.source, self.target, self.name) = (source, target, name)
    (self.x, self.client, self.reader, self.makeSession) = (x, client, reader, makeSession)
    self.words = words
  }

  /// Queries the X server about the drag. Not done at each Enter, since any program can send any number of them.
  func queryFacts(at now: Instant) {
    wantsFacts = false
    guard machine.isLearning else { return }
    // Any program can name any window ID, and data about a window is discarded only when the window is destroyed.
    guard x.frame(of: source) != nil else { return sourceGone(at: now) }
    let names = x.typeNames(of: words)
    let owner = reader.owner
    // Any program can send messages that name another program's window. The data would come from the owner of the
    // selection.
    let process = owner != 0 && x.areOfOneProgram(source, owner) ? x.process(of: source) : nil
    let save = Self.save(of: source, names, process, x)
    let types = ForeignTypes(names, savedType: save?.type)
    facts = Facts(types: types, save: types.needsSaving ? save : nil, process: process, owner: owner)
    x.watchDestruction(of: source)
    learn(at: now)
    carryOut(at: now)
  }

  /// The file that the source offers to save. A source in another mount namespace could not find the location.
  private static func save(
    of source: UInt32, _ names: [String], _ process: Int32?, _ x: any XDisplay
  ) -> ForeignSave? {
    guard names.contains(XdndOffer.directSave), ForeignItems.areOfOurFiles(process) else { return nil }
    return x.bytes(source, XdndOffer.directSave, most: ForeignSave.longest).flatMap { ForeignSave(named: $0) }
  }

  /// Known only after `queryFacts`.
  var program: Program {
    guard let facts else { return .unknown }
    if let process = facts.process { return .process(process) }
    let connection = x.connection(of: source)
    return x.connection(of: facts.owner) == connection ? .connection(connection) : .unknown
  }

  // MARK: From the source

  /// Accepts another Enter of the source in place of the first.
  ///
  /// - Returns: False once the X server has been asked about the drag.
  func restart(with words: XdndMessage.Words, named name: UInt32) -> Bool {
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

  /// Ends this drop without data because there are too many drops. The source is notified and does not wait.
  func evict(at now: Instant) {
    machine.ended(taken: false, into: &effects)
    carryOut(at: now)
  }

  func advance(to now: Instant) {
    guard !wantsFacts else { return }
    if machine.advance(to: now, into: &effects) { learned([], at: now) }
    carryOut(at: now)
  }

  // MARK: Effects

  private func carryOut(at now: Instant) {
    // An effect may add further ones.
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

  // MARK: Contents

  /// Reads the URI list now: targets decide by the number and types of the files.
  private func learn(at now: Instant) {
    guard isOfOurFiles, let facts, reader.owner == facts.owner, let offer = facts.types.addresses
    else { return learned([], at: now) }
    conversion = reader.convert(
      to: offer.sources, time: time, within: .init(bytes: Limits.incomingAddressBytes, answer: IncomingDrag.learning),
      at: now
    ) { [weak self] result in
      guard let self else { return }
      conversion = nil
      if let list = try? result.get().bytes { examine(list) } else { end(learning: []) }
    }
  }

  /// Runs on another thread: a folder on an unresponsive server must not block the bridge.
  private func examine(_ list: [UInt8]) {
    let paths = ForeignFile.paths(in: list)
    let isExamined =
      !paths.isEmpty
      && client.runBlocking(lookingAt: paths) {
        ForeignFile.all(in: list)
      } then: { [weak self] in
        self?.end(learning: $0 ?? [])
      }
    if isExamined { machine.isLooking(at: x.now) } else { end(learning: []) }
  }

  private func end(learning files: [ForeignFile]) {
    let now = x.now
    learned(files, at: now)
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

  /// Whether source and target see the same files as the bridge, so that files may be opened by name. A sandboxed
  /// program could otherwise name a file that it cannot read and drop it on itself.
  ///
  /// The source's identity is not reliable: the X server lets any program make another program's window the owner of
  /// the selection, and then sends the requests to the program that did so. But a program that sees the files can
  /// open them without the bridge.
  private var isOfOurFiles: Bool {
    guard let process = facts?.process, let destination = x.process(of: target) else { return false }
    return ForeignItems.areOfOurFiles(process) && ForeignItems.areOfOurFiles(destination)
  }

  private func begin(at point: CarryModel.Point) {
    // A target in another mount namespace gets no files from the shelf either.
    guard let facts else { return ended(.cancel, 0) }
    let items = files.isEmpty ? [makeQueue(facts).wholeItem()] : files.map(\.itemOutsideSandboxes)
    // Any program can send the messages of a drag without the user dragging.
    guard let session = makeSession(facts.process, x.hasButtonDown, items, target, point)
    else { return ended(.cancel, 0) }
    self.session = session
    session.onProposal = { [weak self] operation in
      guard let self else { return }
      machine.proposed(accepts: operation.transfersData, into: &effects)
      carryOut(at: x.now)
    }
    session.onEnd = { [weak self] in self?.ended($0, $1) }
    session.onKept = { [weak self] in self?.kept() }
  }

  /// The drag was dropped on the shelf. The other program's drag is about to end, so its data has to arrive before
  /// that.
  private func kept() {
    guard let queue else { return leaveItems() }
    queue.holdAll(most: Limits.incomingBytesKept, patience: Self.keptPatience) { [weak self] hasAny in
      if hasAny { self?.leaveItems() } else { self?.ended(.cancel, 0) }
    }
  }

  /// Ends the drag, but keeps its items.
  private func leaveItems() {
    guard let session else { return }
    (self.session, queue) = (nil, nil)
    onKept?(session)
    machine.ended(taken: true, into: &effects)
    carryOut(at: x.now)
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
    // Where a file did not arrive the drop is no full success.
    machine.ended(taken: operation.transfersData && delivered >= max(1, files.count), into: &effects)
    carryOut(at: x.now)
  }
}
