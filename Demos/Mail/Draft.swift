/// What is being written: paragraphs, and images between them. A value, so that going back is putting an earlier one in
/// its place. There is text, if only an empty one, before and behind each image.
struct Draft: Equatable {
  enum Block: Equatable {
    case text(String)
    /// By its number.
    case image(Int)
  }

  /// A place between two characters: offsets are bytes of UTF-8, at the borders of characters.
  struct Caret: Equatable {
    var block: Int
    var offset: Int
    /// As one number, which grows along the letter.
    var number: Int { block << 32 | offset }

    init(block: Int, offset: Int) { (self.block, self.offset) = (block, offset) }
    init(number: Int) { self.init(block: number >> 32, offset: number & 0xFFFF_FFFF) }
  }

  private(set) var blocks: [Block] = [.text("")]
  private(set) var caret = Caret(block: 0, offset: 0)

  /// A letter is no library.
  static let longest = 1 << 18

  init(_ text: String) {
    blocks = [.text(text)]
    caret = Caret(block: 0, offset: text.utf8.count)
  }

  func text(_ block: Int) -> String? {
    guard blocks.indices.contains(block), case .text(let text) = blocks[block] else { return nil }
    return text
  }

  /// All of it; images are named.
  var summary: [String] {
    blocks.map { block in
      switch block {
      case .text(let text): "text: " + text
      case .image(let id): "image \(id)"
      }
    }
  }

  private static func index(_ offset: Int, in text: String) -> String.Index {
    let place = text.utf8.index(text.startIndex, offsetBy: max(0, min(text.utf8.count, offset)))
    // Rounded down to a character's border.
    return text.indices.contains(place) || place == text.endIndex ? place : text.index(before: text.index(after: place))
  }

  mutating func place(at new: Caret) {
    let block = max(0, min(blocks.count - 1, new.block))
    guard let text = text(block) else { return }
    let place = Self.index(new.offset, in: text)
    caret = Caret(block: block, offset: text.utf8.distance(from: text.startIndex, to: place))
  }

  /// The nearer end of the paragraph that a place is in: where an image goes, which splits no word.
  func border(near place: Caret) -> Caret {
    guard let text = text(place.block) else { return place }
    let bytes = Array(text.utf8)
    let offset = max(0, min(bytes.count, place.offset))
    let start = bytes[..<offset].lastIndex(of: 10).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(of: 10) ?? bytes.count
    return Caret(block: place.block, offset: offset - start < end - offset ? start : end)
  }

  /// Puts text at the caret, which is behind it then; without the control characters that nobody sees.
  mutating func insert(_ new: String) {
    guard var text = text(caret.block), text.utf8.count + new.utf8.count <= Self.longest else { return }
    var seen = String.UnicodeScalarView()
    for s in new.unicodeScalars where s == "\n" || s == "\t" || (s.value >= 0x20 && !(0x7F...0x9F).contains(s.value)) {
      seen.append(s)
    }
    text.insert(contentsOf: String(seen), at: Self.index(caret.offset, in: text))
    blocks[caret.block] = .text(text)
    place(at: Caret(block: caret.block, offset: caret.offset + String(seen).utf8.count))
  }

  /// Puts words at the caret, with a space between them and words that they would be glued to.
  mutating func insert(words: String) {
    guard let text = text(caret.block), let first = words.first, let last = words.last else { return }
    let at = Self.index(caret.offset, in: text)
    let needsOneBefore = text[..<at].last?.isWhitespace == false && (first.isLetter || first.isNumber)
    let needsOneBehind = text[at...].first.map { $0.isLetter || $0.isNumber } == true && !last.isWhitespace
    insert((needsOneBefore ? " " : "") + words + (needsOneBehind ? " " : ""))
  }

  /// Makes room for images at the caret: it ends up behind them.
  mutating func insert(images: [Int]) {
    guard let text = text(caret.block), !images.isEmpty else { return }
    let at = Self.index(caret.offset, in: text)
    // An image has lines of its own: a break beside it would be an empty one.
    var (head, tail) = (String(text[..<at]), String(text[at...]))
    if head.last == "\n" { head.removeLast() }
    if tail.first == "\n" { tail.removeFirst() }
    var new: [Block] = [.text(head)]
    for (i, id) in images.enumerated() {
      new.append(.image(id))
      new.append(.text(i == images.count - 1 ? tail : ""))
    }
    blocks.replaceSubrange(caret.block...caret.block, with: new)
    caret = Caret(block: caret.block + new.count - 1, offset: 0)
  }

  /// Takes an image out; the texts around it become one.
  mutating func remove(image id: Int) {
    guard let i = blocks.firstIndex(of: .image(id)), let before = text(i - 1), let behind = text(i + 1) else { return }
    let joint = before.isEmpty || behind.isEmpty ? "" : "\n"
    blocks.replaceSubrange(i - 1...i + 1, with: [.text(before + joint + behind)])
    if caret.block > i {
      let shift = caret.block == i + 1 ? before.utf8.count + joint.utf8.count : 0
      caret = Caret(block: caret.block - 2, offset: caret.offset + shift)
    }
    place(at: caret)
  }

  mutating func deleteBackward() {
    guard var text = text(caret.block) else { return }
    let at = Self.index(caret.offset, in: text)
    guard at > text.startIndex else {
      if caret.block > 0, case .image(let id) = blocks[caret.block - 1] { remove(image: id) }
      return
    }
    let before = text.index(before: at)
    let offset = text.utf8.distance(from: text.startIndex, to: before)
    text.remove(at: before)
    blocks[caret.block] = .text(text)
    place(at: Caret(block: caret.block, offset: offset))
  }

  /// One character to the left or to the right, past images too.
  mutating func step(_ direction: Int) {
    guard let text = text(caret.block) else { return }
    let at = Self.index(caret.offset, in: text)
    if direction < 0 {
      guard at > text.startIndex else {
        if let before = self.text(caret.block - 2) { caret = Caret(block: caret.block - 2, offset: before.utf8.count) }
        return
      }
      caret.offset = text.utf8.distance(from: text.startIndex, to: text.index(before: at))
    } else {
      guard at < text.endIndex else {
        if self.text(caret.block + 2) != nil { caret = Caret(block: caret.block + 2, offset: 0) }
        return
      }
      caret.offset = text.utf8.distance(from: text.startIndex, to: text.index(after: at))
    }
  }
}
