import CarryDisplay
import CarryModel
import CarryStage
import CarryTesting
import Testing

extension DisplayTests {
  @Suite struct Previews {
    private typealias Color = Screenshot.Color

    /// A blue source on a desk that is white on its left half and black on its right.
    private final class Scene {
      let desk: Desk
      let source: WindowID
      let image: ImageID
      var stage = Stage(settings: Settings())
      var list = DrawList()
      let session = SessionID(1)
      let rect = Rect(x: 20, y: 20, width: 120, height: 80)
      let touch = Point(x: 80, y: 60)

      init(_ desk: Desk) throws {
        self.desk = desk
        _ = desk.client.makeWindow(Rect(x: 0, y: 0, width: 320, height: 480), color: 0xFFFFFF)
        _ = desk.client.makeWindow(Rect(x: 320, y: 0, width: 320, height: 480), color: 0x000000)
        source = desk.client.makeWindow(rect, color: 0x0000FF)
        desk.settle()
        let first = desk.display.snapshot(source, Rect(x: 0, y: 0, width: 120, height: 80))
        image = try #require(first)
      }

      func show(_ t: Int) {
        stage.frame(at: ms(t), into: &list)
        desk.display.apply(list)
        desk.settle()
      }

      func carry(to p: Point) {
        stage.lift(session, images: [image], source: rect, touch: touch, at: .zero, duration: .milliseconds(350))
        show(400)
        stage.beginDrag(session, touch: touch, at: ms(400))
        stage.move(session, to: p, at: ms(410))
        show(420)
        show(1000)
      }

      func color(_ x: Int, _ y: Int) -> Color { desk.client.screenshot()?[x, y] ?? Color(-1, -1, -1) }
    }

    /// Waits, since a compositing manager draws on its own time.
    private func eventually(_ scene: Scene, _ x: Int, _ y: Int, _ color: Color, tolerance: Int = 3) -> Bool {
      Wait.until(seconds: 8) { scene.color(x, y).distance(to: color) <= tolerance }
    }

    @Test(
      "B2: the carried stack is translucent and gone afterwards", arguments: [nil, Compositor.Kind.picom, .xcompmgr])
    func B2_theCarriedStackIsTranslucentAndGoneAfterwards(_ kind: Compositor.Kind?) throws {
      let desk = try Desk()
      // A missing manager fails the test, loudly: translucency is to be seen, not assumed.
      let compositor = try kind.map { try Compositor($0, on: desk.server) }
      #expect(desk.wait { desk.display.isComposited == (compositor != nil) })
      let s = try Scene(desk)
      s.carry(to: Point(x: 200, y: 300))
      // 0.85 blue over white: 15 % of the white shows through.
      #expect(eventually(s, 200, 300, Color(38, 38, 255)), "\(s.color(200, 300))")
      s.stage.move(s.session, to: Point(x: 480, y: 300), at: ms(1100))
      s.show(1100)
      #expect(eventually(s, 480, 300, Color(0, 0, 217)), "\(s.color(480, 300))")
      #expect(eventually(s, 200, 300, Color(255, 255, 255), tolerance: 0))
      s.stage.remove(s.session)
      s.show(1200)
      #expect(eventually(s, 480, 300, Color(0, 0, 0), tolerance: 0))
      desk.display.releaseImage(s.image)
      compositor?.process.stop()
    }

    @Test("a compositor may come and go while something is carried")
    func aCompositorMayComeAndGoWhileSomethingIsCarried() throws {
      let desk = try Desk()
      let s = try Scene(desk)
      #expect(!desk.display.isComposited)
      s.carry(to: Point(x: 200, y: 300))
      #expect(s.color(200, 300).distance(to: Color(38, 38, 255)) <= 3)
      let compositor = try Compositor(.picom, on: desk.server)
      #expect(desk.wait { desk.display.isComposited })
      s.show(1100)
      #expect(eventually(s, 200, 300, Color(38, 38, 255)), "\(s.color(200, 300))")
      compositor.process.stop()
      #expect(desk.wait { !desk.display.isComposited })
      // The X server may draw the windows anew after the manager's end only: then what is beneath changes once more.
      let isAsBefore = Wait.until(seconds: 8) {
        s.show(1200)
        return s.color(200, 300).distance(to: Color(38, 38, 255)) <= 10
      }
      #expect(isAsBefore, "\(s.color(200, 300))")
    }

    @Test("L8: a snapshot has the windows pixels with its children")
    func L8_aSnapshotHasTheWindowsPixelsWithItsChildren() throws {
      let desk = try Desk()
      let child = desk.client.makeWindow(
        Rect(x: 10, y: 10, width: 20, height: 20),
        in: desk.client.makeWindow(Rect(x: 300, y: 200, width: 100, height: 60), color: 0x112233), color: 0xAABBCC)
      desk.settle()
      let parent = try #require(desk.display.windows.parent(of: child))
      let id = try #require(desk.display.snapshot(parent, Rect(x: 5, y: 5, width: 500, height: 500)))
      // Shown flat at another place, it looks the same: 95 × 55 pixels from the fifth on.
      var stage = Stage(settings: Settings())
      var list = DrawList()
      let rect = Rect(x: 100, y: 100, width: 95, height: 55)
      stage.lift(
        SessionID(1), images: [id], source: rect, touch: rect.center, at: .zero, duration: .milliseconds(350))
      stage.frame(at: .zero, into: &list)
      desk.display.apply(list)
      desk.settle()
      let shot = try #require(desk.client.screenshot())
      #expect(shot[150, 140] == Color(0x11, 0x22, 0x33))
      #expect(shot[105, 117] == Color(0xAA, 0xBB, 0xCC) && shot[104, 117] == Color(0x11, 0x22, 0x33))
      #expect(shot[124, 117] == Color(0xAA, 0xBB, 0xCC) && shot[125, 117] == Color(0x11, 0x22, 0x33))
      #expect(shot[193, 127] == Color(0x11, 0x22, 0x33) && shot[196, 127] == Color(0, 0, 0))
    }

