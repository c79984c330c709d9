import CarryModel

/// An outline of lines and curves, in pixels of its picture. The enclosed area is visible; overlapping parts are
/// joined.
public struct Path: Equatable, Sendable {
  var model = CarryModel.PreviewPath()
  private var last = Point(x: 0, y: 0)

  /// Creates an empty path: no outline.
  public init() {}

  /// Creates a rectangle.
  public init(rect: Rect) { addRoundedRect(rect, cornerRadius: 0) }

  /// Creates a rectangle with round corners; the radius is limited to half of the shorter side.
  public init(roundedRect rect: Rect, cornerRadius: Double) { addRoundedRect(rect, cornerRadius: cornerRadius) }

  /// Creates an ellipse that fills a rectangle.
  public init(ovalIn rect: Rect) {
    let (x, y) = (Double(rect.x), Double(rect.y))
    let (rx, ry) = (Double(rect.width) / 2, Double(rect.height) / 2)
    addCorners(x, y, 2 * rx, 2 * ry, rx, ry)
  }

  /// Whether the path contains nothing.
  public var isEmpty: Bool { model.isEmpty }

  /// Begins a new part at a point.
  public mutating func move(to point: Point) {
    last = point
    model.add(.move(point.model))
  }

  /// Adds a straight line from the part's last point.
  public mutating func addLine(to point: Point) {
    begin()
    last = point
    model.add(.line(point.model))
  }

  /// Adds a cubic Bézier curve from the part's last point.
  public mutating func addCurve(to point: Point, control1: Point, control2: Point) {
    begin()
    last = point
    model.add(.curve(control1.model, control2.model, point.model))
  }

  /// Ends the part with a straight line to its beginning.
  public mutating func closeSubpath() { if !isEmpty { model.add(.close) } }

  /// Adds a rectangle with round corners as a part of its own.
  public mutating func addRoundedRect(_ rect: Rect, cornerRadius: Double) {
    let (w, h) = (Double(max(0, rect.width)), Double(max(0, rect.height)))
    let r = cornerRadius.isFinite ? max(0, min(cornerRadius, min(w, h) / 2)) : 0
    addCorners(Double(rect.x), Double(rect.y), w, h, r, r)
  }

  /// Adds all parts of another path.
  public mutating func addPath(_ other: Path) {
    for step in other.model.steps { model.add(step) }
    last = other.last
  }

  private mutating func begin() { if isEmpty { move(to: last) } }

  /// A quarter of an ellipse is a cubic curve whose handles are 0.5523 of the radius long: 4/3 (√2 − 1).
  private mutating func addCorners(_ x: Double, _ y: Double, _ w: Double, _ h: Double, _ rx: Double, _ ry: Double) {
    func p(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }
    guard rx > 0, ry > 0 else {
      move(to: p(x, y))
      for corner in [p(x + w, y), p(x + w, y + h), p(x, y + h)] { addLine(to: corner) }
      return closeSubpath()
    }
    let (kx, ky) = (rx * (1 - 0.552_284_75), ry * (1 - 0.552_284_75))
    move(to: p(x + rx, y))
    addLine(to: p(x + w - rx, y))
    addCurve(to: p(x + w, y + ry), control1: p(x + w - kx, y), control2: p(x + w, y + ky))
    addLine(to: p(x + w, y + h - ry))
    addCurve(to: p(x + w - rx, y + h), control1: p(x + w, y + h - ky), control2: p(x + w - kx, y + h))
    addLine(to: p(x + rx, y + h))
    addCurve(to: p(x, y + h - ry), control1: p(x + kx, y + h), control2: p(x, y + h - ky))
    addLine(to: p(x, y + ry))
    addCurve(to: p(x + rx, y), control1: p(x, y + ky), control2: p(x + kx, y))
    closeSubpath()
  }

  /// The bounding box of the path, including the curves' control points; nil for an empty path.
  public var boundingBox: (x: Double, y: Double, width: Double, height: Double)? {
    guard !isEmpty else { return nil }
    let box = model.boundingBox
    return (box.x, box.y, box.width, box.height)
  }
}

extension Point {
  var model: CarryModel.Point { CarryModel.Point(x: x, y: y) }
}
