import CLinux
import CX11
package import CarryModel
package import CarryStage
import CarrySystem
import CarryX

/// The connection to the X server: the mirror of its windows, its outputs, pictures of windows, and preview windows.
///
/// One thread owns it. No call for a motion waits for the server, and every call that waits says so. Once the server
/// is gone, calls do nothing, and `dispatch` reports `.connectionLost` once.
package final class Display {
  let server: XServer
  let mirror: WindowMirror
  let images: ImageStore
  let previews: PreviewWindows
  let beneath: Beneath?
  private let touch: TouchDevices
  private let cancelKey: CancelKey
  let live: LiveImages
  private let blanking: Blanking?
  private let dragKeys: DragKeys
  let panel: PanelWindow
  let undoKey: UndoKey
  /// The windows that a window manager manages.
  package let desktop: DesktopWindows
  private let shapeEvents: CInt
  private let fixesEvents: CInt
  private let randrEvents: CInt
  private var hasReportedLoss = false
  /// Whether RandR has reported a change since the outputs were read.
  private var screenIsStale = false
  /// The last report whether the compositing manager's selection has an owner; nil once it is handled.
  private var compositorOwns: Bool?
  /// The window that owns the engine's selection, if it does.
  var engineWindow: WindowID?
  /// Whether another client has taken that selection and this has not been reported yet.
  private var claimIsLost = false
  /// How many bytes the connection had read when `dispatch` last finished.
  private var bytesTaken: UInt64 = 0
  /// Whether the last turn has left events in Xlib's queue.
  private var hasLeftEvents = false
  /// The number of the request after the last one that was certainly sent.
  private var nextUnsent: UInt = 0

  /// The screen's size in pixels.
  package private(set) var rootSize: Size
  package private(set) var outputs: [Output]
  /// The monitors as the user has set them up: one may be made of several outputs, or be a part of one.
  private(set) var monitors: [Rect]
  /// Whether a compositing manager runs, so that windows can be translucent.
  package private(set) var isComposited: Bool

  /// Connects to the named display, or to that of DISPLAY, and reads the window tree: a few round trips.
  package init(name: String?) throws(DisplayError) {
    let server = try XServer(name: name)
    self.server = server
    func require(
      _ name: String, _ query: (OpaquePointer, UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CInt>) -> CInt
    ) throws(DisplayError) -> CInt {
      var event: CInt = 0
      var error: CInt = 0
      guard query(server.display, &event, &error) != 0 else { throw .missingExtension(name) }
      return event
    }
    // So that releasing the button later does not wait.
    _ = cx11_can_press(server.connection)
    shapeEvents = try require("SHAPE") { XShapeQueryExtension($0, $1, $2) }
    fixesEvents = try require("XFIXES") { XFixesQueryExtension($0, $1, $2) }
    var (event, error): (CInt, CInt) = (0, 0)
    // Without RandR, assume one output of unknown size.
    randrEvents = XRRQueryExtension(server.display, &event, &error) != 0 ? event : -1
    var (major, minor): (CInt, CInt) = (5, 0)
    // A client that has not negotiated an XFixes version may not use regions.
    XFixesQueryVersion(server.display, &major, &minor)
    if randrEvents >= 0 {
      XRRSelectInput(
        server.display, server.root, CInt(RRScreenChangeNotifyMask | RRCrtcChangeNotifyMask | RROutputChangeNotifyMask))
    }
    let owner =
      XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask
      | XFixesSelectionClientCloseNotifyMask
    XFixesSelectSelectionInput(server.display, server.root, server.atoms.compositor, UInt(owner))
    isComposited = XGetSelectionOwner(server.display, server.atoms.compositor) != 0
    outputs = randrEvents >= 0 ? Outputs.read(server) : []
    monitors = randrEvents >= 0 ? Outputs.monitors(server) : []
    mirror = WindowMirror(server)
    touch = TouchDevices(server)
    cancelKey = CancelKey(server)
    dragKeys = DragKeys(server)
    undoKey = UndoKey(server)
    desktop = DesktopWindows(server)
    images = ImageStore(server)
    live = LiveImages(server, images)
    panel = PanelWindow(server, isComposited: isComposited)
    blanking = Blanking(server)
    beneath = Beneath(server, mirror)
    previews = PreviewWindows(server, images, beneath)
    rootSize = Size(
      width: Double(XDisplayWidth(server.display, server.screen)),
      height: Double(XDisplayHeight(server.display, server.screen)))
    previews.isComposited = isComposited
    settle()
  }

  /// The window mirror, kept current by `dispatch`. It contains our own windows as unmapped windows, for the stacking
  /// order.
  package var windows: WindowTree { mirror.tree }

  /// Readable when `dispatch` has something to do.
  package var fileDescriptor: CInt { XConnectionNumber(server.display) }

  /// The Xlib connection, for other users such as selections.
  package var connection: OpaquePointer { server.display }

  package var isAlive: Bool { server.isAlive }

  /// Disconnects from the server. This is the last call. Needed because a process keeps its descriptors while one of
  /// its threads still waits for a file system.
  package func leave() { shutdown(fileDescriptor, CInt(SHUT_RDWR)) }

  /// The X server's touchscreens; empty if it is older than XInput 2.2. Kept current by `dispatch`.
  package var touchDevices: [TouchDevice] { touch.list }

  /// The display's name, such as `:0`.
  package var name: String { SafeText.displayable(XDisplayString(server.display).map { String(cString: $0) } ?? "") }

  /// The time between two refreshes of the fastest output.
  package var refreshInterval: Interval { outputs.map(\.refreshInterval).min() ?? Outputs.defaultRefresh }

  /// When the next frames of `list` are due, for the fastest output that shows any of it. Now and then this queries
  /// the server, and later calls use the reply.
  package func pace(of list: DrawList, at now: Instant) -> FramePace {
    var fastest: Output?
    for output in outputs where fastest == nil || output.refreshInterval < fastest!.refreshInterval {
      if list.surfaces.contains(where: {
        output.frame.contains(Point(x: Double($0.x) + Double($0.width) / 2, y: Double($0.y) + Double($0.height) / 2))
      }) {
        fastest = output
      }
    }
    guard let fastest else { return FramePace(interval: refreshInterval) }
    if server.isAlive { blanking?.follow(fastest.frame, at: now) }
    return FramePace(interval: fastest.refreshInterval, blank: blanking?.last)
  }

  /// Pixels per inch of the first output that reports a plausible size; 96 without one.
  package var dotsPerInch: Double {
    for output in outputs {
      if let size = output.millimetres { return output.frame.width / size.width * 25.4 }
    }
    return 96
  }

  /// The desktop's scale: 1 is 96 dots per inch. Waits for the server, so only for lifts and similar rare moments.
  package func readScale() -> Double { server.isAlive ? DesktopScale.read(server.display) : 1 }

  // MARK: Events

  /// Whether Xlib or XCB have read events since `dispatch`. Flushing and requests with replies read events too, and
  /// the descriptor does not become readable for those. Costs no system call.
  package var hasReadAhead: Bool {
    server.isAlive && (hasLeftEvents || xcb_total_read(server.connection) != bytesTaken)
  }

  /// Reads what the server has sent, up to the limit of a turn and without waiting, and reports the changes. Needed
  /// only when the descriptor is readable or `hasReadAhead` is true.
  package func dispatch(_ changed: (DisplayChange) -> Void) {
    if server.isAlive { drain(within: TurnBudget(at: MonotonicClock.now()), changed) }
    if server.isAlive { takeOnceATurn(changed) }
    if server.isAlive {
      if mirror.takeRaised() {
        panel.raise()
        previews.raise()
      }
      mirror.takeChanges { change in
        if case .windowDestroyed(let window) = change { beneath?.forget(window) }
        if case .windowsChanged = change, previews.windowsChanged() { changed(.imagesChanged) }
        changed(change)
      }
      if touch.refresh() { changed(.touchDevicesChanged) }
    }
    // Events that this flush reads count as read ahead.
    if server.isAlive {
      bytesTaken = xcb_total_read(server.connection)
      flush()
    }
    if !server.isAlive, !hasReportedLoss {
      hasReportedLoss = true
      changed(.connectionLost)
    }
  }

  /// Waits until the mirror equals the server's tree: one round trip for each new level of windows.
  package func settle(_ changed: (DisplayChange) -> Void = { _ in }) {
    guard server.isAlive else { return }
    var rounds = 0
    repeat {
      XSync(server.display, 0)
      drain(within: nil, changed)
      rounds += 1
    } while server.isAlive && !mirror.isSettled && rounds < 1000
    mirror.forgetLost()
    if server.isAlive { takeOnceATurn(changed) }
  }

  /// - Parameter budget: nil for no limit.
  private func drain(within budget: TurnBudget?, _ changed: (DisplayChange) -> Void) {
    var budget = budget
    handleEvents(within: &budget, changed)
    // Replies without events after them. Reading one may bring in events that were sent before it.
    while server.isAlive, !hasLeftEvents, mirror.fetchAnswer() {
      handleEvents(within: &budget, changed)
      if !hasLeftEvents { mirror.applyFetchedAnswer() }
    }
    guard server.isAlive else { return }
    mirror.askStaleShapes()
    mirror.askNewWindows()
  }

  private func handleEvents(within budget: inout TurnBudget?, _ changed: (DisplayChange) -> Void) {
    hasLeftEvents = false
    var event = XEvent()
    // Reads once: data that arrives meanwhile makes the descriptor readable again.
    var queued = server.isAlive ? XEventsQueued(server.display, QueuedAfterReading) : 0
    while server.isAlive, queued > 0 {
      guard budget?.spend(at: MonotonicClock.now()) ?? true else {
        hasLeftEvents = true
        return
      }
      let isServers = ServerEvents.take(from: server.display, into: &event)
      guard server.isAlive else { return }
      if isServers {
        mirror.applyAnswers(before: event.xany.serial)
        handle(&event, changed)
      }
      queued = XEventsQueued(server.display, QueuedAlready)
    }
  }

  private func handle(_ event: inout XEvent, _ changed: (DisplayChange) -> Void) {
    let type = event.type
    if type == ConfigureNotify, event.xconfigure.window == server.root {
      rootSize = Size(width: Double(event.xconfigure.width), height: Double(event.xconfigure.height))
      // Also what the server sends when the user has set up monitors.
      screenIsStale = randrEvents >= 0
    }
    if type == DestroyNotify, event.xdestroywindow.window == engineWindow.map({ UInt($0.raw) }) {
      engineWindow = nil
      claimIsLost = true
    }
    if mirror.handle(&event, shapeNotify: shapeEvents + ShapeNotify) {
      if type == MapNotify, locksScreen(event.xmap) { changed(.screenLocked) }
      return
    }
    // Early, because previews that move without a compositing manager cause one for each window that they uncover.
    if let drawn = beneath?.handle(event) {
      if previews.lie(over: drawn) { changed(.imagesChanged) }
      return
    }
    if type == fixesEvents + XFixesSelectionNotify {
      let e = event.reading(as: XFixesSelectionNotifyEvent.self)
      if e.selection == server.atoms.compositor { compositorOwns = e.owner != 0 }
    }
    if randrEvents >= 0, type == randrEvents + RRScreenChangeNotify || type == randrEvents + RRNotify {
      XRRUpdateConfiguration(&event)
      screenIsStale = true
      return
    }
    if touch.isPress(event) { return changed(.pressed) }
    if touch.handle(event) { return }
    if let blanking, blanking.handle(&event) { return }
    if cancelKey.isCancel(event) { return changed(.cancelled) }
    if live.handle(event) { return changed(.imagesChanged) }
    if let step = dragKeys.step(event) { return changed(.key(step)) }
    if let (isDown, point) = panel.click(event) {
      return changed(isDown ? .panelPressed(point) : .panelReleased(point))
    }
    if let window = undoKey.window(event) { return changed(.undo(window)) }
    if type == SelectionClear, event.xselectionclear.window == engineWindow.map({ UInt($0.raw) }) { claimIsLost = true }
    if type == MappingNotify {
      XRefreshKeyboardMapping(&event.xmapping)
      if event.xmapping.request != MappingPointer { dragKeys.keyboardChanged() }
    }
  }

  /// Whether a window that was just mapped is a screen locker's. Lockers have no protocol in common. All of them cover
  /// each monitor, or the whole screen, with a window that the window manager does not manage. Overlays for drawing and
  /// frames of screen recorders do so, too, but let input through.
  private func locksScreen(_ event: XMapEvent) -> Bool {
    let window = UInt32(truncatingIfNeeded: event.window)
    guard event.override_redirect != 0, event.event == server.root, !server.isOurs(window),
      !server.isServers(window),
      let frame = mirror.outerFrame(of: window)
    else { return false }
    func covers(_ area: Rect) -> Bool { outputs.contains { area.intersection($0.frame) == $0.frame } }
    guard covers(frame) else { return false }
    for kind in [ShapeBounding, ShapeInput] {
      let rects = shape(of: window, kind)
      guard rects.contains(where: { covers($0.offset(by: frame.origin)) }) else { return false }
    }
    return true
  }

  /// The rectangles of a window's shape, in its own coordinates; none if the window is gone. Waits for the X server.
  private func shape(of window: UInt32, _ kind: CInt) -> [Rect] {
    let connection = XGetXCBConnection(server.display)
    let cookie = xcb_shape_get_rectangles(connection, window, UInt8(kind))
    guard let reply = xcb_shape_get_rectangles_reply(connection, cookie, nil) else { return [] }
    defer { free(reply) }
    let first = xcb_shape_get_rectangles_rectangles(reply)
    let count = Int(xcb_shape_get_rectangles_rectangles_length(reply))
    return UnsafeBufferPointer(start: first, count: count).map {
      Rect(x: Double($0.x), y: Double($0.y), width: Double($0.width), height: Double($0.height))
    }
  }

  /// Handles repeated changes once a turn: reading the screen takes several requests, and another compositing manager
  /// requires redrawing all previews.
  private func takeOnceATurn(_ changed: (DisplayChange) -> Void) {
    if screenIsStale {
      screenIsStale = false
      outputs = Outputs.read(server)
      monitors = Outputs.monitors(server)
      changed(.screenChanged)
    }
    if let owns = compositorOwns {
      compositorOwns = nil
      setComposited(owns, changed)
    }
    if claimIsLost {
      claimIsLost = false
      changed(engineWindow == nil ? .claimWindowDestroyed : .claimLost(to: claimant()))
    }
  }

  private func setComposited(_ composited: Bool, _ changed: (DisplayChange) -> Void) {
    guard composited != isComposited else { return }
    isComposited = composited
    previews.isComposited = composited
    panel.isComposited = composited
    if !composited { live.leaveAll() }
    changed(.compositorChanged)
  }

  /// Sends all waiting requests. Costs nothing if none wait, while XFlush would look for events.
  package func flush() {
    guard server.isAlive else { return }
    let next = XNextRequest(server.display)
    // Requests with replies go through XCB, which Xlib does not count.
    guard next != nextUnsent || !mirror.isSettled else { return }
    XFlush(server.display)
    nextUnsent = next
  }

  /// Grabs Esc wherever the focus is, or releases it. `.cancelled` reports the key. Grab it only during drags.
  package func setHoldsCancelKey(_ holds: Bool) { cancelKey.setHolds(holds) }

  /// Sets whether to report touches and pressed buttons as `.pressed`, anywhere on the screen and through all grabs.
  package func watchPresses(touches: Bool, buttons: Bool) { touch.watchPresses(touches: touches, buttons: buttons) }

  /// Grabs the pick-up key from now on; nil for none. `.key` reports it.
  package func setPickUpKey(_ chord: KeyChord?) { dragKeys.setPickUp(chord) }

  /// Grabs the keys that drive a session, or releases them. Grab them only while keys drive a session.
  package func setHoldsDragKeys(_ holds: Bool) { dragKeys.setHolds(holds) }

  /// The window that has the focus; nil if none has. One round trip.
  package func focusedWindow() -> WindowID? {
    guard server.isAlive else { return nil }
    var window: CX11.Window = 0
    var revert: CInt = 0
    XGetInputFocus(server.display, &window, &revert)
    // None and PointerRoot are 0 and 1.
    return window > 1 ? WindowID(UInt32(truncatingIfNeeded: window)) : nil
  }

  // MARK: Load

  /// Whether replies about windows are pending.
  package var awaitsAnswers: Bool { server.isAlive && !mirror.isSettled }

  /// Whether the X server is still drawing. More requests would only queue up, and once the socket is full this
  /// thread would wait as well. Nothing is therefore drawn until `dispatch` has read the server's reply.
  package var isBusy: Bool { server.isBusy() }

  /// Asks the server to report when it has finished, if it has much to draw. Call this after drawing and before
  /// `flush`.
  package func askWhenDone() { server.askWhenDone() }

  /// The number of requests that the connection has made, to measure the cost of a motion.
  package var requestCount: UInt { XNextRequest(server.display) }
}
