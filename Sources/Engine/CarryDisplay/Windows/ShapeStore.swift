import CarryModel

/// The two shapes that decide where a window accepts input: its outline, and its input shape inside that.
struct ShapeStore {
  enum Kind { case bounding, input }

  private struct Shapes {
    var bounding: [Rect]?
    var input: [Rect]?
  }

  /// More rectangles than a desktop uses: rounded corners need some twenty. A shape of more counts as its bounding
  /// box.
  private static let most = 512
  private static let maxPairs = 16_384

  private var known: [UInt32: Shapes] = [:]
  private var answered: Set<UInt32> = []

  /// Whether the window's shapes have been requested and the replies have arrived.
  func isKnown(_ window: UInt32) -> Bool { answered.contains(window) }

  /// Sets a shape: rectangles in the window's coordinates. A single rectangle that covers the whole window is no
  /// shape.
  mutating func set(_ window: UInt32, _ kind: Kind, _ rects: [Rect], frame: Rect) {
    answered.insert(window)
    // Any program may give each of its windows tens of thousands of rectangles.
    let rects = rects.count > Self.most ? [Self.box(rects)] : rects
    var shape: [Rect]? = rects
    if rects.count == 1, rects[0].x <= 0, rects[0].y <= 0, rects[0].maxX >= frame.width, rects[0].maxY >= frame.height {
      shape = nil
    }
    var shapes = known[window] ?? Shapes()
    switch kind {
    case .bounding: shapes.bounding = shape
    case .input: shapes.input = shape
    }
    known[window] = shapes.bounding == nil && shapes.input == nil ? nil : shapes
  }

  mutating func forget(_ window: UInt32) {
    known[window] = nil
    answered.remove(window)
  }

  /// The window's outline; nil for a plain rectangle.
  func outline(of window: UInt32) -> [Rect]? { known[window]?.bounding }

  /// Where the window accepts input; nil for everywhere.
  func shape(of window: UInt32) -> [Rect]? {
    guard let shapes = known[window] else { return nil }
    guard let bounding = shapes.bounding, let input = shapes.input else {
      return shapes.bounding ?? shapes.input ?? []
    }
    var common: [Rect] = []
    // With so many pairs of rectangles, the bounding box of the input shape is enough.
    let inside = bounding.count * input.count > Self.maxPairs ? [Self.box(input)] : input
    for a in bounding {
      for b in inside {
        let both = a.intersection(b)
        if !both.isEmpty { common.append(both) }
        if common.count > Self.most { return [Self.box(common)] }
      }
    }
    return common
  }

  private static func box(_ rects: [Rect]) -> Rect {
    guard var box = rects.first else { return .zero }
    for r in rects {
      let left = min(box.x, r.x)
      let top = min(box.y, r.y)
      box = Rect(x: left, y: top, width: max(box.maxX, r.maxX) - left, height: max(box.maxY, r.maxY) - top)
    }
    return box
  }
}
