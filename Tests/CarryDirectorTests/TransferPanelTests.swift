import CarryDirector
import CarryModel
import CarryStage
import Testing

/// R5, R7, Z16: the window for slow transfers between the sessions and the screen.
@Suite struct TransferPanelTests {
  private static let drop = Point(x: 700, y: 100)

  /// What a source says that lets others move its items.
  private static var movable: SourceOptions {
    var options = SourceOptions()
    options.allowsMoveToOthers = true
    return options
  }

  /// A drop whose only load is under way.
  private func loading(isQuiet: Bool = false) throws -> (Scene, TransferID) {
    let s = try Scene()
    try s.carryOver(Self.drop)
    try s.drop(Self.drop)
    let serial = try #require(
      s.clients.toTargets.compactMap { if case .performDrop(let serial, _, _) = $0 { serial } else { nil } }.first)
    s.director.load(Scene.target, Scene.session, s.target, item: 0, type: "text/plain", as: .data) { _ in }
    if isQuiet { s.director.setsProgressIndicator(Scene.target, Scene.session, s.target, isQuiet: true) }
    s.director.finishedPerforming(Scene.target, Scene.session, serial: serial, endings: [])
    s.turn()
    return (s, try #require(s.clients.asked.first?.transfer))
  }

  private func button(_ s: Scene) throws -> Point {
    let layout = try #require(s.screen.panel).layout
    let place = try #require(layout.buttons.compactMap(\.self).first)
    return place.offset(by: layout.frame.origin).center
  }

  @Test("R5: half a second after the drop it says where what goes, and then draws only what changed")
  func R5_appears() throws {
    let (s, transfer) = try loading()
    s.pass(.milliseconds(350))
    #expect(s.screen.panel == nil && s.screen.panelsDrawn == 0)
    s.pass(.milliseconds(200))
    let row = try #require(s.screen.panel?.content.rows.first)
    #expect(row.title == "1 item" && row.target == "to app-2" && row.detail == "Waiting for app-1")
    s.pass(.seconds(2))
    #expect(s.screen.panelsDrawn == 1)
    for _ in 0..<100 {
      s.director.progressed(Scene.target, transfer, TransferProgress(completed: 10, total: 20))
      s.turn()
    }
    s.pass(.seconds(1))
    #expect(s.screen.panelsDrawn == 2 && s.screen.panel?.content.rows.first?.bar == .filled(0.5))
    #expect(s.director.provided(Scene.source, transfer) == Scene.target)
    s.director.finished(Scene.target, transfer, success: true)
    s.pass(.seconds(1))
    #expect(s.screen.panel == nil && s.director.nextDeadline == nil && s.director.isIdle)
  }

  @Test("R7: an application that shows the progress itself keeps it away") func R7_none() throws {
    let (s, _) = try loading(isQuiet: true)
    s.pass(.seconds(5))
    #expect(s.screen.panelsDrawn == 0 && !s.screen.holdsCancelKey)
  }

  @Test("R5: a finger on Cancel ends the loads at both ends, and lifts nothing that lies below") func R5_touch() throws
  {
    let (s, transfer) = try loading()
    s.pass(.seconds(1))
    let point = try button(s)
    let asked = s.clients.toSources.count
    #expect(s.director.wantsToSee(touchAt: point, unguardable: []))
    s.down(point, ContactID(7))
    #expect(s.screen.panel?.content.rows.first?.isPressed == true)
    s.pass(.milliseconds(700))
    s.up(point, ContactID(7))
    #expect(s.clients.failed == [.cancelled] && s.clients.cancelled == [transfer])
    #expect(s.clients.toSources.dropFirst(asked).allSatisfy { $0 == .didTransfer(delivered: 0) })
    #expect(s.screen.panel?.content.rows.first?.detail == "Cancelled")
    s.pass(.seconds(1))
    #expect(s.screen.panel == nil && s.director.isIdle)
  }

