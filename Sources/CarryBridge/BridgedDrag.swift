import Carry
import CarryModel
import CarrySystem
import CarryXdnd

/// One drag of Carry's over one window that speaks XDND: the pure machine, its window, and the data of its drop.
final class BridgedDrag {
  let target: TargetWindow
  let session: DropSession
  /// The window that the target takes for the source. The target's answers come to it.
  let window: UInt32
  /// The process of the target; nil where the X server cannot tell.
  let process: Int32?
  private let x: XConnection
  private let windows: TargetWindows
  var machine = OutgoingDrag()
  private var offer: XdndOffer
  /// The items in the numbers of the offer.
  private var items: [DragItem]
  /// Given to the target with each message: its requests come with it.
  private(set) var time: UInt32 = 0
  /// Whether the target may convert.
  private(set) var isServing = false
  /// Whether the target has asked for any data.
  private(set) var hasServed = false
  private var answer: ((DropProposal) -> Void)?
  private var done: (() -> Void)?
  private var effects: [OutgoingDrag.Effect] = []
  /// What has been loaded: toolkits ask for the same several times, and some sources can give it only once.
  private var loaded: [XdndOffer.Part: [UInt8]] = [:]
  private var loadedBytes = 0
  /// Files that were made for the target, which reads them later.
  private(set) var files: [OpenedFile] = []
  private var paths: [XdndOffer.Part: String] = [:]
  /// Who waits for a file that is being made. A target may ask a hundred times at once, and each file may be a copy.
  private var waitingForFiles: [XdndOffer.Part: [(String?) -> Void]] = [:]
  private var waiting: [XdndOffer.Part: [(Result<[UInt8], LoadError>) -> Void]] = [:]
  /// How many requests have been answered, or are being answered.
  private var requests = 0
  /// Called when the drop is over.
  var onEnd: (() -> Void)?

  /// What is larger goes as a file only.
  private static let mostBytes = 128 << 20
  /// How many representations are being loaded at a time.
  private static let mostLoads = 8
  /// What is kept for further requests.
  private static let mostKept = 64 << 20
  /// A target that asks more often is not served any more.
  private static let mostRequests = 1024

  init(_ session: DropSession, over target: TargetWindow, _ x: XConnection, _ windows: TargetWindows) {
    (self.session, self.target, self.x, self.windows) = (session, target, x, windows)
    items = session.items
    offer = Self.offer(items)
    process = x.process(of: target.window)
    window = x.makeWindow()
    x.setAtoms([x.atom("XdndActionCopy")], "XdndActionList", of: window)
    setTypeList()
  }

  private static func offer(_ items: [DragItem]) -> XdndOffer {
    XdndOffer(items.map { .init(name: $0.itemProvider.suggestedName ?? "", types: $0.itemProvider.registeredTypes) })
  }

  private func setTypeList() { x.setAtoms(offer.types.map { x.atom($0) }, "XdndTypeList", of: window) }

  /// Items were added while the drag was over the target: it is told of the drag as it is now.
  private func takeNewItems(at now: Instant) {
    let all = session.items
    guard all.count != items.count else { return }
    items = all
    offer = Self.offer(all)
    setTypeList()
    machine.left(into: &effects)
    carryOut(at: now)
  }

  /// Whether there is anything that the target could take.
  var hasTypes: Bool { !offer.types.isEmpty }

  // MARK: From the engine

  func moved(at now: Instant, answer: @escaping (DropProposal) -> Void) {
    takeNewItems(at: now)
    self.answer = answer
    machine.moved(to: place, at: now, into: &effects)
    carryOut(at: now)
  }

  func left(at now: Instant) {
    answer = nil
    machine.left(into: &effects)
    carryOut(at: now)
  }

  func dropped(at now: Instant, done: @escaping () -> Void) {
    takeNewItems(at: now)
    self.done = done
    machine.dropped(at: place, at: now, into: &effects)
    carryOut(at: now)
  }

  /// Where the drag is, in pixels of the screen.
  private var place: CarryModel.Point {
    let corner = windows.frame(of: target)
    let inside = session.location(in: session.region)
    return CarryModel.Point(x: corner.x + inside.x, y: corner.y + inside.y)
  }

  // MARK: From the target

  func take(_ message: XdndMessage, at now: Instant) {
    switch message {
    case .status(let accepts, let action):
      // Only a copy was offered. Whatever else it would do, it does not do to these items.
      machine.status(accepts: accepts && (action == copyAction || action == 0), at: now, into: &effects)
    case .finished(let accepted, let action):
      // Before version 5 nothing is said of success. Firefox says yes of a drop that the page has refused, with an action
      // that was not offered.
      let isTaken = target.version < 5 ? hasServed : accepted && action == copyAction
      machine.finished(accepted: isTaken, into: &effects)
    case .enter, .position, .leave, .drop: break
    }
    carryOut(at: now)
  }

  func targetGone(at now: Instant) {
    machine.targetGone(at: now, into: &effects)
    carryOut(at: now)
  }

  func hold(_ held: Bool, at now: Instant) {
    machine.hold(held, at: now, into: &effects)
    carryOut(at: now)
  }

  func isAtWork(at now: Instant) { machine.isAtWork(at: now) }

  func advance(to now: Instant) {
    machine.advance(to: now, into: &effects)
    carryOut(at: now)
  }

  private var copyAction: UInt32 { x.atom("XdndActionCopy") }

  // MARK: What is to be done

