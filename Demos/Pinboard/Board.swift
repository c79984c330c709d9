import Carry
import DemoKit

/// What hangs where: a value, so that going back is putting an earlier one in its place.
struct Board: Equatable {
  /// A photo's place.
  struct Pin: Equatable {
    let id: Int
    var center: Point
    /// Radians, clockwise.
    var angle: Double
  }

  /// The lowest first.
  private(set) var pins: [Pin] = []
  var selection: Int?

  /// How far photos that come together lie apart.
  private static let fan = 34.0

  subscript(id: Int) -> Pin? { pins.first { $0.id == id } }

  mutating func add(_ id: Int, at center: Point) {
    pins.append(Pin(id: id, center: center, angle: Self.angle(of: id)))
  }

  mutating func remove(_ id: Int) {
    pins.removeAll { $0.id == id }
    if selection == id { selection = nil }
  }

  mutating func move(_ id: Int, to center: Point) {
    guard let i = pins.firstIndex(where: { $0.id == id }) else { return }
    pins[i].center = center
  }

  /// On top of all others.
  mutating func raise(_ id: Int) {
    guard let i = pins.firstIndex(where: { $0.id == id }) else { return }
    pins.append(pins.remove(at: i))
  }

  /// The next one, or the one before, around and around.
  mutating func selectNext(backwards: Bool) {
    guard !pins.isEmpty else { return selection = nil }
    // By number: raising what is selected must not change the order.
    let ids = pins.map(\.id).sorted()
    guard let selection, let i = ids.firstIndex(of: selection) else {
      return self.selection = backwards ? ids.last : ids.first
    }
    self.selection = ids[(i + (backwards ? ids.count - 1 : 1)) % ids.count]
  }

  /// Where each of several photos goes that are let go of together: fanned out a little about the place.
  static func fanned(_ count: Int, about center: Point) -> [Point] {
    (0..<count).map { i in
      let t = Double(i) - Double(count - 1) / 2
      return Point(x: center.x + t * fan, y: center.y + t * fan * 0.45 + (i % 2 == 0 ? 0 : fan * 0.3))
    }
  }

  /// Hung by hand: never quite straight, and always the same for the same photo.
  static func angle(of id: Int) -> Double {
    var h = UInt32(truncatingIfNeeded: id &+ 1) &* 2_654_435_761
    h ^= h >> 15
    return (Double(h % 1000) / 999 - 0.5) * 0.075
  }
}

/// Earlier boards, and later ones after going back.
struct History {
  private var past: [Board] = []
  private var future: [Board] = []
  private static let most = 100

  mutating func remember(_ board: Board) {
    past.append(board)
    if past.count > Self.most { past.removeFirst() }
    future = []
  }

  mutating func undo(_ board: inout Board) -> Bool {
    guard let earlier = past.popLast() else { return false }
    future.append(board)
    board = earlier
    return true
  }

  mutating func redo(_ board: inout Board) -> Bool {
    guard let later = future.popLast() else { return false }
    past.append(board)
    board = later
    return true
  }
}
