import CDemoKit

/// Reports what an app does as lines of JSON on standard output, for scripts and tests; silent unless asked for.
package struct Report {
  private let isOn: Bool

  package enum Value {
    case text(String)
    case number(Double)
    case list([String])
  }

  package init(isOn: Bool) { self.isOn = isOn }

  package func say(_ event: String, _ facts: (String, Value)...) {
    guard isOn else { return }
    var line = "{\"event\": \"\(event)\""
    for (name, value) in facts { line += ", \"\(name)\": " + Self.text(value) }
    Program.write(line + "}\n", to: 1)
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .text(let t): quoted(t)
    case .number(let n): n == n.rounded() && abs(n) < 1e15 ? String(Int64(n)) : String(n)
    case .list(let l): "[" + l.map(quoted).joined(separator: ", ") + "]"
    }
  }

  static func quoted(_ text: String) -> String {
    var out = "\""
    for s in text.unicodeScalars {
      switch s {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\t": out += "\\t"
      case _ where s.value < 0x20 || s.value == 0x7F:
        let hex = String(s.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: out.unicodeScalars.append(s)
      }
    }
    return out + "\""
  }
}
