import CX11
import Carry
import CarryCompanion
import CarryModel
import CarrySelections
import CarrySystem
import CarryX
import CarryXdnd

/// Represents all programs that speak XDND, so that Carry's items can be dropped on them.
///
/// Has a region for each of their windows, and owns the selection through which data is transferred. Runs on one
/// thread, which may block on the X server; nothing waits for the bridge.
final class Bridge {
  let client: Client
  let x: XConnection
  let windows: TargetWindows
  let selection: SelectionServer
  let arrivals: Arrivals
  let lifts: Lifts
  let foreignDrags: ForeignDragWatch
  /// The regions of the windows that accept drops.
  private var regions: [UInt32: Carry.Region] = [:]
  var drags: [ObjectIdentifier: BridgedDrag] = [:]
  /// The source windows of drags that are over. A target may still send a message, and a BadWindow error would
  /// terminate some programs.
  private var formerWindows: [(window: UInt32, since: Instant)] = []
  /// Files created for targets, which may read them later.
  private var keptFiles: [(file: OpenedFile, until: Instant)] = []
  /// The server time at which the bridge became the selection owner; nil while it is not.
  var ownsSelectionSince: UInt32?
  private var ownsSelection: Bool { ownsSelectionSince != nil }

  /// The kinds of messages by atom.
  let kinds: [UInt32: XdndMessage.Kind]
  /// The newest replies of targets, by the windows of the drags, while events are being handled.
  var newestStatus: [UInt32: XdndMessage.Words] = [:]

  /// How often to check whether another program's drag has ended.
  static let pause = Interval.milliseconds(100)
  /// The time of the next check.
  var looksAgain: Instant?
  private var arrangedAt = Instant.zero
  /// Whether the bridge cannot continue because another program has taken a resource it needs.
  var isLost = false
  /// About how long a target takes to receive a drop. New windows wait that long.
  private static let servingTakes = Interval.milliseconds(20)
  private static let formerWindowsStay = Interval.seconds(60)
  /// How long a target may read a copy created for it.
  private static let filesStay = Interval.seconds(600)
  private static let most = 64
  private static let maxOwnerEvents = 256

  init(_ engine: BridgeClient, _ x: XConnection) {
    (client, self.x) = (engine.client, x)
    windows = TargetWindows(x)
    selection = SelectionServer(x.selections)
    arrivals = Arrivals(engine, x)
    kinds = Dictionary(uniqueKeysWithValues: XdndMessage.Kind.allCases.map { (x.atom($0.rawValue), $0) })
    lifts = Lifts(engine, x)
    foreignDrags = ForeignDragWatch(engine, x, window: selection.window)
    windows.isEntrance = { [arrivals] window in arrivals.entrances.repair(window) || arrivals.entrances.has(window) }
    windows.patience = { [unowned self] in drags.values.contains { $0.isServing } ? Self.servingTakes : .zero }
    windows.onChange = { [unowned self] in changed($0) }
    windows.onWatch = { [lifts] in lifts.watched($0, isThere: $1) }
    lifts.isBusy = { [unowned self] in drags.values.contains { $0.machine.isDropped } }
    foreignDrags.onChange = { [arrivals] source in
      if let source {
        arrivals.entrances.sideDoors.begin(for: source, at: MonotonicClock.now())
      } else {
        arrivals.entrances.sideDoors.end()
      }
    }
    // Another program owns the selection during a lift.
    lifts.onChange = { [unowned self] in arrange(at: MonotonicClock.now()) }
  }

  func start() { windows.start() }

  /// Removes all traces from other programs' windows; the engine is gone.
  func stop() {
    lifts.stop()
    arrivals.entrances.closeAll()
    XSync(x.display, 0)
  }

  // MARK: Windows

  private func changed(_ change: TargetWindows.Change) {
    switch change {
    case .appeared(let target): regions[target.window] = makeRegion(target)
    case .resized(let target): regions[target.window]?.frame = Self.frame(of: target)
    case .gone(let target):
      regions.removeValue(forKey: target.window)?.invalidate()
      let now = MonotonicClock.now()
      for drag in drags.values where drag.target === target {
        drag.targetGone(at: now)
        // The region is gone, so there will be no event when the session leaves it.
        forget(drag)
      }
    }
  }

