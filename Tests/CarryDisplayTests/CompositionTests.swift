import CarryDisplay
import CarryModel
import CarryStage
import CarrySystem
import CarryTesting
import Testing

extension DisplayTests {
  /// Pictures with outlines and backgrounds of their own.
  @Suite struct Composition {
    private typealias Color = Screenshot.Color

    private let white = Color(255, 255, 255)
    private let blue = Color(0, 0, 255)

    /// A picture alone on the screen, at its own size; white behind it.
    private func show(_ desk: Desk, _ look: PreviewDescription, at p: Point, side: Double = 300) throws {
      let image = try #require(desk.display.image(look))
      let visible = try #require(look.visibleRect)
      var layer = Layer(
        image: image, size: visible.size, center: Point(x: side / 2, y: side / 2), scale: 1, rotation: 0, opacity: 1,
        cornerRadius: 0, isShaped: look.isShaped, shadow: Shadow(blur: 6, offsetY: 0, opacity: 0))
      layer.shadow.opacity = look.isShaped ? 0.5 : 0
      var surface = Surface(id: SurfaceID(1))
      (surface.x, surface.y) = (Int32(p.x - side / 2), Int32(p.y - side / 2))
      (surface.width, surface.height) = (Int32(side), Int32(side))
      surface.content = 1
      surface.layers = [layer]
      var list = DrawList()
      list.surfaces = [surface]
      desk.display.apply(list)
      desk.settle()
    }

    private func square(_ x: Double, _ y: Double, _ side: Double) -> PreviewPath {
      var path = PreviewPath()
      path.add(.move(Point(x: x, y: y)))
      for p in [Point(x: x + side, y: y), Point(x: x + side, y: y + side), Point(x: x, y: y + side)] {
        path.add(.line(p))
      }
      path.add(.close)
      return path
    }

    private func scene() throws -> (Desk, WindowID, Compositor) {
      let desk = try Desk()
      let compositor = try Compositor(.picom, on: desk.server)
      #expect(desk.wait { desk.display.isComposited })
      _ = desk.client.makeWindow(Rect(x: 0, y: 0, width: 640, height: 480), color: 0xFFFFFF)
      let source = desk.client.makeWindow(Rect(x: 0, y: 0, width: 100, height: 60), color: 0x0000FF)
      desk.settle()
      // A window that the manager has just taken over is black until the server has painted it anew.
      #expect(eventually(desk, 50, 30, blue))
      return (desk, source, compositor)
    }

    private func eventually(_ desk: Desk, _ x: Int, _ y: Int, _ color: Color) -> Bool {
      var seen = Color(-1, -1, -1)
      let isThere = Wait.until(seconds: 8) {
        seen = desk.client.screenshot()?[x, y] ?? seen
        return seen.distance(to: color) <= 4
      }
      if !isThere { Issue.record("\(x),\(y): \(seen) and not \(color)") }
      return isThere
    }

    @Test("P10, P12: a path cuts what is seen, and its own middle is the middle") func P10_P12_aPathCuts() throws {
      let (desk, source, compositor) = try scene()
      var look = PreviewDescription()
      look.picture = .window(source, Rect(x: 0, y: 0, width: 100, height: 60))
      look.path = square(60, 20, 30)
      look.path?.add(.move(Point(x: 0, y: 0)))
      look.path?.add(.line(Point(x: 10, y: 0)))
      look.path?.add(.line(Point(x: 0, y: 10)))
      #expect(look.visibleRect == Rect(x: 0, y: 0, width: 90, height: 50))
      look.shadowPath = PreviewPath()
      try show(desk, look, at: Point(x: 400, y: 300))
      // The box's corner is at 355, 275.
      #expect(eventually(desk, 355 + 75, 275 + 35, blue))
      #expect(eventually(desk, 355 + 3, 275 + 3, blue))
      // In neither part, though it is the middle.
      #expect(eventually(desk, 400, 300, white))
      withExtendedLifetime(compositor) {}
    }

