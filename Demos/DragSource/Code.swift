import Carry
import DemoKit

/// A square of dots, as machines read it; this one says nothing.
struct Code {
  let name: String
  let seed: UInt32
  /// Pixels of the picture that it is on.
  let box: Box

  private static let modules = 21
  /// Of its paper's corners.
  static let radius = 20.0

  /// Whether a dot is dark: three corners by which readers find it, and noise.
  private func isDark(_ x: Int, _ y: Int) -> Bool {
    let last = Self.modules - 7
    for (cornerX, cornerY) in [(0, 0), (last, 0), (0, last)] {
      let (dx, dy) = (x - cornerX, y - cornerY)
      guard (-1...7).contains(dx), (-1...7).contains(dy) else { continue }
      let ring = max(abs(dx - 3), abs(dy - 3))
      return ring == 3 || ring <= 1
    }
    if x == 6 || y == 6 { return (x + y) % 2 == 0 }
    var h = (UInt32(truncatingIfNeeded: x &* 31 &+ y) ^ seed &* 977) &* 2_654_435_761
    h ^= h >> 13
    h = h &* 2_246_822_519
    return (h >> 17) & 1 == 1
  }

  /// On paper, with the margin that readers want.
  func draw(on c: Canvas) {
    c.shadow(box, radius: Self.radius, blur: 16, drop: 5, 0.3)
    c.fill(box, radius: Self.radius, .white)
    // Whole pixels: dots that touch show no seam.
    let dot = (box.width / Double(Self.modules + 4)).rounded(.down)
    let start = box.center - Point(x: dot * Double(Self.modules) / 2, y: dot * Double(Self.modules) / 2)
    for y in 0..<Self.modules {
      for x in 0..<Self.modules where isDark(x, y) {
        c.fill(
          Box((start.x + Double(x) * dot).rounded(), (start.y + Double(y) * dot).rounded(), dot, dot), Color(0x1B2A3A))
      }
    }
  }

  /// A wall with a note on it, and the codes.
  static func drawWall(_ codes: [Code], on c: Canvas, _ w: Double, _ h: Double) {
    c.fill(Box(0, 0, w, h), from: Color(0x3F8F8A), to: Color(0x1E5A66))
    var row = 0
    while Double(row) * 40 < h {
      for i in -1..<9 {
        let x = Double(i) * 104 + (row % 2 == 0 ? 0 : 52)
        c.fill(
          Box(x + 2, Double(row) * 40 + 2, 100, 36), radius: 3,
          Color.white.faded((i * 7 + row * 5) % 3 == 0 ? 0.10 : 0.06))
      }
      row += 1
    }
    let style = TextStyle(46, .bold, color: Color(0xFFFFFF, 0.94))
    c.draw(TextLayout("Two at\na time", style), at: Point(x: 0.58 * w, y: 0.14 * h))
    c.draw(
      TextLayout("Wi-Fi  ·  Menu", TextStyle(26, .medium, color: Color(0xFFFFFF, 0.8))),
      at: Point(x: 0.09 * w, y: 0.76 * h))
    for code in codes { code.draw(on: c) }
  }
}
