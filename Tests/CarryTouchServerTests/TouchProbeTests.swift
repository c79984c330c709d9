import CInputTest
import CarryModel
import CarryTesting
import CLinux
import Testing

/// Touches at random, of fingers that lift nothing, over a window half of which is a drag region; compared touch by touch
/// with the same fingers over a window that nobody guards.
///
/// One difference is the X server's own and stays possible: when it hands on a touch that was held, it gives the end the
/// place where another finger is, if one is down (docs/decisions/0010). It is counted, and told apart from a touch that is
/// lost, doubled, or goes elsewhere, of which there must be none.
@Suite(.serialized) struct TouchProbeTests {
  /// What one finger does, in pixels of the window and milliseconds from the gesture's beginning.
  private struct Finger {
    var begin: (x: Double, y: Double)
    var end: (x: Double, y: Double)
    var down: Int
    var up: Int
    /// How many places it passes on its way.
    var steps: Int
  }

  private static func gesture(_ random: inout SeededRandom) -> [Finger] {
    func place() -> (x: Double, y: Double) {
      (Double.random(in: 40...360, using: &random).rounded(), Double.random(in: 40...360, using: &random).rounded())
    }
    func near(_ p: (x: Double, y: Double), _ far: Double) -> (x: Double, y: Double) {
      (
        min(380, max(20, p.x + Double.random(in: -far...far, using: &random))),
        min(380, max(20, p.y + Double.random(in: -far...far, using: &random)))
      )
    }
    let at = place()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return [Finger(begin: at, end: at, down: 0, up: Int.random(in: 20...120, using: &random), steps: 0)]
    case 1: return [Finger(begin: at, end: at, down: 0, up: 0, steps: 0)]
    case 2: return [Finger(begin: at, end: place(), down: 0, up: Int.random(in: 20...80, using: &random), steps: 6)]
    case 3:
      // A pinch: two fingers that go apart.
      let (a, b) = (near(at, 20), near(at, 20))
      let up = Int.random(in: 40...90, using: &random)
      return [
        Finger(begin: a, end: near(a, 120), down: 0, up: up, steps: 5),
        Finger(begin: b, end: near(b, 120), down: Int.random(in: 0...10, using: &random), up: up, steps: 5),
      ]
    case 4:
      // A press that moves before it would lift.
      return [Finger(begin: at, end: near(at, 150), down: 0, up: 150, steps: 4)]
    default:
      return (0..<4).map { i in
        let p = near(at, 100)
        return Finger(
          begin: p, end: p, down: i * Int.random(in: 0...6, using: &random),
          up: 40 + Int.random(in: 0...40, using: &random), steps: 0)
      }
    }
  }

  /// The fingers' steps, in their order: which finger does what, where and when.
  private static func steps(_ fingers: [Finger]) -> [(at: Int, finger: Int, kind: CInt, x: Double, y: Double)] {
    var list: [(at: Int, finger: Int, kind: CInt, x: Double, y: Double)] = []
    for (i, f) in fingers.enumerated() {
      list.append((f.down, i, XI_TouchBegin, f.begin.x, f.begin.y))
      for s in 0..<f.steps {
        let part = Double(s + 1) / Double(f.steps)
        list.append(
          (
            f.down + (f.up - f.down) * (s + 1) / (f.steps + 1), i, XI_TouchUpdate,
            f.begin.x + (f.end.x - f.begin.x) * part, f.begin.y + (f.end.y - f.begin.y) * part
          ))
      }
      list.append((f.up, i, XI_TouchEnd, f.end.x, f.end.y))
    }
    return list.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// Plays a gesture over a window; the X server is told each step at its time.
  private static func play(_ fingers: [Finger], on server: TouchServer, x left: Double, y top: Double, first: UInt32) {
    var now = 0
    for step in steps(fingers) {
      if step.at > now { poll(nil, 0, CInt(step.at - now)) }
      now = step.at
      let id = first + UInt32(step.finger)
      switch step.kind {
      case XI_TouchBegin: server.down(id, left + step.x, top + step.y)
      case XI_TouchUpdate: server.move(id, left + step.x, top + step.y)
      default: server.up(id, left + step.x, top + step.y)
      }
    }
  }

  /// A touch as an application saw it, in whole pixels.
  private struct Seen: Equatable, CustomStringConvertible {
    var begin: [Int]
    var end: [Int]
    var begins = 0
    var ends = 0
    var description: String { "\(begin) to \(end), \(begins) begun, \(ends) ended" }
  }

  /// The same place, but for the rounding of the device's numbers, which are other ones over another window.
  private static func near(_ a: [Int], _ b: [Int]) -> Bool { zip(a, b).allSatisfy { abs($0 - $1) <= 1 } }

  /// The touches of a window, in the order of their beginnings.
  private static func touches(_ events: ArraySlice<cinputtest_event>) -> [Seen] {
    var order: [UInt32] = []
    var seen: [UInt32: Seen] = [:]
    for e in events {
      let id = e.detail
      if seen[id] == nil {
        order.append(id)
        seen[id] = Seen(begin: [], end: [])
      }
      let place = [Int(e.x.rounded()), Int(e.y.rounded())]
      if e.type == XI_TouchBegin {
        seen[id]?.begins += 1
        seen[id]?.begin = place
      } else if e.type == XI_TouchEnd {
        seen[id]?.ends += 1
        seen[id]?.end = place
      }
    }
    return order.compactMap { seen[$0] }
  }

  @Test("Z4: touches at random are the application's, each once, where it was") func Z4_touchesAtRandom()
    throws
  {
    let s = try GateTests.Scene()
    var elsewhere = 0
    var count = 0
    var first: UInt32 = 1
    for seed in 1...50 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      let fingers = Self.gesture(&random)
      func seen(_ app: Application, x: Double) -> [Seen] {
        let before = app.events.count
        Self.play(fingers, on: s.server, x: x, y: 100, first: first)
        first += UInt32(fingers.count)
        _ = Wait.until(seconds: 10) {
          app.kinds.dropFirst(before).count { $0 == XI_TouchEnd } >= fingers.count
        }
        return Self.touches(app.events[before...])
      }
      let plain = seen(s.other, x: 700)
      let held = seen(s.app, x: 100)
      count += fingers.count
      #expect(plain.count == fingers.count, "seed \(seed)")
      #expect(held.count == plain.count, "seed \(seed): \(held) instead of \(plain)")
      // Touches that are held are handed on as each is decided: in another order, if another finger goes up first.
      var rest = plain
      for a in held {
        guard let i = rest.firstIndex(where: { Self.near(a.begin, $0.begin) }) else {
          Issue.record("seed \(seed): \(a) is none of \(plain)")
          continue
        }
        let b = rest.remove(at: i)
        #expect(a.begins == 1 && a.ends == 1, "seed \(seed): \(a) instead of \(b)")
        guard !Self.near(a.end, b.end) else { continue }
        // Only where another finger can have been.
        #expect(fingers.count > 1, "seed \(seed): \(a) instead of \(b)")
        elsewhere += 1
      }
    }
    // Nothing at random happens behind the tests' back.
    #expect(s.source.calls.isEmpty)
    #expect(count > 70)
    #expect(elsewhere <= 2, "\(elsewhere) of \(count) touches ended where another finger was")
  }
}
