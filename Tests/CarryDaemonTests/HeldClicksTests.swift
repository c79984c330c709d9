import CarryContacts
import CarryGate
import CarryModel
import Testing

@testable import CarryDaemon

/// Whose a click is, with a gate and a trackpad that the test plays.
@Suite struct HeldClicksTests {
  private final class Pads: ClickOwner {
    var finger: (contact: ContactID, isCarrying: Bool)?
    var use = ClickUse.none
    var said: [String] = []
    let clickScale = 1.0
    func clickedFinger() -> (contact: ContactID, isCarrying: Bool)? { finger }
    func use(ofClickAt point: Point, isAdding: Bool) -> ClickUse { (use == .adds) == isAdding ? use : .none }
    func addDevice(_ name: String) -> DeviceID { DeviceID(1) }
    func handle(_ touch: Touch) {
      said.append("\(touch.tool) \(touch.phase) \(touch.id.raw) \(Int(touch.point.x)),\(Int(touch.point.y))")
    }
  }

  private final class Bench {
    let played = PlayedGate()
    let loop: TestLoop
    let pads = Pads()
    let clicks: HeldClicks

    init() throws {
      loop = try TestLoop()
      let gate = Gate<ClickEvent>(displayName: nil, patience: .milliseconds(600), spawner: played)
      clicks = HeldClicks(GateRunner(gate, loop.loop), ContactIDSource(), pads)
      clicks.start()
    }

    func click(_ id: UInt32) -> [String] {
      say(.clicked, id)
      return played.heard()
    }

    func say(
      _ kind: GateMessage.Kind, _ id: UInt32, at point: Point = .zero, _ flags: ClickFlags = [], time: Instant = ms(0)
    ) {
      played.say(GateMessage(kind: kind, id: id, at: point, time: time, device: flags.rawValue))
      clicks.runner.dispatch()
    }

    /// What the fingers have done.
    func said() -> [String] {
      defer { pads.said = [] }
      return pads.said
    }
  }

  @Test("Z6, Z4: a click that no trackpad makes is the application's at once") func Z6_Z4_aMouse() throws {
    let b = try Bench()
    #expect(b.click(3) == ["giveClick 3"])
  }

  @Test("Z6: a trackpad's click waits for what becomes of its finger", arguments: [true, false])
  func Z6_aTrackpad(lifts: Bool) throws {
    let b = try Bench()
    b.pads.finger = (ContactID(8), isCarrying: false)
    #expect(b.click(3) == ["keepClick 3"])
    b.clicks.claim(ContactID(9))
    #expect(b.played.heard().isEmpty)
    if lifts { b.clicks.claim(ContactID(8)) } else { b.clicks.yield(ContactID(8)) }
    #expect(b.played.heard() == [lifts ? "takeClick 3" : "giveClick 3"])
    b.clicks.claim(ContactID(8))
    #expect(b.played.heard().isEmpty)
  }

  @Test("Z6: the click of a finger that carries is never the application's") func Z6_aClickWhileCarrying() throws {
    let b = try Bench()
    b.pads.finger = (ContactID(8), isCarrying: true)
    #expect(b.click(3) == ["takeClick 3"])
  }

  @Test("Z6, Z4: a click whose time was up, or whose gate is gone, is not decided any more") func Z6_Z4_tooLate() throws
  {
    let b = try Bench()
    b.pads.finger = (ContactID(8), isCarrying: false)
    #expect(b.click(3) == ["keepClick 3"])
    b.say(.clickExpired, 3)
    b.clicks.claim(ContactID(8))
    #expect(b.played.heard().isEmpty)
    #expect(b.click(4) == ["keepClick 4"])
    b.played.end()
    b.clicks.runner.dispatch()
    b.clicks.runner.start()
    b.clicks.claim(ContactID(8))
    #expect(b.played.heard().isEmpty)
  }

  // MARK: Mice

