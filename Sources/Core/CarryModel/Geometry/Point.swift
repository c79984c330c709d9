/// A position on the screen or inside a window, in pixels unless a declaration says otherwise; y grows downwards.
package struct Point: Equatable, Hashable, Codable, Sendable {
  package var x: Double
  package var y: Double

  package static let zero = Point(x: 0, y: 0)

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
  package static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }

  /// The straight distance to another point, in the unit of the coordinates.
  package func distance(to other: Point) -> Double {
    let dx = x - other.x
    let dy = y - other.y
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The point that lies `fraction` of the way to `other`; 0 is this point, 1 is the other.
  package func interpolated(to other: Point, fraction: Double) -> Point {
    Point(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction)
  }
}

/// A width and a height in pixels.
package struct Size: Equatable, Hashable, Codable, Sendable {
  package var width: Double
  package var height: Double

  package static let zero = Size(width: 0, height: 0)

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  package var isEmpty: Bool { !(width > 0 && height > 0) }
}
