import Carry
import DemoKit

/// Where everything in the window is, for one state of the notes.
struct Layout {
  static let bar = 46.0
  static let margin = 34.0
  static let card = 66.0

  let all: Box
  let tabs: [Box]
  let plus: Box
  /// The current note's link, or nil.
  let link: Box?
  /// What can be seen of the text.
  let page: Box
  let lines: TextLayout
  /// Where the text's first line begins: above the page when it is scrolled.
  let origin: Point

  static let style = TextStyle(16, color: Color(0x33302B))

  init(width: Double, height: Double, count: Int, note: Note, scroll: Double) {
    all = Box(0, 0, width, height)
    let room = max(60, width - 12 - 52)
    let each = max(44, min(190, room / Double(max(1, count))))
    tabs = (0..<count).map { Box(12 + Double($0) * each, 8, each - 4, Self.bar - 8) }
    plus = Box(min(width - 44, 12 + Double(count) * each + 2), 10, 32, 30)
    var top = Self.bar + 26
    if note.link != nil {
      link = Box(Self.margin, top, max(120, min(520, width - 2 * Self.margin)), Self.card)
      top += Self.card + 22
    } else {
      link = nil
    }
    page = Box(Self.margin, top, max(60, width - 2 * Self.margin), max(20, height - top - 20))
    // The first line of a note is its name; below a link the link's is.
    lines = TextLayout(
      note.text, Self.style, width: page.width, spacing: 1.35,
      heading: note.link == nil ? note.paragraphs.first?.count ?? 0 : 0)
    origin = Point(x: page.x, y: page.y - scroll)
  }

  /// How far the text can be scrolled.
  var most: Double { max(0, lines.size.height + 40 - page.height) }

  func offset(at p: Point) -> Int { lines.offset(at: p - origin) }

  func caret(at offset: Int) -> Box { lines.caret(at: offset).moved(origin.x, origin.y) }

  func boxes(_ range: Range<Int>) -> [Box] {
    lines.boxes(from: range.lowerBound, to: range.upperBound).map { $0.moved(origin.x, origin.y) }
  }

  /// One box round a part of the text, as far as it can be seen; nil when it cannot.
  func frame(of range: Range<Int>) -> Box? {
    let boxes = boxes(range)
    guard let first = boxes.first else { return nil }
    var (left, top, right, bottom) = (first.x, first.y, first.maxX, first.maxY)
    for b in boxes {
      (left, top, right, bottom) = (min(left, b.x), min(top, b.y), max(right, b.maxX), max(bottom, b.maxY))
    }
    (left, top) = (left - 8, max(page.y - 6, top - 3))
    (right, bottom) = (right + 8, min(page.maxY, bottom + 3))
    return bottom - top > 8 ? Box(left, top, right - left, bottom - top) : nil
  }
}