  @Test("Z31: a mouse's click is followed, and is a finger until its button comes up", arguments: [true, false])
  func Z31_aMouseThatLifts(isPen: Bool) throws {
    let b = try Bench()
    b.pads.use = .lifts
    let tool = isPen ? "pen" : "mouse"
    b.say(.clicked, 3, at: Point(x: 10, y: 20), isPen ? .pen : [])
    #expect(b.played.heard() == ["followClick 3"] && b.said() == ["\(tool) began 1 10,20"])
    b.say(.clickMoved, 3, at: Point(x: 15, y: 20))
    #expect(b.said() == ["\(tool) moved 1 15,20"])
    b.clicks.claim(ContactID(1))
    #expect(b.played.heard() == ["takeClick 3"])
    b.say(.clickMoved, 3, at: Point(x: 90, y: 20))
    b.say(.clickReleased, 3, at: Point(x: 95, y: 20))
    #expect(b.said() == ["\(tool) moved 1 90,20", "\(tool) moved 1 95,20", "\(tool) ended 1 95,20"])
    // It is over: the gate may say what it likes.
    b.say(.clickMoved, 3, at: Point(x: 15, y: 20))
    b.say(.clickReleased, 3)
    #expect(b.said().isEmpty && b.clicks.nextDeadline != .zero)
  }

  @Test("Z31, Z4: a finger whose click the application gets is over, in a turn of its own")
  func Z31_Z4_aMouseThatClicks() throws {
    let b = try Bench()
    b.pads.use = .lifts
    b.say(.clicked, 3)
    _ = (b.played.heard(), b.said())
    b.clicks.yield(ContactID(1))
    // The engine may be in the middle of that very finger.
    #expect(b.played.heard() == ["giveClick 3"] && b.said().isEmpty && b.clicks.nextDeadline == .zero)
    b.clicks.advance(to: ms(1))
    #expect(b.said() == ["finger cancelled 1 0,0"] && b.clicks.nextDeadline != .zero)
  }

  @Test("Z31: a click that the gate gives away, or loses with its process, lifts nothing", arguments: [true, false])
  func Z31_aLostClick(hasExpired: Bool) throws {
    let b = try Bench()
    b.pads.use = .lifts
    b.say(.clicked, 3)
    _ = (b.played.heard(), b.said())
    if hasExpired { b.say(.clickExpired, 3) } else { b.clicks.gateIsGone(at: ms(2)) }
    #expect(b.said() == ["finger cancelled 1 0,0"])
    b.clicks.claim(ContactID(1))
    #expect(b.played.heard().isEmpty)
  }

  @Test("Z31: a click that is taken in the moment in which the gate gives it away carries nothing on")
  func Z31_aClickTakenTooLate() throws {
    let b = try Bench()
    b.pads.use = .lifts
    b.say(.clicked, 3)
    b.clicks.claim(ContactID(1))
    _ = (b.played.heard(), b.said())
    // Nobody says any more what becomes of the finger.
    b.say(.clickExpired, 3)
    #expect(b.said() == ["finger cancelled 1 0,0"])
  }

  @Test("Z31, A1: a click with Shift adds, and is the application's where it adds nothing", arguments: [true, false])
  func Z31_A1_shift(adds: Bool) throws {
    let b = try Bench()
    b.pads.use = .adds
    // A trackpad's Shift-click is no finger that holds.
    b.pads.finger = (ContactID(8), isCarrying: false)
    b.say(.clicked, 3, at: Point(x: 10, y: 20), .shift)
    #expect(b.played.heard() == ["keepClick 3"])
    #expect(b.said() == ["addingClick began 1 10,20", "addingClick ended 1 10,20"])
    if adds { b.clicks.claim(ContactID(1)) } else { b.clicks.yield(ContactID(1)) }
    #expect(b.played.heard() == [adds ? "takeClick 3" : "giveClick 3"])
    b.pads.use = .none
    b.say(.clicked, 4, at: .zero, .shift)
    #expect(b.played.heard() == ["giveClick 4"])
  }

  @Test("Z31, A1: another button while the mouse carries is a tap") func Z31_A1_anotherButton() throws {
    let b = try Bench()
    b.pads.use = .lifts
    b.say(.clicked, 3)
    b.clicks.claim(ContactID(1))
    _ = (b.played.heard(), b.said())
    b.say(.otherPressed, 3, at: Point(x: 10, y: 20))
    #expect(b.said() == ["addingClick began 2 10,20", "addingClick ended 2 10,20"] && b.played.heard().isEmpty)
  }
}
