import CarryGestures
import CarryModel
import Testing

@testable import CarrySessions

/// What our own parts cannot say as things are is a bug, and told once; what clients say too late is not.
@Suite struct ImpossibleTests {
  private struct Scene: ~Copyable {
    let tree = WindowTree(root: WindowID(1), size: Size(width: 800, height: 600))
    var engine: SessionEngine
    var actions: [SessionAction] = []

    init() throws {
      engine = SessionEngine(settings: Settings(), tree: tree)
      tree.insert(
        .init(id: WindowID(2), frame: Rect(x: 0, y: 0, width: 100, height: 100), isMapped: true), parent: WindowID(1))
      _ = try engine.addRegion(
        client: ClientID(1), window: WindowID(2), rect: Rect(x: 0, y: 0, width: 100, height: 100), roles: .drag)
    }

    /// - Returns: the bugs that were told.
    mutating func says(_ kinds: GestureEvent.Kind...) -> [String] {
      actions = []
      for kind in kinds {
        engine.handle(GestureEvent(kind, contact: ContactID(1), point: Point(x: 5, y: 5), time: .zero), into: &actions)
      }
      return bugs
    }

    /// The source lifts an item.
    mutating func answer() {
      engine.answered(
        by: ClientID(1), SessionID(1), serial: 1, items: [Play.item(1)], at: .zero, into: &actions)
    }

    var bugs: [String] { actions.compactMap { if case .bug(let pair) = $0 { pair } else { nil } } }
  }

  @Test("each step of a finger fits to what its session is") func everyStepFits() throws {
    var s = try Scene()
    #expect(s.says(.pressed, .liftBegan, .lifted).isEmpty)
    // While the source is asked.
    #expect(s.says(.lifted) == ["lifted while asking"])
    #expect(s.says(.dragMoved) == ["dragMoved while asking"])
    s.answer()
    #expect(s.says(.lifted) == ["lifted while lifting"])
    #expect(s.says(.dragMoved) == ["dragMoved while lifting"])
    #expect(s.says(.dragBegan, .dragMoved).isEmpty)
    #expect(s.says(.dragBegan) == ["dragBegan while dragging"])
    #expect(s.says(.dragEnded).isEmpty)
    #expect(s.says(.dragMoved) == ["dragMoved while releasing"])
    #expect(s.says(.dragEnded) == ["dragEnded while releasing"])
    // Once of each.
    #expect(s.says(.dragMoved, .dragEnded).isEmpty)
  }

  @Test("a lift that is reversed in mid-drag ends the drag, and is a bug") func reversedInMidDrag() throws {
    var s = try Scene()
    _ = s.says(.pressed, .liftBegan, .lifted)
    s.answer()
    #expect(s.says(.dragBegan).isEmpty)
    #expect(s.says(.liftReversed) == ["liftReversed while dragging"])
    #expect(s.actions.contains(.source(ClientID(1), SessionID(1), .willEnd(.cancel))))
    #expect(s.engine.isCarrying == false)
  }

  @Test("the stage ends no animation that it has not begun") func noAnimation() throws {
    var s = try Scene()
    _ = s.says(.pressed, .liftBegan)
    s.actions = []
    s.engine.animationFinished(SessionID(1), at: .zero, into: &s.actions)
    s.engine.animationFinished(SessionID(2), at: .zero, into: &s.actions)
    #expect(s.bugs == ["the end of an animation while asking"])
  }

  @Test("a session goes through its phases in one direction") func phasesGoOneWay() {
    let drag = Drag(isFullSize: true, scale: 1)
    let drop = Drop(
      on: .init(region: RegionID(1), client: ClientID(1)), .copy, serial: 1, landing: .init(target: nil, point: .zero),
      at: .zero)
    let all: [Session.Phase] = [
      .asking(.init(serial: 1, start: .zero, deadline: .zero)), .lifting(isRisen: false), .dragging(drag),
      .releasing(drag, until: .zero), .settling(until: .zero), .cancelling(.init(operation: .cancel, until: .zero)),
      .dropping(drop), .gone,
    ]
    let pairs = all.map { one in "\(one.name): " + all.filter { one.mayBecome($0) }.map(\.name).joined(separator: " ") }
    #expect(
      pairs == [
        "asking: asking lifting gone",
        "lifting: lifting dragging settling gone",
        "dragging: releasing cancelling dropping gone",
        "releasing: releasing cancelling dropping gone",
        "settling: gone",
        "cancelling: cancelling gone",
        "dropping: dropping gone",
        "gone: ",
      ])
  }

  @Test("Z8: what clients say too late is no bug of ours") func Z8_tooLate() throws {
    var s = try Scene()
    _ = s.says(.pressed, .liftBegan, .lifted)
    s.answer()
    _ = s.says(.dragBegan, .dragEnded)
    s.actions = []
    s.answer()
    for serial in 0..<10 as Range<UInt32> {
      let (client, session, region) = (ClientID(1), SessionID(1), RegionID(1))
      s.engine.motionTaken(by: client, session, serial: serial, into: &s.actions)
      s.engine.proposed(.copy, by: client, session, region: region, serial: serial, at: .zero, into: &s.actions)
      s.engine.answeredCanHandle(
        true, by: client, session, region: region, serial: serial, at: .zero, into: &s.actions)
      s.engine.answeredWillCancel(by: client, session, serial: serial, endings: [], at: .zero, into: &s.actions)
      s.engine.finishedPerforming(by: client, session, serial: serial, at: .zero, into: &s.actions)
    }
    #expect(s.bugs.isEmpty)
  }
}