    @Test("L8: there is no snapshot of what is not seen") func L8_thereIsNoSnapshotOfWhatIsNotSeen() throws {
      let desk = try Desk()
      let hidden = desk.client.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50), maps: false)
      let gone = desk.client.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      let seen = desk.client.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      desk.client.destroy(gone)
      desk.settle()
      let rect = Rect(x: 0, y: 0, width: 20, height: 20)
      #expect(desk.display.snapshot(hidden, rect) == nil)
      #expect(desk.display.snapshot(gone, rect) == nil)
      #expect(desk.display.snapshot(seen, rect.offset(by: Point(x: 60, y: 0))) == nil)
      #expect(desk.display.snapshot(seen, Rect(x: .nan, y: 0, width: .infinity, height: 5)) == nil)
      #expect(desk.display.snapshot(seen, rect) != nil)
    }

    @Test("a clients picture is taken only with an honest size")
    func aClientsPictureIsTakenOnlyWithAnHonestSize() throws {
      let desk = try Desk()
      let bytes = [UInt8](repeating: 255, count: 4 * 4 * 4)
      bytes.withUnsafeBytes {
        #expect(desk.display.image(premultipliedARGB: $0, width: 4, height: 4) != nil)
        #expect(desk.display.image(premultipliedARGB: $0, width: 4, height: 5) == nil)
        #expect(desk.display.image(premultipliedARGB: $0, width: 65535, height: 65535) == nil)
        #expect(desk.display.image(premultipliedARGB: $0, width: -4, height: -4) == nil)
      }
    }

    @Test("B2: previews take no input stay on top and say what they are")
    func B2_previewsTakeNoInputStayOnTopAndSayWhatTheyAre() throws {
      let desk = try Desk()
      let s = try Scene(desk)
      s.carry(to: Point(x: 200, y: 300))
      let under = try #require(desk.client.window(at: Point(x: 200, y: 300)))
      #expect(desk.display.windows.window(at: Point(x: 200, y: 300))?.window == under)
      let preview = try #require(desk.client.children(of: desk.client.root).first)
      #expect(preview != under)
      #expect(desk.client.property("_NET_WM_WINDOW_TYPE", of: preview) == [desk.client.atom("_NET_WM_WINDOW_TYPE_DND")])
      #expect(desk.client.property("_NET_WM_BYPASS_COMPOSITOR", of: preview) == [2])
      // Another window comes up: the preview goes above it again.
      let rude = desk.client.makeWindow(Rect(x: 0, y: 0, width: 640, height: 480), color: 0xFF0000)
      desk.client.raise(rude)
      desk.client.sync()
      #expect(desk.wait { desk.client.children(of: desk.client.root).first == preview })
      #expect(desk.display.windows.window(at: Point(x: 200, y: 300))?.window == rude)
    }

    @Test("B5: a moved stack is moved and not drawn again") func B5_aMovedStackIsMovedAndNotDrawnAgain() throws {
      let desk = try Desk()
      let compositor = try Compositor(.xcompmgr, on: desk.server)
      #expect(desk.wait { desk.display.isComposited })
      let s = try Scene(desk)
      s.carry(to: Point(x: 200, y: 300))
      let before = desk.display.requestCount
      for k in 0..<100 {
        s.stage.move(s.session, to: Point(x: 200 + Double(k), y: 300), at: ms(1100 + k))
        s.stage.frame(at: ms(1100 + k), into: &s.list)
        desk.display.apply(s.list)
      }
      // The first is where the stack is already.
      #expect(desk.display.requestCount - before == 99)
      compositor.process.stop()
    }

    @Test("B2: many sessions leave no window behind") func B2_manySessionsLeaveNoWindowBehind() throws {
      let desk = try Desk()
      let s = try Scene(desk)
      let windows = desk.client.children(of: desk.client.root).count
      for n in 0..<5 {
        let t = n * 3000
        for k in 1...10 {
          s.stage.lift(
            SessionID(UInt32(k)), images: [s.image, s.image], source: s.rect, touch: s.touch, at: ms(t),
            duration: .milliseconds(350))
          s.stage.beginDrag(SessionID(UInt32(k)), touch: s.touch, at: ms(t + 10))
          s.stage.add(SessionID(UInt32(k)), images: [s.image], source: s.rect, at: ms(t + 20))
        }
        s.show(t + 100)
        s.show(t + 900)
        for k in 1...10 { s.stage.cancel(SessionID(UInt32(k)), at: ms(t + 1000)) }
        s.show(t + 1100)
        s.show(t + 2000)
      }
      #expect(s.list.surfaces.isEmpty)
      #expect(s.stage.takeUnusedImages() == [s.image])
      // Two spare ones are kept, unmapped.
      #expect(desk.client.children(of: desk.client.root).count <= windows + 2)
    }
  }
}
