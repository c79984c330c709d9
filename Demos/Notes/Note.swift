/// One note: text with a caret, and a link where it was made from one. Offsets are bytes of UTF-8, at the borders of
/// characters.
struct Note: Equatable {
  let id: Int
  private(set) var text = ""
  /// The end of the selection that moves.
  private(set) var caret = 0
  /// The end that stays.
  private(set) var anchor = 0
  var link: Link?

  /// A note is no library.
  static let longest = 1 << 20

  init(id: Int, text: String = "", link: Link? = nil) {
    self.id = id
    self.text = Self.harmless(text)
    self.link = link
  }

  var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }
  var isEmpty: Bool { text.isEmpty && link == nil }

  /// The first line that says something.
  var title: String {
    if let link { return link.host }
    let line = words.split(separator: "\n").first { $0.contains { !$0.isWhitespace } }
    return line.map { String($0.prefix(60)) } ?? "New note"
  }

  /// Text without the control characters that nobody sees, and without what would be pictures here.
  static func harmless(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for s in text.unicodeScalars where s == "\n" || s == "\t" || (s.value >= 0x20 && !(0x7F...0x9F).contains(s.value)) {
      if !Attachment.isMark(s) { out.append(s) }
    }
    return String(out)
  }

  /// The text without its pictures.
  var words: String { Self.harmless(text) }

  /// Where the pictures are, each a character.
  var marks: [(mark: UnicodeScalar, range: Range<Int>)] {
    var (list, at): ([(UnicodeScalar, Range<Int>)], Int) = ([], 0)
    for s in text.unicodeScalars {
      let length = UTF8.width(s)
      if Attachment.isMark(s) { list.append((s, at..<(at + length))) }
      at += length
    }
    return list
  }

  // MARK: Places

  private func index(_ offset: Int) -> String.Index {
    let place = text.utf8.index(text.startIndex, offsetBy: max(0, min(text.utf8.count, offset)))
    // Rounded down to a character's border.
    return text.indices.contains(place) || place == text.endIndex ? place : text.index(before: text.index(after: place))
  }

  private func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }

  func slice(_ range: Range<Int>) -> String {
    let (start, end) = (index(range.lowerBound), index(range.upperBound))
    return start < end ? String(text[start..<end]) : ""
  }

  private func before(_ offset: Int) -> Int {
    let i = index(offset)
    return i > text.startIndex ? self.offset(text.index(before: i)) : 0
  }

  private func after(_ offset: Int) -> Int {
    let i = index(offset)
    return i < text.endIndex ? self.offset(text.index(after: i)) : text.utf8.count
  }

  /// The paragraphs, without their ends of line.
  var paragraphs: [Range<Int>] {
    var list: [Range<Int>] = []
    var start = 0
    for (i, byte) in text.utf8.enumerated() where byte == 10 {
      list.append(start..<i)
      start = i + 1
    }
    list.append(start..<text.utf8.count)
    return list
  }

  // MARK: Moving

  mutating func place(at offset: Int, selecting: Bool = false) {
    caret = self.offset(index(offset))
    if !selecting { anchor = caret }
  }

  mutating func moveLeft(selecting: Bool) {
    place(at: selecting || selection.isEmpty ? before(caret) : selection.lowerBound, selecting: selecting)
  }

  mutating func moveRight(selecting: Bool) {
    place(at: selecting || selection.isEmpty ? after(caret) : selection.upperBound, selecting: selecting)
  }

  mutating func select(_ range: Range<Int>) {
    anchor = offset(index(range.lowerBound))
    caret = offset(index(range.upperBound))
  }

  // MARK: Changing

  /// Puts text in the place of a range; the caret is behind it.
  mutating func replace(_ range: Range<Int>, with new: String) { put(range, Self.harmless(new)) }

  /// Puts pictures, and text about them, in the place of the selection: in lines of their own.
  mutating func insert(pieces: [Piece]) {
    var new = String.UnicodeScalarView()
    var last = slice(0..<selection.lowerBound).unicodeScalars.last
    func add(_ text: some Sequence<UnicodeScalar>) {
      for s in text {
        new.append(s)
        last = s
      }
    }
    for piece in pieces {
      let isInLine = last != nil && last != "\n"
      switch piece {
      case .text(let text):
        if isInLine, !new.isEmpty { add("\n".unicodeScalars) }
        add(Self.harmless(text).unicodeScalars)
      case .picture(let mark):
        if isInLine, last.map(Attachment.isMark) == false { add("\n".unicodeScalars) }
        add([mark])
      }
    }
    let next = slice(selection.upperBound..<text.utf8.count).unicodeScalars.first
    if last.map(Attachment.isMark) == true, next != "\n" { add("\n".unicodeScalars) }
    put(selection, String(new))
  }

  /// What is put into a note.
  enum Piece {
    case text(String)
    case picture(UnicodeScalar)
  }

  private mutating func put(_ range: Range<Int>, _ new: String) {
    guard text.utf8.count - range.count + new.utf8.count <= Self.longest else { return }
    let (start, end) = (index(range.lowerBound), index(range.upperBound))
    guard start <= end else { return }
    let at = offset(start)
    text.replaceSubrange(start..<end, with: new)
    place(at: at + new.utf8.count)
  }

  mutating func insert(_ new: String) { replace(selection, with: new) }

  mutating func deleteBackward() {
    replace(selection.isEmpty ? before(caret)..<caret : selection, with: "")
  }

  mutating func deleteForward() {
    replace(selection.isEmpty ? caret..<after(caret) : selection, with: "")
  }

  /// Moves a part of the text to another place of it, and selects it there.
  mutating func move(_ range: Range<Int>, to target: Int) {
    guard target <= range.lowerBound || target >= range.upperBound else { return }
    let part = slice(range)
    let at = target >= range.upperBound ? target - range.count : target
    put(range, "")
    put(at..<at, part)
    select(at..<(at + part.utf8.count))
  }
}