    @Test(
      "P8: a part that reaches beyond its window is not stretched", arguments: [0xFFFF_FFFF, 0xFF00_FF00] as [UInt32])
    func P8_aPartThatReachesBeyondItsWindow(background: UInt32) throws {
      let (desk, source, compositor) = try scene()
      var look = PreviewDescription()
      look.picture = .window(source, Rect(x: 50, y: -20, width: 100, height: 100))
      look.background = background
      try show(desk, look, at: Point(x: 400, y: 300))
      // Of the window's 100×60, what lies right of 50 is seen: 50×60 below 20 rows of nothing.
      #expect(eventually(desk, 350 + 47, 250 + 77, blue))
      #expect(eventually(desk, 350 + 3, 250 + 23, blue))
      for (x, y) in [(47, 83), (53, 50), (3, 17)] {
        #expect(eventually(desk, 350 + x, 250 + y, background == 0xFF00_FF00 ? Color(0, 255, 0) : white))
      }
      withExtendedLifetime(compositor) {}
    }

    @Test("P8, P11: a path larger than the view shows the background round it") func P8_P11_aPathLargerThanTheView()
      throws
    {
      let (desk, source, compositor) = try scene()
      var look = PreviewDescription()
      look.picture = .window(source, Rect(x: 0, y: 0, width: 100, height: 60))
      look.background = 0xFF00_FF00
      look.path = square(-20, -20, 140)
      try show(desk, look, at: Point(x: 400, y: 300))
      #expect(eventually(desk, 400 - 70 + 5, 300, Color(0, 255, 0)))
      #expect(eventually(desk, 400, 300 - 70 + 20 + 5, blue))
      withExtendedLifetime(compositor) {}
    }

    @Test("P8: what has holes shows the background, or nothing on a clear one", arguments: [0xFFFF_0000, 0x00FF_0000])
    func P8_whatHasHoles(_ background: UInt32) throws {
      let (desk, _, compositor) = try scene()
      // Left half opaque blue, right half clear.
      let pixels = (0..<1600).map { UInt32($0 % 40 < 20 ? 0xFF00_00FF : 0) }
      let image = try #require(
        pixels.withUnsafeBytes { desk.display.image(premultipliedARGB: $0, width: 40, height: 40) })
      var look = PreviewDescription()
      look.picture = .image(image, Size(width: 80, height: 80))
      look.background = background
      look.shadowPath = square(0, 0, 10)
      try show(desk, look, at: Point(x: 400, y: 300))
      #expect(eventually(desk, 380, 300, blue))
      #expect(eventually(desk, 425, 300, background >> 24 == 0 ? white : Color(255, 0, 0)))
      withExtendedLifetime(compositor) {}
    }

    @Test("L19, P13: a shadow follows the outline") func L19_aShadowFollowsTheOutline() throws {
      let (desk, source, compositor) = try scene()
      var look = PreviewDescription()
      look.picture = .window(source, Rect(x: 0, y: 0, width: 100, height: 60))
      look.path = square(0, 0, 20)
      look.path?.add(.move(Point(x: 99, y: 59)))
      look.path?.add(.line(Point(x: 100, y: 60)))
      look.path?.add(.line(Point(x: 99, y: 60)))
      try show(desk, look, at: Point(x: 400, y: 300))
      #expect(eventually(desk, 350 + 10, 270 + 10, blue))
      // Right below the square it is dark, and far from it, inside of the box, it is not.
      #expect(Wait.until { (desk.client.screenshot()?[360, 270 + 22].red ?? 255) < 230 })
      #expect(eventually(desk, 350 + 75, 270 + 20, white))
      withExtendedLifetime(compositor) {}
    }

