import DemoKit

/// What one icon of the dock starts.
struct Entry: Equatable {
  let name: String
  /// The program and its arguments. They come from the command line or a `.desktop` file, and from nowhere else.
  let words: [String]
  /// A picture's path.
  var icon: String?

  /// What its windows are known as, where that is said.
  private var windowClass: String?

  /// What its windows are known as: else its program's name, without the folder.
  var program: String { windowClass ?? words.first?.split(separator: "/").last.map(String.init) ?? "" }

  /// `NAME=COMMAND`, or nil.
  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex,
      let words = Self.split(argument[argument.index(after: equals)...]), !words.isEmpty
    else { return nil }
    name = String(argument[..<equals])
    self.words = words
  }

  /// A `.desktop` file's text; nil when it starts nothing.
  init?(desktopFile text: String) {
    var values: [Substring: Substring] = [:]
    var isEntry = false
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") {
        isEntry = line == "[Desktop Entry]"
      } else if isEntry, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
        let key = line[..<equals].split(separator: " ").first ?? ""
        values[key] = line[line.index(after: equals)...].drop { $0 == " " }
      }
    }
    guard values["Type"] == "Application", values["Hidden"] != "true", let name = values["Name"],
      let exec = values["Exec"], let words = Self.split(exec)
    else { return nil }
    // Codes stand for files, of which there are none.
    self.words = words.compactMap { word in
      word == "%%" ? "%" : word.count == 2 && word.hasPrefix("%") ? nil : word
    }
    guard !self.words.isEmpty else { return nil }
    self.name = String(name)
    if let known = values["StartupWMClass"], !known.isEmpty { windowClass = String(known) }
    if let icon = values["Icon"], icon.hasPrefix("/") { self.icon = String(icon) }
  }

  init(name: String, words: [String]) { (self.name, self.words) = (name, words) }

  /// Words with quotes round what belongs together, as in a `.desktop` file; nil where a quote is left open. No shell
  /// has anything to do with it.
  static func split(_ text: some StringProtocol) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for ch in text {
      if isEscaped {
        word = (word ?? "") + String(ch)
        isEscaped = false
      } else if ch == "\\", quote != "'" {
        isEscaped = true
      } else if ch == quote {
        quote = nil
      } else if quote == nil, ch == "\"" || ch == "'" {
        quote = ch
        word = word ?? ""
      } else if quote == nil, ch == " " || ch == "\t" {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(ch)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let done = word { words.append(done) }
    return words
  }
}
