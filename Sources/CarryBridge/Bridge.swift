import CX11
import Carry
import CarryModel
import CarrySelections
import CarrySystem
import CarryX
import CarryXdnd

/// Stands for all programs that speak XDND, so that items of Carry's can be dropped on them.
///
/// It has a region for each of their windows, and owns the selection with which data is handed over. One thread; it may
/// wait for the X server, and nobody waits for it.
final class Bridge {
  let client: Client
  let x: XConnection
  let windows: TargetWindows
  let selection: SelectionServer
  let match: ConversionMatch
  let arrivals: Arrivals
  let lifts: Lifts
  let foreignDrags: ForeignDragWatch
  /// The windows that take drops, with their regions.
  private var places: [UInt32: DropPlace] = [:]
  var drags: [ObjectIdentifier: BridgedDrag] = [:]
  /// The windows of drags that are over. A target may still send a message, and an error for a window that is gone would
  /// end some programs.
  private var formerWindows: [(window: UInt32, since: Instant)] = []
  /// Files that were made for targets, which may read them later.
  private var keptFiles: [(file: OpenedFile, until: Instant)] = []
  /// The server's time at which the bridge became the selection's owner; nil while it is not.
  var ownsSelectionSince: UInt32?
  private var ownsSelection: Bool { ownsSelectionSince != nil }

  /// The kinds of messages, by their atoms.
  let kinds: [UInt32: XdndMessage.Kind]
  /// The newest answers of targets, by the windows of the drags, for as long as events are taken in.
  var newestStatus: [UInt32: XdndMessage.Words] = [:]

  /// How often it is looked whether another program's drag has ended.
  static let pause = Interval.milliseconds(100)
  /// When it is looked next.
  var looksAgain: Instant?
  private var arrangedAt = Instant.zero
  /// Whether it cannot go on: another program has taken what it needs.
  var isLost = false
  /// About how long it takes a target to have what was dropped on it. New windows wait so long.
  private static let servingTakes = Interval.milliseconds(20)
  private static let formerWindowsStay = Interval.seconds(60)
  /// How long a target may read a copy that was made for it.
  private static let filesStay = Interval.seconds(600)
  private static let most = 64
  private static let mostNews = 256

  init(_ client: Client, _ x: XConnection) {
    (self.client, self.x) = (client, x)
    windows = TargetWindows(x)
    selection = SelectionServer(x.selections)
    match = ConversionMatch(idMask: x.idMask)
    arrivals = Arrivals(client, x)
    kinds = Dictionary(uniqueKeysWithValues: XdndMessage.Kind.allCases.map { (x.atom($0.rawValue), $0) })
    lifts = Lifts(client, x)
    foreignDrags = ForeignDragWatch(client, x, window: selection.window)
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
    // The selection is another program's for the time of a lift.
    lifts.onChange = { [unowned self] in arrange(at: MonotonicClock.now()) }
  }

  func start() { windows.start() }

  /// The engine is gone: leaves nothing behind on windows of others.
  func stop() {
    lifts.stop()
    arrivals.entrances.closeAll()
    XSync(x.display, 0)
  }

  // MARK: Windows

  private func changed(_ change: TargetWindows.Change) {
    switch change {
    case .appeared(let target): places[target.window] = DropPlace(target, self)
    case .resized(let target): places[target.window]?.resize()
    case .gone(let target):
      places.removeValue(forKey: target.window)?.remove()
      let now = MonotonicClock.now()
      for drag in drags.values where drag.target === target {
        drag.targetGone(at: now)
        // Nobody hears any more that the session leaves the place.
        forget(drag)
      }
    }
  }

  // MARK: Drags

  /// The drag of a session over a target, as far as there is one.
  func drag(of session: DropSession) -> BridgedDrag? { drags[ObjectIdentifier(session)] }

  func makeDrag(of session: DropSession, over target: TargetWindow) -> BridgedDrag {
    let drag = BridgedDrag(session, over: target, x, windows, client)
    drags[ObjectIdentifier(session)] = drag
    // Of the drags over one program, one at a time is told to it: a second one would replace the first.
    drag.hold(true, at: MonotonicClock.now())
    drag.onEnd = { [unowned self, unowned drag] in forget(drag) }
    return drag
  }

