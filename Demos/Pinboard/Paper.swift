import Carry
import DemoKit

/// What the photos hang on.
enum Paper {
  /// Fine cork, to be repeated without a seam.
  static func tile() -> Picture? {
    Picture(width: 256, height: 256) { c in
      c.clear(Color(0xD9BE98))
      var seed: UInt32 = 7
      func random() -> Double {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        return Double(seed >> 8) / Double(1 << 24)
      }
      let tones: [UInt32] = [0xB8935F, 0xE8D2B0, 0xC9A876, 0xA9824F, 0xF0DFC4]
      for i in 0..<2600 {
        let p = Point(x: random() * 256, y: random() * 256)
        let radius = 0.5 + random() * random() * 2.6
        let color = Color(tones[i % tones.count], 0.10 + random() * 0.22)
        // What crosses an edge comes in again at the other.
        for dx in [-256.0, 0, 256] where p.x + dx > -4 && p.x + dx < 260 {
          for dy in [-256.0, 0, 256] where p.y + dy > -4 && p.y + dy < 260 {
            c.circle(Point(x: p.x + dx, y: p.y + dy), radius: radius)
            c.fillPath(color)
          }
        }
      }
    }
  }

  /// What to do with a board on which nothing hangs.
  static func drawEmpty(on c: Canvas, in all: Box) {
    let frame = Box(center: all.center, width: min(460, all.width - 40), height: min(270, all.height - 40))
    let ink = Color(0x5A4327)
    c.fill(frame, radius: 18, Color(0xFFF8EC, 0.42))
    c.stroke(frame, radius: 18, ink.faded(0.45), width: 2, dashes: [9, 7])
    c.saved {
      c.translate(frame.center.x, frame.y + 78)
      for (angle, dx) in [(-0.14, -15.0), (0.09, 13.0)] {
        c.saved {
          c.translate(dx, 0)
          c.rotate(angle)
          let card = Box(-34, -30, 68, 58)
          c.shadow(card, radius: 3, blur: 8, drop: 2, 0.25)
          c.fill(card, radius: 3, .white)
          c.fill(Box(-28, -24, 56, 38), from: Color(0xBFD9E8), to: Color(0xE9E2CF))
          c.move(-28, 14)
          c.line(-10, -8)
          c.line(4, 6)
          c.line(13, -3)
          c.line(28, 14)
          c.fillPath(Color(0x6E8F76))
        }
      }
    }
    c.draw(
      "Nothing hangs here yet", TextStyle(21, .semibold, color: ink),
      centeredIn: Box(frame.x, frame.y + 128, frame.width, 30))
    let words = TextLayout(
      "Press a photo in any window until it lifts,\ncarry it here, and let go.",
      TextStyle(14.5, color: ink.faded(0.85)), width: frame.width - 40, isCentered: true, spacing: 1.25)
    c.draw(words, at: Point(x: frame.x + 20, y: frame.y + 166))
    c.draw(
      "Or start with some: carry-pinboard *.png", TextStyle(12.5, color: ink.faded(0.65)),
      centeredIn: Box(frame.x, frame.maxY - 46, frame.width, 24))
  }
}
