import CX11
import CarryDisplay
import CarryModel
import CarryStage
import CarrySystem
import CarryTesting
import Testing

extension DisplayTests {
  /// What drags leave behind in the X server.
  @Suite struct Leaks {
    /// Pixmaps, windows and pictures of a connection, and the bytes of its pixmaps, as the server counts them (XRes).
    private func holdings(_ desk: Desk) -> [String: UInt] {
      let x = desk.client.connection
      var types: UnsafeMutablePointer<XResType>?
      var count: CInt = 0
      // A window of the connection names it: the one that says which engine serves the display.
      let client = xcb_get_setup(XGetXCBConnection(desk.display.connection)).pointee.resource_id_base
      guard XResQueryClientResources(x, XID(client), &count, &types) != 0, let types else { return [:] }
      defer { XFree(types) }
      var list: [String: UInt] = [:]
      for i in 0..<Int(count) {
        let name = XGetAtomName(x, types[i].resource_type).map { p in
          defer { XFree(p) }
          return String(cString: p)
        }
        list[name ?? "?"] = UInt(types[i].count)
      }
      var bytes: UInt = 0
      if XResQueryClientPixmapBytes(x, XID(client), &bytes) != 0 { list["bytes of pixmaps"] = bytes }
      return list
    }

    @Test("windows beneath a preview that are moved into others or go leave nothing in the X server")
    func windowsThatMoveIntoOthers() throws {
      let desk = try Desk()
      var stage = Stage(settings: Settings())
      var list = DrawList()
      let before = holdings(desk)
      let home = Rect(x: 100, y: 100, width: 200, height: 200)
      stage.lift(
        SessionID(1), images: [ImageID(0)], source: home, touch: home.center, at: .zero, duration: .zero)
      stage.frame(at: ms(100), into: &list)
      desk.display.apply(list)
      for i in 0..<20 {
        let window = desk.client.makeWindow(Rect(x: 120, y: 120, width: 50, height: 50), color: 0x00FF00)
        desk.settle()
        // It lies beneath the preview, and is kept.
        #expect(desk.wait { desk.display.windows.isMapped(window) })
        stage.setNeedsFrame()
        stage.frame(at: ms(101 + i), into: &list)
        desk.display.apply(list)
        desk.settle()
        #expect(holdings(desk)["CompositeClientWindow", default: 0] > 0, "it is not kept")
        if i % 2 == 0 { desk.client.destroy(window); continue }
        // Into a part of a new window, which the mirror cannot know yet.
        let new = desk.client.makeWindow(Rect(x: 0, y: 0, width: 9, height: 9), maps: false)
        let part = desk.client.makeWindow(Rect(x: 0, y: 0, width: 9, height: 9), in: new)
        desk.client.reparent(window, to: part, at: .zero)
        desk.settle()
      }
      stage.remove(SessionID(1))
      stage.frame(at: ms(300), into: &list)
      desk.display.apply(list)
      desk.settle()
      let after = holdings(desk)
      for kind in ["CompositeClientWindow", "DamageExt", "PICTURE", "PIXMAP"] {
        #expect(after[kind, default: 0] == before[kind, default: 0], "\(before) \(after)")
      }
    }

    @Test("P20: a thousand drags with pictures of all kinds leave nothing in the X server")
    func P20_aThousandDragsLeaveNothing() throws {
      let desk = try Desk()
      let source = desk.client.makeWindow(Rect(x: 0, y: 0, width: 120, height: 80), color: 0x3366CC)
      desk.settle()
      var stage = Stage(settings: Settings())
      var list = DrawList()
      var clock = 0
      func frame(_ stage: inout Stage, after n: Int) {
        clock += n
        stage.frame(at: ms(clock), into: &list)
        desk.display.apply(list)
        for image in stage.takeUnusedImages() { desk.display.releaseImage(image) }
        _ = stage.takeFinished()
        _ = stage.takeFlights()
      }
      var path = PreviewPath()
      for (i, p) in [Point(x: 0, y: 0), Point(x: 90, y: 10), Point(x: 40, y: 70)].enumerated() {
        path.add(i == 0 ? .move(p) : .line(p))
      }
      let pixels = [UInt32](repeating: 0xFF88_4422, count: 40 * 40)
      func drag(_ n: Int) throws {
        let id = SessionID(UInt32(n + 1))
        var look = PreviewDescription()
        look.picture = .window(source, Rect(x: 0, y: 0, width: 100, height: 80))
        look.path = path
        let first = try #require(desk.display.image(look))
        desk.display.follow(first, true)
        let second = try #require(desk.display.snapshot(source, Rect(x: 0, y: 0, width: 120, height: 80)))
        let raw = try #require(
          pixels.withUnsafeBytes { desk.display.image(premultipliedARGB: $0, width: 40, height: 40) })
        let home = Rect(x: 0, y: 0, width: 120, height: 80)
        stage.lift(
          id,
          cards: [
            CardSource(item: 0, image: first, size: path.boundingBox.size, home: home, isShaped: true),
            CardSource(item: 1, image: second, size: home.size, home: home),
          ], count: 2, touch: home.center, at: ms(clock), duration: .milliseconds(10))
        frame(&stage, after: 20)
        stage.beginDrag(id, touch: home.center, at: ms(clock))
        stage.setBadge(id, .copy(2), at: ms(clock))
        frame(&stage, after: 20)
        var drawn = PreviewDescription()
        drawn.picture = .image(raw, Size(width: 40, height: 40))
        drawn.background = 0
        let flying = try #require(desk.display.image(drawn))
        desk.display.releaseImage(raw)
        stage.setPicture(
          id, CardSource(item: 1, image: flying, size: Size(width: 40, height: 40), home: nil), at: ms(clock))
        stage.setReason(id, n % 2 == 0 ? "not here" : nil, at: ms(clock))
        frame(&stage, after: 300)
        if n % 2 == 0 {
          stage.cancel(id, landings: [Landing(item: 0, way: .fade)], at: ms(clock))
        } else {
          stage.drop(id, into: home, at: home.center, at: ms(clock))
        }
        frame(&stage, after: 100)
        frame(&stage, after: 2000)
        frame(&stage, after: 10)
      }
      for n in 0..<20 { try drag(n) }
      desk.settle()
      let before = holdings(desk)
      try #require(before.count > 3, "XRes says nothing: \(before)")
      for n in 20..<1020 { try drag(n) }
      desk.settle()
      #expect(stage.count == 0)
      #expect(holdings(desk) == before)
    }

    @Test("cards without a picture, of whatever sizes, take little memory of the X server")
    func cardsWithoutAPicture() throws {
      let desk = try Desk()
      var list = DrawList()
      for i in 0..<60 {
        var surface = Surface(id: SurfaceID(1))
        (surface.width, surface.height, surface.content) = (200, 200, UInt64(i + 1))
        let size = Size(width: 2048, height: Double(2048 - i))
        surface.layers = [
          Layer(
            image: ImageID(0), size: size, center: Point(x: 100, y: 100), scale: 0.05, rotation: 0, opacity: 1,
            cornerRadius: 10, isShaped: false, shadow: Shadow(blur: 0, offsetY: 0, opacity: 0))
        ]
        list.surfaces = [surface]
        desk.display.apply(list)
      }
      desk.settle()
      let bytes = try #require(holdings(desk)["bytes of pixmaps"])
      #expect(bytes < 40 << 20, "\(bytes >> 20) MiB")
      // It is seen at its size all the same.
      #expect(desk.client.screenshot().map { $0[100, 60] != $0[100, 20] } == true)
    }
  }
}