  /// The session is over for its region.
  func ended(_ session: DropSession) {
    guard let drag = drags[ObjectIdentifier(session)] else { return }
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

  /// Lets drags go on that may, and holds the others: one drag at a time talks with a program, and none while another
  /// program drags.
  func arrange(at now: Instant) {
    arrangedAt = now
    guard !drags.isEmpty else {
      looksAgain = nil
      return giveSelectionBack()
    }
    if !ownsSelection, !lifts.isActive, looksAgain ?? now <= now { takeSelection(at: now) }
    guard ownsSelection, !lifts.isActive else {
      for drag in drags.values { drag.hold(true, at: now) }
      return
    }
    var busy: Set<UInt32> = []
    for drag in drags.values where drag.machine.needsItsProgram(at: now) {
      busy.insert(match.connection(of: drag.target.receiver))
    }
    for drag in drags.values where !drag.machine.isTalking {
      let program = match.connection(of: drag.target.receiver)
      drag.hold(busy.contains(program), at: now)
      if drag.machine.isTalking { busy.insert(program) }
    }
  }

  // MARK: The selection

  var selectionAtom: Atom { Atom(x.atom("XdndSelection")) }

  /// Becomes the owner, unless another program drags by mouse right now.
  private func takeSelection(at now: Instant) {
    looksAgain = now + Self.pause
    let owner = XGetSelectionOwner(x.display, selectionAtom)
    // What has led to this answer has come before it, and may not have been looked at.
    let isKnown = takeNewsOfOwners(at: now)
    guard isKnown && !foreignDrags.mayBeUnderWay || owner == 0 || !x.hasButtonDown else { return }
    let time = x.newTime(at: now)
    XSetSelectionOwner(x.display, selectionAtom, Window(selection.window), Time(time))
    guard XGetSelectionOwner(x.display, selectionAtom) == Window(selection.window) else { return }
    ownsSelectionSince = time
    looksAgain = nil
  }

  /// Takes in what has come of owners of the selection, before all else that has come.
  ///
  /// - Returns: whether that is all of it.
  private func takeNewsOfOwners(at now: Instant) -> Bool {
    // Programs can take the selection from each other without end.
    for _ in 0..<Self.mostNews {
      switch x.nextNewsOfOwners() {
      case .none: return true
      case .tooManyEvents: return false
      case .event(let event):
        lifts.take(event, at: now)
        foreignDrags.take(event, isOurs: lifts.isActive, at: now)
      }
    }
    return false
  }

  /// Once nobody needs it: a target that has said that it has finished may still take the last parts.
  ///
  /// With the time at which it was taken: the X server passes over a time that is still to come, and over this one if
  /// another program has taken the selection meanwhile.
  private func giveSelectionBack() {
    guard drags.isEmpty, !selection.isDelivering, let time = ownsSelectionSince else { return }
    XSetSelectionOwner(x.display, selectionAtom, 0, Time(time))
    ownsSelectionSince = nil
  }

  /// A program wants data: it gets it if it is the target of a drop, placeholders if a drag hovers over it, and nothing
  /// otherwise.
  func serve(_ asked: SelectionServer.Request) {
    let now = MonotonicClock.now()
    let talking = drags.values.filter(\.machine.isTalking)
    let targets = talking.enumerated().map { i, drag in
      ConversionMatch.Drop(key: UInt32(i), window: drag.target.receiver, process: drag.process, time: drag.time)
    }
    guard
      let found = match.drop(
        for: asked.requestor, time: asked.time, among: targets, process: { x.processInTurn(of: asked.requestor) }),
      let type = x.name(of: asked.target)
    else { return selection.refuse(asked) }
    let drag = talking[Int(found.key)]
    let request = selection.begin(asked)
    switch type {
    case "TARGETS":
      let types = ["TARGETS"] + drag.data.offer.types
      selection.answer(request, words: types.map { x.atom($0) }, as: SelectionConnection.atomType)
    case _ where !drag.isServing:
      drag.fetches()
      if let bytes = drag.data.placeholder(type) {
        selection.answer(request, bytes, at: now)
      } else {
        selection.refuse(request)
      }
    default:
      // When the data comes the window's number may be another program's.
      let isItsOwn = { [unowned self] in
        match.drop(
          for: request.requestor, time: request.time, among: [found],
          process: { x.processInTurn(of: request.requestor) })
          != nil
      }
      let early = EarlyAnswer(to: request, from: selection, on: x, client, if: isItsOwn)
      drag.convert(type, following: early) { [unowned self] answer in
        let isHandedOn = if case .handedOn? = answer { true } else { false }
        if early.end(hasAllCome: isHandedOn) { return }
        if case .bytes(let bytes)? = answer, isItsOwn() {
          selection.answer(request, bytes, at: MonotonicClock.now())
        } else {
          selection.refuse(request)
        }
      }
    }
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
    giveSelectionBack()
    arrivals.advance(to: now)
    lifts.advance(to: now)
    foreignDrags.advance(to: now, isOurs: lifts.isActive)
    windows.advance(to: now)
    while let first = keptFiles.first, first.until <= now { keptFiles.removeFirst() }
    if Instant.earliest(looksAgain, nextFreeProgram).map({ $0 <= now }) == true { arrange(at: now) }
  }

  /// When the program of a drop may hear of another drag, which may be waiting for that.
  private var nextFreeProgram: Instant? {
    guard drags.count > 1 else { return nil }
    return drags.values.compactMap(\.machine.needsItsProgramUntil).filter { $0 > arrangedAt }.min()
  }

  func programName(of target: TargetWindow) -> String { x.programName(of: target.window) }

  func makeRegion(_ target: TargetWindow) -> Carry.Region {
    Carry.Region(
      client: client, window: target.window,
      frame: Carry.Rect(x: 0, y: 0, width: Int(target.frame.width), height: Int(target.frame.height)))
  }
}
