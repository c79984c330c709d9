import Carry
import CarryModel
import CarryXdnd

/// A drag of Carry's over one window that speaks XDND: the state machine, its window, and the data of its drop.
final class BridgedDrag: ServedDrop {
  let target: TargetWindow
  var receiver: UInt32 { target.receiver }
  let session: DropSession
  /// The window that the target regards as the source, and to which it replies.
  let window: UInt32
  /// The target's process; nil if the X server does not know it.
  let process: Int32?
  private let x: any XDisplay
  private(set) var machine = OutgoingDrag()
  let data: OfferedData
  /// Nil for a target that sees other files than the bridge does.
  private var names: HoverNames?
  /// Sent to the target with each message; its requests carry it.
  private(set) var time: UInt32 = 0
  /// Whether the target may convert the selection.
  private(set) var isServing = false
  private var answer: ((DropProposal) -> Void)?
  private var done: (() -> Void)?
  private var effects: [OutgoingDrag.Effect] = []
  /// Called when the drop is over.
  var onEnd: (() -> Void)?

  init(_ session: DropSession, over target: TargetWindow, _ x: any XDisplay, _ client: Client) {
    (self.session, self.target, self.x) = (session, target, x)
    process = x.process(of: target.window)
    // A program in another mount namespace cannot use these file names. It could also name a save location that it
    // may not write to itself.
    let seesOurFiles = ForeignItems.areOfOurFiles(process)
    let isInSandbox = process != nil && !seesOurFiles
    data = OfferedData(
      session.items, portal: isInSandbox ? FileTransferPortal(client) : nil, savesDirectly: seesOurFiles,
      pictures: PictureConversion(client))
    names = seesOurFiles ? HoverNames(data.offer.files) : nil
    window = x.makeWindow()
    x.setAtoms([x.atom("XdndActionCopy")], "XdndActionList", of: window)
    setTypeList()
    data.onWork = { [weak self] in
      guard let self else { return }
      markActive(at: x.now)
    }
    data.onProgress = { [weak self] in
      guard let self else { return }
      machine.markProgress(at: x.now)
    }
  }

  private func setTypeList() { x.setAtoms(data.offer.types.map { x.atom($0) }, "XdndTypeList", of: window) }

  /// Restarts the drag for the target if items were added while it hovered.
  private func restartWithNewItems(at now: Instant) {
    guard data.add(session.items) else { return }
    if names != nil { names = HoverNames(data.offer.files) }
    setTypeList()
    machine.left(into: &effects)
    carryOut(at: now)
  }

  /// Produces the data of a type for the target.
  ///
  /// - Parameters:
  ///   - follower: May forward the data as it arrives.
  ///   - completion: Called once, now or later; nil if there is no such data.
  func convert(_ type: String, following follower: any ByteStream, completion: @escaping (OfferedAnswer?) -> Void) {
    guard type == XdndOffer.directSave else {
      return data.convert(type, following: follower, completion: completion)
    }
    data.saveDirectly(to: x.bytes(window, type, most: DirectSavePlace.longest)) { completion($0.map { .bytes($0) }) }
  }

  /// Whether there is anything that the target could accept.
  var hasTypes: Bool { !data.offer.types.isEmpty }

  // MARK: From the engine

  func moved(at now: Instant, answer: @escaping (DropProposal) -> Void) {
    restartWithNewItems(at: now)
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
    restartWithNewItems(at: now)
    self.done = done
    // A program that drops on itself may wait for the data without answering loads, as Qt does.
    machine.dropped(at: place, loadsFirst: session.isLocal, at: now, into: &effects)
    carryOut(at: now)
  }

  /// The drag's location, in pixels of the screen.
  private var place: CarryModel.Point {
    let corner = target.currentFrame(x)
    let inside = session.location(in: session.region)
    return CarryModel.Point(x: corner.x + inside.x, y: corner.y + inside.y)
  }

  // MARK: From the target

  func handle(_ message: XdndMessage, at now: Instant) {
    switch message {
    case .status(let accepts, let action):
      machine.status(accepts: accepts && (action == 0 || isCopy(action)), at: now, into: &effects)
    case .finished(let accepted, let action):
      // Before version 5 XdndFinished does not report success. Firefox reports success for a drop that the page
      // refused, with an action that was not offered.
      let isAccepted = target.version < 5 ? data.hasServed : accepted && isCopy(action)
      machine.finished(accepted: isAccepted, into: &effects)
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

  /// The target requests data while nothing is served.
  ///
  /// It may request it any number of times: nothing is loaded for it, and any program can ask in the target's name.
  ///
  /// - Returns: what stands for the data; nil if there is no such type.
  func placeholder(for type: String) -> [UInt8]? {
    machine.fetches()
    return data.offer.placeholder(for: type) { names?.address(of: $0) }
  }

  /// The target reads data. It may be waiting for more.
  func markActive(at now: Instant) {
    machine.markActive(at: now, isWaiting: data.isAwaited, isServed: data.hasServed && !data.isAwaited)
  }

  func advance(to now: Instant) {
    machine.advance(to: now, into: &effects)
    carryOut(at: now)
  }

  /// Only a copy is offered, and a target that would do something else does not accept these items. A target may answer
  /// with a private action whatever is offered, as all programs of winit do: the source is not to delete anything then.
  private func isCopy(_ action: UInt32) -> Bool {
    action == x.atom("XdndActionCopy") || action == x.atom("XdndActionPrivate")
  }

  // MARK: Effects

  private func carryOut(at now: Instant) {
    // An effect may add further ones.
    while !effects.isEmpty {
      let next = effects.removeFirst()
      switch next {
      case .enter: enter(at: now)
      case .position(let place): send(.position(place, time: time, action: x.atom("XdndActionCopy")))
      case .leave: send(.leave)
      case .drop: send(.drop(time: time))
      case .serve(let serves): serve(serves)
      case .load:
        data.loadAll { [weak self] in
          guard let self else { return }
          machine.loaded(at: x.now, into: &effects)
          carryOut(at: x.now)
        }
      case .answer(let answer): self.answer?(DropProposal(operation: answer == .copy ? .copy : .cancel))
      case .end: end()
      }
    }
  }

  private func serve(_ serves: Bool) {
    isServing = serves
    guard let name = data.savedName else { return }
    // Set only at the drop, since every program can read it. The target replaces it with a location.
    if serves { x.setText(name, XdndOffer.directSave, of: window) } else { x.delete(XdndOffer.directSave, of: window) }
  }

  private func enter(at now: Instant) {
    time = x.newTime(at: now)
    let types = data.offer.types.prefix(3).map { x.atom($0) } + [0, 0, 0]
    send(.enter(version: target.version, types: (types[0], types[1], types[2]), hasMore: data.offer.types.count > 3))
  }

  private func send(_ message: XdndMessage) {
    x.send(message, from: window, to: target.window, at: target.receiver)
  }

  private func end() {
    answer = nil
    data.end()
    done?()
    done = nil
    onEnd?()
  }
}