  private func carryOut(at now: Instant) {
    // What is done may ask for more.
    while !effects.isEmpty {
      let next = effects.removeFirst()
      switch next {
      case .enter: enter(at: now)
      case .position(let place): send(.position(place, time: time, action: copyAction))
      case .leave: send(.leave)
      case .drop: send(.drop(time: time))
      case .serve(let serves): isServing = serves
      case .answer(let answer): self.answer?(DropProposal(operation: answer == .copy ? .copy : .cancel))
      case .end: end()
      }
    }
  }

  private func enter(at now: Instant) {
    time = x.newTime(at: now)
    let types = offer.types.prefix(3).map { x.atom($0) } + [0, 0, 0]
    send(.enter(version: target.version, types: (types[0], types[1], types[2]), hasMore: offer.types.count > 3))
  }

  private func send(_ message: XdndMessage) {
    x.send(message, from: window, to: target.window, at: target.receiver)
  }

  private func end() {
    answer = nil
    (loaded, waiting) = ([:], [:])
    done?()
    done = nil
    onEnd?()
  }

  // MARK: Data

  /// The names of the types that the target may convert to.
  var types: [String] { offer.types }

  /// What the target gets of a type while the drag hovers; nil where there is no such type, or nothing is to be had.
  func placeholder(_ type: String) -> [UInt8]? {
    requests += 1
    return requests <= Self.mostRequests ? offer.placeholder(for: type) : nil
  }

  /// Makes the data of a type.
  ///
  /// - Parameter completion: called once, now or later; nil where there is no such data.
  func convert(_ type: String, at now: Instant, completion: @escaping ([UInt8]?) -> Void) {
    requests += 1
    guard isServing, requests <= Self.mostRequests, let recipe = offer.recipe(for: type) else { return completion(nil) }
    hasServed = true
    machine.isAtWork(at: now)
    switch recipe {
    case .bytes(let part): load(part) { completion($0) }
    case .text(let parts, let encoding):
      loadAll(parts) { texts in completion(texts.map { XdndData.text($0, encoding) }) }
    case .link(let part, let encoding, let title):
      load(part) { list in completion(list.map { XdndData.link($0, encoding, title: title) }) }
    case .addresses(let addresses): makeAddresses(addresses) { completion($0) }
    }
  }

  private func loadAll(_ parts: [XdndOffer.Part], _ completion: @escaping ([[UInt8]]?) -> Void) {
    gather(parts.count, completion) { i, deliver in load(parts[i], deliver) }
  }

  /// Starts `count` tasks, and completes when all have delivered, or one has failed.
  private func gather<T>(
    _ count: Int, _ completion: @escaping ([T]?) -> Void, _ start: (Int, @escaping (T?) -> Void) -> Void
  ) {
    var results = [T?](repeating: nil, count: count)
    var left = count
    for i in 0..<count {
      start(i) { result in
        results[i] = result
        left -= 1
        guard left == 0 else { return }
        completion(results.contains { $0 == nil } ? nil : results.compactMap { $0 })
      }
    }
  }

  private func load(_ part: XdndOffer.Part, _ completion: @escaping ([UInt8]?) -> Void) {
    if let bytes = loaded[part] { return completion(bytes) }
    let isFirst = waiting[part] == nil
    guard !isFirst || waiting.count < Self.mostLoads else { return completion(nil) }
    waiting[part, default: []].append { completion(try? $0.get()) }
    guard isFirst else { return }
    items[part.item].itemProvider.loadDataRepresentation(forType: part.type, limit: Self.mostBytes) {
      [weak self] result in
      self?.has(part, result)
    }
  }

  private func has(_ part: XdndOffer.Part, _ result: Result<[UInt8], LoadError>) {
    machine.isAtWork(at: MonotonicClock.now())
    switch result {
    case .success(let bytes) where loadedBytes + bytes.count <= Self.mostKept:
      loaded[part] = bytes
      loadedBytes += bytes.count
    case .success: break
    case .failure(let error):
      Log.info("the data for another program, \(SafeText.displayable(part.type)): \(error)")
    }
    for completion in waiting.removeValue(forKey: part) ?? [] { completion(result) }
  }

  private func makeAddresses(_ addresses: [XdndOffer.Address], _ completion: @escaping ([UInt8]?) -> Void) {
    gather(addresses.count, { (lists: [[[UInt8]]]?) in completion(lists.map { XdndData.list($0.flatMap { $0 }) }) }) {
      i, deliver in
      switch addresses[i] {
      case .list(let part): load(part) { deliver($0.map(XdndData.addresses)) }
      case .file(let part):
        makeFile(part) { path in deliver(path.flatMap { FileLink(path: $0) }.map { [Array($0.address.utf8)] }) }
      }
    }
  }

  /// The source's own file where it may be opened in place, or a copy.
  private func makeFile(_ part: XdndOffer.Part, _ completion: @escaping (String?) -> Void) {
    if let path = paths[part] { return completion(path) }
    let isFirst = waitingForFiles[part] == nil
    waitingForFiles[part, default: []].append(completion)
    guard isFirst else { return }
    items[part.item].itemProvider.loadInPlaceFileRepresentation(forType: part.type) { [weak self] result in
      self?.has(part, result)
    }
  }

  private func has(_ part: XdndOffer.Part, _ result: Result<OpenedFile, LoadError>) {
    machine.isAtWork(at: MonotonicClock.now())
    switch result {
    case .success(let file):
      files.append(file)
      paths[part] = file.path
    case .failure(let error):
      Log.info("the file for another program, \(SafeText.displayable(part.type)): \(error)")
    }
    for completion in waitingForFiles.removeValue(forKey: part) ?? [] { completion(paths[part]) }
  }
}
