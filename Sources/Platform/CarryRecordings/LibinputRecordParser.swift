import CYaml
import CarryContacts
import CarryEvdev
import CarryModel

/// Reads the YAML that `libinput record` writes, file format version 1. Unknown keys are skipped.
///
/// libyaml parses the file. Its events are handled as they come, and a stack keeps the path to the present scalar, so
/// only the required parts of the document are held in memory.
enum LibinputRecordParser {
  /// Maximum nesting depth, deeper than that of any recording; a file that is nested more deeply is refused.
  private static let maxDepth = 16

  /// Whether a file begins like a `libinput record` file.
  static func recognises(_ bytes: [UInt8]) -> Bool {
    for line in bytes.prefix(128 * 1024).split(separator: 10) {
      if line.first == UInt8(ascii: "#") || line.starts(with: Array("---".utf8)) { continue }
      return line.starts(with: Array("version:".utf8)) || line.starts(with: Array("ndevices:".utf8))
        || line.starts(with: Array("libinput:".utf8))
    }
    return false
  }

  /// The reader's position in the document.
  private struct Level {
    let isMapping: Bool
    /// In a mapping, the key whose value comes next; nil if a key comes next.
    var key: String?
    var count = 0
    /// The numbers of a sequence that holds only numbers.
    var numbers: [Int64] = []
  }

  private struct Device {
    var description = DeviceDescription()
    var events: [EvdevEvent] = []
  }

  static func parse(_ bytes: [UInt8], file: String) throws(FileProblem) -> Recording {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else {
      throw FileProblem(file: file, line: 0, message: "there is no memory to read it")
    }
    defer { yaml_parser_delete(&parser) }
    var reader = Reader(file: file)
    let failure: FileProblem? = bytes.withUnsafeBufferPointer { buffer -> FileProblem? in
      yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
      while true {
        var event = yaml_event_t()
        guard yaml_parser_parse(&parser, &event) == 1 else {
          let line = Int(clamping: parser.problem_mark.line) + 1
          let problem = parser.problem.map { String(cString: $0) } ?? "it is no YAML"
          // The recording was cut off, for example by a full disk: the part before the break is good.
          if reader.hasEvents {
            reader.problems.record(.cutOff, at: line)
            return nil
          }
          return FileProblem(file: file, line: line, message: problem)
        }
        defer { yaml_event_delete(&event) }
        if event.type == YAML_STREAM_END_EVENT { return nil }
        do throws(FileProblem) { try reader.handle(&event, maxDepth: maxDepth) } catch { return error }
      }
    }
    if let failure { throw failure }
    return try reader.recording()
  }

  private struct Reader {
    let file: String
    var problems = ProblemList()
    private var levels: [Level] = []
    private var devices: [Device] = []
    private var version: Int64?

    init(file: String) { self.file = file }

    var hasEvents: Bool { devices.contains { !$0.events.isEmpty } }

    mutating func handle(_ event: inout yaml_event_t, maxDepth: Int) throws(FileProblem) {
      let line = Int(clamping: event.start_mark.line) + 1
      switch event.type {
      case YAML_MAPPING_START_EVENT, YAML_SEQUENCE_START_EVENT:
        guard levels.count < maxDepth else {
          throw FileProblem(file: file, line: line, message: "it is nested too deeply for a recording")
        }
        if isAt(["devices"]), levels.last?.isMapping == false { devices.append(Device()) }
        levels.append(Level(isMapping: event.type == YAML_MAPPING_START_EVENT))
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT:
        guard let closed = levels.popLast() else { return }
        if !closed.isMapping { sequenceEnded(closed, line: line) }
        valueEnded()
      case YAML_SCALAR_EVENT:
        let bytes = UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length)
        scalar(String(decoding: bytes, as: UTF8.self), line: line)
      case YAML_ALIAS_EVENT:
        // No recorder writes aliases, and following them could make a small file endless.
        throw FileProblem(file: file, line: line, message: "an alias (*name) has no place in a recording")
      default:
        break
      }
    }

    /// Whether the mappings around the reader's position have these keys, from the outermost in.
    private func isAt(_ keys: [String]) -> Bool {
      var i = 0
      for level in levels where level.isMapping {
        guard i < keys.count, level.key == keys[i] else { return false }
        i += 1
      }
      return i == keys.count
    }