    @Test("Z17, P14: a link's card is as large as the desktop draws") func Z17_P14_aLinkOnADenseScreen() throws {
      let (desk, _, compositor) = try scene()
      var look = PreviewDescription()
      look.picture = .link(url: "https://example.org", title: "A title of its own")
      look.drawnScale = 2
      #expect(look.visibleRect?.size == Size(width: 528, height: 120))
      try show(desk, look, at: Point(x: 300, y: 240), side: 560)
      // The bar at the left is twice as wide, and the letters reach twice as far.
      #expect(eventually(desk, 300 - 264 + 6, 240, Color(41, 115, 219)))
      #expect(
        Wait.until {
          desk.client.screenshot().map { shot in
            (290..<400).contains { x in (200..<240).contains { shot[x, $0].red < 90 } }
          } ?? false
        })
      withExtendedLifetime(compositor) {}
    }

    @Test(
      "P3, P14: a link is a card with its title and its address",
      arguments: ["", "A title of its own", "東京の天気と地図 مرحبا בעולם"])
    func P3_P14_aLinkIsACard(_ title: String) throws {
      let (desk, _, compositor) = try scene()
      var look = PreviewDescription()
      look.picture = .link(url: "https://www.example.org/a/long/way/to/go/and/further/than/the/card/is", title: title)
      let size = try #require(look.visibleRect).size
      #expect(size.height == (title.isEmpty ? 44 : 60))
      try show(desk, look, at: Point(x: 400, y: 300))
      let left = Int(400 - size.width / 2)
      #expect(eventually(desk, left + 2, 300, Color(41, 115, 219)))
      // The text is cut before the margin.
      #expect(eventually(desk, left + Int(size.width) - 6, 300, white))
      if let folder = environment("CARRY_LOOKS") {
        desk.client.screenshot()?.write(to: folder + "/link-\(title.utf8.count).png")
      }
      withExtendedLifetime(compositor) {}
    }

    @Test(
      "Z13: a frame has the same corners and sides at any size", arguments: [(12, 40), (33, 33), (300, 61), (420, 330)])
    func Z13_aFrame(_ width: Int, _ height: Int) throws {
      let (desk, _, compositor) = try scene()
      let frame = desk.display.frameImage(Size(width: Double(width), height: Double(height)))
      var look = PreviewDescription()
      look.picture = .image(try #require(frame), Size(width: Double(width), height: Double(height)))
      look.background = 0
      look.shadowPath = PreviewPath()
      try show(desk, look, at: Point(x: 320, y: 240), side: 460)
      let (left, top) = (320 - width / 2, 240 - height / 2)
      let (right, bottom) = (left + width - 1, top + height - 1)
      let (line, inside) = (Color(70, 145, 244), Color(234, 242, 254))
      // The middle of the line on each side, and what is inside; where it is large, on both sides of the corners.
      for x in Set([320, left + 14, right - 14]) where width >= 33 {
        for y in [top + 1, bottom - 1] { #expect(eventually(desk, x, y, line)) }
      }
      for y in Set([240, top + 14, bottom - 14]) where height >= 33 {
        for x in [left + 1, right - 1] { #expect(eventually(desk, x, y, line)) }
      }
      #expect(eventually(desk, 320, 240, inside))
      for (x, y) in [(left, top), (right, top), (left, bottom), (right, bottom)] {
        #expect(eventually(desk, x, y, white))
      }
      withExtendedLifetime(compositor) {}
    }

    @Test("P3, P6, P14: a link's card keeps its size inside of an outline") func P3_P6_P14_anOutlinedLink() throws {
      let (desk, _, compositor) = try scene()
      var look = PreviewDescription()
      look.picture = .link(url: "https://example.org", title: "A title of its own")
      look.path = square(-20, -20, 100)
      look.background = 0xFFFF_0000
      try show(desk, look, at: Point(x: 400, y: 300))
      // The outline's middle is at the place, and the card's corner 20 pixels inside of it.
      #expect(eventually(desk, 350 + 10, 300, Color(255, 0, 0)))
      #expect(eventually(desk, 350 + 22, 300, Color(41, 115, 219)))
      #expect(eventually(desk, 350 + 28, 300, white))
      #expect(eventually(desk, 350 + 50, 250 + 90, Color(255, 0, 0)))
      withExtendedLifetime(compositor) {}
    }

    @Test("L14, L15, DA10, P20: a picture follows its window as long as it is to")
    func L14_L15_aPictureFollowsItsWindow() throws {
      let (desk, source, compositor) = try scene()
      let snapshot = desk.display.snapshot(source, Rect(x: 0, y: 0, width: 100, height: 60))
      let image = try #require(snapshot)
      desk.display.follow(image, true)
      desk.settle()
      func paint(_ color: UInt32) {
        desk.client.fill(source, Rect(x: 0, y: 0, width: 100, height: 60), color: color)
        desk.client.sync()
      }
      paint(0xFF0000)
      var changed: [ImageID] = []
      #expect(
        desk.wait {
          changed += desk.display.refreshImages()
          return changed == [image]
        })
      desk.display.follow(image, false)
      paint(0x00FF00)
      desk.settle()
      #expect(desk.display.refreshImages().isEmpty)
      // Unless it is asked for once more; and one whose window is gone stays as it is.
      #expect(desk.display.refreshImage(image))
      desk.client.destroy(source)
      desk.settle()
      #expect(!desk.display.refreshImage(image))
      desk.display.releaseImage(image)
      #expect(!desk.display.refreshImage(image))
      withExtendedLifetime(compositor) {}
    }

    @Test("a pixmap that is none, or far too large, gives no picture") func aPixmapThatIsNone() throws {
      let (desk, source, compositor) = try scene()
      #expect(desk.display.image(pixmap: 0x7FF_FFFF) == nil)
      #expect(desk.display.image(pixmap: 0) == nil)
      let pixmap = desk.client.makePixmap(50, 40)
      desk.client.sync()
      let found = desk.display.image(pixmap: pixmap)
      #expect(found?.1 == Size(width: 50, height: 40))
      var look = PreviewDescription()
      look.picture = .window(source, Rect(x: 5000, y: 0, width: 10, height: 10))
      #expect(desk.display.image(look) == nil)
      look.picture = .image(ImageID(4711), Size(width: 10, height: 10))
      #expect(desk.display.image(look) == nil)
      #expect(desk.display.isAlive)
      withExtendedLifetime(compositor) {}
    }

    @Test("L14: without its compositing manager a window is followed no more")
    func L14_theManagerGoesWhileAPictureFollows() throws {
      let (desk, source, compositor) = try scene()
      let image = try #require(desk.display.snapshot(source, Rect(x: 0, y: 0, width: 100, height: 60)))
      desk.display.follow(image, true)
      var seen = false
      func paint(_ color: UInt32) {
        desk.client.fill(source, Rect(x: 0, y: 0, width: 100, height: 60), color: color)
        desk.settle()
      }
      paint(0xFF0000)
      #expect(
        desk.wait {
          seen = seen || desk.display.refreshImages() == [image]; return seen
        })
      // Another window lies above half of it: on the screen there is that one.
      _ = desk.client.makeWindow(Rect(x: 50, y: 0, width: 590, height: 480), color: 0x00FF00)
      compositor.process.stop()
      #expect(desk.wait { !desk.display.isComposited })
      paint(0x0000FF)
      desk.settle()
      #expect(desk.display.refreshImages().isEmpty)
      desk.display.releaseImage(image)
    }

    @Test("L14: of many pictures of a window that redraws some are taken in each frame, and all in the end")
    func L14_manyPicturesOfAWindow() throws {
      let (desk, source, compositor) = try scene()
      let images = try (0..<40).map { _ in
        try #require(desk.display.snapshot(source, Rect(x: 0, y: 0, width: 100, height: 60)))
      }
      for image in images { desk.display.follow(image, true) }
      desk.client.fill(source, Rect(x: 0, y: 0, width: 100, height: 60), color: 0xFF0000)
      desk.settle()
      var frames: [[ImageID]] = []
      #expect(
        desk.wait {
          let taken = desk.display.refreshImages()
          if !taken.isEmpty { frames.append(taken) }
          return Set(frames.joined()).count == images.count
        })
      #expect(frames.allSatisfy { $0.count <= 16 }, "\(frames.map(\.count))")
      for image in images { desk.display.releaseImage(image) }
      #expect(desk.display.refreshImages().isEmpty)
      withExtendedLifetime(compositor) {}
    }
  }
}
