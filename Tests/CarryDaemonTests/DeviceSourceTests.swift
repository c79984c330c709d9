import CarryContacts
import CarryEvdev
import CarryModel
import CarryRecordings
import CarryTesting
import Testing

@testable import CarryDaemon

@Suite struct DeviceSourceTests {
  private static let layout = ScreenLayout(
    size: Size(width: 1000, height: 500), scale: 1, outputMillimetres: nil, touchDevices: [])

  @Test("Z5: a touchscreen's contacts are fingers where they touch the screen") func Z5_aTouchscreen() throws {
    let frames = PlayedFrames(FingerScript(width: 100, height: 100).device)
    let log = TouchLog()
    let source = ScreenSource(frames, DeviceID(4), Self.layout, log)
    frames.frame(.began, 9, 50, 50, at: ms(3))
    try source.read()
    #expect(log.touches.map(\.device) == [DeviceID(4)])
    #expect(log.touches.map(\.time) == [ms(3)] && log.touches.allSatisfy { !$0.isPointer })
    #expect(log.said() == ["began 9 500,250"])
    // The screen is turned and half as wide.
    source.remap(
      ScreenLayout(size: Size(width: 500, height: 1000), scale: 1, outputMillimetres: nil, touchDevices: []))
    frames.frame(.moved, 9, 50, 50, at: ms(4))
    try source.read()
    #expect(log.said() == ["moved 9 250,500"])
    #expect(source.nextDeadline == nil)
  }

  @Test("Z5: what went unseen while the machine slept is asked for") func Z5_theStateIsAskedFor() throws {
    let frames = PlayedFrames(FingerScript(width: 100, height: 100).device)
    let log = TouchLog()
    let source = ScreenSource(frames, DeviceID(4), Self.layout, log)
    frames.frame(.ended, 9, 50, 50, at: ms(3))
    frames.state = frames.waiting.removeFirst()
    try source.askForState()
    #expect(log.said() == ["ended 9 500,250"])
  }

  @Test("Z6: a trackpad's click is a finger at the pointer, which moves with it") func Z6_aTrackpad() throws {
    let frames = PlayedFrames(FingerScript(width: 1000, height: 600, .clickpad).device)
    let log = TouchLog()
    let pad = PadSource(
      frames, DeviceID(4), Settings(), ContactIDSource(), hasOwnPointer: false, Self.layout, log)
    pad.pointerMoved(to: Point(x: 300, y: 200), time: ms(0))
    frames.frame(.began, 9, 500, 300, at: ms(10))
    frames.frame(.moved, 9, 500, 300, isClicked: true, at: ms(20))
    try pad.read()
    #expect(log.touches.map(\.isPointer) == [true] && log.touches.map(\.device) == [DeviceID(4)])
    #expect(log.said() == ["began 1 300,200"])
    #expect(pad.clicked?.contact == ContactID(1) && pad.isActive)
    pad.pointerMoved(to: Point(x: 310, y: 200), time: ms(30))
    #expect(log.said() == ["moved 1 310,200"])
    // The screen has other dots per inch.
    var layout = Self.layout
    layout.scale = 2
    pad.remap(layout)
    // The X server goes.
    pad.cancel(at: ms(40))
    #expect(log.touches.map(\.scale) == [2])
    #expect(log.said() == ["cancelled 1 310,200"])
    #expect(pad.clicked == nil)
  }

  @Test("Z22: a recording is a source like a device, and its trackpad has a pointer of its own") func Z22_aRecordedPad()
    throws
  {
    var script = FingerScript(width: 1000, height: 600, .clickpad)
    let finger = script.down(500, 300, at: 0)
    script.button(true, at: 20)
    script.button(false, at: 100)
    script.up(finger, at: 200)
    let player = try RecordingPlayer(Recording(description: script.device, events: script.events), startingAt: ms(1000))
    let log = TouchLog()
    var settings = Settings()
    settings.trackpad.regrip = .zero
    let pad = PadSource(
      player, DeviceID(1), settings, ContactIDSource(), hasOwnPointer: true, Self.layout, log)
    while let due = pad.nextDeadline { pad.advance(to: due) }
    #expect(log.said() == ["began 1 500,250", "ended 1 500,250"])
    #expect(player.isFinished)
  }
}