    private mutating func valueEnded() {
      guard !levels.isEmpty else { return }
      if levels[levels.count - 1].isMapping { levels[levels.count - 1].key = nil }
    }

    private mutating func scalar(_ text: String, line: Int) {
      guard let last = levels.last else { return }
      if last.isMapping {
        guard last.key != nil else {
          levels[levels.count - 1].key = text
          return
        }
        if isAt(["version"]) { version = Int64(text) }
        if isAt(["devices", "evdev", "name"]), !devices.isEmpty {
          devices[devices.count - 1].description.name = text
        }
        levels[levels.count - 1].key = nil
      } else {
        let calibration = "LIBINPUT_CALIBRATION_MATRIX="
        if text.hasPrefix(calibration), isAt(["devices", "udev", "properties"]), !devices.isEmpty {
          devices[devices.count - 1].description.calibration =
            DeviceMonitor.calibration(String(text.dropFirst(calibration.count)))
        }
        levels[levels.count - 1].count += 1
        if let n = Int64(text), last.numbers.count < 1024 { levels[levels.count - 1].numbers.append(n) }
      }
    }

    private mutating func sequenceEnded(_ closed: Level, line: Int) {
      guard !devices.isEmpty else { return }
      let d = devices.count - 1
      let n = closed.numbers
      // [seconds, microseconds, type, code, value]
      if isAt(["devices", "events", "evdev"]) {
        guard n.count == 5, closed.count == 5, let type = UInt16(exactly: n[2]), let code = UInt16(exactly: n[3]),
          let value = Int32(exactly: n[4]) ?? UInt32(exactly: n[4]).map({ Int32(bitPattern: $0) })
        else {
          if closed.count > 0, closed.numbers.count == closed.count { problems.record(.brokenEventLine, at: line) }
          return
        }
        let (seconds, overflow) = n[0].multipliedReportingOverflow(by: 1_000_000)
        let (time, overflow2) = seconds.addingReportingOverflow(n[1])
        guard !overflow, !overflow2 else { return problems.record(.brokenEventLine, at: line) }
        devices[d].events.append(
          EvdevEvent(time: Instant(microseconds: time), type: type, code: code, value: value))
      } else if isAt(["devices", "evdev", "id"]), n.count >= 4 {
        devices[d].description.bus = UInt16(truncatingIfNeeded: n[0])
        devices[d].description.vendor = UInt16(truncatingIfNeeded: n[1])
        devices[d].description.product = UInt16(truncatingIfNeeded: n[2])
        devices[d].description.version = UInt16(truncatingIfNeeded: n[3])
      } else if isAt(["devices", "evdev", "properties"]) {
        for p in n where (0..<64).contains(p) { devices[d].description.properties.insert(UInt16(p)) }
      } else if let code = key(below: ["devices", "evdev", "codes"]) {
        devices[d].description.codes[code] = CodeSet(n.compactMap { (0..<768).contains($0) ? UInt16($0) : nil })
      } else if let code = key(below: ["devices", "evdev", "absinfo"]), n.count >= 2 {
        func value(_ i: Int) -> Int32 { i < n.count ? Int32(clamping: n[i]) : 0 }
        devices[d].description.axes[code] = AxisRange(
          value(0), value(1), fuzz: value(2), flat: value(3), resolution: value(4))
      }
    }

    /// The innermost key as a number, if it lies directly below these keys.
    private func key(below keys: [String]) -> UInt16? {
      guard let last = levels.last(where: { $0.isMapping })?.key, let code = UInt16(last) else { return nil }
      return isAt(keys + [last]) ? code : nil
    }

    func recording() throws(FileProblem) -> Recording {
      if let version, version != 1 {
        throw FileProblem(file: file, line: 0, message: "file format version \(version) is not known; 1 is")
      }
      guard hasEvents else {
        throw FileProblem(
          file: file, line: 0, message: devices.isEmpty ? "it holds no device" : "it holds no events")
      }
      return Recording(of: devices.map { ($0.description, $0.events) }, problems)
    }
  }
}
