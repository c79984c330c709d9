import Carry

/// Landscapes, drawn in code, so that no picture files have to be shipped or found.
package enum Samples {
  package struct Sample: Sendable {
    /// A file name.
    package let name: String
    /// Pixels.
    package let width, height: Int
    let draw: @Sendable (Canvas, Double, Double) -> Void

    package func picture() -> Picture? {
      Picture(width: width, height: height) { draw($0, Double(width), Double(height)) }
    }
  }

  /// Writes the samples as files, in their order.
  package static func export(to folder: String) {
    for sample in all {
      let path = folder + "/" + sample.name
      guard let bytes = sample.picture()?.png(), Program.create(path, bytes) else {
        Program.fail("\(path): cannot be written, or is there already")
      }
      Program.write(path + "\n", to: 1)
    }
  }

  package static let all: [Sample] =
    [
      Sample(name: "Morning mist.png", width: 640, height: 480) { c, w, h in
        sky(c, w, h, [(0, 0xF6D7B0), (0.55, 0xF3B48F), (1, 0xE79A86)])
        sun(c, Point(x: w * 0.68, y: h * 0.36), 44, 0xFFF4DC)
        for (i, tone) in [0xD9938A, 0xB4747F, 0x845572, 0x523B5C].enumerated() {
          let y = h * (0.50 + 0.13 * Double(i))
          ridge(c, w, h, y, 46 - Double(i) * 4, seed: 11 + i, Color(UInt32(tone)))
          let mist = Color(0xFFE8D2)
          c.fill(Box(0, y - 10, w, 90), stops: [(0, mist.faded(0)), (0.6, mist.faded(0.3)), (1, mist.faded(0))])
        }
      },
      Sample(name: "The lake.png", width: 640, height: 440) { c, w, h in
        sky(c, w, h, [(0, 0x6FB4D9), (0.5, 0xCBE6EE), (1, 0xEFF3E6)])
        ridge(c, w, h, h * 0.46, 70, seed: 3, Color(0x8BA9B5))
        ridge(c, w, h, h * 0.52, 34, seed: 9, Color(0x5D8573))
        c.fill(Box(0, h * 0.60, w, h * 0.4), from: Color(0xA7CEDA), to: Color(0x3F7C98))
        for i in 0..<26 {
          let y = h * 0.62 + Double(i * i) * 0.24
          let x = Double((i * 173) % 640)
          c.fill(Box(x, y, 60 + Double(i) * 4, 1.6), radius: 1, Color.white.faded(0.28))
        }
        boat(c, Point(x: w * 0.36, y: h * 0.73))
      },
      Sample(name: "Firs.png", width: 480, height: 600) { c, w, h in
        sky(c, w, h, [(0, 0xDCEBDD), (0.7, 0xB9D6BE), (1, 0x8FB89A)])
        sun(c, Point(x: w * 0.3, y: h * 0.22), 34, 0xFDFBE8)
        for layer in 0..<3 {
          let color = Color([0x8DB49B, 0x4F8667, 0x24523F][layer])
          let base = h * (0.70 + 0.13 * Double(layer))
          for i in 0..<(15 - layer * 4) {
            let across = Double(15 - layer * 4)
            let x = (Double(i) + 0.5 + 0.35 * Double((i * 7 + layer * 3) % 5 - 2) / 2) * w / across
            fir(
              c, Point(x: x, y: base + Double((i * 13) % 21)), 120 + Double(layer) * 72 + Double((i * 29) % 40), color)
          }
          c.fill(Box(0, base, w, h - base), color)
        }
      },
      Sample(name: "Dunes.png", width: 640, height: 420) { c, w, h in
        sky(c, w, h, [(0, 0x8CC3DD), (0.6, 0xE4EBDD), (1, 0xF6E6C8)])
        for i in 0..<4 {
          let y = h * (0.52 + 0.14 * Double(i))
          let light = [0xF0CF9C, 0xE7B97C, 0xD89F5F, 0xB97F48][i]
          dune(c, w, h, y, Double(i), Color(UInt32(light)), Color(UInt32([0xDDB27C, 0xCB9459, 0xB27C45, 0x8F5E34][i])))
        }
      },
      Sample(name: "Night train.png", width: 640, height: 480) { c, w, h in
        sky(c, w, h, [(0, 0x101B3B), (0.6, 0x34406F), (1, 0x6D5A86)])
        for i in 0..<90 {
          let p = Point(x: Double((i * 7919) % 640), y: Double((i * 104_729) % 270))
          c.circle(p, radius: i % 9 == 0 ? 1.7 : 0.9)
          c.fillPath(Color.white.faded(0.35 + 0.5 * Double(i % 5) / 5))
        }
        sun(c, Point(x: w * 0.78, y: h * 0.2), 26, 0xF7F1DA)
        ridge(c, w, h, h * 0.60, 60, seed: 21, Color(0x2A2F57))
        ridge(c, w, h, h * 0.72, 30, seed: 5, Color(0x1A1E3D))
        c.fill(Box(0, h * 0.80, w, h * 0.2), Color(0x0F1229))
        for i in 0..<9 {
          let x = 70 + Double(i) * 46
          c.fill(Box(x, h * 0.765, 42, 17), radius: 3, Color(0x2B3160))
          for k in 0..<3 { c.fill(Box(x + 6 + Double(k) * 12, h * 0.774, 7, 7), radius: 1, Color(0xFFD98A)) }
        }
      },
      Sample(name: "Poppies.png", width: 560, height: 560) { c, w, h in
        sky(c, w, h, [(0, 0xBBDDEB), (0.5, 0xEEF3E2), (1, 0xD9E5B8)])
        ridge(c, w, h, h * 0.46, 22, seed: 17, Color(0xA9C48F))
        c.fill(Box(0, h * 0.55, w, h * 0.45), from: Color(0x9DBB6B), to: Color(0x4F7A3E))
        var seed: UInt32 = 5
        for i in 0..<150 {
          seed = seed &* 1_664_525 &+ 1_013_904_223
          let depth = Double(i) / 150
          let p = Point(x: Double(seed >> 8) / Double(1 << 24) * w, y: h * (0.57 + 0.42 * depth * depth))
          let r = 1.5 + 12 * depth * depth
          c.circle(Point(x: p.x - r * 0.4, y: p.y), radius: r)
          c.fillPath(Color(0xD8402F, 0.95))
          c.circle(Point(x: p.x + r * 0.5, y: p.y + r * 0.1), radius: r * 0.85)
          c.fillPath(Color(0xEC5A3C, 0.95))
          c.circle(p, radius: r * 0.28)
          c.fillPath(Color(0x33251F))
        }
      },
    ]

  static func sky(_ c: Canvas, _ w: Double, _ h: Double, _ stops: [(Double, UInt32)]) {
    c.fill(Box(0, 0, w, h), stops: stops.map { ($0.0, Color($0.1)) })
  }

  static func sun(_ c: Canvas, _ p: Point, _ r: Double, _ tone: UInt32) {
    c.fillRadial(p, radius: r * 4, from: Color(tone, 0.55), to: Color(tone, 0))
    c.circle(p, radius: r)
    c.fillPath(Color(tone))
  }

  /// Mountains: a few waves on top of one another.
  static func ridge(
    _ c: Canvas, _ w: Double, _ h: Double, _ y: Double, _ height: Double, seed: Int, _ color: Color
  ) {
    c.move(0, h)
    var x = 0.0
    while x <= w + 8 {
      // Triangles of three sizes, each at a place of its own.
      var rise = 0.0
      for (length, share) in [(260.0, 0.62), (97.0, 0.27), (37.0, 0.11)] {
        let t = (x + Double(seed * 53)) / length
        let saw = abs((t - t.rounded(.down)) * 2 - 1)
        rise += saw * share * (0.7 + 0.3 * Double((seed * 31 + Int(t)) % 7) / 6)
      }
      c.line(x, y + height * 0.5 - rise * height * 1.6)
      x += 4
    }
    c.line(w, h)
    c.fillPath(color)
  }

  private static func fir(_ c: Canvas, _ foot: Point, _ height: Double, _ color: Color) {
    for i in 0..<5 {
      let t = Double(i) / 5
      let top = foot.y - height * (1 - t * 0.82)
      let half = height * (0.07 + 0.17 * t)
      c.move(foot.x, top)
      c.line(foot.x + half, top + height * 0.30)
      c.line(foot.x - half, top + height * 0.30)
      c.fillPath(color)
    }
    c.fill(Box(foot.x - height * 0.02, foot.y - height * 0.1, height * 0.04, height * 0.2), color)
  }

  private static func dune(
    _ c: Canvas, _ w: Double, _ h: Double, _ y: Double, _ n: Double, _ light: Color, _ shade: Color
  ) {
    let crest = w * (0.30 + 0.17 * n)
    c.move(0, y + 24)
    c.curve(
      Point(x: w * 0.2, y: y + 20), Point(x: crest - 60, y: y - 44), Point(x: crest, y: y - 46))
    c.curve(Point(x: crest + 90, y: y - 6), Point(x: w * 0.9, y: y + 26), Point(x: w, y: y + 8))
    c.line(w, h)
    c.line(0, h)
    c.fillPath(light)
    c.move(crest, y - 46)
    c.curve(Point(x: crest + 90, y: y - 6), Point(x: w * 0.9, y: y + 26), Point(x: w, y: y + 8))
    c.line(w, h)
    c.line(crest - 90, h)
    c.curve(Point(x: crest - 20, y: y + 90), Point(x: crest - 46, y: y + 10), Point(x: crest, y: y - 46))
    c.fillPath(shade)
  }

  private static func boat(_ c: Canvas, _ p: Point) {
    c.move(p.x, p.y - 74)
    c.line(p.x, p.y - 8)
    c.line(p.x + 40, p.y - 8)
    c.fillPath(Color(0xFDFCF7))
    c.move(p.x - 5, p.y - 62)
    c.line(p.x - 5, p.y - 8)
    c.line(p.x - 28, p.y - 8)
    c.fillPath(Color(0xE9DFC8))
    c.move(p.x - 36, p.y - 4)
    c.line(p.x + 46, p.y - 4)
    c.line(p.x + 32, p.y + 12)
    c.line(p.x - 24, p.y + 12)
    c.fillPath(Color(0x8A3E32))
    c.fill(Box(p.x - 30, p.y + 14, 66, 3), radius: 1.5, Color(0x2C5A72, 0.5))
  }
}
