import CarryModel
import CarryTesting
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

  @Test("a window that is put into a window of its own goes with it") func intoItself() {
    let t = WindowTree(root: Self.root, size: Size(width: 100, height: 100))
    let window = WindowTree.Window(id: WindowID(2), frame: Rect(x: 0, y: 0, width: 50, height: 50), isMapped: true)
    let inner = WindowTree.Window(id: WindowID(3), frame: Rect(x: 0, y: 0, width: 10, height: 10), isMapped: true)
    t.insert(window, parent: Self.root)
    t.insert(inner, parent: WindowID(2))
    t.insert(window, parent: WindowID(3))
    #expect(!t.contains(WindowID(2)) && !t.contains(WindowID(3)))
    #expect(t.window(at: Point(x: 5, y: 5)) == nil)
  }
}

extension WindowTreeTests {
  @Test("siblings keep their order, whatever is stacked where", arguments: 1...5 as ClosedRange<UInt64>)
  func randomStacking(_ seed: UInt64) {
    let t = Self.tree()
    var random = SeededRandom(seed: seed)
    // The lowest first, by parent.
    var stacks: [UInt32: [UInt32]] = [1: [], 2: [], 3: []]
    for parent: UInt32 in 2...3 {
      Self.add(t, parent, 0, 0, 10, 10)
      stacks[1]?.append(parent)
    }
    var next: UInt32 = 10
    for _ in 0..<2000 {
      let parent = UInt32.random(in: 1...3, using: &random)
      let other = stacks[parent]?.filter { $0 > 3 }.randomElement(using: &random)
      func take(_ window: UInt32) { stacks[parent]?.removeAll { $0 == window } }
      switch (Int.random(in: 0..<6, using: &random), other) {
      case (1, let window?):
        t.remove(WindowID(window))
        take(window)
      case (2, let window?):
        t.restack(WindowID(window), above: nil)
        take(window)
        stacks[parent]?.insert(window, at: 0)
      case (3, let window?):
        guard let sibling = stacks[parent]?.filter({ $0 != window }).randomElement(using: &random) else { continue }
        t.restack(WindowID(window), above: WindowID(sibling))
        take(window)
        let place = stacks[parent]?.firstIndex(of: sibling) ?? 0
        stacks[parent]?.insert(window, at: place + 1)
      case (4, let window?):
        t.raise(WindowID(window))
        take(window)
        stacks[parent]?.append(window)
      case (5, let window?):
        let to = UInt32.random(in: 1...3, using: &random)
        t.reparent(WindowID(window), to: WindowID(to), origin: .zero)
        take(window)
        stacks[to]?.append(window)
      default:
        Self.add(t, next, 0, 0, 10, 10, parent: WindowID(parent))
        stacks[parent]?.append(next)
        next += 1
      }
      for (parent, stack) in stacks {
        #expect(t.children(of: WindowID(parent)) == stack.reversed().map { WindowID($0) })
      }
    }
  }

  @Test("nobody can make the engine look through a thousand windows in each other again and again")
  func deepWindows() {
    let t = Self.tree()
    for id in 2...UInt32(WindowTree.maxDepth + 2) {
      Self.add(t, id, 0, 0, 100, 100, parent: WindowID(id - 1))
    }
    // The first lies in the root.
    let last = WindowID(UInt32(WindowTree.maxDepth + 1))
    #expect(t.toplevel(of: last) == WindowID(2) && t.screenFrame(of: last) != nil)
    #expect(t.ancestors(of: last)?.count == WindowTree.maxDepth - 1 && t.ancestors(of: last)?.last == WindowID(2))
    let tooDeep = WindowID(UInt32(WindowTree.maxDepth + 2))
    #expect(t.toplevel(of: tooDeep) == nil && t.screenFrame(of: tooDeep) == nil && t.ancestors(of: tooDeep) == nil)
    #expect(t.ancestors(of: Self.root) == [] && t.ancestors(of: WindowID(2)) == [])
  }

  @Test("points go through a window that only takes input, unless it covers the screen")
  func inputOnlyWindows() {
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

  @Test("a window counts only among its owner's, or in a window manager's frame")
  func windowsOfOthers() {
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
