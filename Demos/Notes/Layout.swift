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

  /// The pictures of the note.
  let pictures: [(mark: UnicodeScalar, range: Range<Int>, box: Box)]

  /// - Parameters:
  ///   - count: how many tabs there are; 0 for a bar without.
  ///   - ratio: a picture's height to its width.
  init(
    width: Double, height: Double, count: Int, note: Note, scroll: Double, ratio: (UnicodeScalar) -> Double
  ) {
    all = Box(0, 0, width, height)
    let room = max(60, width - 12 - 52)
    let each = max(44, min(190, room / Double(max(1, count))))
    tabs = (0..<count).map { Box(12 + Double($0) * each, 8, each - 4, Self.bar - 8) }
    plus = count == 0 ? Box(0, 0, 0, 0) : Box(min(width - 44, 12 + Double(count) * each + 2), 10, 32, 30)
    var top = Self.bar + 26
    if note.link != nil {
      link = Box(Self.margin, top, max(120, min(520, width - 2 * Self.margin)), Self.card)
      top += Self.card + 22
    } else {
      link = nil
    }
    page = Box(Self.margin, top, max(60, width - 2 * Self.margin), max(20, height - top - 20))
    // The first line of a note is its name; below a link the link's is.
    let marks = note.marks
    let holes = Self.holes(note, marks, page.width, ratio)
    let lines = TextLayout(
      note.text, Self.style, width: page.width, spacing: 1.35,
      heading: note.link == nil ? note.paragraphs.first?.count ?? 0 : 0, holes: holes)
    self.lines = lines
    let origin = Point(x: page.x, y: page.y - scroll)
    self.origin = origin
    pictures = zip(marks, holes).map { mark, hole in
      let place = lines.place(of: hole.range.lowerBound).moved(origin.x, origin.y)
      return (
        mark.mark, mark.range, Box(place.x, place.y + Self.gap / 2, hole.width - Self.gap, hole.height - Self.gap)
      )
    }
  }

  private static let gap = 12.0

  private static func cell(_ width: Double) -> (width: Double, height: Double) {
    let w = max(24, min(280, (width / 2).rounded(.down) - gap))
    return (w, (w * 0.68).rounded())
  }

  /// About where something that is dropped will be: text where the caret is, pictures below it.
  func landing(at offset: Int, picture: Int?, of count: Int) -> Point {
    let caret = caret(at: offset)
    guard let picture else { return Point(x: min(page.maxX - 40, caret.x + 110), y: caret.center.y + 18) }
    var cell = Self.cell(page.width)
    if count == 1 { cell = (min(420, page.width - Self.gap), 240) }
    return Point(
      x: page.x + (Double(picture % 2) + 0.5) * (cell.width + Self.gap),
      y: min(page.maxY, caret.maxY + 8 + (Double(picture / 2) + 0.5) * (cell.height + Self.gap)))
  }

  /// A picture alone has its own shape; several in a row are of one size, two beside each other.
  private static func holes(
    _ note: Note, _ marks: [(mark: UnicodeScalar, range: Range<Int>)], _ width: Double,
    _ ratio: (UnicodeScalar) -> Double
  ) -> [TextLayout.Hole] {
    let ranges = marks.map(\.range)
    return marks.map { mark, range in
      let isAlone =
        !ranges.contains { $0.upperBound == range.lowerBound || $0.lowerBound == range.upperBound }
      var (w, h) = cell(width)
      if isAlone {
        w = min(width - gap - 1, 420, 320 / max(0.05, ratio(mark)))
        h = max(24, min(320, (w * ratio(mark)).rounded()))
      }
      return TextLayout.Hole(range, width: max(24, w) + gap, height: max(24, h) + gap)
    }
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
