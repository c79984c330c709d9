import CX11
import Carry
import CarryModel
import CarrySystem
import CarryX
import CarryXdnd

/// Stands for all programs that speak XDND, so that items of Carry's can be dropped on them.
///
/// It has a region for each of their windows, and owns the selection with which data is handed over. One thread; it may
/// wait for the X server, and nobody waits for it.
final class Bridge {
  let client: Client
  private let x: XConnection
  private let windows: TargetWindows
  private let selection: SelectionServer
  private let match: ConversionMatch
  private let arrivals: Arrivals
  private let lifts: Lifts
  /// The windows that take drops, with their regions.
  private var places: [UInt32: DropPlace] = [:]
  private var drags: [ObjectIdentifier: BridgedDrag] = [:]
  /// The windows of drags that are over. A target may still send a message, and an error for a window that is gone would
  /// end some programs.
  private var formerWindows: [(window: UInt32, since: Instant)] = []
  /// Files that were made for targets, which may read them later.
  private var keptFiles: [(file: OpenedFile, until: Instant)] = []
  private var ownsSelection = false

  /// How often it is looked whether another program's drag has ended.
  private static let pause = Interval.milliseconds(100)
  /// When it is looked next.
  private var looksAgain: Instant?
  private static let formerWindowsStay = Interval.seconds(60)
  /// How long a target may read a copy that was made for it.
  private static let filesStay = Interval.seconds(600)
  private static let most = 64
  /// How many of the X server's events are handled in a row: a program that sends without end must not keep the engine
  /// waiting.
  private static let mostEvents = 256

  init(_ client: Client, _ x: XConnection) {
    (self.client, self.x) = (client, x)
    windows = TargetWindows(x)
    selection = SelectionServer(x)
    match = ConversionMatch(idMask: x.idMask)
    arrivals = Arrivals(client, x)
    lifts = Lifts(client, x)
    windows.isEntrance = { [arrivals] window in arrivals.entrances.repair(window) || arrivals.entrances.has(window) }
    windows.onChange = { [unowned self] in changed($0) }
    windows.onWatch = { [lifts] in lifts.watched($0, isThere: $1) }
    lifts.isBusy = { [unowned self] in drags.values.contains { $0.machine.isDropped } }
    // The selection is another program's for the time of a lift.
    lifts.onChange = { [unowned self] in arrange(at: MonotonicClock.now()) }
    selection.onRequest = { [unowned self] in serve($0) }
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
    let drag = BridgedDrag(session, over: target, x, windows)
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
    keptFiles += drag.files.map { ($0, now + Self.filesStay) }
    formerWindows.append((drag.window, now))
    while let first = formerWindows.first,
      formerWindows.count > Self.most || first.since + Self.formerWindowsStay <= now
    {
      XDestroyWindow(x.display, Window(first.window))
      formerWindows.removeFirst()
    }
    if drags.isEmpty, ownsSelection, !selection.isDelivering(where: { _ in true }) { giveSelectionBack(at: now) }
    arrange(at: now)
  }

