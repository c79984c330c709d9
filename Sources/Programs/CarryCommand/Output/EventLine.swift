import Carry
import CarryModel
import CarrySystem

/// One event of a session, as specified for the command line: a JSON object, or a line of text.
struct EventLine {
  private var json = JSONLine()
  private var words: [String]

  /// - Parameter time: In seconds of the monotonic clock; nil for now.
  init(_ event: String, time: Double? = nil) {
    let t = time ?? MonotonicClock.now().seconds
    json.add("t", t)
    json.add("event", event)
    words = [event]
  }

  mutating func add(session: UInt32) {
    json.add("session", Int(session))
    words.append("session \(session)")
  }

  mutating func add(items: Int, types: [String]) {
    json.add("items", items)
    // No types are known before the drag begins.
    if !types.isEmpty { json.add("types", types) }
    let list = types.isEmpty ? "" : " (\(types.map { SafeText.displayable($0) }.joined(separator: ", ")))"
    words.append("\(items) item\(items == 1 ? "" : "s")\(list)")
  }

  /// Adds the number of items and their types, each type once.
  mutating func add(_ list: [DragItem]) {
    var types: [String] = []
    for item in list {
      for t in item.itemProvider.registeredTypes where !types.contains(t) { types.append(t) }
    }
    add(items: list.count, types: types)
  }

  mutating func add(_ point: Carry.Point) {
    // A recording may say anything.
    func onScreen(_ value: Double) -> Double { value.isNaN ? 0 : max(-1e6, min(1e6, value)) }
    let point = Carry.Point(x: onScreen(point.x), y: onScreen(point.y))
    json.add("x", point.x)
    json.add("y", point.y)
    words.append("at \(Int(point.x)), \(Int(point.y))")
  }

  mutating func add(_ operation: Carry.DropOperation) {
    let word =
      switch operation {
      case .cancel: "cancel"
      case .forbidden: "forbidden"
      case .copy: "copy"
      case .move: "move"
      }
    json.add("operation", word)
    words.append(word)
  }

  /// Adds a text field; `label` precedes it in the line of text.
  mutating func add(_ key: String, _ value: String, label: String? = nil) {
    json.add(key, value)
    words.append(label.map { "\($0) \(value)" } ?? value)
  }

  /// Adds a text field that is quoted in the line of text.
  mutating func add(_ key: String, quoted value: String) {
    json.add(key, value)
    words.append("'\(value)'")
  }

  /// Adds a number that is called as its key.
  mutating func add(_ key: String, _ value: Int) {
    json.add(key, value)
    words.append("\(key) \(value)")
  }

  mutating func add(_ key: String, _ value: Int, unit: String) {
    json.add(key, value)
    words.append("\(value) \(unit)")
  }

  /// An object, which a person reads in other words.
  mutating func add(_ key: String, _ fields: JSONLine, words text: String) {
    json.add(key, fields)
    words.append(text)
  }

  /// - Parameter prefix: precedes the line of text.
  func print(asJSON: Bool, prefix: String = "", _ printer: Printer) {
    printer.line(asJSON ? json.text : prefix + words.joined(separator: "  "))
    printer.flush()
  }
}
