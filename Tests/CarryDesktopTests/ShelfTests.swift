import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// Z15 through the real programs: the engine and its shelf. The finger is a mouse, which waits for what it sees.
  @Suite(.serialized) struct TheShelf {
    private typealias Scene = ShelfScene

    @Test("Z15: the shelf appears for a drag, keeps its promise, and gives it to a later drop; then it is away")
    func Z15_keepsAndLends() throws {
      let s = try Scene()
      #expect(s.frame == nil)
      var asked = 0
      s.apps[0].items = { _ in
        let provider = ItemProvider()
        provider.suggestedName = "lake.txt"
        provider.registerDataRepresentation(forType: "text/plain;charset=utf-8") {
          asked += 1
          $0(.success(Array("lake".utf8)))
        }
        return [DragItem(itemProvider: provider)]
      }
      s.apps[0].lift = { [unowned app = s.apps[0]] _ in TargetedDragPreview(region: app.regions[0]) }
      try s.keep(0, with: 0)
      #expect(asked == 0 && s.apps[0].calls.last == "didEnd(copy)")
      // It stays, as a tab at the edge, which a click opens.
      let frame = try s.openTab(with: 1)
      #expect(asked == 0 && !s.apps[0].calls.contains("didTransfer"))
      // It looks as it was carried.
      let blue: (Screenshot.Color) -> Bool = { $0.distance(to: Screenshot.Color(0x30, 0x40, 0xA0)) < 12 }
      #expect(s.run { s.d.client.screenshot()?.blob(in: frame, step: 1, where: blue).map { $0.count > 3000 } == true })
      try s.carry(from: Scene.cell(0, in: frame))
      #expect(s.got(["lake"]) && asked == 1)
      #expect(s.run { s.apps[0].calls.last == "didTransfer" && s.frame == nil })
    }

    @Test("Z15: items of several applications leave the shelf together, by its handle") func Z15_joins() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      try s.keep(1, with: 1)
      let frame = try s.openTab(with: 2)
      try s.carry(from: (Int(frame.x) + 58, Int(frame.y) + 22))
      #expect(s.got(["lake", "hill"]))
      #expect(s.run { s.apps.allSatisfy { $0.calls.last == "didTransfer" } && s.frame == nil })
    }

    @Test("Z15: a drag that is cancelled leaves its item on the shelf, and so does a drop that loads nothing")
    func Z15_staysUntilItArrives() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      var frame = try s.openTab(with: 1)
      try s.begin(at: Scene.cell(0, in: frame))
      s.mouse.move(to: 420, 600)
      s.mouse.button(false)
      #expect(s.step("cancelled"))
      s.target.perform = { _ in }
      frame = try s.openTab(with: 1)
      try s.carry(from: Scene.cell(0, in: frame))
      #expect(s.run { s.target.calls.contains("concludeDrop") })
      frame = try s.openTab(with: 1)
      s.target.perform = { session in session.loadItems(conformingTo: ["text/plain"]) { _ in } }
      try s.carry(from: Scene.cell(0, in: frame))
      #expect(s.run { s.frame == nil })
    }

    @Test("Z15: what its application has taken with it shows as gone, and a click removes it") func Z15_gone() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      let frame = try s.openTab(with: 1)
      s.apps[0].client.close()
      let red: (Screenshot.Color) -> Bool = { $0.distance(to: Screenshot.Color(199, 41, 36)) < 60 }
      #expect(s.run { s.d.client.screenshot()?.blob(in: frame, step: 1, where: red) != nil })
      let cell = Scene.cell(0, in: frame)
      s.mouse.move(to: cell.x, cell.y)
      s.mouse.click()
      // It could be put back under the pointer, and for some seconds more. Nothing is left of it then.
      s.mouse.move(to: 400, 50)
      #expect(s.run { s.frame == nil })
    }

    @Test("Z15: under the pointer a card has a cross, whose click takes it off the shelf, and which can be undone")
    func Z15_removesOneByMouse() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      try s.keep(1, with: 1)
      let frame = try s.openTab(with: 2)
      let cross = (x: Int(frame.x) + 8 + 87, y: Int(frame.y) + 40 + 11)
      let grey: (Screenshot.Color) -> Bool = { $0.distance(to: Screenshot.Color(102, 107, 117)) < 20 }
      /// A cross that is not seen yet takes no click.
      func clickCross() {
        s.mouse.move(to: cross.x - 30, cross.y + 40)
        #expect(s.run { s.d.client.screenshot().map { grey($0[cross.x - 6, cross.y]) } == true })
        s.mouse.move(to: cross.x, cross.y)
        s.mouse.click()
      }
      clickCross()
      let one = try #require(s.opens(with: 1))
      let undo = Scene.undo(in: one)
      s.mouse.move(to: undo.x, undo.y)
      s.mouse.click()
      _ = try #require(s.opens(with: 2))
      // The newest was the one.
      clickCross()
      let left = try #require(s.opens(with: 1))
      try s.carry(from: Scene.cell(0, in: left))
      #expect(s.got(["lake"]))
    }

    @Test("Z15: what is dragged from the shelf to its bin is taken off the shelf, and can be put back")
    func Z15_bin() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      try s.keep(1, with: 1)
      let frame = try s.openTab(with: 2)
      let bin = (x: Int(frame.center.x), y: Int(frame.maxY) - 22)
      try s.carry(from: Scene.cell(0, in: frame), to: bin)
      let one = try #require(s.opens(with: 1))
      let undo = Scene.undo(in: one)
      s.mouse.move(to: undo.x, undo.y)
      s.mouse.click()
      _ = try #require(s.opens(with: 2))
      #expect(!s.apps[1].calls.contains("didTransfer"))
    }

    @Test("Z15, Z14: keys open the tab, take one item from the shelf, and drop it on the shelf's bin")
    func Z15_Z14_keys()
      throws
    {
      let s = try Scene("right\n[keyboard]\npick-up = Ctrl+Shift+d")
      try s.keep(0, with: 0)
      s.mouse.move(to: 400, 50)
      try #require(s.run { s.frame?.width == 30 })
      func says(_ words: String, seconds: Double = 20) -> Bool {
        var isSaid = false
        return s.run(seconds: seconds) {
          isSaid =
            isSaid || s.d.monitor.readLine(seconds: 0.02) { $0.contains("\"text\": \"\(words)") } != nil
          return isSaid
        }
      }
      func press(_ keys: CInt...) { for isPress in [true, false] { for key in keys { s.mouse.key(key, isPress) } } }
      press(XK_Control_L, XK_Shift_L, XK_d)
      #expect(says("Lifted from "))
      // In reading order the tab comes after the first source.
      press(XK_Right)
      #expect(says("Lifted from Text on the shelf, "))
      #expect(s.opens(with: 1) != nil)
      press(XK_Return)
      #expect(says("Picked up 1 item"))
      // The bin is there a moment after the item was picked up.
      let isOver = (0..<12).contains { _ in
        press(XK_Left)
        return says("Over Remove: takes it off the shelf", seconds: 1)
      }
      #expect(isOver)
      press(XK_Return)
      #expect(says("Dropped on Remove"))
      #expect(s.run { s.frame == nil && s.apps[0].calls.last == "didTransfer" })
    }

    @Test("Z15: all is cleared by a click, and put back by another one") func Z15_clearAndUndo() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      let frame = try s.openTab(with: 1)
      let footer = (x: Int(frame.center.x), y: Int(frame.maxY) - 22)
      s.mouse.move(to: footer.x, footer.y)
      // The button has another word now. The item's picture above it is blue, too.
      let button = CarryModel.Rect(x: frame.x, y: frame.maxY - 36, width: frame.width, height: 28)
      let blue: (Screenshot.Color) -> Bool = { $0.distance(to: Screenshot.Color(41, 115, 219)) < 60 }
      func isBlue() -> Bool { s.d.client.screenshot()?.blob(in: button, step: 1, where: blue) != nil }
      #expect(!isBlue())
      s.mouse.click()
      #expect(s.run { isBlue() })
      s.mouse.click()
      #expect(s.run { !isBlue() })
      let again = try #require(s.opens(with: 1))
      try s.carry(from: Scene.cell(0, in: again))
      #expect(s.got(["lake"]))
    }

    @Test("Z15: a shelf that is killed takes its promises with it, and the next drag has a new one")
    func Z15_killed() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      kill(try #require(DesktopTests.shelfProcess(on: s.d)), SIGKILL)
      #expect(s.run { s.apps[0].calls.last == "didTransfer" && s.frame == nil })
      try s.keep(1, with: 0)
      let frame = try s.openTab(with: 1)
      try s.carry(from: Scene.cell(0, in: frame))
      #expect(s.got(["hill"]))
    }

    @Test("Z15: a shelf that hangs is ended, so that its window does not stay; the drag over it goes on")
    func Z15_hangs() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      s.mouse.move(to: 400, 50)
      try #require(s.run { s.frame?.width == 30 })
      kill(try #require(DesktopTests.shelfProcess(on: s.d)), SIGSTOP)
      try s.begin(at: Scene.sources[1])
      s.mouse.move(to: 1265, 400)
      #expect(s.run(seconds: 40) { s.frame == nil && s.apps[0].calls.last == "didTransfer" })
      s.mouse.glide(from: (1265, 400), to: Scene.targetPlace)
      s.mouse.button(false)
      #expect(s.got(["hill"]))
    }

    /// Drags from another program to the shelf by its own mouse drag, and from there to a target.
    ///
    /// - Parameters:
    ///   - isInSandbox: whether the target sees other files than the engine.
    ///   - beforeDrop: called while the item is carried to the target.
    @discardableResult
    private func throughTheShelf(
      _ kind: [String], of toolkit: XdndPeer.Toolkit, toSandbox isInSandbox: Bool = false,
      beforeDrop: () -> Void = {}, _ received: (String) -> Bool
    ) throws -> Desktop {
      let d = try Desktop(compositor: nil, settings: "[lift]\nbegins-ms = 9000\ncompletes-ms = 10000\n")
      let target = try d.tool(
        inSandbox: isInSandbox, ["drop", "--with-engine", "--json", "--geometry", "300x300+700+250"])
      let peer = try XdndPeer(draggedFrom: toolkit, on: d, kind)
      let mouse = try FakeMouse(d.server.display)
      mouse.begin(at: 200, 400)
      // It appears for drags of others, too. Nothing of Carry's is under the pointer.
      #expect(Wait.until(seconds: 20) { DesktopTests.shelfFrame(on: d) != nil })
      let place = try #require(DesktopTests.shelfFrame(on: d)).center
      // GTK looks at a window once when the mouse comes over it.
      let looker = try #require(RawXdndSource(on: d, owning: false))
      #expect(looker.serve { looker.finds(at: Int(place.x), Int(place.y)) })
      var n = 0
      let isAccepted = Wait.until(seconds: 20) {
        n += 1
        mouse.move(to: Int(place.x) - 10 + n % 20, Int(place.y))
        return peer.process.readLine(seconds: 0.05) { $0 == "accepted" } != nil
      }
      #expect(isAccepted)
      #expect(mouse.rests(near: Int(place.x), Int(place.y), on: d))
      mouse.button(false)
      #expect(peer.process.readLine(seconds: 20) { $0 == "dropped" || $0 == "failed" } == "dropped")
      // Its program is not needed any more.
      peer.process.stop(SIGKILL)
      mouse.move(to: 400, 50)
      #expect(Wait.until(seconds: 20) { DesktopTests.shelfFrame(on: d)?.width == 30 })
      let tab = try #require(DesktopTests.shelfFrame(on: d))
      mouse.move(to: Int(tab.center.x), Int(tab.center.y))
      mouse.click()
      #expect(Wait.until(seconds: 20) { DesktopTests.shelfFrame(on: d)?.width == 116 })
      let cell = Scene.cell(0, in: try #require(DesktopTests.shelfFrame(on: d)))
      // The gate may have to be told of the new region first.
      let begins = Wait.until(seconds: 20) {
        mouse.move(to: cell.x, cell.y)
        mouse.button(true)
        mouse.glide(from: cell, to: (cell.x - 30, cell.y))
        if d.step("began", seconds: 1) != nil { return true }
        mouse.button(false)
        return false
      }
      #expect(begins)
      beforeDrop()
      mouse.glide(from: cell, to: (850, 400))
      #expect(d.step("entered") != nil)
      mouse.button(false)
      #expect(target.readLine(seconds: 20, where: received) != nil)
      return d
    }

    @Test(
      "Z15, Z1: text that another program's mouse drops on the shelf is kept, though that program ends",
      arguments: [XdndPeer.Toolkit.gtk3, .gtk4])
    func Z15_Z1_foreignText(toolkit: XdndPeer.Toolkit) throws {
      try throughTheShelf(["text", "Grüße"], of: toolkit) { $0.contains("\"text\": \"Grüße\"") }
    }

    @Test(
      "Z15, Z1: a file that another program's mouse drops on the shelf is kept",
      arguments: [XdndPeer.Toolkit.gtk3, .gtk4])
    func Z15_Z1_foreignFile(toolkit: XdndPeer.Toolkit) throws {
      let folder = try TestFolder("shelf")
      let path = try folder.write("on the lake", to: "lake.txt")
      try throughTheShelf(["files", path], of: toolkit) { $0.contains("\"text\": \"on the lake\"") }
    }

    @Test("Z15, K6: a program in a sandbox gets no file that another program's mouse dropped on the shelf")
    func Z15_K6_foreignFileToASandbox() throws {
      let folder = try TestFolder("shelf")
      let path = try folder.write("on the lake", to: "secret.txt")
      try throughTheShelf(["files", path], of: .gtk3, toSandbox: true) { line in
        guard line.contains("\"received\"") else { return false }
        // The address is text, which opens nothing there.
        #expect(line.contains("\"type\": \"text/uri-list\"") && !line.contains("on the lake"), "\(line)")
        return true
      }
    }

    @Test("Z15, Z1: a file that was deleted shows as gone once a drop has missed it") func Z15_Z1_missingFile() throws {
      let folder = try TestFolder("shelf")
      let path = try folder.write("on the lake", to: "gone.txt")
      let d = try throughTheShelf(["files", path], of: .gtk3, beforeDrop: { unlink(path) }) { $0.contains("failed") }
      let red: (Screenshot.Color) -> Bool = { $0.distance(to: Screenshot.Color(199, 41, 36)) < 60 }
      let isGone = Wait.until(seconds: 20) {
        guard let frame = DesktopTests.shelfFrame(on: d) else { return false }
        return d.client.screenshot()?.blob(in: frame, step: 1, where: red) != nil
      }
      #expect(isGone)
    }

    @Test(
      "Z15: the shelf is at the edge that the settings name, or nowhere", arguments: ["left", "top", "bottom", "none"])
    func Z15_edges(edge: String) throws {
      let s = try Scene(edge)
      try s.begin(at: Scene.sources[0])
      guard edge != "none" else {
        s.mouse.move(to: 420, 600)
        s.mouse.button(false)
        #expect(s.step("cancelled"))
        return #expect(s.frame == nil)
      }
      #expect(s.run { s.frame != nil })
      let frame = try #require(s.frame)
      switch edge {
      case "left": #expect(frame.x == 6 && abs(frame.center.y - 400) < 1)
      case "top": #expect(frame.y == 6 && abs(frame.center.x - 640) < 1)
      default: #expect(frame.maxY == 794 && abs(frame.center.x - 640) < 1)
      }
      s.mouse.button(false)
    }
  }
}
