package import CarryContacts
import CEvdev
import CarryModel

/// Gives the contacts of the anonymous protocol (A) an identity: mtdev matches them from frame to frame and returns
/// them in the slotted protocol (B).
package final class ProtocolAConverter {
  private let mtdev: UnsafeMutablePointer<mtdev>
  private var frame: [EvdevEvent] = []
  private var dropping = false
  private var contacts = 0
  private let hasKeys: Bool

  /// Maximum number of contacts in one frame; further contacts are left out. mtdev 1.1.6 never returns from a frame
  /// with 32 contacts, its own limit. No device that speaks this protocol reports more than ten.
  package static let maxContacts = 20
  /// mtdev's own number of slots. It exceeds `maxContacts`, because fingers that replace others within one frame
  /// need additional slots.
  private static let slots: Int32 = 32
  /// Maximum number of events in one frame, more than `maxContacts` contacts with all their axes need. Further
  /// events of the frame are left out.
  private static let longestFrame = 1024

  /// The description that fits the converted events.
  package let description: DeviceDescription

  /// Nil if out of memory.
  package init?(_ original: DeviceDescription) {
    guard let device = mtdev_new() else { return nil }
    guard mtdev_init(device) == 0 else {
      mtdev_delete(device)
      return nil
    }
    mtdev = device
    for (code, range) in original.axes where code >= Evdev.absMtTouchMajor && code <= Evdev.absMax {
      // An invalid range would confuse mtdev's matching. Without one mtdev has 0…0, which means "no range".
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

  /// Handles the next event and, if it completes a frame, calls `body` with each event of the converted frame. After
  /// dropped events the device's state need not be queried: the next frame lists all contacts.
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
      // A trackpad's button and number of fingers need no conversion.
      if event.type == Evdev.key, hasKeys { body(event) }
      // Other keys and the emulated pointer carry no information about contacts, but mtdev would queue them.
      let isTouch = event.type == Evdev.abs && event.code >= Evdev.absMtTouchMajor && event.code <= Evdev.absMax
      let isEnd = event.type == Evdev.syn && event.code == Evdev.synMtReport
      if contacts < Self.maxContacts, frame.count < Self.longestFrame, isTouch || isEnd { frame.append(event) }
      if isEnd { contacts += 1 }
      return
    }
    let last = frame.last
    if last == nil || last?.code != Evdev.synMtReport || last?.type != Evdev.syn {
      // A frame without any contact means that all fingers are up. Some drivers then leave out the SYN_MT_REPORT that
      // mtdev needs to see. A SYN_MT_REPORT also closes a contact that was left open.
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
    // mtdev's matching uses the time as well. A negative time would leave a negative remainder, which is not a valid
    // timeval.
    let time = max(0, event.time.microseconds)
    raw.time.tv_sec = Int(time / 1_000_000)
    raw.time.tv_usec = Int(time % 1_000_000)
    mtdev_put_event(mtdev, &raw)
  }
}
