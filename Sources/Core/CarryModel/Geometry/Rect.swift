/// An axis-aligned rectangle in pixels; the right and bottom edges are outside.
package struct Rect: Equatable, Hashable, Codable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package init(origin: Point, size: Size) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  package var origin: Point { Point(x: x, y: y) }
  package var size: Size { Size(width: width, height: height) }
  package var maxX: Double { x + width }
  package var maxY: Double { y + height }
  package var center: Point { Point(x: x + width / 2, y: y + height / 2) }
  package var isEmpty: Bool { !(width > 0 && height > 0) }

  package func contains(_ p: Point) -> Bool {
    p.x >= x && p.y >= y && p.x < x + width && p.y < y + height
  }

  /// The intersection of two rectangles; empty if they do not overlap.
  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return Rect(x: left, y: top, width: 0, height: 0) }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest rectangle that contains both.
  package func union(_ other: Rect) -> Rect {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// The parts of the rectangle outside another one: up to four disjoint rectangles.
  package func subtracting(_ other: Rect) -> [Rect] {
    let hole = intersection(other)
    guard !hole.isEmpty else { return isEmpty ? [] : [self] }
    return [
      Rect(x: x, y: y, width: width, height: hole.y - y),
      Rect(x: x, y: hole.y, width: hole.x - x, height: hole.height),
      Rect(x: hole.maxX, y: hole.y, width: maxX - hole.maxX, height: hole.height),
      Rect(x: x, y: hole.maxY, width: width, height: maxY - hole.maxY),
    ].filter { !$0.isEmpty }
  }

  /// The point just outside the rectangle that is nearest to a point inside it; nil if the rectangle fills `bounds`.
  package func nearestOutside(to point: Point, within bounds: Rect) -> Point? {
    let places = [
      Point(x: x - 2, y: point.y), Point(x: maxX + 1, y: point.y), Point(x: point.x, y: y - 2),
      Point(x: point.x, y: maxY + 1),
    ]
    return places.filter { bounds.contains($0) }.min { $0.distance(to: point) < $1.distance(to: point) }
  }

  package func offset(by d: Point) -> Rect { Rect(x: x + d.x, y: y + d.y, width: width, height: height) }

  /// The rectangle shrunk by `amount` pixels on each side (grown when negative).
  package func insetBy(_ amount: Double) -> Rect {
    Rect(x: x + amount, y: y + amount, width: width - 2 * amount, height: height - 2 * amount)
  }
}
