import Carry

/// Four more samples, for apps that show ten.
extension Samples {
  package static let more: [Sample] = [
    Sample(name: "Balloons.png", width: 560, height: 440) { c, w, h in
      sky(c, w, h, [(0, 0x7DB7E8), (0.7, 0xD5ECF7), (1, 0xFFF0DC)])
      ridge(c, w, h, h * 0.86, 26, seed: 4, Color(0x7FA08A))
      for (x, y, size, tone) in [
        (0.27, 0.34, 78.0, 0xE0523F as UInt32), (0.66, 0.24, 52, 0xF0A63A), (0.78, 0.58, 36, 0x7A4FA0),
      ] {
        let p = Point(x: w * x, y: h * y)
        c.circle(p, radius: size)
        c.fillPath(Color(tone))
        c.saved {
          c.translate(p.x - size * 0.36, p.y)
          c.circle(Point(x: size * 0.36, y: 0), radius: size * 0.52)
          c.fillPath(Color(tone).mixed(with: .white, 0.25))
        }
        c.move(p.x - size * 0.62, p.y + size * 0.76)
        c.line(p.x + size * 0.62, p.y + size * 0.76)
        c.line(p.x + size * 0.16, p.y + size * 1.36)
        c.line(p.x - size * 0.16, p.y + size * 1.36)
        c.fillPath(Color(tone).mixed(with: .black, 0.12))
        c.fill(
          Box(p.x - size * 0.15, p.y + size * 1.45, size * 0.3, size * 0.24), radius: size * 0.05, Color(0x6A4A2C))
      }
    },
    Sample(name: "Northern lights.png", width: 560, height: 420) { c, w, h in
      sky(c, w, h, [(0, 0x07142B), (0.7, 0x123A4B), (1, 0x1C5550)])
      for i in 0..<46 {
        let x = w * (0.06 + 0.9 * Double(i) / 45)
        let sway = (Double(i) * 0.31).sine * 34
        c.fill(
          Box(x - 9, h * 0.10 + sway, 26, h * 0.52), radius: 12,
          stops: [
            (0, Color(0x7C5BD0, 0)), (0.35, Color(0x6F7FE0, 0.13)), (0.75, Color(0x5BF0A8, 0.20)),
            (1, Color(0x5BF0A8, 0)),
          ])
      }
      ridge(c, w, h, h * 0.80, 44, seed: 13, Color(0x0B1F22))
    },
    Sample(name: "City.png", width: 480, height: 560) { c, w, h in
      sky(c, w, h, [(0, 0x2E3A74), (0.6, 0xC86B84), (1, 0xF8B37C)])
      sun(c, Point(x: w * 0.5, y: h * 0.60), 46, 0xFFE2B0)
      for row in 0..<3 {
        for i in 0..<9 {
          let x = Double(i) * w / 8.4 - 20 + Double(row) * 13
          let top = h * (0.46 + 0.13 * Double(row)) + Double((i * 97 + row * 41) % 110)
          c.fill(Box(x, top, w / 9.5, h - top), Color([0x7A4A73, 0x4A3460, 0x251D42][row]))
          guard row > 0 else { continue }
          for k in 0..<18 where (k * 7 + i * 3 + row) % 4 != 0 {
            let lamp = Box(x + 7 + Double(k % 3) * 13, top + 10 + Double(k / 3) * 19, 6, 8)
            if lamp.maxY < h { c.fill(lamp, Color(0xFFD98A, 0.75)) }
          }
        }
      }
    },
    Sample(name: "Waves.png", width: 600, height: 420) { c, w, h in
      sky(c, w, h, [(0, 0xF6E3C5), (0.5, 0xF3C9A5), (1, 0xE9A98C)])
      sun(c, Point(x: w * 0.24, y: h * 0.28), 36, 0xFFF7E6)
      for i in 0..<6 {
        let y = h * (0.42 + 0.10 * Double(i))
        c.move(0, h)
        c.line(0, y)
        for k in 0..<6 {
          let x = w / 6 * Double(k) + Double(i % 2) * 40 - 40
          c.curve(
            Point(x: x + 40, y: y - 26), Point(x: x + 70, y: y - 20), Point(x: x + 100 + Double(i) * 6, y: y + 6))
        }
        c.line(w + 20, y)
        c.line(w + 20, h)
        c.fillPath(Color([0x8FC7C9, 0x62ABB6, 0x3F8DA0, 0x2A6F8A, 0x1C5573, 0x123D59][i]))
      }
    },
  ]
}
