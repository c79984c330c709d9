/// An outline in the pixels of its picture: lines and cubic curves, filled by the non-zero winding rule.
package struct PreviewPath: Equatable, Sendable {
  package enum Step: Equatable, Sendable {
    case move(Point)
    case line(Point)
    case curve(Point, Point, Point)
    case close
  }

  package private(set) var steps: [Step] = []
  /// The bounding box of all points, including the control points of curves.
  package private(set) var boundingBox = Rect.zero

  package init() {}

  package var isEmpty: Bool { steps.isEmpty }

  package mutating func add(_ step: Step) {
    switch step {
    case .move(let p), .line(let p): include(p)
    case .curve(let a, let b, let p):
      include(a)
      include(b)
      include(p)
    case .close: break
    }
    steps.append(step)
  }

  private mutating func include(_ p: Point) {
    guard !steps.isEmpty else {
      boundingBox = Rect(x: p.x, y: p.y, width: 0, height: 0)
      return
    }
    let (x, y) = (min(boundingBox.x, p.x), min(boundingBox.y, p.y))
    boundingBox = Rect(
      x: x, y: y, width: max(boundingBox.maxX, p.x) - x, height: max(boundingBox.maxY, p.y) - y)
  }

  // MARK: On the wire

  /// Maximum number of 32-bit words of a path, so that it fits into a message.
  package static let maxWords = 960

  /// Decodes the protocol's numbers: a kind of step, then its coordinates in 24.8 fixed point.
  ///
  /// Returns nil if the numbers are not a path: an unknown step, a truncated step, a beginning other than a move, or
  /// a point further than 32,000 pixels away.
  package init?(words: [Int32]) {
    guard words.count <= Self.maxWords else { return nil }
    var i = 0
    func point(_ at: Int) -> Point? {
      guard at + 1 < words.count else { return nil }
      let p = Point(x: Double(words[at]) / 256, y: Double(words[at + 1]) / 256)
      return abs(p.x) <= 32_000 && abs(p.y) <= 32_000 ? p : nil
    }
    while i < words.count {
      let kind = words[i]
      guard kind == 0 || !steps.isEmpty else { return nil }
      switch kind {
      case 0, 1:
        guard let p = point(i + 1) else { return nil }
        add(kind == 0 ? .move(p) : .line(p))
        i += 3
      case 2:
        guard let a = point(i + 1), let b = point(i + 3), let p = point(i + 5) else { return nil }
        add(.curve(a, b, p))
        i += 7
      case 3:
        add(.close)
        i += 1
      default: return nil
      }
    }
  }

  /// The protocol's numbers; nil if the path is too long, or has a point that is not finite or is too far away.
  package var words: [Int32]? {
    var list: [Int32] = []
    func put(_ p: Point) -> Bool {
      guard abs(p.x) <= 32_000, abs(p.y) <= 32_000 else { return false }
      list.append(Int32((p.x * 256).rounded()))
      list.append(Int32((p.y * 256).rounded()))
      return true
    }
    for step in steps {
      switch step {
      case .move(let p), .line(let p):
        if case .move = step { list.append(0) } else { list.append(1) }
        guard put(p) else { return nil }
      case .curve(let a, let b, let p):
        list.append(2)
        guard put(a), put(b), put(p) else { return nil }
      case .close: list.append(3)
      }
      guard list.count <= Self.maxWords else { return nil }
    }
    return list
  }
}
