import CarryContacts
import CarryModel
import Testing

@Suite struct TrackpadKeysTests {
  private func pad() -> DeviceDescription {
    var d = panel()
    d.properties = CodeSet([UInt16(Evdev.propPointer), UInt16(Evdev.propButtonPad)])
    return d
  }

  @Test("Z6: a trackpad's frames tell of its button and the number of its fingers") func Z6_keys() {
    let tracker = ContactTracker(pad())
    var frame = ContactFrame()
    var told: [String] = []
    func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
      if tracker.handle(EvdevEvent(time: .zero, type: type, code: code, value: value), into: &frame) {
        told.append("\(frame.contacts.count) \(frame.keys.isButtonDown) \(frame.keys.fingerCount)")
      }
    }
    send(Evdev.key, Evdev.btnToolFinger, 1)
    send(Evdev.key, Evdev.btnLeft, 1)
    send(Evdev.syn, Evdev.synReport, 0)
    // Nothing new: no frame.
    send(Evdev.key, Evdev.btnLeft, 1)
    send(Evdev.syn, Evdev.synReport, 0)
    // One tool goes and another comes, in either order.
    send(Evdev.key, Evdev.btnToolDoubleTap, 1)
    send(Evdev.key, Evdev.btnToolFinger, 0)
    send(Evdev.syn, Evdev.synReport, 0)
    send(Evdev.key, Evdev.btnToolDoubleTap, 0)
    send(Evdev.key, Evdev.btnToolQuintTap, 1)
    send(Evdev.syn, Evdev.synReport, 0)
    send(Evdev.key, Evdev.btnToolQuintTap, 0)
    send(Evdev.key, Evdev.btnLeft, 0)
    send(Evdev.syn, Evdev.synReport, 0)
    #expect(told == ["0 true 1", "0 true 2", "0 true 5", "0 false 0"])
  }

  @Test("Z6: the button comes up with the end, and is asked for after dropped events") func Z6_ends() {
    let tracker = ContactTracker(pad())
    var frame = ContactFrame()
    tracker.adopt(slots: [], currentSlot: 0, keys: TrackpadKeys(isButtonDown: true, fingerCount: 1))
    let isNews = tracker.resynchronise(
      slots: [], currentSlot: 0, keys: TrackpadKeys(isButtonDown: true, fingerCount: 1), time: .zero, into: &frame)
    #expect(!isNews)
    let isReleased = tracker.resynchronise(slots: [], currentSlot: 0, time: .zero, into: &frame)
    #expect(isReleased && !frame.keys.isButtonDown)
    _ = tracker.resynchronise(
      slots: [], currentSlot: 0, keys: TrackpadKeys(isButtonDown: true), time: .zero, into: &frame)
    let isEnd = tracker.endAll(.cancelled, time: .zero, into: &frame)
    #expect(isEnd && frame.keys == TrackpadKeys())
  }

  @Test("Z6: a touchscreen's keys are nothing to anybody") func Z6_touchscreens() {
    let tracker = ContactTracker(panel())
    var frame = ContactFrame()
    var isNews = tracker.handle(
      EvdevEvent(time: .zero, type: Evdev.key, code: Evdev.btnLeft, value: 1), into: &frame)
    isNews =
      tracker.handle(
        EvdevEvent(time: .zero, type: Evdev.syn, code: Evdev.synReport, value: 0), into: &frame) || isNews
    #expect(!isNews && frame.keys == TrackpadKeys())
  }
}
