import CarryContacts

/// Builds a device description from the lines of an evemu file.
struct DescriptionBuilder {
  private(set) var result = DeviceDescription()
  private(set) var isPresent = false

  /// Parses the rest of a line after its letter and colon; returns false if that part is incomplete or broken.
  mutating func line(_ letter: UInt8, _ s: Span<UInt8>, _ from: Int, _ end: Int) -> Bool {
    var i = from
    switch letter {
    case UInt8(ascii: "N"): name(s, from, end)
    case UInt8(ascii: "I"):
      guard let bus = EvemuScanner.hex(s, &i, end), let vendor = EvemuScanner.hex(s, &i, end),
        let product = EvemuScanner.hex(s, &i, end), let version = EvemuScanner.hex(s, &i, end)
      else { return false }
      (result.bus, result.vendor, result.product, result.version) = (bus, vendor, product, version)
    case UInt8(ascii: "P"):
      guard let bytes = mask(s, &i, end) else { return false }
      for byte in bytes { result.properties.appendMask(byte) }
    case UInt8(ascii: "B"):
      guard let type = EvemuScanner.hex(s, &i, end), type <= 0x1F, let bytes = mask(s, &i, end) else { return false }
      for byte in bytes { result.codes[type, default: CodeSet()].appendMask(byte) }
    case UInt8(ascii: "A"):
      guard let code = EvemuScanner.hex(s, &i, end), code <= Evdev.absMax,
        let minimum = EvemuScanner.value(s, &i, end), let maximum = EvemuScanner.value(s, &i, end),
        let fuzz = EvemuScanner.value(s, &i, end), let flat = EvemuScanner.value(s, &i, end)
      else { return false }
      // Version 1.2 added the resolution; a file may lack its version line, so the number itself decides.
      let resolution = EvemuScanner.value(s, &i, end) ?? 0
      result.axes[code] = AxisRange(minimum, maximum, fuzz: fuzz, flat: flat, resolution: resolution)
    default: return true  // LEDs and switches, which are not needed here.
    }
    isPresent = true
    return true
  }

  private mutating func name(_ s: Span<UInt8>, _ from: Int, _ end: Int) {
    var i = from
    EvemuScanner.skipBlanks(s, &i, end)
    var bytes: [UInt8] = []
    // The kernel's names have at most 255 bytes.
    while i < end, bytes.count < 255 {
      bytes.append(s[i])
      i += 1
    }
    while let last = bytes.last, EvemuScanner.isBlank(last) { bytes.removeLast() }
    result.name = String(decoding: bytes, as: UTF8.self)
  }

  /// Up to eight bytes in hexadecimal; a line with none, or with something else in it, is broken.
  private func mask(_ s: Span<UInt8>, _ i: inout Int, _ end: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < 8 {
      EvemuScanner.skipBlanks(s, &i, end)
      if i >= end || s[i] == UInt8(ascii: "#") { break }
      guard let byte = EvemuScanner.hex(s, &i, end), byte <= 0xFF else { return nil }
      bytes.append(UInt8(byte))
    }
    return bytes.isEmpty ? nil : bytes
  }
}
