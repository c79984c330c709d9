import CLinux
import CarryModel
import CarrySessions
import CarrySystem

/// ns per hit test over the windows and regions of the hit-test rig.
///
/// The rig searches the same 2,000 rectangles whatever window it hits. Here the topmost windows have 2,000 regions of
/// their own each, as many windows as the engine's limit on regions allows: eight.
enum HitTestBenchmark {
  static func run(_ arguments: Arguments) throws {
    let count = arguments.number("regions", otherwise: 2000)
    let tree = WindowTree(root: WindowID(1), size: Size(width: 1920, height: 1080))
    var engine = SessionEngine(settings: Settings(), tree: tree)
    let clients = Screenful.windows(arguments.number("toplevels", otherwise: 30), in: tree)
    var rects: [Rect] = []
    for _ in 0..<count {
      let (x, y) = (random(900), random(900))
      let (w, h) = (10 + random(60), 10 + random(60))
      rects.append(Rect(x: Double(x), y: Double(y), width: Double(w), height: Double(h)))
    }
    for (n, client) in clients.suffix(max(1, Limits.regions / max(1, count))).enumerated() {
      for rect in rects {
        _ = try engine.addRegion(client: ClientID(UInt32(n + 1)), window: client.id, rect: rect, roles: [.drop])
      }
    }
    var points: [Point] = []
    for _ in 0..<3000 {
      let x = random(1920)
      points.append(Point(x: Double(x), y: Double(random(1080))))
    }
    var hits = 0
    func once() {
      for point in points {
        engine.hitTest(point, roles: .drop) { _, _ in
          hits &+= 1
          return true
        }
      }
    }
    once()
    let found = hits
    let a = nanoseconds()
    for _ in 0..<300 { once() }
    let total = nanoseconds() &- a
    emit("carry.hit", Double(total) / 900_000, "ns")
    emit("carry.hit.found", Double(found) / 30, "%")
    emit("carry.windows", Double(tree.count), "count")
    emit("carry.regions", Double(engine.regionCount), "count")
  }
}

/// The rig's random numbers: glibc's rand() with its seed.
func srandom7() { srand(7) }

func random(_ limit: Int) -> Int { Int(rand()) % limit }
