import CarryContacts
import CarryEvdev
import CarryModel

/// Reads what Android's `getevent` prints: devices as `getevent -p` does, and events as `getevent -t` does, each with
/// names (`-l`) or without.
enum GeteventParser {
  private static let maxDevices = 64
  /// The kernel's EV_MAX.
  private static let maxType: UInt16 = 0x1f

  /// Whether a line near the beginning is the first of a device, or an event.
  static func recognises(_ text: [UInt8]) -> Bool {
    String(decoding: text.prefix(16_384), as: UTF8.self).split(separator: "\n" as Character).contains { line in
      let line = unquoted(line)
      return line.hasPrefix("add device ") && line.contains("/dev/input/") || EventLine(line)?.isComplete == true
    }
  }

  /// - Parameter file: the name to use in errors.
  static func parse(_ text: [UInt8], file: String) throws(FileProblem) -> Recording {
    var devices: [(node: String, description: DeviceDescription)] = []
    var events: [String: [EvdevEvent]] = [:]
    var problems = ProblemList()
    var isProperties = false
    var type: UInt16?
    var number = 0
    for bytes in text.lazySplit(at: 0x0A) {
      number += 1
      if bytes.isEmpty { continue }
      guard bytes.count <= EvemuParser.longestLine else {
        throw FileProblem(
          file: file, line: number, message: "the line is longer than \(EvemuParser.longestLine / 1024) KiB")
      }
      let line = unquoted(Substring(decoding: bytes, as: UTF8.self))
      let words = line.split { $0.isWhitespace || $0 == "," }
      if let event = EventLine(line) {
        guard let time = event.time else {
          throw FileProblem(file: file, line: number, message: "the events have no times; getevent -t prints them")
        }
        if let code = event.code, let value = event.value {
          events[event.node, default: []].append(EvdevEvent(time: time, type: event.type, code: code, value: value))
        } else {
          problems.record(.brokenEventLine, at: number)
        }
      } else if line.hasPrefix("add device "), let node = words.last {
        devices.removeAll { $0.node == node }
        devices.append((String(node), DeviceDescription()))
        guard devices.count <= maxDevices else {
          throw FileProblem(file: file, line: number, message: "there are more than \(maxDevices) devices")
        }
        (type, isProperties) = (nil, false)
      } else if !devices.isEmpty {
        describe(&devices[devices.count - 1].description, line, words, &type, &isProperties)
      }
    }
    guard !devices.isEmpty || !events.isEmpty else {
      throw FileProblem(file: file, message: "getevent's output without a device and without events")
    }
    if devices.isEmpty {
      return Recording(events: events.max { $0.value.count < $1.value.count }?.value ?? [], problems: problems)
    }
    // Of one device, getevent does not say which it is.
    if let unnamed = events.removeValue(forKey: "") {
      let touched = devices.first { $0.description.kind != .other } ?? devices[0]
      events[touched.node, default: []] += unnamed
    }
    return Recording(of: devices.map { ($0.description, events[$0.node] ?? []) }, problems)
  }

  /// A line of a device's description.
  private static func describe(
    _ device: inout DeviceDescription, _ line: Substring, _ words: [Substring], _ type: inout UInt16?,
    _ isProperties: inout Bool
  ) {
    guard let first = words.first else { return }
    func hex(_ word: Substring?) -> UInt16? { word.flatMap { UInt16($0, radix: 16) } }
    switch first {
    case "bus:": device.bus = hex(words.last) ?? 0
    case "vendor": device.vendor = hex(words.last) ?? 0
    case "product": device.product = hex(words.last) ?? 0
    case "version": device.version = hex(words.last) ?? 0
    case "name:": device.name = String(line.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }.prefix(255))
    case "input" where line.hasPrefix("input props:"): (type, isProperties) = (nil, true)
    default:
      if isProperties {
        if let property = EvdevNames.property(String(first)) ?? hex(first) { device.properties.insert(property) }
        return
      }
      var words = words[...]
      // "ABS (0003): ABS_X : value 0, min 0, max 1279", and further lines from the code on.
      if words.count > 1, words[1].hasPrefix("("), words[1].hasSuffix("):") {
        type = hex(words[1].dropFirst().dropLast(2))
        words = words.dropFirst(2)
      }
      guard let type, type <= maxType else { return }
      let codes = words.prefix { $0 != ":" }.compactMap { EvdevNames.code(String($0), ofType: type) ?? hex($0) }
      for code in codes { device.codes[type, default: CodeSet()].insert(code) }
      guard type == Evdev.abs, let code = codes.first, code <= Evdev.absMax else { return }
      func value(_ key: Substring) -> Int32 {
        words.firstIndex(of: key).flatMap { $0 + 1 < words.endIndex ? Int32(words[$0 + 1]) : nil } ?? 0
      }
      device.axes[code] = AxisRange(
        value("min"), value("max"), fuzz: value("fuzz"), flat: value("flat"), resolution: value("resolution"))
    }
  }

  /// A mail may quote it.
  private static func unquoted(_ line: Substring) -> Substring { line.drop { $0 == ">" || $0.isWhitespace } }

  /// `[   12.500000] /dev/input/event4: EV_ABS  ABS_MT_POSITION_X  00000280`, or the same in numbers. Of one device the
  /// node is left out, and without `-t` the time.
  private struct EventLine {
    let time: Instant?
    let node: String
    let type: UInt16
    let code: UInt16?
    let value: Int32?

    var isComplete: Bool { code != nil && value != nil }

    init?(_ line: Substring) {
      var rest = line
      var time: Instant?
      if rest.first == "[", let end = rest.firstIndex(of: "]") {
        time = EvtestParser.time(String(rest[..<end].dropFirst().drop { $0 == " " }))
        guard time != nil else { return nil }
        rest = rest[rest.index(after: end)...]
      }
      var words = rest.split { $0.isWhitespace }
      let node = words.first.flatMap { $0.hasPrefix("/dev/input/") && $0.hasSuffix(":") ? $0.dropLast() : nil }
      if node != nil { words.removeFirst() }
      guard words.count == 3, time != nil || node != nil else { return nil }
      // No line of another log.
      let type = EvdevNames.type(String(words[0])) ?? (words[0].count == 4 ? UInt16(words[0], radix: 16) : nil)
      guard let type, type <= GeteventParser.maxType else { return nil }
      self.time = time
      self.node = node.map(String.init) ?? ""
      self.type = type
      code = EvdevNames.code(String(words[1]), ofType: type) ?? UInt16(words[1], radix: 16)
      value =
        Self.values[words[2]] ?? UInt32(words[2], radix: 16).map { Int32(bitPattern: $0) }
    }

    private static let values: [Substring: Int32] = [
      "UP": 0, "DOWN": 1, "REPEAT": 2, "MT_TOOL_FINGER": 0, "MT_TOOL_PEN": 1, "MT_TOOL_PALM": 2,
    ]
  }
}
