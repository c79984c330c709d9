import CarryModel
import CarryStage

/// A stage with its list, driven in milliseconds.
struct Scene: ~Copyable {
  var stage: Stage
  var list = DrawList()
  let a = SessionID(1)
  let source = Rect(x: 100, y: 200, width: 120, height: 80)
  let touch = Point(x: 130, y: 230)

  init(_ settings: Settings = Settings()) { stage = Stage(settings: settings) }

  static func ms(_ n: Int) -> Instant { Instant(microseconds: Int64(n) * 1000) }

  mutating func lift(_ n: Int = 1, at t: Int = 0) {
    stage.lift(
      a, images: (1...n).map { ImageID(UInt32($0)) }, source: source, touch: touch, at: Self.ms(t),
      duration: .milliseconds(350))
  }

  @discardableResult mutating func frame(_ t: Int) -> [Surface] {
    stage.frame(at: Self.ms(t), into: &list)
    return list.surfaces
  }

  /// Lifts, begins the drag at the touch, and lets everything come to rest.
  mutating func carry(_ n: Int = 1) {
    lift(n)
    frame(400)
    stage.beginDrag(a, touch: touch, at: Self.ms(410))
    frame(420)
    frame(1000)
  }

  /// Runs frames as they are due until nothing moves; gives the time of the last one.
  mutating func finish(from t: Int, limit: Int = 200) -> Int {
    var t = t
    for _ in 0..<limit {
      guard stage.nextFrame != nil else { return t }
      t += 16
      frame(t)
    }
    return -1
  }
}

/// Where the middle of a layer is on the screen, in pixels.
func screenCenter(_ s: Surface, _ l: Layer) -> Point {
  Point(x: Double(s.x) + l.center.x, y: Double(s.y) + l.center.y)
}

func close(_ a: Point, _ b: Point, within d: Double = 1e-6) -> Bool { a.distance(to: b) <= d }
