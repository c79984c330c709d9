/// A 3×3 row-major matrix on homogeneous coordinates, like X's "Coordinate Transformation Matrix" and libinput's
/// calibration: both apply to positions normalised to 0…1.
package struct Transform: Equatable, Sendable {
  package var a, b, c: Double
  package var d, e, f: Double
  package var g, h, i: Double

  package static let identity = Transform([1, 0, 0, 0, 1, 0, 0, 0, 1])

  /// Accepts nine numbers in row-major order, or only the first two rows; anything else gives the identity.
  package init(_ m: [Double]) {
    let v: [Double]
    switch m.count {
    case 9: v = m
    case 6: v = m + [0, 0, 1]
    default: v = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    }
    (a, b, c) = (v[0], v[1], v[2])
    (d, e, f) = (v[3], v[4], v[5])
    (g, h, i) = (v[6], v[7], v[8])
  }

  /// The image of a point; a point at infinity stays where it was.
  package func apply(_ p: Point) -> Point {
    let w = g * p.x + h * p.y + i
    guard w != 0, w.isFinite else { return p }
    return Point(x: (a * p.x + b * p.y + c) / w, y: (d * p.x + e * p.y + f) / w)
  }
}
