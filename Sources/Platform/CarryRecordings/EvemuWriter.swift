package import CarryContacts
import CarryModel

/// Writes evemu recordings, version 1.3.
package enum EvemuWriter {
  /// The whole file, with the description first. Event times are kept, but times before zero become zero.
  package static func text(_ description: DeviceDescription, events: [EvdevEvent]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(4096 + events.count * 34)
    append(&out, "# EVEMU 1.3\n")
    // The name must stay on one line, so its control characters become blanks.
    let name = String(String.UnicodeScalarView(description.name.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
    append(&out, "N: \(name)\n")
    let ids = [description.bus, description.vendor, description.product, description.version]
    append(&out, "I: \(ids.map { hex(UInt64($0), 4) }.joined(separator: " "))\n")
    masks(&out, "P:", description.properties)
    for type in description.codes.keys.sorted() {
      masks(&out, "B: \(hex(UInt64(type), 2))", description.codes[type] ?? CodeSet())
    }
    for code in description.axes.keys.sorted() {
      guard let a = description.axes[code] else { continue }
      append(&out, "A: \(hex(UInt64(code), 2)) \(a.minimum) \(a.maximum) \(a.fuzz) \(a.flat) \(a.resolution)\n")
    }
    for event in events { append(&out, line(event)) }
    return out
  }

  private static func line(_ event: EvdevEvent) -> String {
    let time = max(0, event.time.microseconds)
    return "E: \(time / 1_000_000).\(decimal(time % 1_000_000, 6)) \(hex(UInt64(event.type), 4)) "
      + "\(hex(UInt64(event.code), 4)) \(decimal(Int64(event.value), 4))\n"
  }

  private static func masks(_ out: inout [UInt8], _ prefix: String, _ set: CodeSet) {
    var bytes = set.bytes
    while bytes.isEmpty || bytes.count % 8 != 0 { bytes.append(0) }
    for start in stride(from: 0, to: bytes.count, by: 8) {
      append(&out, prefix)
      for byte in bytes[start..<start + 8] { append(&out, " " + hex(UInt64(byte), 2)) }
      out.append(0x0A)
    }
  }

  private static func append(_ out: inout [UInt8], _ text: String) { out.append(contentsOf: text.utf8) }

  private static func hex(_ value: UInt64, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Padded as printf's `%0*d` pads: the sign counts.
  private static func decimal(_ value: Int64, _ width: Int) -> String {
    let digits = String(value.magnitude)
    let sign = value < 0 ? "-" : ""
    return sign + String(repeating: "0", count: max(0, width - digits.count - sign.count)) + digits
  }
}
