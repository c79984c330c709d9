import Glibc
import CarryDisplay
import CarryModel
import CarryStage
import CarrySystem
import CarryTesting
import Testing

extension DisplayTests {
  /// Every kind of preview at a fixed moment, on one sheet, beside the sheet that a person found good.
  ///
  /// `make looks` writes the sheets for looking at; with `CARRY_GOLDEN=write` they become the ones to compare with.
  @Suite struct Sheets {
    private static let columns = 5
    private static let cell = Size(width: 230, height: 220)
    /// The moment that is shown.
    private static let now = ms(5000)

    private struct Sheet: ~Copyable {
      let desk: Desk
      let scale: Double
      var stage: Stage
      var photo = ImageID(0)
      var note = ImageID(0)
      var cells = 0
      var sessions = IdentifierSource()

      /// The middle of the next cell, in pixels.
      mutating func next() -> Point {
        defer { cells += 1 }
        let (column, row) = (Double(cells % Sheets.columns), Double(cells / Sheets.columns))
        return Point(
          x: (column + 0.5) * Sheets.cell.width * scale, y: (row + 0.5) * Sheets.cell.height * scale)
      }

      func size(_ width: Double, _ height: Double) -> Size { Size(width: width * scale, height: height * scale) }

      func rect(_ size: Size, at c: Point) -> Rect {
        Rect(x: c.x - size.width / 2, y: c.y - size.height / 2, width: size.width, height: size.height)
      }

      func card(_ item: Int, _ image: ImageID, _ size: Size, at c: Point, isShaped: Bool = false) -> CardSource {
        CardSource(item: item, image: image, size: size, home: rect(size, at: c), isShaped: isShaped)
      }

      /// Lifts so many photos in the next cell.
      mutating func lift(_ n: Int, at start: Int, isNote: Bool = false) -> (SessionID, Point) {
        let c = next()
        let id = SessionID(sessions.next())
        let size = isNote ? self.size(130, 96) : self.size(140, 100)
        let cards = (0..<n).map { card($0, isNote || $0 % 2 == 1 ? note : photo, size, at: c) }
        stage.lift(id, cards: cards, count: n, touch: c, at: ms(start), duration: .milliseconds(350))
        return (id, c)
      }

      mutating func carry(_ n: Int, isNote: Bool = false) -> (SessionID, Point) {
        let (id, c) = lift(n, at: 2000, isNote: isNote)
        stage.beginDrag(id, touch: c, at: ms(2400))
        return (id, c)
      }
    }

    /// Blue sky, hills and a sun, drawn; or a note with lines of text.
    private func picture(_ width: Int, _ height: Int, isNote: Bool) -> [UInt32] {
      var pixels = [UInt32](repeating: 0, count: width * height)
      for y in 0..<height {
        for x in 0..<width {
          let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
          var c: (Double, Double, Double)
          if isNote {
            let line = Int(v * 12)
            let isInk = line % 2 == 1 && v > 0.1 && v < 0.9 && u > 0.1 && u < (line % 4 == 3 ? 0.62 : 0.9)
            c = isInk ? (0.35, 0.38, 0.45) : (1, 0.97, 0.86)
          } else {
            let hill = 0.62 + 0.12 * (u - 0.3) * (u - 0.9) * 6
            let far = 0.5 + 0.22 * (u - 0.75) * (u - 0.75) * 4
            let sun = (u - 0.72) * (u - 0.72) * 2 + (v - 0.26) * (v - 0.26)
            c = (0.45 + 0.4 * v, 0.66 + 0.2 * v, 0.93)
            if sun < 0.008 { c = (1, 0.93, 0.62) }
            if v > far { c = (0.42, 0.58, 0.62) }
            if v > hill { c = (0.25, 0.52 - 0.2 * (v - hill), 0.30) }
          }
          pixels[y * width + x] =
            0xFF00_0000 | UInt32(c.0 * 255) << 16 | UInt32(c.1 * 255) << 8 | UInt32(c.2 * 255)
        }
      }
      return pixels
    }

    private func image(_ desk: Desk, _ size: Size, isNote: Bool) throws -> ImageID {
      let (w, h) = (Int(size.width), Int(size.height))
      let pixels = picture(w, h, isNote: isNote)
      return try #require(pixels.withUnsafeBytes { desk.display.image(premultipliedARGB: $0, width: w, height: h) })
    }

