import Carry
import DemoKit

/// Where everything is, in units of the kit; the cells with the scrolling.
struct Grid: Equatable {
  /// What is seen of the cells.
  var area: Box
  /// Where images are dropped to be deleted.
  var zone: Box
  var columns: Int
  private var cell: (width: Double, height: Double)
  private static let gap = 14.0
  private static let margin = 24.0

  static func == (a: Grid, b: Grid) -> Bool { a.area == b.area && a.zone == b.zone && a.columns == b.columns }

  init(_ width: Double, _ height: Double) {
    let m = Self.margin
    zone = Box(m, max(120, height - 142), max(100, width - 2 * m), 118)
    area = Box(0, 76, width, max(40, zone.y - 12 - 76))
    let wide = max(120, width - 2 * m)
    columns = max(2, Int((wide + Self.gap) / (168 + Self.gap)))
    let each = (wide - Double(columns - 1) * Self.gap) / Double(columns)
    cell = (each, (each * 0.75).rounded())
  }

  /// A cell as it is without scrolling.
  func cell(_ i: Int) -> Box {
    Box(
      Self.margin + Double(i % columns) * (cell.width + Self.gap),
      area.y + 8 + Double(i / columns) * (cell.height + Self.gap), cell.width, cell.height)
  }

  /// How far so many images scroll.
  func range(_ count: Int) -> Double { count == 0 ? 0 : max(0, cell(count - 1).maxY + 10 - area.maxY) }

  /// The part of a cell that is seen; nil when there is none.
  func seen(_ box: Box) -> Box? {
    let (top, bottom) = (max(box.y, area.y), min(box.maxY, area.maxY))
    return bottom - top > 8 ? Box(box.x, top, box.width, bottom - top) : nil
  }
}
