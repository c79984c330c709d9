import CarryGestures
import CarryModel
import CarrySessions
import CarryTesting
import Testing

/// The order of callbacks, one test for each diagram of the feature table's second section.
@Suite struct OrderTests {
  private static let lift = "itemsForBeginning liftBegan lifted"

  @Test("2.1, L4, L12, L17: the source's order, for every way a drag can go", arguments: 0...6)
  func order21_theSource(_ way: Int) throws {
    let (p, _) = try pair()
    let order: String
    switch way {
    case 0:
      p.itemsToLift = { _ in [] }
      p.drag(1, from: (100, 300), to: (600, 300))
      p.up(1, 600, 300)
      order = "itemsForBeginning"
    case 1:
      p.down(1, 100, 300)
      p.wait(300)
      p.up(1, 100, 300)
      order = "itemsForBeginning liftBegan liftEnded(start)"
    case 2:
      p.lift(1, 100, 300)
      p.up(1, 100, 300)
      order = Self.lift + " liftEnded(start)"
    case 3:
      p.down(1, 100, 300)
      p.wait(300)
      p.cancel(1)
      order = "itemsForBeginning liftBegan liftEnded(start)"
    case 4:
      p.drag(1, from: (100, 300), to: (600, 300))
      p.up(1, 600, 300)
      order = Self.lift + " liftEnded(end) willBegin didMove* willEnd(cancel) didEnd(cancel)"
    case 5:
      p.proposal = { _, _ in .forbidden }
      p.drag(1, from: (100, 300), to: (900, 300))
      p.up(1, 900, 300)
      order = Self.lift + " liftEnded(end) willBegin didMove* willEnd(forbidden) didEnd(forbidden)"
    default:
      p.drag(1, from: (100, 300), to: (900, 300))
      p.up(1, 900, 300)
      order = Self.lift + " liftEnded(end) willBegin didMove* willEnd(copy) didEnd(copy) didTransfer"
    }
    p.wait(2000)
    #expect(p.recorder.problem(of: "S1", with: order) == nil)
    #expect(p.isAtRest)
  }

  @Test("2.2, A3: the order of adding, with none, one and two sessions") func order22_adding() throws {
    let (p, target) = try pair()
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.tap(9, 100, 300)
    #expect(p.recorder.problem(of: "S1", with: "") == nil)
    p.drag(1, from: (100, 300), to: (900, 300))
    p.tap(2, 100, 300)
    #expect(p.recorder.problem(of: "S1", with: "\(Self.lift) liftEnded(end) willBegin didMove+ itemsForAdding") == nil)
    let seen = "offer(1) canHandle didEnter didUpdate+ offer(1) didUpdate"
    #expect(p.recorder.problem(of: "D\(target.raw)", with: seen) == nil)
    p.drag(3, from: (100, 300), to: (600, 600))
    p.chooses = { .some($0.first) }
    p.itemsToAdd = { _ in [Play.item(3)] }
    p.tap(4, 100, 300)
    #expect(p.recorder.calls(to: "S1").suffix(2) == ["sessionForAdding", "itemsForAdding"])
  }

  @Test("2.3, D5, D12: a drop interaction's order, for every way a visit can go", arguments: 0...5)
  func order23_theTarget(_ way: Int) throws {
    let (p, target) = try pair()
    let order: String
    switch way {
    case 0:
      p.canHandle = { _ in false }
      order = "offer(1) canHandle didEnd(cancel)"
    case 1:
      p.proposal = { _, _ in .cancel }
      order = "offer(1) canHandle didEnter didUpdate+ didEnd(cancel)"
    case 2:
      p.proposal = { _, _ in .forbidden }
      order = "offer(1) canHandle didEnter didUpdate+ didEnd(forbidden)"
    case 3: order = "offer(1) canHandle didEnter didUpdate+ performDrop concludeDrop didEnd(copy)"
    case 4: order = "offer(1) canHandle didEnter didUpdate+ didExit didEnd(cancel)"
    default:
      order = "offer(1) canHandle didEnter didUpdate+ didExit didEnter didUpdate+ performDrop concludeDrop didEnd(copy)"
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.move(1, 901, 300)
    if way >= 4 { p.move(1, 600, 300) }
    if way == 5 { p.move(1, 900, 300) }
    p.up(1, way == 4 ? 600 : 900, 300)
    p.wait(100)
    #expect(p.recorder.problem(of: "D\(target.raw)", with: order) == nil)
    if way == 3 {
      let (source, d) = ("S1", "D\(target.raw)")
      let r = p.recorder
      #expect(r.problem((source, "willEnd(copy)"), before: (d, "performDrop")) == nil)
      #expect(r.problem((d, "performDrop"), before: (source, "didEnd(copy)")) == nil)
      #expect(r.problem((source, "didEnd(copy)"), before: (d, "concludeDrop")) == nil)
    }
  }

  @Test("2.3, K9: who did not get the drop hears of the end before the drop concludes")
  func order23_K9_othersHearAtOnce() throws {
    let (p, target) = try pair()
    let passed = try p.window(3, Rect(x: 400, y: 250, width: 200, height: 300), .drop)
    p.animationsFinish = false
    p.drag(1, from: (100, 300), to: (500, 300))
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.destination(passed).last == "didEnd(copy)")
    #expect(p.destination(target).last == "performDrop")
    p.act { $0.animationFinished(SessionID(1), at: p.instant, into: &$1) }
    #expect(p.destination(target).suffix(2) == ["concludeDrop", "didEnd(copy)"])
  }

