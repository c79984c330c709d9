package import CarryModel

/// Parses gesture scripts: one step a line.
package struct GestureScriptParser {
  private struct Word {
    enum Kind { case bare, quoted }
    var kind: Kind
    var text: String
    /// From 1, in characters.
    var column: Int
  }

  private let file: String
  private var line = 0
  private var words: ArraySlice<Word> = []
  private var endColumn = 1

  private init(file: String) { self.file = file }

  private static let verbs: Set<String> = [
    "screen", "down", "press", "move", "tap", "up", "cancel", "wait", "hover", "handoff", "expect",
  ]

  /// Whether the text is a gesture script: its first line begins with one of its words, or with a time and one of them.
  package static func recognises(_ text: [UInt8]) -> Bool {
    var start = text.startIndex
    while start < text.endIndex {
      let bytes = text[start...].prefix { $0 != 0x0A }
      start = bytes.endIndex + 1
      guard bytes.count <= EvemuParser.longestLine else { return false }
      let line = String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace }
      if line.isEmpty || line.first == "#" { continue }
      let words = line.split(maxSplits: 2) { $0.isWhitespace }.map(String.init)
      return verbs.contains(words[0]) || (words.count > 1 && duration(words[0]) != nil && verbs.contains(words[1]))
    }
    return false
  }

  package static func parse(_ text: [UInt8], file: String) throws(FileProblem) -> GestureScript {
    var parser = GestureScriptParser(file: file)
    var script = GestureScript()
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      parser.line += 1
      try parser.split(String(decoding: line, as: UTF8.self))
      try parser.parseLine(into: &script)
    }
    return script
  }

  // MARK: Words

  private func problem(_ message: String, _ word: Word? = nil) -> FileProblem {
    FileProblem(file: file, line: line, message: "column \(word?.column ?? endColumn): \(message)")
  }

  private mutating func split(_ text: String) throws(FileProblem) {
    var list: [Word] = []
    var rest = Substring(text)
    var column = 1
    while let first = rest.first {
      if first == "#" { break }
      if first.isWhitespace {
        rest.removeFirst()
        column += 1
        continue
      }
      var word = Word(kind: first == "\"" ? .quoted : .bare, text: "", column: column)
      if first == "\"" {
        rest.removeFirst()
        column += 1
        var isClosed = false
        while let c = rest.popFirst() {
          column += 1
          if c == "\"" {
            isClosed = true
            break
          }
          if c == "\\", let escaped = rest.popFirst() {
            column += 1
            word.text.append(escaped)
          } else {
            word.text.append(c)
          }
        }
        guard isClosed else { throw problem("the quotation does not end", word) }
      } else {
        while let c = rest.first, !c.isWhitespace, c != "#" {
          word.text.append(c)
          rest.removeFirst()
          column += 1
        }
      }
      list.append(word)
    }
    words = list[...]
    endColumn = column
  }

  /// Removes the next word if it is this one.
  private mutating func accept(_ text: String) -> Bool {
    guard let word = words.first, word.kind == .bare, word.text == text else { return false }
    words.removeFirst()
    return true
  }

  private mutating func next(_ what: String) throws(FileProblem) -> Word {
    guard let word = words.popFirst() else { throw problem("\(what) is missing") }
    return word
  }

  // MARK: Values

  /// `400ms`, `1.5s`.
  private static func duration(_ text: String) -> Interval? {
    let isShort = text.hasSuffix("ms")
    guard isShort || text.hasSuffix("s"), let number = Double(text.dropLast(isShort ? 2 : 1)), number >= 0,
      number <= (isShort ? 3_600_000 : 3600)
    else { return nil }
    return Interval(microseconds: Int64((number * (isShort ? 1_000 : 1_000_000)).rounded()))
  }

  private mutating func duration() throws(FileProblem) -> Interval {
    let word = try next("a time such as 400ms or 1.5s")
    guard let interval = Self.duration(word.text) else {
      throw problem("a time is written as 400ms or 1.5s, and is an hour at most; not '\(word.text)'", word)
    }
    return interval
  }

  private mutating func finger(orDefault: Int? = 1) throws(FileProblem) -> Int {
    guard let word = words.first, word.kind == .bare, let number = Int(word.text) else {
      if let orDefault { return orDefault }
      throw problem("a finger's number is missing", words.first)
    }
    guard GestureScript.fingers.contains(number) else { throw problem("fingers have the numbers 1 to 10", word) }
    words.removeFirst()
    return number
  }

  private mutating func place() throws(FileProblem) -> GestureScript.Place {
    let word = try next("a place: 320,200 or 50%,20% or a region's label in quotation marks")
    if word.kind == .quoted {
      guard !word.text.isEmpty else { throw problem("the label is empty", word) }
      var fraction = Point(x: 0.5, y: 0.5)
      if let part = words.first, part.kind == .bare, let parsed = Self.pair(part.text), parsed.isPercent {
        words.removeFirst()
        fraction = parsed.point
      }
      return .region(word.text, fraction: fraction)
    }
    guard let parsed = Self.pair(word.text) else {
      throw problem(
        "a place is written as 320,200 or 50%,20%, or as a region's label in quotation marks, not '\(word.text)'", word)
    }
    return parsed.isPercent ? .fraction(parsed.point) : .pixels(parsed.point)
  }

  /// `320,200` or `50%,20%`.
  private static func pair(_ text: String) -> (point: Point, isPercent: Bool)? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let isPercent = parts.allSatisfy { $0.hasSuffix("%") }
    let numbers = parts.compactMap { Double(isPercent ? $0.dropLast() : $0) }
    guard numbers.count == 2, numbers.allSatisfy({ (-100_000...100_000).contains($0) }) else { return nil }
    let scale = isPercent ? 100.0 : 1
    return (Point(x: numbers[0] / scale, y: numbers[1] / scale), isPercent)
  }

  private mutating func quoted(_ what: String = "a label") throws(FileProblem) -> String {
    let word = try next("\(what) in quotation marks")
    guard word.kind == .quoted, !word.text.isEmpty else {
      throw problem("\(what) is a text in quotation marks: \"\(word.text.isEmpty ? "…" : word.text)\"", word)
    }
    return word.text
  }

  // MARK: Lines

  private mutating func parseLine(into script: inout GestureScript) throws(FileProblem) {
    guard !words.isEmpty else { return }
    var start: Interval?
    if words[words.startIndex].kind == .bare, let time = Self.duration(words[words.startIndex].text) {
      words.removeFirst()
      start = time
    }
    let verb = try next("a step")
    guard verb.kind == .bare, Self.verbs.contains(verb.text) else {
      throw problem(
        "a step begins with press, down, move, tap, wait, up, cancel, handoff, expect or screen, not '\(verb.text)'",
        verb)
    }
    if verb.text == "screen" {
      guard start == nil, script.steps.isEmpty else { throw problem("screen is the first line", verb) }
      script.screen = try screen()
    } else {
      script.steps.append(GestureScript.Step(line: line, start: start, action: try action(verb)))
    }
    if let extra = words.first { throw problem("'\(extra.text)' is not expected here", extra) }
  }

  private mutating func screen() throws(FileProblem) -> Size {
    let word = try next("a size such as 1280x800")
    let numbers = word.text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Double($0) }
    guard numbers.count == 2, numbers.allSatisfy({ (1...32_767).contains($0) }) else {
      throw problem("a screen's size is written as 1280x800, not '\(word.text)'", word)
    }
    return Size(width: numbers[0], height: numbers[1])
  }

  private mutating func action(_ verb: Word) throws(FileProblem) -> GestureScript.Action {
    switch verb.text {
    case "down": return .down(finger: try finger(), try place())
    case "press": return .press(finger: try finger(), try place())
    case "tap": return .tap(finger: try finger(), try place())
    case "up": return .up(finger: try finger())
    case "cancel": return .cancel(finger: try finger())
    case "wait", "hover": return .wait(try duration())
    case "move":
      let finger = try finger()
      guard accept("to") else { throw problem("'to' and a place are missing", words.first) }
      let place = try place()
      return .move(finger: finger, place, duration: accept("in") ? try duration() : GestureScript.moveDuration)
    case "handoff":
      let first = try finger(orDefault: nil)
      let word = words.first
      let second = try finger(orDefault: nil)
      guard first != second else { throw problem("a finger hands over to another one", word) }
      return .handOff(from: first, to: second)
    default:
      let expectation = try expectation()
      return .expect(expectation, within: accept("within") ? try duration() : nil)
    }
  }

  private mutating func expectation() throws(FileProblem) -> GestureScript.Expectation {
    let forms =
      "lift of \"A\", drop on \"B\", no drop, cancel because \"…\", spring of \"C\", or \"B\" received TYPE"
    let word = try next("what is expected: \(forms)")
    if word.kind == .quoted {
      guard accept("received") else { throw problem("'received' and a type are missing", words.first) }
      let type = try next("a media type")
      return .step(.received, target: word.text, type: type.text)
    }
    switch word.text {
    case "lift": return .step(.lifted, source: accept("of") ? try quoted() : nil)
    case "drop":
      let target = accept("on") ? try quoted() : nil
      var operation: DropOperation?
      if accept("as") {
        let name = try next("copy or move")
        guard let known = ["copy": DropOperation.copy, "move": .move][name.text] else {
          throw problem("a drop is a copy or a move, not '\(name.text)'", name)
        }
        operation = known
      }
      return .step(.dropped, target: target, operation)
    case "spring": return .step(.springActivated, target: accept("of") ? try quoted() : nil)
    case "cancel": return .step(.cancelled, because: accept("because") ? try quoted("a reason") : nil)
    case "no":
      guard accept("drop") else { throw problem("only 'no drop' can be expected not to be", words.first) }
      return .noDrop
    default: throw problem("what is expected is written as \(forms), not '\(word.text)'", word)
    }
  }
}
