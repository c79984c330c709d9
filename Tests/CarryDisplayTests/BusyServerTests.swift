import CLinux
import CX11
import CarryDisplay
import CarryModel
import CarryStage
import CarryTesting
import Testing

extension DisplayTests {
  @Suite struct BusyServer {
    private func list(_ image: ImageID, side: Int32, content: UInt64) -> DrawList {
      var list = DrawList()
      var surface = Surface(id: SurfaceID(1))
      (surface.width, surface.height, surface.content) = (side, side, content)
      let size = Size(width: Double(side), height: Double(side))
      surface.layers = [
        Layer(
          image: image, size: size, center: Point(x: size.width / 2, y: size.height / 2), scale: 1, rotation: 0,
          opacity: 1, cornerRadius: 10, isShaped: false, shadow: Shadow(blur: 0, offsetY: 0, opacity: 0))
      ]
      list.surfaces = [surface]
      return list
    }

    @Test("an X server that draws slowly is not given more to draw until it is done")
    func aServerThatDrawsSlowly() throws {
      let desk = try Desk()
      let source = desk.client.makeWindow(Rect(x: 0, y: 0, width: 100, height: 100), color: 0x3366CC)
      desk.settle()
      let image = try #require(desk.display.snapshot(source, Rect(x: 0, y: 0, width: 100, height: 100)))
      // Little to draw: nothing is asked.
      desk.display.apply(list(image, side: 100, content: 1))
      desk.display.askWhenDone()
      #expect(!desk.display.isBusy)
      desk.settle()
      desk.server.process.signal(SIGSTOP)
      desk.display.apply(list(image, side: 1500, content: 2))
      desk.display.askWhenDone()
      #expect(desk.display.isBusy)
      desk.display.dispatch { _ in }
      #expect(desk.display.isBusy)
      desk.server.process.signal(SIGCONT)
      #expect(desk.wait { !desk.display.isBusy })
      // Many small ones are much as well.
      desk.server.process.signal(SIGSTOP)
      for i in 0..<400 where !desk.display.isBusy {
        var moved = list(image, side: 1500, content: 2)
        moved.surfaces[0].x = Int32(i)
        desk.display.apply(moved)
        desk.display.askWhenDone()
      }
      #expect(desk.display.isBusy)
      desk.server.process.signal(SIGCONT)
      #expect(desk.wait { !desk.display.isBusy })
    }

    @Test("the question whether a server is done goes out with the drawing, and its answer comes with the events")
    func theQuestionGoesOutWithTheDrawing() throws {
      let desk = try Desk()
      let x = try #require(XGetXCBConnection(desk.display.connection))
      let source = desk.client.makeWindow(Rect(x: 0, y: 0, width: 100, height: 100), color: 0x3366CC)
      desk.settle()
      let image = try #require(desk.display.snapshot(source, Rect(x: 0, y: 0, width: 100, height: 100)))
      desk.display.apply(list(image, side: 1500, content: 1))
      let written = xcb_total_written(x)
      desk.display.askWhenDone()
      #expect(desk.display.isBusy)
      #expect(xcb_total_written(x) == written)
      desk.display.flush()
      #expect(xcb_total_written(x) > written)
      // The answer is not fetched one by one, and lies there until the events are read.
      desk.client.sync()
      var readable = pollfd(fd: desk.display.fileDescriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&readable, 1, 10_000) == 1)
      let read = xcb_total_read(x)
      for _ in 0..<10 { #expect(desk.display.isBusy) }
      #expect(xcb_total_read(x) == read)
      #expect(desk.wait { !desk.display.isBusy })
    }

    @Test("a picture of few pixels that is stretched over many costs what its own pixels cost")
    func stretchedPictures() throws {
      let desk = try Desk()
      let pixels = [UInt32](repeating: 0xFF88_4422, count: 512 * 512)
      let raw = try #require(
        pixels.withUnsafeBytes { desk.display.image(premultipliedARGB: $0, width: 512, height: 512) })
      var look = PreviewDescription()
      look.picture = .image(raw, Size(width: 2048, height: 2048))
      var path = PreviewPath()
      for (i, p) in [Point(x: 0, y: 0), Point(x: 2048, y: 0), Point(x: 1024, y: 2048)].enumerated() {
        path.add(i == 0 ? .move(p) : .line(p))
      }
      look.path = path
      let image = try #require(desk.display.image(look))
      // It is seen at its whole size all the same, where its outline is.
      var list = DrawList()
      var surface = Surface(id: SurfaceID(1))
      (surface.width, surface.height, surface.content) = (204, 204, 1)
      surface.layers = [
        Layer(
          image: image, size: Size(width: 2048, height: 2048), center: Point(x: 102, y: 102), scale: 0.1, rotation: 0,
          opacity: 1, cornerRadius: 0, isShaped: true, shadow: Shadow(blur: 0, offsetY: 0, opacity: 0))
      ]
      list.surfaces = [surface]
      desk.display.apply(list)
      desk.settle()
      let shot = try #require(desk.client.screenshot())
      #expect(shot[102, 30] == Screenshot.Color(0x88, 0x44, 0x22))
      #expect(shot[20, 20] == Screenshot.Color(0x88, 0x44, 0x22))
      #expect(shot[102, 190] == Screenshot.Color(0x88, 0x44, 0x22))
      #expect(shot[20, 150] != Screenshot.Color(0x88, 0x44, 0x22))
      #expect(shot[184, 150] != Screenshot.Color(0x88, 0x44, 0x22))
    }
  }
}
