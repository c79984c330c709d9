import CarryContacts
import CarryModel

/// Reads what `evtest` prints: the device's description, and its events.
enum EvtestParser {
  /// Whether a line near the beginning is one of a description, or an event.
  static func recognises(_ text: [UInt8]) -> Bool {
    String(decoding: text.prefix(16_384), as: UTF8.self).split(separator: "\n" as Character).contains { line in
      let line = line.drop { $0 == ">" || $0.isWhitespace }
      return line.hasPrefix("Input driver version is") || line.hasPrefix("Event: time ")
    }
  }

  /// - Parameter file: the name to use in errors.
  static func parse(_ text: [UInt8], file: String) throws(FileProblem) -> Recording {
    var device = DeviceDescription()
    var recording = Recording()
    var (type, code): (UInt16?, UInt16?)
    var isProperty = false
    var hasDescription = false
    var number = 0
    for bytes in text.lazySplit(at: 0x0A) {
      number += 1
      if bytes.isEmpty { continue }
      guard bytes.count <= EvemuParser.longestLine else {
        throw FileProblem(
          file: file, line: number, message: "the line is longer than \(EvemuParser.longestLine / 1024) KiB")
      }
      // A mail may quote it.
      let line = String(decoding: bytes, as: UTF8.self).drop { $0 == ">" || $0.isWhitespace }
      let words = line.split { $0.isWhitespace || $0 == "," }.map(String.init)
      guard let first = words.first else { continue }
      if line.hasPrefix("Event: time ") {
        if let event = event(words) {
          recording.events.append(event)
        } else {
          recording.problems.record(.brokenEventLine, at: number)
        }
      } else if line.hasPrefix("Input device ID:") {
        hasDescription = true
        let ids = words.compactMap { $0.hasPrefix("0x") ? UInt16($0.dropFirst(2), radix: 16) : nil }
        if ids.count == 4 {
          (device.bus, device.vendor, device.product, device.version) = (ids[0], ids[1], ids[2], ids[3])
        }
      } else if line.hasPrefix("Input device name:") {
        device.name = String(line.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }.prefix(255))
      } else if line.hasPrefix("Event type "), words.count > 2 {
        (type, code, isProperty) = (UInt16(words[2]), nil, false)
      } else if line.hasPrefix("Event code "), words.count > 2, let type {
        code = UInt16(words[2])
        if let code { device.codes[type, default: CodeSet()].insert(code) }
        if type == Evdev.abs, let code, code <= Evdev.absMax { device.axes[code] = AxisRange(0, 0) }
      } else if line.hasPrefix("Property type ") || line.hasPrefix("Property code "), words.count > 2 {
        isProperty = true
        if let property = UInt16(words[2]) { device.properties.insert(property) }
      } else if !isProperty, type == Evdev.abs, let code, words.count == 2, let value = Int32(words[1]) {
        switch first {
        case "Min": device.axes[code]?.minimum = value
        case "Max": device.axes[code]?.maximum = value
        case "Fuzz": device.axes[code]?.fuzz = value
        case "Flat": device.axes[code]?.flat = value
        case "Resolution": device.axes[code]?.resolution = value
        default: break
        }
      }
    }
    if hasDescription { recording.description = device }
    guard hasDescription || !recording.events.isEmpty else {
      throw FileProblem(file: file, message: "evtest's output without a device and without events")
    }
    return recording
  }

  /// `Event: time 1.000002, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 12`, or a report between dashes.
  private static func event(_ words: [String]) -> EvdevEvent? {
    guard words.count > 3, words[1] == "time", let time = time(words[2]) else { return nil }
    if words[3].hasPrefix("---") {
      let code: UInt16? =
        switch words.count > 4 ? words[4] : "" {
        case "SYN_REPORT": Evdev.synReport
        case "SYN_MT_REPORT": Evdev.synMtReport
        case "SYN_DROPPED": Evdev.synDropped
        default: nil
        }
      return code.map { EvdevEvent(time: time, type: Evdev.syn, code: $0, value: 0) }
    }
    // Older versions add what the code means, in words that may be several.
    guard words[3] == "type", words.count > 4, let type = UInt16(words[4]),
      let at = words.firstIndex(of: "code"), at + 1 < words.count, let code = UInt16(words[at + 1]),
      let last = words.lastIndex(of: "value"), last + 1 < words.count
    else { return nil }
    // Keys are in decimal, scan codes in hexadecimal.
    guard let value = Int32(words[last + 1]) ?? UInt32(words[last + 1], radix: 16).map({ Int32(bitPattern: $0) })
    else { return nil }
    return EvdevEvent(time: time, type: type, code: code, value: value)
  }

  /// Seconds with up to six digits behind the point.
  static func time(_ text: String) -> Instant? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let seconds = Int64(parts[0]), (0...Int64(UInt32.max)).contains(seconds),
      parts[1].count <= 6, let part = Int64(parts[1]), part >= 0
    else { return nil }
    let scale = [1_000_000, 100_000, 10_000, 1000, 100, 10, 1][parts[1].count]
    return Instant(microseconds: seconds * 1_000_000 + part * Int64(scale))
  }
}
