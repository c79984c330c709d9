import CarryDisplay
import CarryModel
import CarryTesting
import Testing

extension DisplayTests {
  @Suite struct Mirror {
    /// Compares our tree with the server's, window by window; gives the first difference.
    private func difference(_ desk: Desk) -> String? {
      var pending = [desk.client.root]
      var n = 0
      while let parent = pending.popLast() {
        let theirs = desk.client.children(of: parent)
        let ours = desk.display.windows.children(of: parent)
        if ours != theirs { return "children of \(parent.raw): \(ours.map(\.raw)) is not \(theirs.map(\.raw))" }
        for child in theirs {
          n += 1
          guard let facts = desk.client.facts(child) else { return "\(child.raw) is gone" }
          if desk.display.windows.frame(of: child) != facts.frame {
            return "\(child.raw) at \(String(describing: desk.display.windows.frame(of: child))) is not \(facts.frame)"
          }
          if desk.display.windows.isMapped(child) != facts.isMapped {
            return "\(child.raw) mapped: not \(facts.isMapped)"
          }
          pending.append(child)
        }
      }
      return desk.display.windows.count == n + 1 ? nil : "\(desk.display.windows.count) windows, not \(n + 1)"
    }

    /// Whether the point lies on the border of the window or of one it lies in: the mirror has no borders.
    private func isOnBorder(_ id: WindowID?, _ p: Point, _ desk: Desk) -> Bool {
      var walk = id
      while let next = walk, next != desk.client.root {
        if desk.display.windows.screenFrame(of: next)?.contains(p) != true { return true }
        walk = desk.display.windows.parent(of: next)
      }
      return false
    }

    @Test func G_theTreeIsReadAtTheStart() throws {
      let server = try PrivateXServer(width: 640, height: 480)
      let client = try #require(XClient(server.display))
      let a = client.makeWindow(Rect(x: 10, y: 20, width: 300, height: 200), border: 3)
      let b = client.makeWindow(Rect(x: 5, y: 6, width: 100, height: 50), in: a)
      let c = client.makeWindow(Rect(x: 1, y: 2, width: 10, height: 5), in: b, border: 1)
      client.makeWindow(Rect(x: 400, y: 20, width: 100, height: 50), maps: false)
      client.sync()
      let desk = Desk(server: server, client: client, display: try Display(name: server.display))
      #expect(difference(desk) == nil)
      #expect(desk.display.windows.window(at: Point(x: 10 + 3 + 5 + 1 + 1, y: 20 + 3 + 6 + 2 + 1))?.window == c)
      #expect(desk.display.rootSize == Size(width: 640, height: 480))
    }

