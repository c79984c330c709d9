import CarryModel

/// A position in pixels; y grows downwards.
public struct Point: Equatable, Sendable {
  /// Pixels from the left.
  public var x: Double
  /// Pixels from the top.
  public var y: Double

  /// Creates a point from its coordinates in pixels.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  init(_ p: CarryModel.Point) { self.init(x: p.x, y: p.y) }
}

/// A rectangle in whole pixels of an X window.
public struct Rect: Equatable, Sendable {
  /// Pixels from the window's left edge.
  public var x: Int
  /// Pixels from the window's top edge.
  public var y: Int
  /// Pixels; not negative.
  public var width: Int
  /// Pixels; not negative.
  public var height: Int

  /// Creates a rectangle from its origin and size in pixels.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

extension Rect {
  /// The common part; its width and height are 0 if there is none.
  func intersection(_ other: Rect) -> Rect {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return Rect(
      x: left, y: top, width: max(0, min(maxX, other.maxX) - left), height: max(0, min(maxY, other.maxY) - top))
  }

  /// The smallest rectangle around both.
  func union(_ other: Rect) -> Rect {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  var isEmpty: Bool { width <= 0 || height <= 0 }
  private var maxX: Int { Self.sum(x, width) }
  private var maxY: Int { Self.sum(y, height) }

  /// An application may give any numbers.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, isTooLarge) = a.addingReportingOverflow(b)
    return isTooLarge ? .max : sum
  }
}

/// The result that dropping the items here and now would have.
public enum DropOperation: UInt32, Sendable {
  /// Nothing: the drag would be cancelled. No badge.
  case cancel = 0
  /// Normally possible, but not in this case: a badge shows it. Use it sparingly.
  case forbidden = 1
  /// The destination receives the data.
  case copy = 2
  /// The destination receives the data and the source deletes it. Possible only if the source allows it, which it
  /// declares separately for its own application and for others.
  case move = 3

  init(_ o: CarryModel.DropOperation) { self = DropOperation(rawValue: o.rawValue) ?? .cancel }

  var model: CarryModel.DropOperation { CarryModel.DropOperation(rawValue: rawValue) ?? .cancel }
}
