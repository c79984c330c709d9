package import CarryContacts
import CEvdev
import CarryModel

/// Gives the contacts of the anonymous protocol (A) an identity: mtdev matches them from frame to frame and answers
/// in the slotted protocol (B).
package final class ProtocolAConverter {
  private let mtdev: UnsafeMutablePointer<mtdev>
  private var frame: [EvdevEvent] = []
  private var dropping = false
  private var contacts = 0
  private let hasKeys: Bool

  /// Contacts in one frame: more are left out. mtdev 1.1.6 never comes back from a frame with 32, its own limit; no
  /// device that speaks this protocol knows more than ten.
  package static let mostContacts = 20
  /// mtdev's own number of slots: fingers that replace others in one frame need more slots than there are contacts.
  private static let slots: Int32 = 32
  /// More than those contacts with all their axes; what a frame has beyond it is left out.
  private static let longestFrame = 1024

  /// What the converted events are events of.
  package let description: DeviceDescription

  /// Nil when there is no memory.
  package init?(_ original: DeviceDescription) {
    guard let device = mtdev_new() else { return nil }
    guard mtdev_init(device) == 0 else {
      mtdev_delete(device)
      return nil
    }
    mtdev = device
    for (code, range) in original.axes where code >= Evdev.absMtTouchMajor && code <= Evdev.absMax {
      // What is not sane would confuse the matching; mtdev takes 0…0 for "no range".
      mtdev_set_mt_event(device, CInt(code), 1)
      guard range.isSane else { continue }
      mtdev_set_abs_minimum(device, CInt(code), range.minimum)
      mtdev_set_abs_maximum(device, CInt(code), range.maximum)
      mtdev_set_abs_fuzz(device, CInt(code), max(0, range.fuzz))
    }
    var description = original
    description.axes[Evdev.absMtSlot] = AxisRange(0, Self.slots - 1)
    description.axes[Evdev.absMtTrackingID] = AxisRange(0, 65535)
    self.description = description
    hasKeys = original.kind == .trackpad
    frame.reserveCapacity(Self.longestFrame)
  }

  deinit { mtdev_close_delete(mtdev) }

  /// Takes the next event and, when it completes a frame, calls `body` with each event of the converted frame.
  /// Dropped events need no question to the device: the next frame lists all contacts anew.
  package func convert(_ event: EvdevEvent, _ body: (EvdevEvent) -> Void) {
    let isReport = event.type == Evdev.syn && event.code == Evdev.synReport
    if event.type == Evdev.syn, event.code == Evdev.synDropped {
      dropping = true
      frame.removeAll(keepingCapacity: true)
      contacts = 0
      return
    }
    if dropping {
      if isReport { dropping = false }
      return
    }
    guard isReport else {
      // A trackpad's button and number of fingers are nothing to convert.
      if event.type == Evdev.key, hasKeys { body(event) }
      // Other keys and the emulated pointer say nothing of contacts, but mtdev would queue them.
      let isTouch = event.type == Evdev.abs && event.code >= Evdev.absMtTouchMajor && event.code <= Evdev.absMax
      let isEnd = event.type == Evdev.syn && event.code == Evdev.synMtReport
      if contacts < Self.mostContacts, frame.count < Self.longestFrame, isTouch || isEnd { frame.append(event) }
      if isEnd { contacts += 1 }
      return
    }
    let last = frame.last
    if last == nil || last?.code != Evdev.synMtReport || last?.type != Evdev.syn {
      // A frame without any contact means that all are up; some drivers then leave the SYN_MT_REPORT out, which
      // mtdev needs to see. It also closes a contact that was left open.
      frame.append(EvdevEvent(time: event.time, type: Evdev.syn, code: Evdev.synMtReport, value: 0))
    }
    for part in frame { put(part) }
    put(event)
    frame.removeAll(keepingCapacity: true)
    contacts = 0
    while mtdev_empty(mtdev) == 0 {
      var raw = input_event()
      mtdev_get_event(mtdev, &raw)
      body(EvdevEvent(time: event.time, type: raw.type, code: raw.code, value: raw.value))
    }
  }

  private func put(_ event: EvdevEvent) {
    var raw = input_event()
    raw.type = event.type
    raw.code = event.code
    raw.value = event.value
    // mtdev matches by time as well; the remainder of a negative time would be no valid timeval.
    let time = max(0, event.time.microseconds)
    raw.time.tv_sec = Int(time / 1_000_000)
    raw.time.tv_usec = Int(time % 1_000_000)
    mtdev_put_event(mtdev, &raw)
  }
}
