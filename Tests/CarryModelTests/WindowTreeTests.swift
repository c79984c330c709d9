import CarryModel
import Testing

@Suite struct WindowTreeTests {
  static let root = WindowID(1)

  static func tree() -> WindowTree { WindowTree(root: root, size: Size(width: 1000, height: 800)) }

  static func add(
    _ t: WindowTree, _ id: UInt32, _ x: Double, _ y: Double, _ w: Double, _ h: Double, parent: WindowID = root
  ) {
    t.insert(
      .init(id: WindowID(id), frame: Rect(x: x, y: y, width: w, height: h), isMapped: true), parent: parent)
  }

  @Test func coveredWindowIsNeverHit() {
    let t = Self.tree()
    Self.add(t, 2, 0, 0, 400, 400)
    Self.add(t, 3, 100, 100, 400, 400)
    #expect(t.window(at: Point(x: 150, y: 150))?.window == WindowID(3))
    t.raise(WindowID(2))
    #expect(t.window(at: Point(x: 150, y: 150))?.window == WindowID(2))
    t.setMapped(WindowID(2), false)
    #expect(t.window(at: Point(x: 150, y: 150))?.window == WindowID(3))
    #expect(t.window(at: Point(x: 900, y: 700)) == nil)
  }

  @Test func innerWindowsAreFoundWithTheirOrigin() {
    let t = Self.tree()
    Self.add(t, 2, 10, 20, 400, 400)
    Self.add(t, 3, 5, 5, 100, 100, parent: WindowID(2))
    #expect(t.window(at: Point(x: 20, y: 30)) == .init(window: WindowID(3), origin: Point(x: 15, y: 25)))
    #expect(t.screenFrame(of: WindowID(3)) == Rect(x: 15, y: 25, width: 100, height: 100))
    #expect(t.toplevel(of: WindowID(3)) == WindowID(2))
  }

  @Test func inputShapeLetsThrough() {
    let t = Self.tree()
    Self.add(t, 2, 0, 0, 400, 400)
    Self.add(t, 3, 0, 0, 400, 400)
    t.setInputShape(WindowID(3), [])
    #expect(t.window(at: Point(x: 10, y: 10))?.window == WindowID(2))
    t.setInputShape(WindowID(3), [Rect(x: 0, y: 0, width: 50, height: 50)])
    #expect(t.window(at: Point(x: 10, y: 10))?.window == WindowID(3))
    #expect(t.window(at: Point(x: 60, y: 60))?.window == WindowID(2))
  }

  @Test func restackAsConfigureNotifySays() {
    let t = Self.tree()
    for id: UInt32 in 2...4 { Self.add(t, id, 0, 0, 10, 10) }
    #expect(t.children(of: Self.root) == [4, 3, 2].map { WindowID($0) })
    t.restack(WindowID(4), above: nil)
    #expect(t.children(of: Self.root) == [3, 2, 4].map { WindowID($0) })
    t.restack(WindowID(4), above: WindowID(2))
    #expect(t.children(of: Self.root) == [3, 4, 2].map { WindowID($0) })
  }

  @Test func removingAWindowForgetsItsChildren() {
    let t = Self.tree()
    Self.add(t, 2, 0, 0, 100, 100)
    Self.add(t, 3, 0, 0, 50, 50, parent: WindowID(2))
    t.remove(WindowID(2))
    #expect(t.count == 1)
    #expect(t.window(at: Point(x: 10, y: 10)) == nil)
    Self.add(t, 5, 0, 0, 100, 100)
    #expect(t.window(at: Point(x: 10, y: 10))?.window == WindowID(5))
  }

  @Test func aLoopOfParentsIsRefused() {
    let t = Self.tree()
    Self.add(t, 2, 0, 0, 100, 100)
    Self.add(t, 3, 0, 0, 50, 50, parent: WindowID(2))
    t.reparent(WindowID(2), to: WindowID(3), origin: .zero)
    #expect(t.window(at: Point(x: 10, y: 10))?.window == WindowID(3))
  }
}