  /// Lets drags go on that may, and holds the others: one drag at a time talks with a program, and none while another
  /// program drags.
  func arrange(at now: Instant) {
    guard !drags.isEmpty else {
      looksAgain = nil
      return
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

  private var selectionAtom: Atom { Atom(x.atom("XdndSelection")) }

  /// Becomes the owner, unless another program drags by mouse right now.
  private func takeSelection(at now: Instant) {
    looksAgain = now + Self.pause
    let owner = XGetSelectionOwner(x.display, selectionAtom)
    guard owner == 0 || !x.hasButtonDown else { return }
    XSetSelectionOwner(x.display, selectionAtom, Window(selection.window), Time(x.newTime(at: now)))
    ownsSelection = XGetSelectionOwner(x.display, selectionAtom) == Window(selection.window)
    if ownsSelection { looksAgain = nil }
  }

  private func giveSelectionBack(at now: Instant) {
    XSetSelectionOwner(x.display, selectionAtom, 0, Time(x.newTime(at: now)))
    ownsSelection = false
  }

  /// A program wants data: it gets it if it is the target of a drop, placeholders if a drag hovers over it, and nothing
  /// otherwise.
  private func serve(_ request: SelectionServer.Request) {
    let now = MonotonicClock.now()
    let talking = drags.values.filter(\.machine.isTalking)
    let targets = talking.enumerated().map { i, drag in
      ConversionMatch.Drop(key: UInt32(i), window: drag.target.receiver, process: drag.process, time: drag.time)
    }
    guard
      let found = match.drop(
        for: request.requestor, time: request.time, among: targets, process: { x.process(of: request.requestor) }),
      let type = x.name(of: request.target)
    else { return selection.refuse(request) }
    let drag = talking[Int(found.key)]
    switch type {
    case "TARGETS": selection.answer(request, types: (["TARGETS"] + drag.types).map { x.atom($0) })
    case _ where !drag.isServing:
      if let bytes = drag.placeholder(type) {
        selection.answer(request, bytes, at: now)
      } else {
        selection.refuse(request)
      }
    default:
      drag.convert(type, at: now) { [unowned self] bytes in
        if let bytes { selection.answer(request, bytes, at: MonotonicClock.now()) } else { selection.refuse(request) }
      }
    }
  }

  // MARK: Turns

  /// Handles what has come from the X server.
  func dispatch() {
    var event = XEvent()
    var left = Self.mostEvents
    while left > 0, XEventsQueued(x.display, CInt(QueuedAfterReading)) > 0 {
      left -= 1
      let isServers = ServerEvents.take(from: x.display, into: &event)
      let now = MonotonicClock.now()
      switch event.type {
      case ClientMessage: take(event.xclient, at: now)
      case SelectionNotify:
        arrivals.take(event.xselection, at: now)
        lifts.take(event.xselection, at: now)
      case SelectionClear where isServers:
        guard event.xselectionclear.selection == selectionAtom else { break }
        ownsSelection = false
        // Another program drags. Not at once, or two programs could take it from each other for ever.
        looksAgain = now + Self.pause
        arrange(at: now)
      default:
        // Programs can send what looks like the server's own events.
        guard isServers else { break }
        if event.type == PropertyNotify || event.type == SelectionRequest || event.type == DestroyNotify {
          keepAlive(event, at: now)
          selection.take(&event, at: now)
          arrivals.take(event, at: now)
        }
        windows.take(&event)
        lifts.take(&event, at: now)
      }
    }
  }

  /// Data that goes in parts keeps its drop alive.
  private func keepAlive(_ event: XEvent, at now: Instant) {
    guard event.type == PropertyNotify, event.xproperty.state == PropertyDelete else { return }
    let program = match.connection(of: UInt32(truncatingIfNeeded: event.xproperty.window))
    for drag in drags.values where drag.isServing && match.connection(of: drag.target.receiver) == program {
      drag.isAtWork(at: now)
    }
  }

  /// A message of a target, to the window of one of the drags; or of a source that drags over a window of Carry's.
  private func take(_ event: XClientMessageEvent, at now: Instant) {
    guard event.format == 32,
      let kind = XdndMessage.Kind.allCases.first(where: {
        x.atom($0.rawValue) == UInt32(truncatingIfNeeded: event.message_type)
      })
    else { return }
    let window = UInt32(truncatingIfNeeded: event.window)
    let l = event.data.l
    let words = XdndMessage.Words(
      UInt32(truncatingIfNeeded: l.0), UInt32(truncatingIfNeeded: l.1), UInt32(truncatingIfNeeded: l.2),
      UInt32(truncatingIfNeeded: l.3), UInt32(truncatingIfNeeded: l.4))
    guard !arrivals.take(kind, words, about: window, at: now), !lifts.take(kind, words, about: window, at: now),
      let drag = drags.values.first(where: { $0.window == window })
    else { return }
    // Toolkits name their window, or the one that they answer for.
    guard words.w0 == drag.target.window || words.w0 == drag.target.receiver else { return }
    drag.take(XdndMessage(kind, words), at: now)
    arrange(at: now)
  }

  var nextDeadline: Instant? {
    var next = Instant.earliest(looksAgain, selection.nextDeadline)
    next = .earliest(next, arrivals.nextDeadline)
    next = .earliest(next, lifts.nextDeadline)
    next = .earliest(next, keptFiles.first?.until)
    for drag in drags.values { next = .earliest(next, drag.machine.nextDeadline) }
    return next
  }

  func advance(to now: Instant) {
    for drag in drags.values { drag.advance(to: now) }
    selection.advance(to: now)
    arrivals.advance(to: now)
    lifts.advance(to: now)
    while let first = keptFiles.first, first.until <= now { keptFiles.removeFirst() }
    if let looksAgain, looksAgain <= now { arrange(at: now) }
  }

  func programName(of target: TargetWindow) -> String { x.programName(of: target.window) }

  func makeRegion(_ target: TargetWindow) -> Carry.Region {
    Carry.Region(
      client: client, window: target.window,
      frame: Carry.Rect(x: 0, y: 0, width: Int(target.frame.width), height: Int(target.frame.height)))
  }
}

/// A window of another program, as a place where drops are taken.
private final class DropPlace: DeferringDropDelegate {
  private let target: TargetWindow
  private unowned let bridge: Bridge
  private let region: Carry.Region
  private var interaction: DropInteraction?

  init(_ target: TargetWindow, _ bridge: Bridge) {
    (self.target, self.bridge) = (target, bridge)
    region = bridge.makeRegion(target)
    // For people who carry by keys, and hear over what they are.
    region.label = bridge.programName(of: target)
    region.onRefused = { (why: String) in Log.debug("window \(target.window): \(why)") }
    let interaction = DropInteraction(delegate: self)
    interaction.allowsSimultaneousDropSessions = true
    region.addInteraction(interaction)
    self.interaction = interaction
  }

  func resize() {
    region.frame = Carry.Rect(x: 0, y: 0, width: Int(target.frame.width), height: Int(target.frame.height))
  }

  func remove() { region.invalidate() }

  // MARK: What the engine says

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    bridge.ended(session)
    // Z23: only copies are made. In the window that a file was lifted from, that would be a second file beside it.
    if session.localDragSession?.region.window == target.window { return false }
    return bridge.makeDrag(of: session, over: target).hasTypes
  }

  func dropInteraction(
    _ interaction: DropInteraction, sessionDidUpdate session: DropSession, answer: @escaping (DropProposal) -> Void
  ) {
    let now = MonotonicClock.now()
    guard let drag = bridge.drag(of: session) else { return answer(DropProposal(operation: .cancel)) }
    drag.moved(at: now, answer: answer)
    bridge.arrange(at: now)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {
    let now = MonotonicClock.now()
    bridge.drag(of: session)?.left(at: now)
    bridge.arrange(at: now)
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession, done: @escaping () -> Void) {
    guard let drag = bridge.drag(of: session) else { return done() }
    drag.dropped(at: MonotonicClock.now(), done: done)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { bridge.ended(session) }
}
