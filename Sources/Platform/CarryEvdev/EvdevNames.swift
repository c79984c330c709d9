import CEvdev
import CarryContacts

/// The kernel's names of types, codes and properties of events, such as `EV_ABS`.
package enum EvdevNames {
  package static func type(_ name: String) -> UInt16? { number(libevdev_event_type_from_name(name)) }

  package static func code(_ name: String, ofType type: UInt16) -> UInt16? {
    number(libevdev_event_code_from_name(UInt32(type), name))
  }

  package static func property(_ name: String) -> UInt16? { number(libevdev_property_from_name(name)) }

  /// The name of an absolute axis.
  package static func axis(_ code: UInt16) -> String {
    libevdev_event_code_get_name(UInt32(Evdev.abs), UInt32(code)).map { String(cString: $0) }
      ?? "ABS_0x" + String(code, radix: 16)
  }

  private static func number(_ value: CInt) -> UInt16? { UInt16(exactly: value) }
}
