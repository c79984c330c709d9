package import CarryContacts
import CarryModel

/// Writes recordings as `libinput record` does: YAML, file format version 1.
package enum LibinputRecordWriter {
  /// The part of the file before the events.
  ///
  /// - Parameters:
  ///   - node: the device node, or its substitute.
  ///   - kernel: the kernel's version; empty if unknown.
  package static func header(_ description: DeviceDescription, node: String, kernel: String = "") -> String {
    let d = description
    var out = """
      # libinput record
      version: 1
      ndevices: 1
      libinput:
        version: "none: recorded by carry"
        git: "unknown"
      system:
        os: "unknown"
        kernel: \(quoted(kernel))
        dmi: "unknown"
      devices:
      - node: \(quoted(node))
        evdev:
          name: \(quoted(d.name))
          id: [\(d.bus), \(d.vendor), \(d.product), \(d.version)]
          codes:

      """
    for type in d.codes.keys.sorted() {
      let codes = d.codes[type]?.codes ?? []
      if codes.isEmpty { continue }
      out += "      \(type): [\(codes.map(String.init).joined(separator: ", "))]\n"
    }
    out += "    absinfo:\(d.axes.isEmpty ? " {}" : "")\n"
    for code in d.axes.keys.sorted() {
      guard let a = d.axes[code] else { continue }
      out += "      \(code): [\(a.minimum), \(a.maximum), \(a.fuzz), \(a.flat), \(a.resolution)]\n"
    }
    out += "    properties: [\(d.properties.codes.map(String.init).joined(separator: ", "))]\n"
    out += "  udev:\n    properties:\n"
    for line in udevProperties(d) { out += "    - \(line)\n" }
    if d.calibration != .identity {
      let c = d.calibration
      let numbers = [c.a, c.b, c.c, c.d, c.e, c.f].map { "\($0)" }.joined(separator: " ")
      out += "    - LIBINPUT_CALIBRATION_MATRIX=\(numbers)\n"
    }
    out += "  quirks:\n  events:\n"
    return out
  }

  /// One frame: the events up to its SYN_REPORT, which is included.
  package static func frame(_ events: some Sequence<EvdevEvent>) -> String {
    var out = "  - evdev:\n"
    for e in events {
      let time = max(0, e.time.microseconds)
      out += "    - [\(padded(time / 1_000_000, 3)), \(padded(time % 1_000_000, 6)), \(padded(Int64(e.type), 3)), "
      out += "\(padded(Int64(e.code), 3)), \(padded(Int64(e.value), 7))]\n"
    }
    return out
  }

  /// The whole file.
  package static func text(_ description: DeviceDescription, events: [EvdevEvent], node: String) -> [UInt8] {
    var out = Array(header(description, node: node).utf8)
    var start = 0
    for (i, e) in events.enumerated()
    where (e.type == Evdev.syn && e.code == Evdev.synReport) || i == events.count - 1 {
      out += frame(events[start...i]).utf8
      start = i + 1
    }
    return out
  }

  private static func udevProperties(_ d: DeviceDescription) -> [String] {
    switch d.kind {
    case .touchscreen: ["ID_INPUT=1", "ID_INPUT_TOUCHSCREEN=1"]
    case .trackpad: ["ID_INPUT=1", "ID_INPUT_TOUCHPAD=1"]
    case .other: ["ID_INPUT=1"]
    }
  }

  private static func padded(_ n: Int64, _ width: Int) -> String {
    let digits = String(n)
    return String(repeating: " ", count: max(0, width - digits.count)) + digits
  }

  /// A double-quoted YAML scalar, which can contain any text.
  private static func quoted(_ text: String) -> String {
    var out = "\""
    for s in text.unicodeScalars {
      switch s {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case let c where c.value < 0x20 || c.value == 0x7F:
        let digits = String(c.value, radix: 16)
        out += "\\x" + String(repeating: "0", count: 2 - digits.count) + digits
      default: out.unicodeScalars.append(s)
      }
    }
    return out + "\""
  }
}
