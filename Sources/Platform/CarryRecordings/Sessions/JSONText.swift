/// A JSON value. Numbers stay text, so that none loses a digit.
indirect enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  /// In the order of the text.
  case object([(key: String, value: JSONValue)])

  static func == (a: JSONValue, b: JSONValue) -> Bool { a.text == b.text }

  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The value on one line.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): Self.write(string, to: &text)
    case .array(let values):
      text += "["
      for (i, value) in values.enumerated() {
        if i > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (i, member) in members.enumerated() {
        if i > 0 { text += "," }
        Self.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      // Line separators and the like, so that an editor shows one line a record.
      case let s where s.value < 32 || (0x7f...0x9f).contains(s.value) || (0x2028...0x2029).contains(s.value):
        let digits = String(s.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// Reads one line of JSON (RFC 8259).
struct JSONParser {
  struct Failure: Error { let message: String }

  private static let maxDepth = 32

  private let bytes: ArraySlice<UInt8>
  private var place: Int
  private var depth = 0

  static func parse(_ bytes: ArraySlice<UInt8>) throws(Failure) -> JSONValue {
    var parser = JSONParser(bytes: bytes, place: bytes.startIndex)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.place == bytes.endIndex else { throw Failure(message: "there is more behind the JSON value") }
    return value
  }

  private var next: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  private mutating func skipSpace() { while let c = next, c == 32 || (9...13).contains(c) { place += 1 } }

  private mutating func accept(_ c: Character) -> Bool {
    skipSpace()
    guard next == c.asciiValue else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ c: Character) throws(Failure) {
    guard accept(c) else { throw Failure(message: "'\(c)' is missing at byte \(place - bytes.startIndex + 1)") }
  }

  private mutating func value() throws(Failure) -> JSONValue {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else { throw Failure(message: "it is nested too deeply") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"):
      place += 1
      var members: [(key: String, value: JSONValue)] = []
      while !accept("}") {
        if !members.isEmpty { try expect(",") }
        try expect("\"")
        let key = try string()
        try expect(":")
        members.append((key, try value()))
      }
      return .object(members)
    case UInt8(ascii: "["):
      place += 1
      var values: [JSONValue] = []
      while !accept("]") {
        if !values.isEmpty { try expect(",") }
        values.append(try value())
      }
      return .array(values)
    case UInt8(ascii: "\""):
      place += 1
      return .string(try string())
    default:
      let start = place
      while let c = next, c > 32, ![44, 93, 125].contains(c) { place += 1 }
      let word = String(decoding: bytes[start..<place], as: UTF8.self)
      switch word {
      case "null": return .null
      case "true": return .bool(true)
      case "false": return .bool(false)
      default:
        guard Double(word) != nil else {
          throw Failure(message: "there is no JSON value at byte \(start - bytes.startIndex + 1)")
        }
        return .number(word)
      }
    }
  }

  /// The rest of a string, behind its first quotation mark.
  private mutating func string() throws(Failure) -> String {
    var text: [UInt8] = []
    var high: UInt32?
    while let c = next {
      place += 1
      if c == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      guard c == UInt8(ascii: "\\"), let escaped = next else {
        text.append(c)
        continue
      }
      place += 1
      switch escaped {
      case UInt8(ascii: "n"): text.append(10)
      case UInt8(ascii: "t"): text.append(9)
      case UInt8(ascii: "r"): text.append(13)
      case UInt8(ascii: "b"): text.append(8)
      case UInt8(ascii: "f"): text.append(12)
      case UInt8(ascii: "u"):
        guard bytes.endIndex - place >= 4,
          let unit = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
        else { throw Failure(message: "\\u needs four digits") }
        place += 4
        if (0xd800..<0xdc00).contains(unit) {
          high = unit
        } else {
          var value = unit
          if let first = high, (0xdc00..<0xe000).contains(unit) {
            value = 0x10000 + (first - 0xd800) << 10 + (unit - 0xdc00)
          }
          high = nil
          text += Array(String(Character(Unicode.Scalar(value) ?? "\u{fffd}")).utf8)
        }
      default: text.append(escaped)
      }
    }
    throw Failure(message: "a string does not end")
  }
}
