/// Writes one JSON object on one line, keys in the order they are added.
package struct JSONLine {
  private var body = "{"

  package init() {}

  /// The object, without a newline.
  package var text: String { body + "}" }

  package mutating func add(_ key: String, _ value: String) {
    begin(key)
    Self.quote(value, &body)
  }

  package mutating func add(_ key: String, _ value: Int) {
    begin(key)
    body += String(value)
  }

  package mutating func add(_ key: String, _ value: Bool) {
    begin(key)
    body += value ? "true" : "false"
  }

  /// At most six digits after the point, no exponent.
  package mutating func add(_ key: String, _ value: Double) {
    begin(key)
    body += Decimal.text(value)
  }

  package mutating func add(_ key: String, _ values: [String]) {
    begin(key)
    body += "["
    for (i, value) in values.enumerated() {
      if i > 0 { body += ", " }
      Self.quote(value, &body)
    }
    body += "]"
  }

  package mutating func add(_ key: String, _ values: [JSONLine]) {
    begin(key)
    body += "[" + values.map(\.text).joined(separator: ", ") + "]"
  }

  package mutating func add(_ key: String, _ object: JSONLine) {
    begin(key)
    body += object.text
  }

  private mutating func begin(_ key: String) {
    if body.utf8.count > 1 { body += ", " }
    Self.quote(key, &body)
    body += ": "
  }

  private static func quote(_ text: String, _ out: inout String) {
    out += "\""
    for s in text.unicodeScalars {
      switch s.value {
      case 0x22: out += "\\\""
      case 0x5C: out += "\\\\"
      case 0x0A: out += "\\n"
      case 0x0D: out += "\\r"
      case 0x09: out += "\\t"
      // C1 controls and separators too: JSON allows them, but terminals and line readers do not handle them well.
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
        let digits = String(s.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(s)
      }
    }
    out += "\""
  }
}
