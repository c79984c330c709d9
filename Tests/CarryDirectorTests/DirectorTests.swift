import CarryDirector
import CarryModel
import CarrySessions
import CarryStage
import Testing

/// The middle of the engine without an X server, a socket or a device.
@Suite struct DirectorTests {
  private static let here = Point(x: 100, y: 100)

  @Test("a drag goes from the press to the drop, and each side hears its part") func aDrag() throws {
    let s = try Scene()
    try s.carryOver()
    try s.drop()
    let toTarget = s.clients.toTargets
    let serial = try #require(
      toTarget.compactMap { if case .performDrop(let serial, _, .copy) = $0 { serial } else { nil } }.first)
    s.director.load(Scene.target, Scene.session, s.target, item: 0, type: "text/plain", as: .data) { _ in }
    #expect(s.clients.asked.map(\.type) == ["text/plain"])
    let transfer = try #require(s.clients.asked.first?.transfer)
    #expect(s.director.provided(Scene.source, transfer) == Scene.target)
    s.director.finishedPerforming(Scene.target, Scene.session, serial: serial, endings: [])
    s.director.finished(Scene.target, transfer, success: true)
    s.pass(.seconds(5))
    #expect(s.clients.toTargets.contains(.concludeDrop))
    #expect(s.clients.toSources.contains(.didEnd(.copy)))
    #expect(s.clients.toSources.contains(.didTransfer(delivered: 1)))
    #expect(s.clients.forgotten == [Scene.session])
    #expect(s.director.isIdle)
    #expect(s.fingers.lifting == [Scene.finger])
    #expect(s.fingers.claimed == [Scene.finger] && s.fingers.yielded.isEmpty)
  }

  @Test("Z1: a drop is told first, and drawn with the next frame: its target may have questions to the X server")
  func Z1_toldAndThenDrawn() throws {
    let s = try Scene()
    try s.carryOver()
    // Nothing moves any more.
    s.pass(.seconds(1))
    s.up(Point(x: 700, y: 100))
    func serial() -> UInt32? {
      s.clients.toTargets.compactMap { if case .performDrop(let serial, _, _) = $0 { serial } else { nil } }.last
    }
    var frames = s.screen.frames
    // It waits for the answer to the newest question for a moment.
    for _ in 0..<300 where serial() == nil {
      frames = s.screen.frames
      s.pass(.milliseconds(1))
    }
    // Its items begin to go down.
    s.director.finishedPerforming(Scene.target, Scene.session, serial: try #require(serial()), endings: [])
    s.turn()
    #expect(s.screen.frames == frames)
    s.pass(.milliseconds(50))
    #expect(s.screen.frames > frames)
  }

  @Test("L1, Z4: a tap belongs to the application, and nothing is drawn for it") func L1_aTap() throws {
    let s = try Scene()
    let frames = s.screen.frames
    s.down(Self.here)
    s.pass(.milliseconds(100))
    s.up(Self.here)
    s.pass(.seconds(1))
    #expect(s.fingers.yielded.contains(Scene.finger) && s.fingers.claimed.isEmpty)
    #expect(s.clients.toSources.isEmpty && s.screen.images.isEmpty)
    #expect(s.screen.frames == frames)
  }

  @Test("Z29: tools hear of contacts with their deadlines, of questions and of loads, and only while they listen")
  func Z29_details() throws {
    let s = try Scene()
    func contacts() -> [ContactDetail] {
      s.clients.details.compactMap { if case .contact(let contact) = $0 { contact } else { nil } }
    }
    func asked() -> [OpenQuestion.Kind] {
      s.clients.details.compactMap { if case .question(let question) = $0 { question.kind } else { nil } }
    }
    s.down(Self.here)
    #expect(s.clients.details.isEmpty)
    // A tool that comes later is told what there is.
    s.director.watchDetails(true)
    s.turn()
    let begun = s.now
    #expect(
      contacts() == [ContactDetail(Scene.finger, .pressing, at: Self.here, due: begun + .milliseconds(150))])
    s.up(Self.here)
    #expect(contacts().last?.gesture == .up)
    // Another tool comes in the turn in which a finger goes up: the first one hears of that, too.
    s.down(Self.here)
    let heard = contacts().count
    s.director.watchDetails(true)
    s.up(Self.here)
    #expect(contacts().dropFirst(heard).map(\.gesture) == [.up])
    s.director.watchDetails(true)
    s.down(Self.here)
    s.director.watchDetails(true)
    s.turn()
    #expect(contacts().suffix(2).map(\.gesture) == [.pressing, .pressing])
    s.up(Self.here)
    let first = contacts().count
    try s.carryOver()
    let gestures = contacts().map(\.gesture).dropFirst(first)
    #expect(Set(gestures) == [.pressing, .lifting, .lifted, .dragging] && gestures.last == .dragging)
    #expect(asked() == [.items, .options, .canHandle, .proposal])
    let over = s.clients.details.compactMap { if case .questionOver(let serial) = $0 { serial } else { nil } }
    #expect(over.count == 4 && Set(over).count == 4)
    try s.drop()
    #expect(asked().last == .perform)
    s.director.load(Scene.target, Scene.session, s.target, item: 0, type: "text/plain", as: .data) { _ in }
    s.turn()
    let transfer = try #require(s.clients.asked.first?.transfer)
    #expect(s.director.provided(Scene.source, transfer) == Scene.target)
    s.director.progressed(Scene.target, transfer, TransferProgress(completed: 5, total: 9))
    s.turn()
    s.director.finished(Scene.target, transfer, success: true)
    s.turn()
    func load(_ progress: TransferProgress) -> MonitorDetail {
      .transfer(OpenTransfer(transfer, of: Scene.session, progress))
    }
    #expect(
      s.clients.details.suffix(3) == [
        load(TransferProgress(completed: 0)), load(TransferProgress(completed: 5, total: 9)), .transferOver(transfer),
      ])
    s.director.watchDetails(false)
    let count = s.clients.details.count
    s.down(Self.here)
    #expect(s.clients.details.count == count)
  }

  @Test("where no drag region is the finger is nobody's") func noRegion() throws {
    let s = try Scene()
    s.down(Point(x: 500, y: 500))
    #expect(s.fingers.ignored == [Scene.finger])
    #expect(!s.director.hasMetDragRegion)
  }

  @Test("Z7: Esc is held while something is carried, and given back") func Z7_esc() throws {
    let s = try Scene()
    #expect(!s.screen.holdsCancelKey)
    try s.carryOver()
    #expect(s.screen.holdsCancelKey)
    s.director.cancelDrags(at: s.now)
    s.up(Point(x: 700, y: 100))
    s.pass(.seconds(5))
    #expect(s.clients.toSources.contains(.didEnd(.cancel)))
    #expect(!s.screen.holdsCancelKey && s.director.isIdle)
    #expect(s.screen.images.isEmpty, "a picture stays when nothing shows it")
  }

  @Test("a window of another process, of nobody, or that cannot be seen takes no region") func whoseWindow()
    throws
  {
    let s = try Scene()
    #expect(s.director.addRegion(Scene.target, window: WindowID(10)) == .failure(.notYours))
    #expect(s.director.addRegion(Scene.target, window: WindowID(99)) == .failure(.notThere))
    s.screen.standings[WindowID(10)] = .unseen
    #expect(s.director.addRegion(Scene.source, window: WindowID(10)) == .failure(.noWindow))
    s.screen.standings[WindowID(10)] = .inAnothers
    #expect(s.director.addRegion(Scene.source, window: WindowID(10)) == .failure(.notYours))
    // While that is being found out there is no answer.
    s.screen.isBeingAsked = true
    #expect(s.director.addRegion(Scene.source, window: WindowID(10)) == nil)
  }

  @Test("a window that is gone takes its regions along, and whoever gets its number starts anew")
  func windowDestroyed() throws {
    let s = try Scene()
    s.director.windowDestroyed(WindowID(10), at: s.now)
    #expect(s.clients.lostRegions == [s.drag])
    s.down(Self.here)
    #expect(s.fingers.ignored == [Scene.finger])
    s.screen.standings[WindowID(10)] = .made(by: 200)
    #expect(s.director.addRegion(Scene.source, window: WindowID(10)) == .failure(.notYours))
  }

  @Test("with the X server all drags end, and regions wait for its return")
  func theServerGoes() throws {
    let s = try Scene()
    try s.carryOver()
    s.director.screenLost(at: s.now)
    #expect(s.clients.waitingRegions == [s.drag, s.target])
    #expect(s.clients.droppedImages == 1 && s.clients.looksAgain == 0)
    #expect(s.clients.toSources.contains(.didEnd(.cancel)))
    let back = RecordingScreen()
    back.insert(WindowID(10), Rect(x: 0, y: 0, width: 400, height: 400), process: 100)
    s.director.adopt(back)
    #expect(s.clients.looksAgain == 1)
    let again = try #require(s.director.addRegion(Scene.source, window: WindowID(10))).get()
    s.director.updateRegion(again, rect: Rect(x: 0, y: 0, width: 400, height: 400), roles: .drag)
    s.pass(.seconds(1))
    s.down(Self.here, ContactID(7))
    #expect(s.fingers.ignored.isEmpty)
  }

  @Test("Z1: the bridge may have regions in windows of others, which other clients may not") func Z1_standIns() throws {
    let s = try Scene()
    let bridge = ClientID(9)
    #expect(s.director.addRegion(bridge, window: WindowID(20)) == .failure(.notYours))
    _ = try #require(s.director.addRegion(bridge, window: WindowID(20), isStandIn: true)).get()
    // It counts for nobody who waits for applications.
    #expect(!s.director.registrants.contains(bridge))
    #expect(s.director.addRegion(bridge, window: WindowID(99), isStandIn: true) == .failure(.notThere))
  }

  @Test(
    "Z1: the bridge is told while a pointer carries: the button that is down is no other program's then",
    arguments: [Touch.Tool.mouse, .pen, .trackpad, .finger])
  func Z1_pointerCarries(tool: Touch.Tool) throws {
    let scene = try Scene()
    scene.tool = tool
    scene.down(Point(x: 100, y: 100))
    scene.pass(.milliseconds(700))
    try scene.answer()
    #expect(scene.clients.pointerCarries == [])
    scene.move(Point(x: 150, y: 100))
    try scene.configure()
    let isPointer = tool == .mouse || tool == .pen
    #expect(scene.clients.pointerCarries == (isPointer ? [true] : []))
    scene.move(Point(x: 700, y: 100))
    scene.up(Point(x: 700, y: 100))
    #expect(scene.clients.pointerCarries == (isPointer ? [true, false] : []))
  }

  @Test("nothing is kept of a mouse whose click the application got") func givenAway() throws {
    let scene = try Scene()
    scene.tool = .mouse
    scene.down(Point(x: 100, y: 100))
    #expect(scene.director.pointers == [Scene.finger])
    // As `MouseFingers` and devices that go say it.
    scene.director.handle(Touch(id: Scene.finger, phase: .cancelled, point: .zero, time: scene.now))
    #expect(scene.director.pointers == [])
  }

  @Test("Z1: a foreign drag is not shown, and the bridge is told the windows that take drops") func Z1_foreignDrags()
    throws
  {
    let s = try Scene()
    let bridge = ClientID(9)
    // Z23: the one before it may have left the button down, and there was none before the first.
    s.director.bridgeArrived()
    #expect(s.screen.buttonReleases == 0)
    s.director.bridgeArrived()
    #expect(s.screen.buttonReleases == 1)
    s.director.tellDropWindows()
    let windows = s.clients.dropWindows
    let window = try #require(windows.first)
    let item = ItemDescription(id: ItemID(900), types: [OfferedType(name: "text/plain")])
    let id = try #require(
      s.director.beganForeignDrag(
        bridge, from: 77, isByButton: true, items: [item], over: window, at: Point(x: 1, y: 1)))
    s.director.movedForeignDrag(id, to: Point(x: 2, y: 2))
    s.director.droppedForeignDrag(id, at: Point(x: 2, y: 2))
    #expect(s.clients.toSources.last == .didEnd(.cancel) && s.clients.forgotten == [id])
    #expect(s.fingers.claimed.isEmpty && s.fingers.yielded.isEmpty && s.fingers.ignored.isEmpty)
    let other = try #require(
      s.director.beganForeignDrag(
        bridge, from: nil, isByButton: true, items: [item], over: window, at: Point(x: 1, y: 1)))
    s.director.endedForeignDrag(other)
    #expect(s.clients.forgotten == [id, other])
  }

  @Test("Z31: a mouse may lift in a drag region, unless its application drags itself", arguments: [true, false])
  func Z31_mayLift(isOwn: Bool) throws {
    let s = try Scene(roles: isOwn ? [.drag, .ownPointer] : [.drag, .cooperative])
    #expect(s.director.mayLift(clickAt: Self.here) == !isOwn)
    #expect(!s.director.mayLift(clickAt: Point(x: 5000, y: 5000)) && !s.director.mayAdd(clickAt: Self.here))
  }

  @Test("Z4: the windows to guard are told when one comes to have a drag region, or has none any more")
  func Z4_guardedWindows() throws {
    let s = try Scene()
    #expect(s.director.dragWindowsChanged)
    #expect(s.director.takeDragWindows().touches == [WindowID(10)])
    #expect(!s.director.dragWindowsChanged)
    s.director.updateRegion(s.drag, rect: Rect(x: 5, y: 5, width: 10, height: 10), roles: nil)
    #expect(!s.director.dragWindowsChanged)
    s.director.removeRegion(s.drag)
    #expect(s.director.dragWindowsChanged && s.director.takeDragWindows() == DragWindows())
  }

  @Test("Z20: monitors hear of each step, with the device of the finger") func Z20_monitors() throws {
    let s = try Scene()
    s.director.monitorsChanged([ClientID(9)])
    try s.carryOver()
    try s.drop()
    s.pass(.seconds(5))
    let kinds = s.clients.steps.map(\.kind)
    #expect(kinds.starts(with: [.liftBegan, .lifted, .began, .entered]))
    #expect(kinds.contains(.dropped))
    #expect(s.clients.steps.allSatisfy { $0.device == "panel" })
  }

  @Test("Z14, I15: what a region is called is said to no program in a sandbox") func Z14_I15_labels() throws {
    let s = try Scene()
    for region in 1...2 { s.director.setLabel(RegionID(UInt32(region)), "a secret") }
    s.screen.focus = WindowID(10)
    s.director.handle(.pickUp, at: s.now)
    s.turn()
    try s.answer()
    s.pass(.seconds(1))
    #expect(s.clients.said.first == "Lifted from a secret in app-1, 1 of 1")
    #expect(s.clients.saidInSandboxes.first == "Lifted from app-1, 1 of 1")
  }

  @Test("Z14: keys pick up, and what happens is said") func Z14_keys() throws {
    let s = try Scene()
    s.screen.focus = WindowID(10)
    s.director.handle(.pickUp, at: s.now)
    s.turn()
    #expect(s.screen.holdsDragKeys)
    try s.answer()
    s.pass(.seconds(1))
    #expect(s.clients.said.first == "Lifted from app-1, 1 of 1")
    s.director.cancelDrags(at: s.now)
    s.pass(.seconds(5))
    #expect(s.clients.said.last == "Cancelled")
    #expect(!s.screen.holdsDragKeys)
  }

  @Test("Z7: the end of the engine cancels every session, and nothing stays on the screen") func Z7_theEnd() throws {
    let s = try Scene()
    try s.carryOver()
    #expect(!s.screen.shown.surfaces.isEmpty)
    s.director.stop(at: s.now)
    #expect(s.clients.toSources.contains(.didEnd(.cancel)))
    #expect(s.screen.shown.surfaces.isEmpty)
  }

  @Test("a source that is not there fails its load at once") func noSource() throws {
    let s = try Scene()
    try s.carryOver()
    s.clients.loads = false
    try s.drop()
    s.director.load(Scene.target, Scene.session, s.target, item: 0, type: "text/plain", as: .data) { _ in }
    #expect(s.clients.failed == [.sourceGone])
  }
}
