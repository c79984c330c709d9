import CarryGate
import CarryModel
import Testing

@testable import CarryDaemon

/// Whose a click is, with a gate and a trackpad that the test plays.
@Suite struct HeldClicksTests {
  private final class Pads: ClickOwner {
    var finger: (contact: ContactID, isCarrying: Bool)?
    func clickedFinger() -> (contact: ContactID, isCarrying: Bool)? { finger }
  }

  private final class Bench {
    let played = PlayedGate()
    let loop: TestLoop
    let pads = Pads()
    let clicks: HeldClicks

    init() throws {
      loop = try TestLoop()
      let gate = Gate<ClickEvent>(displayName: nil, patience: .milliseconds(600), spawner: played)
      clicks = HeldClicks(GateRunner(gate, loop.loop), pads)
      clicks.runner.start()
    }

    func click(_ id: UInt32) -> [String] {
      played.say(.clicked, id)
      clicks.runner.dispatch()
      return played.heard()
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
    b.played.say(.clickExpired, 3)
    b.clicks.runner.dispatch()
    b.clicks.claim(ContactID(8))
    #expect(b.played.heard().isEmpty)
    #expect(b.click(4) == ["keepClick 4"])
    b.played.end()
    b.clicks.runner.dispatch()
    b.clicks.runner.start()
    b.clicks.claim(ContactID(8))
    #expect(b.played.heard().isEmpty)
  }
}