    private func composed(
      _ s: borrowing Sheet, _ path: PreviewPath, background: UInt32 = 0xFFFF_FFFF, isNote: Bool = false
    )
      throws -> (ImageID, Size)
    {
      var look = PreviewDescription()
      look.picture = .image(isNote ? s.note : s.photo, isNote ? s.size(170, 74) : s.size(140, 100))
      look.path = path
      look.background = background
      return (try #require(s.desk.display.image(look)), path.boundingBox.size)
    }

    private func oval(_ s: borrowing Sheet) -> PreviewPath {
      var path = PreviewPath()
      for i in 0...64 {
        let a = Double(i) / 64 * 2 * Double.pi
        let p = Point(x: (70 + 46 * cos(a)) * s.scale, y: (50 + 46 * cos(a - Double.pi / 2)) * s.scale)
        path.add(i == 0 ? .move(p) : .line(p))
      }
      path.add(.close)
      return path
    }

    private func lines(_ s: borrowing Sheet) -> PreviewPath {
      var path = PreviewPath()
      for (x, y, w) in [(20.0, 0.0, 150.0), (0, 24, 170), (0, 48, 96)] {
        let r = Rect(x: x * s.scale, y: y * s.scale, width: w * s.scale, height: 26 * s.scale)
        path.add(.move(r.origin))
        for p in [Point(x: r.maxX, y: r.y), Point(x: r.maxX, y: r.maxY), Point(x: r.x, y: r.maxY)] {
          path.add(.line(p))
        }
        path.add(.close)
      }
      return path
    }

    private func fill(_ s: inout Sheet) throws {
      let before = { (t: Int) in 5000 - t }
      // Rising, risen, three that rise, sinking back, one small note.
      _ = s.lift(1, at: before(170))
      _ = s.lift(1, at: before(1000))
      _ = s.lift(3, at: before(1000))
      let sinking = s.lift(1, at: before(600)).0
      s.stage.reverseLift(sinking, at: ms(before(90)))
      _ = s.lift(1, at: before(1000), isNote: true)
      // Carried: one, four, with each badge, with a reason.
      _ = s.carry(1)
      _ = s.carry(4)
      s.stage.setBadge(s.carry(1).0, .copy(1), at: ms(3000))
      s.stage.setBadge(s.carry(12).0, .copy(12), at: ms(3000))
      let refused = s.carry(1, isNote: true).0
      s.stage.setBadge(refused, .forbidden, at: ms(3000))
      s.stage.setReason(refused, "This folder is read-only", at: ms(3000))
      // Outlines of their own: an oval, a platter larger than the view, text; morphing; a tall stack while one flies in.
      let (round, roundSize) = try composed(s, oval(s))
      let c = s.next()
      s.stage.lift(
        SessionID(s.sessions.next()), cards: [s.card(0, round, roundSize, at: c, isShaped: true)], count: 1, touch: c,
        at: ms(before(1000)), duration: .milliseconds(350))
      var platter = PreviewPath()
      let edge = 14 * s.scale
      let box = Rect(origin: .zero, size: s.size(140, 100)).insetBy(-edge)
      platter.add(.move(box.origin))
      for p in [Point(x: box.maxX, y: box.y), Point(x: box.maxX, y: box.maxY), Point(x: box.x, y: box.maxY)] {
        platter.add(.line(p))
      }
      platter.add(.close)
      let (mat, matSize) = try composed(s, platter, background: 0xFFF4_F4F6)
      let m = s.next()
      s.stage.lift(
        SessionID(s.sessions.next()), cards: [s.card(0, mat, matSize, at: m, isShaped: true)], count: 1, touch: m,
        at: ms(before(1000)), duration: .milliseconds(350))
      let (text, textSize) = try composed(s, lines(s), isNote: true)
      let t = s.next()
      s.stage.lift(
        SessionID(s.sessions.next()), cards: [s.card(0, text, textSize, at: t, isShaped: true)], count: 1, touch: t,
        at: ms(before(1000)), duration: .milliseconds(350))
      let (morphing, where_) = s.carry(1)
      s.stage.setPicture(morphing, s.card(0, s.note, s.size(90, 120), at: where_), at: ms(before(125)))
      let (gathering, at) = s.carry(2)
      s.stage.add(
        gathering,
        cards: [s.card(2, s.note, s.size(130, 96), at: Point(x: at.x - 90 * s.scale, y: at.y + 60 * s.scale))],
        count: 1, from: .zero, at: ms(before(150)))
      // Ends, half way: home, into a target, where they are told, fading.
      let (home, h) = s.carry(3)
      s.stage.move(home, to: Point(x: h.x + 60 * s.scale, y: h.y + 40 * s.scale), at: ms(4000))
      s.stage.cancel(home, at: ms(before(130)))
      let (down, d) = s.carry(2)
      s.stage.drop(down, into: s.rect(s.size(80, 80), at: Point(x: d.x + 40, y: d.y)), at: d, at: ms(before(110)))
      let (told, p) = s.carry(2)
      s.stage.drop(
        told, into: nil, at: p,
        landings: [
          Landing(item: 0, way: .place(center: Point(x: p.x - 60 * s.scale, y: p.y), scale: 0.5, turn: 0.4)),
          Landing(item: 1, way: .place(center: Point(x: p.x + 60 * s.scale, y: p.y), scale: 0.5, turn: -0.2)),
        ], at: ms(before(200)))
      let (fading, f) = s.carry(1)
      s.stage.cancel(fading, landings: [Landing(item: 0, way: .fade)], at: ms(before(120)))
      _ = f
      // One that the application drew wrongly.
      let q = s.next()
      s.stage.lift(
        SessionID(s.sessions.next()), cards: [s.card(0, ImageID(0), s.size(96, 96), at: q)], count: 1, touch: q,
        at: ms(before(1000)), duration: .milliseconds(350))
    }

    @Test(
      "G13, L7, L19, P8, P10, P11, P19, O3, Z12, Z17, DA4, E2: each kind of preview looks as it was found good",
      arguments: [1.0, 2.0])
    func G13_eachKindOfPreviewLooksAsItWasFoundGood(scale: Double) throws {
      let (width, height) = (
        Int(Self.cell.width * scale) * Self.columns, Int(Self.cell.height * scale) * 4
      )
      let desk = try Desk(width: width, height: height)
      let compositor = try Compositor(.xcompmgr, on: desk.server)
      #expect(desk.wait { desk.display.isComposited })
      // Light above, dark below: shadows and badges are judged on both.
      for (i, color) in [UInt32(0xEEF1F5), 0xD5DBE3, 0x9AA7B5, 0x39434F].enumerated() {
        _ = desk.client.makeWindow(
          Rect(x: 0, y: Double(i * height / 4), width: Double(width), height: Double(height / 4)), color: color)
      }
      desk.settle()
      var s = Sheet(
        desk: desk, scale: scale,
        stage: Stage(settings: Settings(), style: StageStyle().scaled(by: scale)))
      s.photo = try image(desk, s.size(140, 100), isNote: false)
      s.note = try image(desk, s.size(130, 96), isNote: true)
      try fill(&s)
      var list = DrawList()
      s.stage.frame(at: Self.now, into: &list)
      desk.display.apply(list)
      desk.settle()
      let name = "previews-\(Int(scale))x.png"
      let goldens = Checkout.root + "/Tests/CarryDisplayTests/Golden"
      let golden = goldens + "/" + name
      if let folder = environment("CARRY_LOOKS") ?? environment("CARRY_GOLDEN").map({ _ in goldens }) {
        try #require(desk.settleOnScreen())
        let shot = try #require(desk.client.screenshot())
        shot.write(to: folder + "/" + name)
        return
      }
      let wanted = try #require(Screenshot(png: golden), "\(golden) is missing: CARRY_GOLDEN=write makes it")
      var difference = 1.0
      let isSame = Wait.until(seconds: 10) {
        guard let shot = desk.client.screenshot() else { return false }
        difference = shot.share(differingFrom: wanted, byMoreThan: 24)
        return difference < 0.0005
      }
      if !isSame { desk.client.screenshot()?.write(to: "/tmp/carry-\(name)") }
      #expect(isSame, "\(difference * 100) % of the pixels differ; what was seen is in /tmp/carry-\(name)")
      withExtendedLifetime(compositor) {}
    }
  }
}
