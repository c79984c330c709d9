import CarryContacts
import CarryDisplay
import CarryGate
import CarryModel
import Testing

@testable import CarryDaemon

/// Fingers from a gate that the test plays.
@Suite struct GateSourceTests {
  private final class Bench {
    let played = PlayedGate()
    let clock = TestClock()
    let loop: TestLoop
    let log = TouchLog()
    let source: GateSource
    static let panel = TouchDevice(id: 7, name: "panel", node: "/dev/input/event7", x: 0...1000, y: 0...1000)

    init() throws {
      loop = try TestLoop()
      let gate = Gate<TouchEvent>(
        displayName: nil, patience: .milliseconds(600), spawner: played, now: clock.now)
      source = GateSource(
        GateRunner(gate, loop.loop, now: clock.now), ContactIDSource(), log, now: clock.now)
      source.remap(layout([Self.panel]))
      source.runner.start()
    }

    func layout(_ devices: [TouchDevice]) -> ScreenLayout {
      ScreenLayout(size: Size(width: 500, height: 400), scale: 2, outputMillimetres: nil, touchDevices: devices)
    }

    func advance(to time: Instant) {
      clock.time = time
      source.advance(to: time)
    }
  }

  @Test("Z4: a held touch is a finger of its touchscreen, and a decision about it reaches the gate")
  func Z4_aHeldTouch() throws {
    let b = try Bench()
    b.played.say(.rawBegan, 5, 200, 500)
    b.played.say(.began, 5, 101, 202, at: ms(1))
    b.source.read()
    #expect(b.log.touches.first?.device == DeviceID(1) && b.log.touches.first?.scale == 2)
    #expect(b.log.devices == ["panel"])
    #expect(b.log.said() == ["began 1 101,202"])
    b.played.say(.moved, 5, 110, 202, at: ms(2))
    b.source.read()
    #expect(b.log.said() == ["moved 1 110,202"])
    b.source.liftBegan(ContactID(2))
    b.source.liftBegan(ContactID(1))
    #expect(b.played.heard() == ["liftBegan 5"])
    #expect(b.source.claim(ContactID(1)) == nil)
    b.source.liftBegan(ContactID(1))
    #expect(b.played.heard() == ["accept 5"])
    b.played.say(.rawEnded, 5, at: ms(3))
    b.played.say(.ended, 5, 110, 202, at: ms(3))
    b.source.read()
    #expect(b.log.said() == ["ended 1 110,202"])
    #expect(b.source.nextDeadline == nil)
  }

  @Test("Z4: of a touch that nobody holds only what is wanted is seen") func Z4_aTouchThatNobodyHolds() throws {
    let b = try Bench()
    b.played.say(.rawBegan, 5, 200, 500)
    b.source.read()
    #expect(b.source.nextDeadline == ms(8))
    b.advance(to: ms(8))
    #expect(b.log.said().isEmpty && b.played.heard().isEmpty)
    b.log.wants = true
    b.played.say(.rawBegan, 6, 200, 500)
    b.source.read()
    b.advance(to: ms(8))
    #expect(b.log.said() == ["began 1 100,200"])
    #expect(b.played.heard() == ["observe 6"])
    // The application has it as well, and must be told.
    #expect(b.source.claim(ContactID(1)) == 6)
    b.source.yield(ContactID(1))
    #expect(b.played.heard() == ["unobserve 6"])
  }

  @Test(
    "Z4: what was decided while another client had the touch holds later", arguments: [true, false])
  func Z4_lateDecisions(isTaken: Bool) throws {
    let b = try Bench()
    b.log.wants = true
    b.played.say(.rawBegan, 5, 200, 500)
    b.source.read()
    b.advance(to: ms(8))
    if isTaken { _ = b.source.claim(ContactID(1)) } else { b.source.yield(ContactID(1)) }
    _ = (b.played.heard(), b.log.said())
    b.played.say(.began, 5, 100, 200, at: ms(700))
    b.source.read()
    #expect(b.played.heard() == [isTaken ? "accept 5" : "reject 5"])
    #expect(b.log.said().isEmpty)
  }

  @Test("Z7: a palm that only the node knows of ends its touch, and the application has it") func Z7_aPalm() throws {
    let b = try Bench()
    let palm = Contact(id: ContactID(40), slot: 0, phase: .began, x: 0, y: 0)
    b.source.nodeContact(palm, device: 7, at: Point(x: 0.2, y: 0.5), time: ms(0))
    b.played.say(.rawBegan, 5, 200, 500)
    b.played.say(.began, 5, 100, 200, at: ms(1))
    b.source.read()
    var over = palm
    over.phase = .cancelled
    b.source.nodeContact(over, device: 7, at: Point(x: 0.2, y: 0.5), time: ms(50))
    #expect(b.log.said() == ["began 1 100,200", "cancelled 1 100,200"])
    #expect(b.played.heard() == ["reject 5"])
  }

  @Test("Z4: a touch that the gate has given away is no finger any more") func Z4_anExpiredTouch() throws {
    let b = try Bench()
    b.played.say(.began, 5, 100, 200)
    b.played.say(.expired, 5)
    b.source.read()
    #expect(b.log.said() == ["began 1 100,200", "cancelled 1 100,200"])
  }

  @Test("Z4: with the gate go its fingers") func Z4_theGateGoes() throws {
    let b = try Bench()
    b.played.say(.began, 5, 100, 200)
    b.played.say(.began, 6, 110, 200)
    b.source.read()
    _ = b.log.said()
    b.played.end()
    b.source.read()
    #expect(b.log.said() == ["cancelled 1 100,200", "cancelled 2 110,200"])
    #expect(b.source.nextDeadline == ms(1000))
  }

  @Test("Z5: a touchscreen that goes is said to be lost, one that is only turned is not") func Z5_aTouchscreenThatGoes()
    throws
  {
    let b = try Bench()
    var turned = Bench.panel
    turned.transformation = Transform([0, -1, 1, 1, 0, 0])
    b.source.remap(b.layout([turned]))
    #expect(b.log.lost.isEmpty && b.log.devices.count == 1)
    b.source.remap(b.layout([]))
    #expect(b.log.lost == [DeviceID(1)])
    // Its touches are not ours from now on.
    b.played.say(.rawBegan, 5, 200, 500)
    b.source.read()
    #expect(b.source.nextDeadline == nil)
  }
}
