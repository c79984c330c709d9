import CWindow
package import Carry

/// A rectangle in the kit's units: pixels of a screen with 96 dots an inch, whatever the real one has; y points down.
package struct Box: Equatable, Sendable {
  package var x, y, width, height: Double

  package init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  package init(center: Point, width: Double, height: Double) {
    self.init(center.x - width / 2, center.y - height / 2, width, height)
  }

  package var center: Point { Point(x: x + width / 2, y: y + height / 2) }
  package var maxX: Double { x + width }
  package var maxY: Double { y + height }

  package func contains(_ p: Point) -> Bool { p.x >= x && p.x < maxX && p.y >= y && p.y < maxY }

  /// The box, smaller by this much on each side; a negative distance makes it larger.
  package func inset(_ d: Double) -> Box { Box(x + d, y + d, width - 2 * d, height - 2 * d) }

  package func moved(_ dx: Double, _ dy: Double) -> Box { Box(x + dx, y + dy, width, height) }

  /// The same place in whole pixels of the window, for a Carry region.
  package func pixels(_ scale: Double) -> Rect {
    func whole(_ v: Double) -> Int { Int(max(-100_000, min(100_000, (v * scale).rounded()))) }
    return Rect(
      x: whole(x), y: whole(y), width: max(0, whole(maxX) - whole(x)), height: max(0, whole(maxY) - whole(y)))
  }
}

extension Point {
  package static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
  package static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
  package static func * (a: Point, k: Double) -> Point { Point(x: a.x * k, y: a.y * k) }
  package var length: Double { (x * x + y * y).squareRoot() }
}

extension Double {
  /// The sine of an angle in radians.
  package var sine: Double { sin(self) }
  package var cosine: Double { cos(self) }
}