  @Test("R5: so does the mouse, but not beside the button") func R5_mouse() throws {
    let (s, transfer) = try loading()
    s.pass(.seconds(1))
    let point = try button(s)
    s.director.pressPanel(at: Point(x: point.x - 150, y: point.y), time: s.now)
    s.director.releasePanel(at: point, time: s.now)
    #expect(s.clients.failed.isEmpty)
    s.director.pressPanel(at: point, time: s.now)
    s.director.releasePanel(at: point, time: s.now)
    #expect(s.clients.failed == [.cancelled] && s.clients.cancelled == [transfer])
  }

  @Test("R5: Esc is held while the window is there, and cancels") func R5_esc() throws {
    let (s, _) = try loading()
    s.pass(.milliseconds(100))
    #expect(!s.screen.holdsCancelKey)
    s.pass(.seconds(1))
    #expect(s.screen.holdsCancelKey)
    s.director.cancelDrags(at: s.now)
    s.turn()
    #expect(s.clients.failed == [.cancelled] && !s.screen.holdsCancelKey)
  }

  @Test("R5: what failed says why for three seconds") func R5_failure() throws {
    let (s, transfer) = try loading()
    s.pass(.seconds(1))
    s.director.failed(Scene.source, transfer, unusable: false)
    s.pass(.milliseconds(2500))
    #expect(s.screen.panel?.content.rows.first?.detail == "The source could not provide the data")
    s.pass(.seconds(1))
    #expect(s.screen.panel == nil)
  }

  @Test("R5: a trackpad's finger on the window presses nothing, since its click comes as the mouse's")
  func R5_trackpad() throws {
    let (s, _) = try loading()
    s.pass(.seconds(1))
    let point = try button(s)
    for phase in [Touch.Phase.began, .ended] {
      s.director.handle(Touch(id: ContactID(8), phase: phase, point: point, time: s.now, tool: .trackpad))
      s.turn()
    }
    #expect(s.clients.failed.isEmpty && s.fingers.ignored.contains(ContactID(8)))
  }

  @Test("Z16: an undo that is offered shows at the place of the drop, and the key is held in the windows of the move")
  func Z16_undo() throws {
    let s = try Scene()
    try s.carryOver(Self.drop, proposing: Proposal(.move), allowing: Self.movable)
    try s.drop(Self.drop)
    let serial = try #require(
      s.clients.toTargets.compactMap { if case .performDrop(let serial, _, .move) = $0 { serial } else { nil } }.first)
    s.director.finishedPerforming(Scene.target, Scene.session, serial: serial, endings: [])
    s.pass(.seconds(1))
    #expect(s.clients.forgotten.isEmpty, "its source hears that it is gone while it may still offer to undo it")
    s.director.offeredUndo(Scene.source, Scene.session, title: "Moved 1 item")
    s.turn()
    let content = s.screen.panel?.content
    #expect(content?.rows.map(\.title) == ["Moved 1 item"] && content?.anchor == Self.drop)
    #expect(s.screen.undoWindows == [WindowID(10), WindowID(20)] && !s.screen.holdsCancelKey)
    s.director.undo(in: WindowID(99))
    #expect(!s.clients.toSources.contains(.undo))
    let point = try button(s)
    s.down(point, ContactID(7))
    s.up(point, ContactID(7))
    #expect(s.clients.toSources.last == .undo && s.clients.forgotten == [Scene.session])
    #expect(s.screen.panel == nil && s.screen.undoWindows.isEmpty)
  }

  @Test("R5: nothing is drawn while the screen is busy, nor when it is gone") func R5_busy() throws {
    let (s, _) = try loading()
    s.screen.isBusy = true
    s.pass(.seconds(1))
    #expect(s.screen.panelsDrawn == 0)
    s.screen.isBusy = false
    s.turn()
    #expect(s.screen.panel != nil)
    s.director.screenLost(at: s.now)
    s.pass(.seconds(5))
    #expect(s.screen.panelsDrawn == 1)
  }
}
