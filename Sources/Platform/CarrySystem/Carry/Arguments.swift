import CarryModel

/// A mistake on the command line, with what to do next.
package struct UsageError: Explained, Equatable, Sendable {
  package var sentence: String
  package init(_ sentence: String) { self.sentence = sentence }
}

/// A command line taken apart: options by name, and the rest.
///
/// `--name value`, `--name=value`, `--flag`, `-f`, `-fg` for two flags with letters, `-h`. Words after `--` are no
/// options, and neither is a lone `-`.
package struct Arguments: Equatable, Sendable {
  /// An option that a command knows, without the dashes.
  package struct Option: Equatable, Sendable {
    package var name: String
    package var takesValue: Bool
    /// The letter of a flag after a single dash.
    package var letter: Character?
    /// Another name for it.
    package var alias: String?

    package static func flag(_ name: String, letter: Character? = nil, alias: String? = nil) -> Option {
      Option(name: name, takesValue: false, letter: letter, alias: alias)
    }
    package static func value(_ name: String) -> Option { Option(name: name, takesValue: true) }
  }

  /// The operands, in order.
  package private(set) var operands: [String] = []
  /// How many operands are before `--`; nil without it.
  package private(set) var countBeforeDashes: Int?
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []

  /// `--help` and `-h` are always known.
  package init(_ words: [String], options: [Option]) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        countBeforeDashes = operands.count
        operands += rest
        return
      }
      if word == "-h" {
        flags.insert("help")
        continue
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      guard word.hasPrefix("--") else {
        for letter in word.dropFirst() {
          guard let option = options.first(where: { $0.letter == letter }) else { throw Self.unknown("-\(letter)") }
          flags.insert(option.name)
        }
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if name == "help", parts.count == 1 {
        flags.insert("help")
        continue
      }
      guard let option = options.first(where: { $0.name == name || $0.alias == name }) else {
        throw Self.unknown("--\(name)")
      }
      if !option.takesValue {
        guard parts.count == 1 else { throw UsageError("option --\(name) takes no value") }
        flags.insert(option.name)
      } else if parts.count == 2 {
        values[name, default: []].append(String(parts[1]))
      } else if let value = rest.popFirst() {
        values[name, default: []].append(value)
      } else {
        throw UsageError("option --\(name) needs a value")
      }
    }
  }

  private static func unknown(_ word: String) -> UsageError { UsageError("unknown option \(word)") }

  package func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value given last.
  package func value(_ name: String) -> String? { values[name]?.last }

  /// All values of a repeated option, in order.
  package func values(_ name: String) -> [String] { values[name] ?? [] }

  /// The last value as a whole number.
  package func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError("--\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
    }
    return number
  }

  /// The last value as a `WIDTHxHEIGHT` in pixels.
  package func size(_ name: String) throws(UsageError) -> (width: Int, height: Int)? {
    guard let text = value(name) else { return nil }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]), (1...100_000).contains(width),
      (1...100_000).contains(height)
    else { throw UsageError("--\(name) takes a size in pixels such as 1920x1080, not '\(text)'") }
    return (width, height)
  }
}