  private func makeRegion(_ target: TargetWindow) -> Carry.Region {
    let region = Carry.Region(client: client, window: target.window, frame: Self.frame(of: target))
    // Announced to users who carry with the keyboard.
    region.label = x.programName(of: target.window)
    region.onRefused = { (why: String) in Log.debug("window \(target.window): \(why)") }
    let interaction = DropInteraction(delegate: self)
    interaction.allowsSimultaneousDropSessions = true
    region.addInteraction(interaction)
    return region
  }

  private static func frame(of target: TargetWindow) -> Carry.Rect {
    Carry.Rect(x: 0, y: 0, width: Int(target.frame.width), height: Int(target.frame.height))
  }

  // MARK: Drags

  /// The drag of a session over a target, if any.
  func drag(of session: DropSession) -> BridgedDrag? { drags[ObjectIdentifier(session)] }

  func makeDrag(of session: DropSession, over target: TargetWindow) -> BridgedDrag {
    let drag = BridgedDrag(session, over: target, x, client)
    drags[ObjectIdentifier(session)] = drag
    // Each program sees one drag at a time: a second one would replace the first.
    drag.hold(true, at: MonotonicClock.now())
    drag.onEnd = { [unowned self, unowned drag] in forget(drag) }
    return drag
  }

  /// Ends the drag of a session, if any.
  func end(_ session: DropSession) {
    guard let drag = drag(of: session) else { return }
    let now = MonotonicClock.now()
    drag.left(at: now)
    drag.targetGone(at: now)
    forget(drag)
  }

  private func forget(_ drag: BridgedDrag) {
    guard drags.removeValue(forKey: ObjectIdentifier(drag.session)) != nil else { return }
    let now = MonotonicClock.now()
    keptFiles += drag.data.files.map { ($0, now + Self.filesStay) }
    formerWindows.append((drag.window, now))
    while let first = formerWindows.first,
      formerWindows.count > Self.most || first.since + Self.formerWindowsStay <= now
    {
      XDestroyWindow(x.display, Window(first.window))
      formerWindows.removeFirst()
    }
    arrange(at: now)
  }

  /// Resumes drags that may proceed, and holds the others. A program sees one drag at a time, and none while another
  /// program drags.
  func arrange(at now: Instant) {
    arrangedAt = now
    guard !drags.isEmpty else {
      looksAgain = nil
      return releaseSelection()
    }
    if !ownsSelection, !lifts.isActive, looksAgain ?? now <= now { acquireSelection(at: now) }
    guard ownsSelection, !lifts.isActive else {
      for drag in drags.values { drag.hold(true, at: now) }
      return
    }
    var busy: Set<UInt32> = []
    for drag in drags.values where drag.machine.needsItsProgram(at: now) {
      busy.insert(x.connection(of: drag.target.receiver))
    }
    for drag in drags.values where !drag.machine.isTalking {
      let program = x.connection(of: drag.target.receiver)
      drag.hold(busy.contains(program), at: now)
      if drag.machine.isTalking { busy.insert(program) }
    }
  }

  // MARK: The selection

  var selectionAtom: Atom { Atom(x.atom("XdndSelection")) }

  /// Acquires the selection unless another program is dragging with the mouse.
  private func acquireSelection(at now: Instant) {
    looksAgain = now + Self.pause
    let owner = XGetSelectionOwner(x.display, selectionAtom)
    // Events that explain this owner have arrived before the reply, but may not have been handled yet.
    let isKnown = drainOwnerEvents(at: now)
    guard isKnown && !foreignDrags.mayBeUnderWay || owner == 0 || !x.hasButtonDown else { return }
    let time = x.newTime(at: now)
    XSetSelectionOwner(x.display, selectionAtom, Window(selection.window), Time(time))
    guard XGetSelectionOwner(x.display, selectionAtom) == Window(selection.window) else { return }
    ownsSelectionSince = time
    looksAgain = nil
  }

  /// Handles pending events about selection owners ahead of all others.
  ///
  /// - Returns: Whether all of them have been handled.
  private func drainOwnerEvents(at now: Instant) -> Bool {
    // Programs can take the selection from each other endlessly.
    for _ in 0..<Self.maxOwnerEvents {
      switch x.nextOwnerEvent() {
      case .none: return true
      case .tooManyEvents: return false
      case .event(let event):
        lifts.handle(event, at: now)
        foreignDrags.handle(event, isOurs: lifts.isActive, at: now)
      }
    }
    return false
  }