  @Test("2.4, S1: the states of a spring-loaded region, in their order", arguments: [(300, 1), (600, 2), (900, 3)])
  func order24_spring(_ milliseconds: Int, _ reached: Int) throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let button = try p.window(2, targetRect, .spring)
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(milliseconds)
    p.move(1, 600, 300)
    p.wait(1000)
    let states = ["possible", "activating", "activated"].prefix(reached) + ["inactive"]
    #expect(p.recorder.problem(of: "D\(button.raw)", with: states.joined(separator: " ")) == nil)
    #expect(p.engine.sessionCount == 1)
  }

  @Test("S1: a spring-loaded region that draws nothing itself is framed, flashes and is as before")
  func S1_framed() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let button = try p.window(2, targetRect, [.spring, .framed])
    func frames() -> [[Rect]] { p.stage.compactMap { if case .highlight(let rects) = $0.1 { rects } else { nil } } }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(frames() == [[targetRect]])
    p.wait(600)
    // Shown anew, which is the flash.
    #expect(frames() == [[targetRect], [targetRect]])
    p.wait(1000)
    #expect(frames() == [[targetRect], [targetRect], []])
    p.move(1, 600, 300)
    p.move(1, 900, 300)
    #expect(frames().last == [targetRect])
    p.change { $0.updateRegion(button, roles: .spring) }
    p.move(1, 901, 300)
    #expect(frames().last == [])
  }

  @Test("2.5, G7, G10: two fingers, two sessions, a hand-off, and a finger that minds its own business")
  func order25_severalFingers() throws {
    let (p, target) = try pair()
    p.drag(1, from: (100, 300), to: (600, 300))
    p.drag(2, from: (200, 400), to: (600, 600))
    p.down(3, 20, 20)
    #expect(p.log.contains(.ignore(ContactID(3))))
    p.stackUnder = { $0.x > 500 && $0.y < 400 ? SessionID(1) : nil }
    p.down(4, 610, 310)
    p.wait(300)
    p.up(1, 600, 300)
    p.wait(100)
    p.move(4, 900, 300)
    p.up(4, 900, 300)
    p.up(2, 600, 600)
    p.wait(100)
    func kinds(_ session: UInt32) -> [String] { p.monitorKinds(session).map(\.rawValue) }
    #expect(
      CallRecorder.problem(
        kinds(1), order: "lift-began lifted began handed-off entered updated+ dropped ended") == nil)
    #expect(CallRecorder.problem(kinds(2), order: "lift-began lifted began cancelled ended") == nil)
    #expect(p.destination(target).contains("performDrop"))
    p.up(3, 20, 20)
    #expect(p.isAtRest)
  }

  @Test("2.6, X2, B10: loads in the drop, the transfer's end behind them all") func order26_transfer() throws {
    let (p, _) = try pair()
    p.perform = { p, id, region, client in
      for _ in 0..<3 {
        p.act { e, a in
          _ = e.requestLoad(by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
        }
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.loads == 3)
    #expect(
      p.recorder.problem(
        of: "S1", with: "\(Self.lift) liftEnded(end) willBegin didMove+ willEnd(copy) didEnd(copy) didTransfer(3)")
        == nil)
  }

  @Test("2.7, C1: the whole picture, a copy of two items from one application to another") func order27_whole() throws {
    let (p, target) = try pair()
    p.itemsToAdd = { _ in [Play.item(2)] }
    p.perform = { p, id, region, client in
      for item in 0..<2 {
        p.act { e, a in
          _ = e.requestLoad(by: client, id, region: region, item: item, type: "text/plain", at: p.instant, into: &a)
        }
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.tap(2, 100, 300)
    p.move(1, 600, 300)
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(100)
    let r = p.recorder
    #expect(
      r.problem(
        of: "S1",
        with: "\(Self.lift) liftEnded(end) willBegin didMove+ itemsForAdding didMove+ willEnd(copy) didEnd(copy) "
          + "didTransfer(2)") == nil)
    #expect(
      r.problem(
        of: "D\(target.raw)",
        with: "offer(1) canHandle didEnter didUpdate+ offer(1) didUpdate+ didExit didEnter didUpdate+ performDrop "
          + "concludeDrop didEnd(copy)") == nil)
    #expect(p.badges == [.copy(1), .copy(2), .count(2), .copy(2)])
  }
}

/// That the recorder finds what it is for.
@Suite struct CallRecorderTests {
  @Test func itTellsWhatIsWrong() {
    #expect(CallRecorder.problem(["a", "b", "b", "c"], order: "a b+ c") == nil)
    #expect(CallRecorder.problem(["a", "c"], order: "a b* [x] {c|d}") == nil)
    #expect(CallRecorder.problem(["a", "d"], order: "a b? {c|d}") == nil)
    #expect(CallRecorder.problem([], order: "a* b?") == nil)
    #expect(CallRecorder.problem(["a", "x"], order: "a b")?.hasPrefix("call 2 is 'x'") == true)
    #expect(CallRecorder.problem(["a"], order: "a b")?.hasPrefix("call 2 is nothing more") == true)
    #expect(CallRecorder.problem(["a", "b"], order: "a") != nil)
    #expect(CallRecorder.problem(["b", "a"], order: "a b") != nil)
    let r = CallRecorder()
    r.add("S", "first")
    r.add("D", "second")
    #expect(r.problem(("S", "first"), before: ("D", "second")) == nil)
    #expect(r.problem(("D", "second"), before: ("S", "first")) != nil)
    #expect(r.problem(("D", "third"), before: ("S", "first")) != nil)
  }
}
