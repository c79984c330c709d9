import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// Z14 in the head: a session that keys drive.
@Suite struct KeyboardTests {
  /// Two sources in one window and one in another, and targets that do as they are told.
  private final class Scene {
    let p = Play()
    var driver = KeyboardDriver()
    var said: [KeyboardDriver.Announcement] = []
    var contact: UInt32 = 1000
    var targets: [RegionID] = []
    let front: WindowID

    init(targets count: Int = 3) throws {
      _ = try p.window(1, Rect(x: 0, y: 300, width: 200, height: 100), .drag)
      _ = try p.window(2, Rect(x: 0, y: 100, width: 200, height: 150), [])
      front = p.lastWindow
      _ = try p.region(2, front, Rect(x: 0, y: 0, width: 100, height: 50), .drag)
      _ = try p.region(2, front, Rect(x: 100, y: 0, width: 100, height: 50), .drag)
      for n in 0..<count {
        targets.append(
          try p.window(UInt32(3 + n), Rect(x: 500 + Double(n) * 200, y: 100, width: 150, height: 150), .drop))
      }
    }

    func press(_ step: KeyStep) {
      p.act { engine, actions in
        self.driver.press(
          step, focus: self.front, newContact: self.newContact, &engine, at: self.p.instant, into: &actions
        ) { self.said.append($0) }
      }
      settle()
    }

    private func newContact() -> ContactID {
      contact += 1
      return ContactID(contact)
    }

    /// As the daemon does at the end of each turn.
    func settle() {
      for _ in 0..<20 {
        p.act { engine, actions in
          self.driver.advance(newContact: self.newContact, &engine, at: self.p.instant, into: &actions) {
            self.said.append($0)
          }
        }
      }
    }

    func wait(_ ms: Int) {
      for _ in 0..<ms / 10 {
        p.wait(10)
        settle()
      }
    }
  }

