import CLinux
import CX11
import CarryDisplay
import CarryModel
import CarryStage
import CarrySystem
import CarryTesting

/// µs per frame in which previews move, or are redrawn, on `DISPLAY`: stage, display, flush.
enum PreviewBenchmark {
  static func run(_ arguments: Arguments) throws {
    let count = arguments.number("count", otherwise: 1)
    let frames = arguments.number("frames", otherwise: 1500)
    let desktop = try Desktop()
    let table = try Previews(count: count)
    emit("carry.side", table.side, "px")

    let a = nanoseconds()
    for f in 0..<frames {
      table.move(f)
      table.display.dispatch { _ in }
    }
    table.display.settle()
    emit("carry.move.flush", Double(nanoseconds() &- a) / Double(frames) / 1000, "us/frame")

    // Each frame another badge, of two that are drawn already, as the rig's are.
    let b = nanoseconds()
    for f in 0..<frames { table.redraw(f) }
    emit("carry.redraw.sync", Double(nanoseconds() &- b) / Double(frames) / 1000, "us/frame")

    // Cards that grow: all of each preview is drawn anew, scaled.
    table.lift(for: frames)
    let c = nanoseconds()
    for _ in 0..<frames {
      table.draw()
      table.display.settle()
    }
    emit("carry.grow.sync", Double(nanoseconds() &- c) / Double(frames) / 1000, "us/frame")
    desktop.x.sync()
  }
}

/// What lies below: a window over the whole screen with forty children, as the rig has it.
final class Desktop {
  let x: XClient

  init() throws {
    guard let x = XClient(environment("DISPLAY") ?? "") else { throw Failure("no display") }
    self.x = x
    let below = x.makeWindow(Rect(x: 0, y: 0, width: 1920, height: 1080), color: 0x336699)
    for i in 0..<40 {
      let (column, row) = (Double(i % 8), Double(i / 8))
      x.makeWindow(
        Rect(x: 20 + column * 230, y: 20 + row * 200, width: 200, height: 180), in: below,
        color: 0x11_2233 &* UInt32(i % 10 + 1), border: 1)
    }
    x.sync()
  }
}

/// Carried previews.
final class Previews {
  let display: Display
  private var stage = Stage(settings: Settings())
  private var list = DrawList()
  private let count: Int
  private let image: ImageID
  private var now = Instant.zero
  /// The side of a square with a preview window's area, in pixels.
  private(set) var side = 0.0

  init(count: Int) throws {
    self.count = count
    let display = try Display(name: nil)
    self.display = display
    let (width, height) = (Int(Self.rect.width), Int(Self.rect.height))
    let pixels = (0..<width * height).map { UInt32(0xFF00_0000) | UInt32($0 & 0xFF_FFFF) }
    guard let image = pixels.withUnsafeBytes({ display.image(premultipliedARGB: $0, width: width, height: height) })
    else { throw Failure("no picture") }
    self.image = image
    lift(for: 0)
    for n in 0..<count { stage.beginDrag(SessionID(UInt32(n + 1)), touch: Self.rect.center, at: .zero) }
    for _ in 0..<4 {
      now = now + .milliseconds(500)
      stage.frame(at: now, into: &list)
      display.apply(list)
    }
    display.settle()
    guard list.surfaces.count == count, let first = list.surfaces.first else { throw Failure("no previews") }
    side = (Double(first.width) * Double(first.height)).squareRoot().rounded()
  }

  private static let rect = Rect(x: 50, y: 50, width: 192, height: 192)

  /// Lifts all of them, anew if need be, so that they rise for as many frames.
  func lift(for frames: Int) {
    for n in 0..<count {
      let rect = Self.rect.offset(by: Point(x: Double(n * 53), y: Double(n * 31)))
      stage.lift(
        SessionID(UInt32(n + 1)), images: [image], source: rect, touch: rect.center, at: now,
        duration: .milliseconds(8 * frames))
    }
  }

  /// One frame in which every preview moves.
  func move(_ f: Int) {
    for n in 0..<count {
      let x = 150 + (f * 7 + n * 53) % (1800 - Int(side))
      let y = 150 + (f * 5 + n * 31) % (900 - Int(side))
      show(SessionID(UInt32(n + 1)), at: Point(x: Double(x), y: Double(y)))
    }
    draw()
  }

  func show(_ session: SessionID, at point: Point) { stage.move(session, to: point, at: now) }

  func draw() {
    now = now + .milliseconds(8)
    stage.frame(at: now, into: &list)
    display.apply(list)
    display.flush()
  }

  /// One frame in which every preview changes its look, and the server's answer that it has it.
  func redraw(_ f: Int) {
    for n in 0..<count { stage.setBadge(SessionID(UInt32(n + 1)), f % 2 == 0 ? .copy(1) : .count(2), at: now) }
    draw()
    display.settle()
  }
}
