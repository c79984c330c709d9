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

extension WindowTreeTests {
  @Test("C10, T34: points go through a window that only takes input, unless it covers the screen")
  func C10_inputOnlyWindows() {
    let t = Self.tree()
    Self.add(t, 2, 0, 0, 400, 400)
    Self.add(t, 3, 100, 100, 200, 200)
    let p = Point(x: 150, y: 150)
    #expect(t.isInputOnly(WindowID(3)) == nil)
    t.setInputOnly(WindowID(3), true)
    #expect(t.window(at: p)?.window == WindowID(2))
    t.setInputShape(WindowID(3), nil)
    #expect(t.window(at: p)?.window == WindowID(2))
    t.setFrame(WindowID(3), Rect(x: 0, y: 0, width: 1000, height: 800))
    #expect(t.window(at: p)?.window == WindowID(3))
    t.setInputOnly(WindowID(3), false)
    #expect(t.isInputOnly(WindowID(3)) == false)
    #expect(t.window(at: p)?.window == WindowID(3))
  }

  @Test("C10, T34: a window counts only among its owner's, or in a window manager's frame")
  func C10_windowsOfOthers() {
    let t = Self.tree()
    Self.add(t, 2, 0, 0, 400, 400)
    Self.add(t, 3, 0, 0, 300, 300, parent: WindowID(2))
    Self.add(t, 4, 0, 0, 200, 200, parent: WindowID(3))
    for id in [UInt32(3), 4] { t.setTag(WindowID(id), Int32(id)) }
    var hits: [WindowTree.TaggedHit] = []
    func tags(_ owners: Int32...) -> [Int32] {
      for (i, owner) in owners.enumerated() { t.setOwner(WindowID(UInt32(2 + i)), owner) }
      t.taggedWindows(at: Point(x: 10, y: 10), into: &hits)
      return hits.map(\.tag)
    }
    #expect(tags(WindowTree.host, 7, 7) == [4, 3])
    #expect(tags(7, 7, 7) == [4, 3])
    #expect(tags(WindowTree.host, 7, 8) == [3])
    #expect(tags(8, 7, 7) == [])
    #expect(tags(0, 7, 7) == [])
    #expect(tags(WindowTree.host, WindowTree.host, 7) == [4, 3])
    #expect(tags(7, 8, 7) == [])
    t.reparent(WindowID(4), to: Self.root, origin: .zero)
    #expect(tags(7, 8, 9) == [4])
  }
}
