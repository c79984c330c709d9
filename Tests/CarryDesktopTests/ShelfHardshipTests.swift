import CX11
import Carry
import CarryModel
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// Z15: what other programs, and bad moments, do to the shelf.
  @Suite(.serialized) struct ShelfHardships {
    typealias Scene = DesktopTests.ShelfScene

    @Test("Z15: two clicks on the last item, which come before the shelf has drawn itself again, are one")
    func Z15_twoClicks() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      try s.keep(1, with: 1)
      let frame = try s.openTab(with: 2)
      s.apps[1].client.close()
      let red: (Screenshot.Color) -> Bool = { $0.distance(to: Screenshot.Color(199, 41, 36)) < 60 }
      #expect(s.run { s.d.client.screenshot()?.blob(in: frame, step: 1, where: red) != nil })
      let pid = try #require(DesktopTests.shelfProcess(on: s.d))
      let cell = Scene.cell(1, in: frame)
      s.mouse.move(to: cell.x, cell.y)
      kill(pid, SIGSTOP)
      for _ in 0..<3 { s.mouse.click() }
      kill(pid, SIGCONT)
      let again = try #require(s.opens(with: 1))
      #expect(DesktopTests.shelfProcess(on: s.d) == pid && !s.apps[0].calls.contains("didTransfer"))
      try s.carry(from: Scene.cell(0, in: again))
      #expect(s.got(["lake"]))
    }

    @Test(
      "Z15: the shelf is there for the next drag, whatever was done to its window",
      arguments: ["destroy", "unmap", "cover", "lower"])
    func Z15_window(how: String) throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      s.mouse.move(to: 400, 50)
      try #require(s.run { s.frame?.width == 30 })
      let shelf = try #require(DesktopTests.shelfWindow(on: s.d))
      switch how {
      case "destroy": s.d.client.destroy(shelf)
      case "unmap": s.d.client.unmap(shelf)
      case "lower": s.d.client.lower(shelf)
      default: break
      }
      let cover = s.d.client.makeWindow(CarryModel.Rect(x: 900, y: 0, width: 380, height: 800))
      s.d.client.raise(cover)
      s.d.client.sync()
      // Of a shelf without a window the promises end.
      if how == "destroy" { #expect(s.run { s.apps[0].calls.last == "didTransfer" }) }
      try s.begin(at: Scene.sources[1])
      #expect(s.opens(with: how == "destroy" ? 0 : 1) != nil)
      let isAbove = s.run {
        // The topmost first.
        let order = s.d.client.children(of: s.d.client.root)
        guard let window = DesktopTests.shelfWindow(on: s.d) else { return false }
        return (order.firstIndex(of: window) ?? .max) < (order.firstIndex(of: cover) ?? -1)
      }
      #expect(isAbove)
      s.mouse.move(to: 420, 600)
      s.mouse.button(false)
    }

    @Test("Z15, Z7: the shelf does not glow on after a drag over it was cancelled") func Z15_Z7_escape() throws {
      let s = try Scene()
      try s.keep(0, with: 0)
      try s.begin(at: Scene.sources[1])
      let frame = try #require(s.opens(with: 1))
      s.mouse.glide(from: (300, 200), to: (Int(frame.x + 50), Int(frame.y + 60)))
      #expect(s.step("entered"))
      let blue: (Screenshot.Color) -> Bool = { $0.distance(to: Screenshot.Color(41, 115, 219)) < 60 }
      let edge = CarryModel.Rect(x: frame.x, y: frame.y + 40, width: 4, height: 60)
      #expect(s.run { s.d.client.screenshot()?.blob(in: edge, step: 1, where: blue) != nil })
      s.mouse.key(0xFF1B, true)
      s.mouse.key(0xFF1B, false)
      #expect(s.step("cancelled"))
      s.mouse.button(false)
      s.mouse.move(to: 420, 600)
      _ = try s.openTab(with: 1)
      #expect(s.run { s.d.client.screenshot().map { $0.blob(in: edge, step: 1, where: blue) == nil } ?? false })
    }
  }
}
