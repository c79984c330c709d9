import CarryDisplay
import CarryModel
import CarryStage
import CarryTesting
import Testing

extension DisplayTests {
  /// What is seen through previews where no compositing manager runs.
  @Suite struct BeneathThem {
    private typealias Color = Screenshot.Color

    /// A black card in the hand over a window, at rest.
    private final class Scene {
      let desk: Desk
      let window: WindowID
      var stage = Stage(settings: Settings())
      var list = DrawList()
      let session = SessionID(1)
      var time = 1000
      /// In the middle of the card, and in the window's pixels.
      let middle = Point(x: 320, y: 240)
      let inside: Point

      init(_ window: (XClient, Rect) -> WindowID? = { $0.makeWindow($1, color: 0xFFFFFF) }) throws {
        desk = try Desk()
        desk.client.setRootColor(0x00FF00)
        let frame = Rect(x: 200, y: 150, width: 240, height: 200)
        inside = middle - frame.origin
        let made = window(desk.client, frame)
        self.window = try #require(made)
        desk.settle()
      }

      func carry() throws {
        let source = desk.client.makeWindow(Rect(x: 20, y: 20, width: 100, height: 100), color: 0x000000)
        desk.settle()
        let image = try #require(desk.display.snapshot(source, Rect(x: 0, y: 0, width: 100, height: 100)))
        desk.client.destroy(source)
        let home = Rect(x: 20, y: 20, width: 100, height: 100)
        stage.lift(session, images: [image], source: home, touch: home.center, at: .zero, duration: .zero)
        show(100)
        stage.beginDrag(session, touch: home.center, at: ms(110))
        stage.move(session, to: middle, at: ms(120))
        for t in [130, 500, 1000] { show(t) }
      }

      func show(_ t: Int) {
        stage.frame(at: ms(t), into: &list)
        desk.display.apply(list)
        desk.settle()
      }

      /// Whether the card shows a colour beneath it, once what changed has been taken in and drawn.
      func shows(_ red: Int, _ green: Int, _ blue: Int, at point: Point? = nil) -> Bool {
        let point = point ?? middle
        let seen = Color(red * 15 / 100, green * 15 / 100, blue * 15 / 100)
        return Wait.until(seconds: 10, descriptor: desk.display.fileDescriptor) {
          desk.display.dispatch { if $0 == .imagesChanged { stage.setNeedsFrame() } }
          if stage.nextFrame != nil {
            time += 16
            stage.frame(at: ms(time), into: &list)
            desk.display.apply(list)
            desk.display.flush()
          }
          desk.client.sync()
          return color(point).distance(to: seen) <= 4
        }
      }

      func color(_ p: Point) -> Color { desk.client.screenshot()?[Int(p.x), Int(p.y)] ?? Color(-1, -1, -1) }
    }

    @Test("what a window draws beneath a resting preview is seen through it")
    func whatIsDrawnBeneathAPreview() throws {
      let s = try Scene()
      try s.carry()
      #expect(s.shows(255, 255, 255), "\(s.color(s.middle))")
      s.desk.client.fill(s.window, Rect(x: 0, y: 0, width: 240, height: 200), color: 0xFF0000)
      #expect(s.shows(255, 0, 0), "\(s.color(s.middle))")
      // And again, though nothing else has happened since.
      s.desk.client.fill(
        s.window, Rect(x: s.inside.x - 2, y: s.inside.y - 2, width: 4, height: 4), color: 0x0000FF)
      #expect(s.shows(0, 0, 255), "\(s.color(s.middle))")
      #expect(s.shows(255, 0, 0, at: s.middle + Point(x: 10, y: 10)))
    }

    @Test("windows that come, move, are raised and go beneath a resting preview are seen through it")
    func windowsThatComeAndGo() throws {
      let s = try Scene()
      try s.carry()
      let other = s.desk.client.makeWindow(Rect(x: 100, y: 100, width: 400, height: 300), color: 0x0000FF)
      #expect(s.shows(0, 0, 255), "a new window: \(s.color(s.middle))")
      s.desk.client.raise(s.window)
      #expect(s.shows(255, 255, 255), "a raised one: \(s.color(s.middle))")
      s.desk.client.setFrame(s.window, Rect(x: 0, y: 400, width: 100, height: 80))
      #expect(s.shows(0, 0, 255), "one that has moved away: \(s.color(s.middle))")
      s.desk.client.setShape(other, .bounding, [Rect(x: 0, y: 0, width: 200, height: 300)])
      // The card is 45 pixels wide to each side, and the shape ends 20 to the left of its middle.
      #expect(s.shows(0, 255, 0), "the desktop: \(s.color(s.middle))")
      #expect(s.shows(0, 0, 255, at: s.middle + Point(x: -30, y: 0)))
      s.desk.client.destroy(other)
      #expect(s.shows(0, 255, 0, at: s.middle + Point(x: -30, y: 0)))
    }

    @Test("a window with an alpha channel is as opaque beneath a preview as on the screen")
    func aWindowWithAlpha() throws {
      let s = try Scene { $0.makeAlphaWindow($1, color: 0x40_2000_40) }
      #expect(s.color(s.middle).distance(to: Color(0x20, 0, 0x40)) <= 1)
      try s.carry()
      #expect(s.shows(0x20, 0, 0x40), "\(s.color(s.middle))")
    }

