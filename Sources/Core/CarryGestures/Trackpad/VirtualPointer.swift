package import CarryModel

/// A pointer that a trackpad moves without an X server: for recordings, which must mean the same everywhere.
///
/// The pointer moves linearly: a fixed number of pixels per millimetre, without acceleration, and never off the
/// screen.
package struct VirtualPointer: Equatable, Sendable {
  /// Screen pixels.
  package private(set) var point: Point
  private var screen: Rect
  private let pixelsPerMillimetre: Double

  /// Makes a pointer in the middle of the screen.
  package init(screen: Rect, pixelsPerMillimetre: Double) {
    self.screen = screen
    self.pixelsPerMillimetre = pixelsPerMillimetre
    point = screen.center
  }

  /// Adapts to another screen size.
  package mutating func resize(_ screen: Rect) {
    self.screen = screen
    move(.zero)
  }

  /// - Parameter motion: millimetres on the pad.
  mutating func move(_ motion: Point) {
    let x = point.x + motion.x * pixelsPerMillimetre
    let y = point.y + motion.y * pixelsPerMillimetre
    guard x.isFinite, y.isFinite else { return }
    point.x = max(screen.x, min(max(screen.x, screen.maxX - 1), x))
    point.y = max(screen.y, min(max(screen.y, screen.maxY - 1), y))
  }
}
