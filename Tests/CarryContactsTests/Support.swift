import CarryContacts
import CarryModel

/// A panel of 1000 × 500 units with five slots.
func panel(slots: Int32 = 5) -> DeviceDescription {
  var d = DeviceDescription(name: "panel")
  d.properties.insert(UInt16(Evdev.propDirect))
  d.axes = [
    Evdev.absMtSlot: AxisRange(0, slots - 1), Evdev.absMtTrackingID: AxisRange(0, 65535),
    Evdev.absMtPositionX: AxisRange(0, 999), Evdev.absMtPositionY: AxisRange(0, 499),
  ]
  return d
}

/// Feeds a tracker by names and keeps a readable protocol of what came out.
final class Rig {
  let tracker: ContactTracker
  var frame = ContactFrame()
  var time = Instant.zero
  var log: [String] = []

  init(_ description: DeviceDescription = panel()) { tracker = ContactTracker(description) }

  func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    if tracker.handle(EvdevEvent(time: time, type: type, code: code, value: value), into: &frame) { note() }
  }

  func note() { for c in frame.contacts { log.append("\(c.phase) \(c.id.raw) \(c.x),\(c.y)") } }

  func slot(_ n: Int32) { send(Evdev.abs, Evdev.absMtSlot, n) }
  func id(_ n: Int32) { send(Evdev.abs, Evdev.absMtTrackingID, n) }
  func x(_ n: Int32) { send(Evdev.abs, Evdev.absMtPositionX, n) }
  func y(_ n: Int32) { send(Evdev.abs, Evdev.absMtPositionY, n) }
  func distance(_ n: Int32) { send(Evdev.abs, Evdev.absMtDistance, n) }
  func tool(_ n: Int32) { send(Evdev.abs, Evdev.absMtToolType, n) }

  /// Ends the frame, 8 ms after the last one.
  func report() {
    time = time + .milliseconds(8)
    send(Evdev.syn, Evdev.synReport, 0)
  }

  func take() -> [String] {
    defer { log = [] }
    return log
  }
}
