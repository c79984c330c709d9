import Carry

/// The apps' icons, in a square of 64 units.
package enum Icon {
  package static func pinboard(on c: Canvas) {
    c.fill(Box(4, 4, 56, 56), radius: 13, from: Color(0xE2C79F), to: Color(0xC9A671))
    for (x, y, angle, sky) in [(25.0, 28.0, -0.12, 0x8FC1DE as UInt32), (39.0, 39.0, 0.1, 0xF2C58B)] {
      c.saved {
        c.translate(x, y)
        c.rotate(angle)
        c.shadow(Box(-14, -12, 28, 26), radius: 1, blur: 5, drop: 1.5, 0.35)
        c.fill(Box(-14, -12, 28, 26), radius: 1.5, .white)
        c.fill(Box(-11, -9, 22, 16), Color(sky))
        c.move(-11, 7)
        c.line(-3, -2)
        c.line(3, 4)
        c.line(6, 1)
        c.line(11, 7)
        c.fillPath(Color(0x54785F))
        c.circle(Point(x: 0, y: -11), radius: 2.6)
        c.fillPath(Color(0xD9503F))
      }
    }
  }

  package static func notes(on c: Canvas) {
    c.fill(Box(4, 4, 56, 56), radius: 13, from: Color(0xFFFDF6), to: Color(0xF1ECDD))
    c.saved {
      c.clip(Box(4, 4, 56, 56), radius: 13)
      c.fill(Box(4, 4, 56, 15), from: Color(0xF6C65B), to: Color(0xEBAF36))
      c.fill(Box(4, 19, 56, 1), Color(0xB8862A, 0.6))
    }
    for (i, width) in [36.0, 30, 36, 20].enumerated() {
      c.fill(Box(14, 27 + Double(i) * 8, width, 2.6), radius: 1.3, Color(0xB9B2A0))
    }
  }

  /// An envelope, for letters and mail.
  package static func envelope(on c: Canvas) {
    c.fill(Box(4, 4, 56, 56), radius: 13, from: Color(0x6FB6F2), to: Color(0x2F7BD9))
    let paper = Box(12, 19, 40, 27)
    c.shadow(paper, radius: 4, blur: 6, drop: 1.5, 0.3)
    c.fill(paper, radius: 4, from: .white, to: Color(0xEAF1F9))
    for (x, y) in [(24.5, 32.0), (39.5, 32)] {
      c.move(x < 32 ? 13.5 : 50.5, 44.5)
      c.line(x, y)
      c.strokePath(Color(0x9DB8D6), width: 1.4)
    }
    c.move(13.5, 21)
    c.line(32, 36)
    c.line(50.5, 21)
    c.strokePath(Color(0x6E93BD), width: 1.8)
  }

  /// A stack that leaves.
  package static func dragSource(on c: Canvas) {
    c.fill(Box(4, 4, 56, 56), radius: 13, from: Color(0x4C9BE8), to: Color(0x2A6CC4))
    for (dx, dy, angle, alpha) in [(-5.0, 5.0, -0.2, 0.45), (-1.5, 2, -0.08, 0.7), (3, -2, 0.06, 1)] {
      card(on: c, Point(x: 30 + dx, y: 34 + dy), angle, alpha)
    }
    c.circle(Point(x: 48, y: 19), radius: 8.5)
    c.fillPath(Color(0xEF3B36))
    c.draw("3", TextStyle(11.5, .bold, color: .white), centeredIn: Box(40, 11, 16, 16))
  }

  /// A picture that arrives in its place.
  package static func dropDestination(on c: Canvas) {
    c.fill(Box(4, 4, 56, 56), radius: 13, from: Color(0xF7F6F3), to: Color(0xE3E0D9))
    for i in 0..<4 {
      let cell = Box(12 + Double(i % 2) * 21, 14 + Double(i / 2) * 19, 18, 15)
      c.fill(cell, radius: 3, i == 3 ? Color(0xC9C5BB) : Color([0x8FC1DE, 0xF2C58B, 0x7FB08F][i]))
    }
    card(on: c, Point(x: 44, y: 43), 0.1, 1, size: 0.8)
    c.circle(Point(x: 53, y: 33), radius: 7.5)
    c.fillPath(Color(0x33BA54))
    for (w, h) in [(7.5, 2.0), (2, 7.5)] { c.fill(Box(center: Point(x: 53, y: 33), width: w, height: h), .white) }
  }

  private static func card(on c: Canvas, _ p: Point, _ angle: Double, _ alpha: Double, size: Double = 1) {
    c.saved {
      c.translate(p.x, p.y)
      c.rotate(angle)
      c.scale(size)
      c.translucent(alpha) {
        c.fill(Box(-15, -12, 30, 24), radius: 3, .white)
        c.fill(Box(-12.5, -9.5, 25, 19), radius: 1.5, Color(0xA9D3EA))
        c.move(-12.5, 9.5)
        c.line(-4, -1)
        c.line(2, 5)
        c.line(6, 1)
        c.line(12.5, 9.5)
        c.fillPath(Color(0x54785F))
      }
    }
  }

  /// The icon of an app that has none: its first letter.
  package static func letter(_ name: String, on c: Canvas) {
    let hues: [UInt32] = [0x4A7FC1, 0xB8604E, 0x4E9570, 0x7D66B0, 0x3C8C98]
    let hue = Color(hues[name.unicodeScalars.reduce(0) { ($0 + Int($1.value)) % hues.count }])
    c.fill(Box(4, 4, 56, 56), radius: 13, from: hue.mixed(with: .white, 0.18), to: hue)
    c.draw(String(name.prefix(1)).uppercased(), TextStyle(30, .semibold, color: .white), centeredIn: Box(4, 4, 56, 56))
  }
}