  /// Releases the selection when it is no longer needed. A target that has sent XdndFinished may still read the last
  /// parts.
  ///
  /// Uses the time of the acquisition: the X server ignores a time in the future, and also this one if another
  /// program has acquired the selection meanwhile.
  private func releaseSelection() {
    guard drags.isEmpty, !selection.isDelivering, let time = ownsSelectionSince else { return }
    XSetSelectionOwner(x.display, selectionAtom, 0, Time(time))
    ownsSelectionSince = nil
  }

  /// Handles a conversion request: the target of a drop gets data, a hovered target gets placeholders, and other
  /// requestors get nothing.
  func serve(_ asked: SelectionServer.Request) {
    let isMultiple = x.name(of: asked.target) == "MULTIPLE"
    for one in isMultiple ? selection.parts(of: asked) : [asked] { serveOne(one) }
  }

  private func serveOne(_ asked: SelectionServer.Request) {
    let now = MonotonicClock.now()
    guard
      let drag = drop(for: asked, among: drags.values.filter(\.machine.isTalking)), let type = x.name(of: asked.target)
    else { return selection.refuse(asked) }
    let request = selection.begin(asked)
    switch type {
    case "TARGETS":
      let types = ["TARGETS", "TIMESTAMP", "MULTIPLE"] + drag.data.offer.types
      selection.answer(request, words: types.map { x.atom($0) }, as: SelectionConnection.atomType)
    case "TIMESTAMP":
      selection.answer(request, words: [ownsSelectionSince ?? 0], as: UInt32(XA_INTEGER))
    case _ where !drag.isServing:
      if let bytes = drag.placeholder(for: type) {
        selection.answer(request, bytes, at: now)
      } else {
        selection.refuse(request)
      }
    default:
      // By the time the data arrives the window ID may belong to another program.
      let isItsOwn = { [unowned self] in drop(for: request, among: [drag]) != nil }
      let streamed = StreamedAnswer(to: request, from: selection, client, isStillValid: isItsOwn)
      drag.convert(type, following: streamed) { [unowned self] answer in
        let isHandedOn = if case .handedOn? = answer { true } else { false }
        if streamed.end(hasAllCome: isHandedOn) { return }
        if case .bytes(let bytes)? = answer, isItsOwn() {
          selection.answer(request, bytes, at: MonotonicClock.now())
        } else {
          selection.refuse(request)
        }
      }
    }
  }

  /// The drag whose target has made a request; nil for another program's request.
  private func drop(for request: SelectionServer.Request, among drags: [BridgedDrag]) -> BridgedDrag? {
    ConversionMatch.drop(
      for: request.requestor, time: request.time, among: drags, connection: x.connection(of:),
      process: { x.processInTurn(of: request.requestor) })
  }

  // MARK: Time

  var nextDeadline: Instant? {
    var next = Instant.earliest(looksAgain, selection.nextDeadline)
    next = .earliest(next, arrivals.nextDeadline)
    next = .earliest(next, lifts.nextDeadline)
    next = .earliest(next, foreignDrags.nextDeadline)
    next = .earliest(next, keptFiles.first?.until)
    next = .earliest(next, windows.nextDeadline)
    for drag in drags.values { next = .earliest(next, drag.machine.nextDeadline) }
    return .earliest(next, nextFreeProgram)
  }

  func advance(to now: Instant) {
    for drag in drags.values { drag.advance(to: now) }
    selection.advance(to: now)
    releaseSelection()
    arrivals.advance(to: now)
    lifts.advance(to: now)
    foreignDrags.advance(to: now, isOurs: lifts.isActive)
    windows.advance(to: now)
    while let first = keptFiles.first, first.until <= now { keptFiles.removeFirst() }
    if Instant.earliest(looksAgain, nextFreeProgram).map({ $0 <= now }) == true { arrange(at: now) }
  }

  /// When the program of a drop may next receive another drag, which may be waiting for it.
  private var nextFreeProgram: Instant? {
    guard drags.count > 1 else { return nil }
    return drags.values.compactMap(\.machine.needsItsProgramUntil).filter { $0 > arrangedAt }.min()
  }
}