  @Test("Z14: pick up, cycle, drop: one session like any other, each step announced") func Z14_fromEndToEnd() throws {
    let s = try Scene()
    s.press(.next)
    #expect(!s.driver.isActive && s.said.isEmpty)
    s.press(.pickUp)
    // The window with the focus comes first, then reading order.
    #expect(s.said == [.lifted(ClientID(2), index: 1, of: 3)])
    s.press(.next)
    s.press(.next)
    s.press(.next)
    s.press(.previous)
    #expect(
      s.said.dropFirst() == [
        .lifted(ClientID(2), index: 2, of: 3), .lifted(ClientID(1), index: 3, of: 3),
        .lifted(ClientID(2), index: 1, of: 3), .lifted(ClientID(1), index: 3, of: 3),
      ])
    s.said = []
    s.press(.confirm)
    s.press(.next)
    s.press(.next)
    s.press(.previous)
    s.press(.confirm)
    #expect(
      s.said == [
        .pickedUp(items: 1), .over(ClientID(3), .copy), .over(ClientID(4), .copy), .over(ClientID(3), .copy),
        .dropped(ClientID(3)),
      ])
    #expect(s.p.destination(s.targets[0]).contains("performDrop"))
    let kinds = s.p.monitorKinds()
    #expect(kinds.count { $0 == .entered } == 3 && kinds.suffix(2) == [.dropped, .ended])
    s.wait(2500)
    #expect(s.p.isAtRest && !s.driver.isActive)
    for client: UInt32 in 1...2 { #expect(s.p.source(client).contains("liftBegan")) }
  }

  @Test("Z14: regions that would not take it are passed over, both ways") func Z14_onlyWhatWouldTakeIt() throws {
    let s = try Scene(targets: 4)
    let targets = s.targets
    s.p.canHandle = { $0 != targets[0] }
    s.p.proposal = { region, _ in region == targets[1] ? .forbidden : region == targets[2] ? .cancel : .copy }
    s.press(.pickUp)
    s.press(.confirm)
    s.said = []
    s.press(.next)
    s.press(.next)
    s.press(.previous)
    #expect(s.said == Array(repeating: .over(ClientID(6), .copy), count: 3))
    // Nothing takes it any more: that is said, once, and the drag can be cancelled.
    s.p.proposal = { _, _ in .forbidden }
    s.press(.next)
    #expect(s.said.count == 4 && s.said.last == .nothingTakesIt)
    s.p.act { $0.cancelDrags(at: s.p.instant, into: &$1) }
    s.settle()
    #expect(s.said.last == .cancelled && !s.driver.isActive && s.p.isAtRest)
  }

  @Test("Z14, Z8: a region that never answers is passed over after two seconds") func Z14_Z8_silence() throws {
    let s = try Scene()
    let targets = s.targets
    s.p.canHandle = { $0 == targets[0] ? nil : true }
    s.p.proposal = { region, _ in region == targets[1] ? nil : .copy }
    s.press(.pickUp)
    s.press(.confirm)
    s.said = []
    s.press(.next)
    #expect(s.said.isEmpty && s.driver.nextDeadline != nil)
    s.wait(1990)
    #expect(s.said.isEmpty)
    s.wait(2100)
    #expect(s.said == [.over(ClientID(5), .copy)])
    #expect(s.driver.nextDeadline == nil)
  }

  @Test("Z14: a source that lifts nothing is passed over; where none does, that is said") func Z14_nothing() throws {
    let s = try Scene()
    let empty = Set(s.p.engine.placesForTests(.drag).prefix(2))
    s.p.itemsToLift = { empty.contains($0) ? [] : [Play.item(1)] }
    s.press(.pickUp)
    #expect(s.said.count == 1)
    s.p.act { $0.cancelDrags(at: s.p.instant, into: &$1) }
    s.settle()
    #expect(s.said.last == .cancelled && s.p.isAtRest)
    s.p.itemsToLift = { _ in [] }
    s.press(.pickUp)
    #expect(s.said.last == .nothingToPickUp && !s.driver.isActive && s.p.isAtRest)
    let none = try Scene(targets: 0)
    none.press(.pickUp)
    none.press(.confirm)
    none.press(.next)
    #expect(none.said.last == .nothingTakesIt)
  }

  @Test("Z14: what is covered is reached where it can be seen, or not at all") func Z14_covered() throws {
    let s = try Scene(targets: 2)
    _ = try s.p.window(9, Rect(x: 500, y: 100, width: 150, height: 100), .drag)
    s.press(.pickUp)
    s.press(.confirm)
    s.press(.next)
    #expect(s.said.last == .over(ClientID(3), .copy))
    // All of it now.
    s.p.tree.insert(
      .init(id: WindowID(900), frame: Rect(x: 450, y: 50, width: 220, height: 300), isMapped: true), parent: Play.root)
    s.press(.next)
    s.press(.next)
    #expect(s.said.suffix(2) == [.over(ClientID(4), .copy), .over(ClientID(4), .copy)])
  }

  @Test("Z14: clients that die, and keys pressed as fast as can be, leave nothing") func Z14_losses() throws {
    for victim: UInt32 in [2, 3] {
      let s = try Scene()
      for _ in 0..<40 { s.press(.pickUp) }
      s.press(.confirm)
      s.press(.next)
      s.p.act { $0.clientGone(ClientID(victim), at: s.p.instant, into: &$1) }
      s.settle()
      for step in [KeyStep.next, .confirm, .confirm, .next] { s.press(step) }
      s.wait(3000)
      #expect(s.p.isAtRest && !s.driver.isActive, "\(victim): \(s.said)")
    }
  }

  @Test("Z14, Z7: Esc ends what waits for its source, and leaves nothing of its finger") func Z14_Z7_cancelled() throws
  {
    let s = try Scene()
    for _ in 0..<70 {
      s.p.isSourceSilent = true
      s.press(.pickUp)
      #expect(s.driver.isActive == true)
      s.driver.cancel { s.said.append($0) }
      s.p.act { $0.cancelDrags(at: s.p.instant, into: &$1) }
      s.settle()
      #expect(!s.driver.isActive && s.said.last == .cancelled && s.p.isAtRest)
    }
    s.p.isSourceSilent = false
    // A finger's press still counts.
    s.p.down(1, 100, 350)
    s.p.wait(200)
    #expect(s.p.source(1).contains("itemsForBeginning") && s.p.source(1).last == "liftBegan")
  }

  @Test("Z14: keys by their names") func Z14_chords() {
    #expect(KeyChord("Super+Shift+d")?.text == "Super+Shift+d")
    #expect(KeyChord("F9")?.modifiers == [])
    #expect(KeyChord("Ctrl+Alt+Return")?.modifiers == [.control, .alt])
    #expect(KeyChord("XF86Launch1") != nil)
    for bad in [
      "", "d", "Tab", "space", "Shift+Left", "Escape", "Fi", "Shift+d", "+d", "Super+", "Hyper+d", "Super+Super+d",
      "Super+d\u{0}", "Super+é",
    ] {
      #expect(KeyChord(bad) == nil, "\(bad)")
    }
  }
}

extension SessionEngine {
  fileprivate mutating func placesForTests(_ role: RegionRoles) -> [RegionID] {
    places(role, first: nil).map(\.region)
  }
}
