import CarryModel
import CarryTesting

/// Fingers on the touchscreen that move as a person's do, and that keep a script of it: the film draws them from that.
final class FilmFingers {
  private let server: TouchServer
  private(set) var script = FingerScript(width: 1280, height: 800)
  /// When the script begins, in seconds of the monotonic clock.
  let start = Camera.now()
  private var count: UInt32 = 0

  /// One that is down.
  final class Finger {
    fileprivate let touch: UInt32
    fileprivate let line: Int
    fileprivate(set) var place: Point
    /// Until when the script knows where it is, in milliseconds.
    fileprivate var known: Int

    fileprivate init(_ touch: UInt32, _ line: Int, _ place: Point, _ known: Int) {
      (self.touch, self.line, self.place, self.known) = (touch, line, place, known)
    }
  }

  init(_ server: TouchServer) { self.server = server }

  private var now: Int { Int((Camera.now() - start) * 1000) }

  func down(_ x: Double, _ y: Double) -> Finger {
    count += 1
    let time = now
    server.down(count, x, y)
    return Finger(count, script.down(Int(x), Int(y), at: time), Point(x: x, y: y), time)
  }

  func up(_ finger: Finger) {
    server.up(finger.touch, finger.place.x, finger.place.y)
    script.up(finger.line, at: now)
  }

  func tap(_ x: Double, _ y: Double) {
    let finger = down(x, y)
    Camera.rest(0.08)
    up(finger)
  }

  /// Several go at once: they start and stop gently, and bend their ways a little.
  func glide(_ goals: [(finger: Finger, x: Double, y: Double)], over seconds: Double) {
    let starts = goals.map(\.finger.place)
    for goal in goals { note(goal.finger) }
    let begin = Camera.now()
    var part = 0.0
    while part < 1 {
      Camera.rest(0.016)
      part = min(1, (Camera.now() - begin) / seconds)
      let eased = part * part * (3 - 2 * part)
      for (goal, start) in zip(goals, starts) {
        let (dx, dy) = (goal.x - start.x, goal.y - start.y)
        let bend = 0.24 * part * (1 - part) * (1 - 0.3 * part)
        goal.finger.place = Point(x: start.x + dx * eased + dy * bend, y: start.y + dy * eased - dx * bend)
        server.move(goal.finger.touch, goal.finger.place.x, goal.finger.place.y)
        note(goal.finger)
      }
    }
  }

  func glide(_ finger: Finger, to x: Double, _ y: Double, over seconds: Double) {
    glide([(finger, x, y)], over: seconds)
  }

  private func note(_ finger: Finger) {
    let time = now
    script.move(
      finger.line, to: Int(finger.place.x.rounded()), Int(finger.place.y.rounded()), from: finger.known, until: time)
    finger.known = time
  }
}
