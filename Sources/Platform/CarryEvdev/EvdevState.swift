import CEvdev
import CarryContacts
import CLinux

/// libevdev's view of one node: the device's description, and its true state after events were dropped.
final class EvdevState {
  private let device: OpaquePointer

  /// Fails with an errno. The caller keeps ownership of the descriptor.
  init(fd: CInt) throws(EvdevFailure) {
    var device: OpaquePointer?
    let result = libevdev_new_from_fd(fd, &device)
    guard result == 0, let device else { throw EvdevFailure(code: result < 0 ? -result : ENOMEM) }
    self.device = device
    // libevdev's messages about devices with odd axes would not help here.
    libevdev_set_device_log_function(device, { _, _, _, _, _, _, _, _ in }, LIBEVDEV_LOG_ERROR, nil)
  }

  deinit { libevdev_free(device) }

  /// Makes the kernel stamp events with the monotonic clock; returns false if it cannot.
  func useMonotonicClock() -> Bool { libevdev_set_clock_id(device, CLOCK_MONOTONIC) == 0 }

  func description() -> DeviceDescription {
    var d = DeviceDescription(name: libevdev_get_name(device).map { String(cString: $0) } ?? "")
    d.bus = UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device))
    d.vendor = UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device))
    d.product = UInt16(truncatingIfNeeded: libevdev_get_id_product(device))
    d.version = UInt16(truncatingIfNeeded: libevdev_get_id_version(device))
    for property in 0..<UInt32(32) where libevdev_has_property(device, property) == 1 {
      d.properties.insert(UInt16(property))
    }
    for type in [Evdev.syn, Evdev.key, Evdev.abs] {
      var set = CodeSet()
      let last = libevdev_event_type_get_max(UInt32(type))
      for code in 0...UInt16(clamping: max(0, last)) where has(type, code) { set.insert(code) }
      d.codes[type] = set
    }
    for code in 0...Evdev.absMax {
      guard has(Evdev.abs, code), let info = libevdev_get_abs_info(device, UInt32(code)) else { continue }
      let a = info.pointee
      d.axes[code] = AxisRange(a.minimum, a.maximum, fuzz: a.fuzz, flat: a.flat, resolution: a.resolution)
    }
    return d
  }

  private func has(_ type: UInt16, _ code: UInt16) -> Bool {
    libevdev_has_event_code(device, UInt32(type), UInt32(code)) == 1
  }

  /// Queries the whole state from the kernel. Events that wait in the descriptor are discarded.
  func synchronise() throws(EvdevFailure) {
    var event = input_event()
    var result = libevdev_next_event(device, LIBEVDEV_READ_FLAG_FORCE_SYNC.rawValue, &event)
    while result >= 0 {
      result = libevdev_next_event(device, LIBEVDEV_READ_FLAG_SYNC.rawValue, &event)
    }
    guard result == -EAGAIN else { throw EvdevFailure(code: -result) }
  }

  var currentSlot: Int { max(0, Int(libevdev_get_current_slot(device))) }

  /// The slots as they were when the device was opened or last synchronised.
  func slots(_ contactProtocol: DeviceDescription.ContactProtocol) -> [SlotState] {
    if contactProtocol == .singleTouch {
      let touches = libevdev_get_event_value(device, UInt32(Evdev.key), UInt32(Evdev.btnTouch)) != 0
      return [
        SlotState(
          trackingID: touches ? 0 : -1, x: axis(Evdev.absX), y: axis(Evdev.absY), pressure: axis(Evdev.absPressure),
          distance: axis(Evdev.absDistance))
      ]
    }
    let count = max(0, min(64, Int(libevdev_get_num_slots(device))))
    return (0..<UInt32(count)).map { slot in
      func value(_ code: UInt16) -> Int32 {
        has(Evdev.abs, code) ? libevdev_get_slot_value(device, slot, UInt32(code)) : 0
      }
      return SlotState(
        trackingID: value(Evdev.absMtTrackingID), x: value(Evdev.absMtPositionX), y: value(Evdev.absMtPositionY),
        pressure: value(Evdev.absMtPressure), touchMajor: value(Evdev.absMtTouchMajor),
        tool: value(Evdev.absMtToolType), distance: value(Evdev.absMtDistance))
    }
  }

  /// The keys of a trackpad as they were when the device was opened or last synchronised.
  func keys() -> TrackpadKeys {
    func isDown(_ code: UInt16) -> Bool {
      has(Evdev.key, code) && libevdev_get_event_value(device, UInt32(Evdev.key), UInt32(code)) != 0
    }
    return TrackpadKeys(
      isButtonDown: isDown(Evdev.btnLeft),
      fingerCount: TrackpadKeys.tools.first { isDown($0.code) }?.fingers ?? 0)
  }

  private func axis(_ code: UInt16) -> Int32 {
    has(Evdev.abs, code) ? libevdev_get_event_value(device, UInt32(Evdev.abs), UInt32(code)) : 0
  }
}

/// An errno from libevdev.
struct EvdevFailure: Error {
  var code: CInt
}