    @Test("a border is seen through a preview, too") func aBorder() throws {
      let s = try Scene { client, frame in
        client.makeWindow(Rect(x: frame.x, y: frame.y, width: 100, height: 200), color: 0xFF0000, border: 30)
      }
      // The border lies from 330 to 360, and is black as nobody said otherwise.
      try s.carry()
      #expect(s.shows(255, 0, 0, at: s.middle))
      #expect(s.shows(0, 0, 0, at: s.middle + Point(x: 25, y: 0)))
      #expect(s.shows(0, 255, 0, at: Point(x: 362, y: 240)))
    }

    @Test("one preview beneath another is seen through it as it is now") func twoPreviews() throws {
      let s = try Scene()
      try s.carry()
      let red = s.desk.client.makeWindow(Rect(x: 20, y: 20, width: 100, height: 100), color: 0xFF0000)
      s.desk.settle()
      let image = try #require(s.desk.display.snapshot(red, Rect(x: 0, y: 0, width: 100, height: 100)))
      s.desk.client.destroy(red)
      let home = Rect(x: 20, y: 20, width: 100, height: 100)
      s.stage.lift(SessionID(2), images: [image], source: home, touch: home.center, at: ms(1000), duration: .zero)
      s.show(1010)
      s.stage.beginDrag(SessionID(2), touch: home.center, at: ms(1020))
      s.stage.move(SessionID(2), to: s.middle, at: ms(1030))
      for t in [1040, 1500, 2000] { s.show(t) }
      s.time = 2000
      func near(_ color: Color) -> Bool {
        Wait.until(seconds: 10) { s.color(s.middle).distance(to: color) <= 4 }
      }
      // 85 % of red over the black card over white.
      #expect(near(Color(217 + 6, 6, 6)), "\(s.color(s.middle))")
      s.stage.move(s.session, to: Point(x: 80, y: 400), at: ms(2010))
      s.show(2020)
      #expect(near(Color(255, 38, 38)), "\(s.color(s.middle))")
    }

    @Test("windows that the server could not bear to keep are left alone, and what is seen is the desktop")
    func hugeWindows() throws {
      // An X server crashes when it is to keep the first of these, and needs gigabytes for the second.
      for size in [Size(width: 32_768, height: 300), Size(width: 32_000, height: 32_000)] {
        let s = try Scene { client, _ in
          client.makeWindow(Rect(x: 100, y: 100, width: size.width, height: size.height), color: 0xFF0000)
        }
        try s.carry()
        s.desk.settle()
        #expect(s.desk.display.isAlive && s.shows(0, 255, 0), "\(size): \(s.color(s.middle))")
      }
    }

    @Test("after a way over many windows those that lie beneath the preview are seen") func manyWindows()
      throws
    {
      let s = try Scene()
      for i in 0..<120 {
        let (column, row) = (Double(i % 20), Double(i / 20))
        s.desk.client.makeWindow(Rect(x: column * 10, y: row * 10, width: 8, height: 8), color: 0x0000FF)
      }
      s.desk.settle()
      try s.carry()
      for x in stride(from: 10.0, through: 200, by: 10) {
        s.stage.move(s.session, to: Point(x: x, y: 30), at: ms(1100))
        s.show(1100)
      }
      s.stage.move(s.session, to: s.middle, at: ms(1200))
      s.show(1200)
      s.time = 1200
      #expect(s.shows(255, 255, 255), "\(s.color(s.middle))")
    }

    @Test("a window that is kept for a lift of which nothing is shown is let go of")
    func nothingIsShown()
      throws
    {
      let s = try Scene()
      let whole = Rect(x: 0, y: 0, width: 240, height: 200)
      let image = try #require(s.desk.display.snapshot(s.window, whole))
      s.desk.display.follow(image, true)
      #expect(s.desk.display.refreshImage(image))
      s.show(10)
      #expect(!s.desk.display.refreshImage(image))
    }

    @Test("L14, L15, P20: without a compositing manager a picture follows its window, too, and windows are let go of")
    func L14_L15_withoutAManager() throws {
      let s = try Scene()
      let whole = Rect(x: 0, y: 0, width: 240, height: 200)
      let image = try #require(s.desk.display.snapshot(s.window, whole))
      s.desk.display.follow(image, true)
      let place = Rect(x: 200, y: 150, width: 240, height: 200)
      s.stage.lift(s.session, images: [image], source: place, touch: place.center, at: .zero, duration: .zero)
      s.show(500)
      s.desk.client.fill(s.window, whole, color: 0xFF0000)
      s.desk.client.sync()
      var time = 510
      #expect(
        s.desk.wait {
          for image in s.desk.display.refreshImages() { s.stage.imageChanged(image) }
          time += 16
          s.show(time)
          return s.color(s.middle) == Color(255, 0, 0)
        })
      // A snapshot from here on; and once nothing is shown, windows have what is on the screen and no more.
      s.desk.client.fill(s.window, whole, color: 0x0000FF)
      s.desk.settle()
      s.desk.display.follow(image, false)
      #expect(s.desk.display.refreshImage(image))
      s.stage.remove(s.session)
      s.show(time + 16)
      _ = s.desk.client.makeWindow(place, color: 0x00FFFF)
      s.desk.settle()
      #expect(!s.desk.display.refreshImage(image))
      #expect(s.color(s.middle) == Color(0, 255, 255))
    }
  }
}
