import CarryContacts
@testable import CarryEvdev
import CarryModel
import Testing

@Suite struct EventRecorderTests {
  @Test("Z22: keys are never recorded") func Z22_keysAreNeverRecorded() {
    #expect(!EventRecorder.isButton(30))  // KEY_A
    #expect(!EventRecorder.isButton(0x1FF))
    #expect(EventRecorder.isButton(Evdev.btnTouch))
    #expect(EventRecorder.isButton(272))
  }

  @Test("Z22: a recording begins with what the slots hold: the kernel tells of changes only")
  func Z22_aRecordingBeginsWithWhatTheSlotsHold() throws {
    var d = DeviceDescription(name: "panel")
    for (code, maximum) in [(0x2f, 1), (0x35, 999), (0x36, 499), (0x39, 65_535)] as [(UInt16, Int32)] {
      d.axes[code] = AxisRange(0, maximum)
    }
    let slots = [SlotState(trackingID: -1, x: 0, y: 0), SlotState(trackingID: -1, x: 30, y: 40)]
    let start = EventRecorder.events(for: slots, currentSlot: 1, d, at: .zero)
    #expect(start.map(\.code) == [0x2f, 0x35, 0x36, 0x2f, 0] && start.map(\.value) == [1, 30, 40, 1, 0])
    #expect(EventRecorder.events(for: [SlotState(trackingID: -1, x: 0, y: 0)], currentSlot: 0, d, at: .zero).isEmpty)
    // A finger comes down where the last one of its slot was: no position is sent, and yet it has one.
    let tracker = ContactTracker(d, identifiers: ContactIDSource())
    var frame = ContactFrame()
    let events =
      start + [
        EvdevEvent(time: .zero, type: 3, code: 0x39, value: 7), EvdevEvent(time: .zero, type: 0, code: 0, value: 0),
      ]
    var contacts: [Contact] = []
    for e in events where tracker.handle(e, into: &frame) { contacts += frame.contacts }
    #expect(contacts.map(\.phase) == [.began] && contacts.first?.x == 30 && contacts.first?.y == 40)
  }
}
