import CarryContacts
import CarryDisplay
import CarryGate
import CarryModel
import CarryRecordings
import CarryTesting
import Testing

@testable import CarryDaemon

/// The whole of the input, with a gate that the test plays and without an X server.
@Suite struct InputTests {
  private final class Bench {
    let played = PlayedGate()
    let loop: TestLoop
    let log = TouchLog()
    let clock = TestClock()
    let input: Input
    static let panel = TouchDevice(id: 7, name: "panel\u{1B}", node: nil, x: 0...1000, y: 0...1000)

    init(isReplaying: Bool = false, hasTrackpads: Bool = false) throws {
      loop = try TestLoop()
      var settings = Settings()
      settings.trackpad.isEnabled = hasTrackpads
      input = Input(Input.Options(isPlayed: isReplaying, spawner: played, now: clock.now), loop.loop, settings)
      input.delegate = log
    }

    deinit { input.stop() }

    func layout(_ devices: [TouchDevice]) -> ScreenLayout {
      ScreenLayout(size: Size(width: 500, height: 400), scale: 1, outputMillimetres: nil, touchDevices: devices)
    }
  }

  @Test("Z20: a finger on the X server's touchscreen has that one's name, also when it is up and the device gone")
  func Z20_theDevicesName() throws {
    let b = try Bench()
    b.input.remap(b.layout([Bench.panel]))
    #expect(b.input.gateStatus == .running)
    b.played.say(.rawBegan, 5, 200, 500, at: ms(0))
    b.played.say(.began, 5, 100, 200, at: ms(1))
    b.input.readWhatHasCome()
    #expect(b.log.said() == ["began 1 100,200"])
    let name = b.input.deviceName(of: ContactID(1))
    #expect(name == "panel\u{FFFD}")
    b.played.say(.rawEnded, 5, at: ms(2))
    b.played.say(.ended, 5, 100, 200, at: ms(2))
    b.input.readWhatHasCome()
    _ = b.log.said()
    // It may be waited for to come back: with its device gone it has not dropped.
    b.input.remap(b.layout([]))
    #expect(b.log.said() == ["cancelled 1 0,0"])
    #expect(b.input.deviceName(of: ContactID(1)) == name)
  }

  @Test("Z4: a gate that is started late guards what should be guarded, and its touches are taken in")
  func Z4_aGateThatIsStartedLate() throws {
    let b = try Bench()
    b.played.fails = true
    b.input.guardWindows(DragWindows(touches: [WindowID(3)], clicks: [WindowID(3)]))
    b.input.remap(b.layout([Bench.panel]))
    #expect(b.input.gateStatus == .failed && !b.input.takesTouches)
    b.played.fails = false
    b.clock.time = try #require(b.input.nextDeadline)
    b.input.advance(to: b.clock.time)
    #expect(b.input.gateStatus == .running && b.input.takesTouches)
    #expect(b.played.heard() == ["guardWindow 3"])
  }

  @Test("Z6: clicks are held where trackpads carry, unless the X server has a touchscreen") func Z6_clicks() throws {
    let b = try Bench(hasTrackpads: true)
    b.input.remap(b.layout([]))
    #expect(b.input.clicks != nil && b.input.touches == nil && b.played.jobs.map(\.kind) == [.clicks])
    b.input.guardWindows(DragWindows(touches: [WindowID(3)], clicks: [WindowID(3)]))
    b.played.say(.clicked, 9)
    b.input.clicks?.runner.dispatch()
    // No trackpad is pressed: it is a mouse's.
    #expect(b.played.heard() == ["guardWindow 3", "giveClick 9"])
    b.input.remap(b.layout([Bench.panel]))
    #expect(b.input.clicks == nil && b.input.touches != nil)
    #expect(try Bench().input.clicks == nil)
  }

  @Test("Z22: while recordings play nothing else has fingers, and their frames come in the order of their times")
  func Z22_recordings() throws {
    let b = try Bench(isReplaying: true, hasTrackpads: true)
    b.input.remap(b.layout([Bench.panel]))
    #expect(b.input.touches == nil && b.input.clicks == nil && b.played.starts == 0)
    for start in [30, 0] {
      var script = FingerScript(width: 500, height: 400)
      let finger = script.down(100 + start, 200, at: start)
      script.up(finger, at: start + 50)
      b.input.add(recording: Recording(description: script.device, events: script.events), file: "file\(start)")
    }
    #expect(b.input.hasPendingRecordings)
    // Both begin with their first event.
    try b.input.startRecordings(at: ms(1000))
    #expect(b.input.isPlaying && !b.input.hasPendingRecordings && b.input.count == 2)
    #expect(b.input.nextDeadline == ms(1000))
    b.input.advance(to: ms(2000))
    #expect(!b.input.isPlaying && b.input.nextDeadline == nil && b.input.problems.isEmpty)
    let times = b.log.touches.map(\.time)
    #expect(times == times.sorted() && times.count >= 4)
    #expect(Set(b.log.touches.map(\.device)).count == 2)
    #expect(b.input.deviceName(of: b.log.touches[0].id) == "Carry test touchscreen")
  }

  @Test("Z5: a device that goes takes its fingers along, one that has just gone up as well")
  func Z5_aDeviceThatGoes() throws {
    let b = try Bench()
    b.input.remap(b.layout([]))
    let frames = PlayedFrames(FingerScript(width: 500, height: 400).device)
    let device = b.input.addDevice("panel")
    let node = Input.Node("node", ScreenSource(frames, device, b.input.layout, b.input))
    b.input.nodes.append(node)
    frames.frame(.began, 31, 100, 200, at: ms(1))
    frames.frame(.ended, 31, 100, 200, at: ms(2))
    frames.frame(.began, 32, 110, 200, at: ms(3))
    b.input.readWhatHasCome()
    _ = b.log.said()
    #expect(b.input.count == 1 && b.input.isReading("node"))
    // As its device says it, and then for good.
    frames.frame(.cancelled, 32, 110, 200, at: ms(4))
    frames.isGone = true
    #expect(!b.input.isReading("node"))
    #expect(b.log.said() == ["cancelled 32 110,200", "cancelled 31 0,0"])
    #expect(b.input.count == 0 && b.input.deviceName(of: ContactID(31)) == "panel")
  }

  @Test("Z4: with the X server go the gates and what they guard") func Z4_theServerGoes() throws {
    let b = try Bench()
    b.input.remap(b.layout([Bench.panel]))
    b.input.guardWindows(DragWindows(touches: [WindowID(3)], clicks: [WindowID(3)]))
    b.played.say(.began, 5, 100, 200)
    b.input.readWhatHasCome()
    _ = (b.played.heard(), b.log.said())
    b.input.displayLost(at: ms(5))
    #expect(b.log.said().first == "cancelled 1 100,200")
    #expect(b.input.gateStatus == .unused && b.input.unguardable.isEmpty)
    b.input.remap(b.layout([Bench.panel]))
    #expect(b.input.gateStatus == .running && b.played.heard().isEmpty)
    #expect(b.input.fingers.deviceCount == 1)
  }
}