    @Test("a window that lies in more windows than any toolkit uses takes no part")
    func deepWindows() throws {
      let desk = try Desk()
      var windows: [WindowID] = []
      for _ in 0...WindowTree.maxDepth {
        windows.append(desk.client.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50), in: windows.last))
      }
      desk.settle()
      func standing(_ window: WindowID) -> WindowStanding? {
        var answer: WindowStanding?
        _ = desk.wait {
          answer = desk.display.standing(of: window)
          return answer != nil
        }
        return answer
      }
      #expect(standing(windows[WindowTree.maxDepth]) == .unseen)
      #expect(standing(windows[WindowTree.maxDepth - 1]) != .unseen)
    }

    @Test("the mirror equals the server through random churn", arguments: 1...10 as ClosedRange<UInt64>)
    func theMirrorEqualsTheServerThroughRandomChurn(_ seed: UInt64) throws {
      let desk = try Desk()
      var random = SeededRandom(seed: seed)
      var windows: [WindowID] = []
      func any() -> WindowID { windows.randomElement(using: &random) ?? desk.client.root }
      func frame() -> Rect {
        Rect(
          x: .random(in: -50...600, using: &random).rounded(), y: .random(in: -50...400, using: &random).rounded(),
          width: .random(in: 1...300, using: &random).rounded(), height: .random(in: 1...200, using: &random).rounded())
      }
      for step in 0..<600 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2:
          let parent = Bool.random(using: &random) ? desk.client.root : any()
          windows.append(
            desk.client.makeWindow(
              frame(), in: parent, border: UInt32.random(in: 0...3, using: &random),
              maps: Bool.random(using: &random)))
        case 3: if windows.count > 20 { desk.client.destroy(any()) }
        case 4: desk.client.setFrame(any(), frame())
        case 5: desk.client.raise(any())
        case 6: desk.client.lower(any())
        case 7: desk.client.unmap(any())
        case 8: desk.client.map(any())
        case 9: desk.client.reparent(any(), to: any(), at: Point(x: 7, y: 9))
        case 10: desk.client.restack(any(), below: any())
        default:
          desk.client.circulate(Bool.random(using: &random) ? desk.client.root : any(), up: .random(using: &random))
        }
        // Sometimes we look in the middle of it, with answers under way.
        if step % 7 == 0 { desk.client.sync() }
        if step % 3 == 0 { desk.display.dispatch { _ in } }
      }
      desk.settle()
      #expect(difference(desk) == nil)
      // Hits are those of the server wherever no border lies under the point.
      var asked = 0
      for _ in 0..<400 {
        let p = Point(
          x: .random(in: 0..<640, using: &random).rounded(.down), y: .random(in: 0..<480, using: &random).rounded(.down)
        )
        let theirs = desk.client.window(at: p)
        let ours = desk.display.windows.window(at: p)?.window
        if isOnBorder(theirs, p, desk) { continue }
        asked += 1
        #expect(ours == theirs, "at \(p)")
      }
      #expect(asked > 200)
    }

    @Test("a covered window is never hit and a shaped one lets through")
    func aCoveredWindowIsNeverHitAndAShapedOneLetsThrough() throws {
      let desk = try Desk()
      let below = desk.client.makeWindow(Rect(x: 0, y: 0, width: 200, height: 200))
      let above = desk.client.makeWindow(Rect(x: 50, y: 50, width: 100, height: 100))
      desk.settle()
      let p = Point(x: 100, y: 100)
      #expect(desk.display.windows.window(at: p)?.window == above)
      desk.client.setShape(above, .input, [])
      desk.settle()
      #expect(desk.display.windows.window(at: p)?.window == below)
      desk.client.setShape(above, .input, [Rect(x: 40, y: 40, width: 20, height: 20)])
      desk.settle()
      #expect(desk.display.windows.window(at: p)?.window == above)
      #expect(desk.display.windows.window(at: Point(x: 60, y: 60))?.window == below)
      desk.client.setShape(above, .bounding, [Rect(x: 0, y: 0, width: 30, height: 30)])
      desk.settle()
      #expect(desk.display.windows.window(at: p)?.window == below)
      desk.client.setShape(above, .bounding, nil)
      desk.client.setShape(above, .input, nil)
      desk.client.setFrame(above, Rect(x: 50, y: 50, width: 140, height: 140))
      desk.settle()
      #expect(desk.display.windows.window(at: Point(x: 180, y: 180))?.window == above)
    }

    @Test("destroyed windows are reported and owners are the servers word")
    func destroyedWindowsAreReportedAndOwnersAreTheServersWord() throws {
      let desk = try Desk()
      let id = desk.client.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      desk.settle()
      #expect(desk.display.owner(of: id) == ProcessID.own)
      var changes: [DisplayChange] = []
      desk.client.destroy(id)
      desk.client.sync()
      #expect(
        Wait.until(descriptor: desk.display.fileDescriptor) {
          desk.display.dispatch { changes.append($0) }
          return changes.contains(.windowDestroyed(id))
        })
      #expect(changes.contains(.windowsChanged))
      // Its number is its client's still, and could be another window's at any time: the mirror alone says what there is.
      #expect(!desk.display.windows.contains(id))
      #expect(desk.display.owner(of: WindowID(0)) == nil)
      #expect(desk.display.owner(of: WindowID(0xFFFF_FFFF)) == nil)
    }

    @Test("Z4: a window that a manager puts into a frame within a new frame is not taken for a destroyed one")
    func Z4_aFrameWithinAFrame() throws {
      let desk = try Desk()
      let window = desk.client.makeWindow(Rect(x: 30, y: 40, width: 50, height: 50))
      desk.settle()
      // All of it before the mirror reads anything.
      let frame = desk.client.makeWindow(Rect(x: 100, y: 100, width: 70, height: 90))
      let container = desk.client.makeWindow(Rect(x: 10, y: 30, width: 50, height: 50), in: frame)
      desk.client.reparent(window, to: container, at: Point(x: 0, y: 0))
      desk.client.sync()
      var changes: [DisplayChange] = []
      #expect(
        Wait.until(descriptor: desk.display.fileDescriptor) {
          desk.display.dispatch { changes.append($0) }
          return desk.display.windows.screenFrame(of: window) == Rect(x: 110, y: 130, width: 50, height: 50)
        })
      #expect(!changes.contains(.windowDestroyed(window)))
      #expect(difference(desk) == nil)
    }

    @Test("a dead server is reported once and nothing crashes")
    func aDeadServerIsReportedOnceAndNothingCrashes() throws {
      let desk = try Desk()
      let window = desk.client.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50))
      desk.settle()
      desk.server.process.stop(9)
      var changes: [DisplayChange] = []
      #expect(
        Wait.until(descriptor: desk.display.fileDescriptor) {
          desk.display.dispatch { changes.append($0) }
          return changes.contains(.connectionLost)
        })
      desk.display.dispatch { changes.append($0) }
      #expect(changes.filter { $0 == .connectionLost }.count == 1)
      #expect(!desk.display.isAlive)
      #expect(desk.display.snapshot(window, Rect(x: 0, y: 0, width: 5, height: 5)) == nil)
      #expect(desk.display.owner(of: window) == nil)
      desk.display.flush()
    }

    @Test("a missing server is a sentence") func aMissingServerIsASentence() {
      #expect {
        try Display(name: ":9999")
      } throws: { error in
        (error as? DisplayError)?.sentence
          == "cannot open display :9999: is an X server running? set DISPLAY or give --display"
      }
    }
  }
}
