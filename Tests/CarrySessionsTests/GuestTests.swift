import CarryModel
import CarrySessions
import Testing

/// Z23: taps in windows of Carry's own applications add to what was lifted out of another application.
@Suite struct GuestTests {
  static let bridge = ClientID(9)
  static let photos = ProgramIdentity(process: .peer(5), program: "org.example.photos", team: "t")

  @Test("Z23: what a tap adds is provided by its own application, for which that is a drag of its own")
  func Z23_joins() throws {
    let s = try Scene()
    s.lift()
    s.tap()
    #expect(s.p.source(5) == ["itemsForBeginning", "willBegin"] && s.p.touches == ["claim 1", "claim 2"])
    #expect(s.p.badges.last == .count(2))
    s.drop()
    #expect(s.offered.map(\.name) == ["item 101", "item 102"] && Set(s.offered.map(\.id)).count == 2)
    #expect(s.loads == ["101 in 1 by 9", "102 in 2 by 5"])
    #expect(s.p.source(5).suffix(3) == ["willEnd(copy)", "didEnd(copy)", "didTransfer(1)"])
    // The whole is one drag for whoever watches, and for the stage.
    #expect(s.p.monitorKinds().count { $0 == .began } == 1 && Set(s.p.monitored.map(\.session)) == [SessionID(1)])
    #expect(s.p.monitorKinds().contains(.itemsAdded) && Set(s.p.stage.map(\.0)) == [SessionID(1)])
    s.p.wait(40_000)
    #expect(s.p.isAtRest)
  }

  @Test("Z23: the application's drag lasts until nobody can load its items any more") func Z23_lasts() throws {
    let s = try Scene()
    s.p.performsSilently = true
    s.lift()
    s.tap()
    s.drop()
    #expect(s.p.source(5).last == "didEnd(copy)")
    s.p.performsSilently = false
    s.p.wait(30_000)
    #expect(s.p.source(5).last == "didTransfer(1)" && s.p.isAtRest)
  }

  @Test("Z23: a second tap asks for more, as the application's drag is under way") func Z23_again() throws {
    let s = try Scene()
    s.lift()
    s.tap()
    s.tap(3)
    #expect(s.p.source(5) == ["itemsForBeginning", "willBegin", "itemsForAdding"])
    // What it has in the stack it does not add again.
    s.p.itemsToAdd = { _ in [Play.item(102)] }
    s.tap(4)
    #expect(s.p.touches == ["claim 1", "claim 2", "claim 3", "yield 4"])
    s.drop()
    #expect(s.loads == ["101 in 1 by 9", "102 in 2 by 5", "103 in 2 by 5"])
    #expect(s.p.source(5).last == "didTransfer(2)")
  }

  @Test("Z23, E1: where the drag is cancelled, the application's ends as well", arguments: [true, false])
  func Z23_E1_cancelled(byEsc: Bool) throws {
    let s = try Scene()
    s.lift()
    s.tap()
    if byEsc { s.p.act { $0.cancelDrags(at: s.p.instant, into: &$1) } } else { s.p.up(1, 300, 300) }
    s.p.wait(100)
    #expect(s.p.source(5).suffix(2) == ["willEnd(cancel)", "didEnd(cancel)"])
    s.p.up(1, 300, 300)
    s.p.wait(5000)
    #expect(s.p.isAtRest)
  }

  @Test("Z23, E4: a cancelled drag ends for the application when its items are home") func Z23_E4_home() throws {
    let s = try Scene()
    s.p.animationsFinish = false
    s.lift()
    s.tap()
    s.p.act { $0.cancelDrags(at: s.p.instant, into: &$1) }
    s.p.wait(100)
    #expect(s.p.source(5).last == "willEnd(cancel)")
    // Meanwhile its pictures are in the stack still, and a tap there is a tap.
    s.tap(3)
    #expect(s.p.touches.last == "yield 3" && s.p.engine.item(1, of: SessionID(1))?.session == SessionID(2))
    s.p.act { $0.animationFinished(SessionID(1), at: s.p.instant, into: &$1) }
    #expect(s.p.source(5).last == "didEnd(cancel)" && s.p.source(5).count { $0.hasPrefix("willEnd") } == 1)
    s.p.up(1, 300, 300)
    s.p.wait(5000)
    #expect(s.p.isAtRest)
  }

  enum Refusal: CaseIterable { case nothing, restricted, silent, undecided, full, twoStacks, released }

  @Test("Z23: otherwise the tap is the application's", arguments: Refusal.allCases)
  func Z23_refused(why: Refusal) throws {
    let s = try Scene()
    if why == .full { s.p.itemsToLift = { _ in (1...UInt32(Limits.itemsPerSession)).map { Play.item($0) } } }
    s.lift()
    switch why {
    case .nothing: s.p.itemsToLift = { _ in [] }
    case .restricted: s.p.options = SourceOptions(isRestricted: true)
    case .silent: s.p.isSourceSilent = true
    case .undecided: s.p.configures = false
    case .full: break
    case .twoStacks:
      let second = try Scene.standIn(s.p, 200)
      s.p.engine.setIdentity(ProgramIdentity(process: .peer(31), program: "other"), of: second)
      s.lift(7, at: 210)
      #expect(s.p.source(9).count { $0 == "willBegin" } == 2)
    case .released: s.p.configures = false
    }
    s.tap()
    if why == .released {
      s.p.up(1, 300, 300)
      s.p.wait(300)
    } else {
      s.p.wait(6000)
    }
    #expect(s.p.touches.contains("yield 2") && !s.p.touches.contains("claim 2"))
    #expect(!s.p.stage.contains { if case .add = $0.1 { true } else { false } })
    // Who has heard of a beginning hears of an end.
    let heard = s.p.source(5)
    #expect(heard.contains("willBegin") == heard.contains("didEnd(cancel)"), "\(heard)")
    s.p.up(1, 300, 300)
    s.p.up(7, 300, 300)
    s.p.wait(6000)
    #expect(s.p.isAtRest)
  }

  @Test("Z23: an application that has the tap already adds nothing by it") func Z23_givenAway() throws {
    let s = try Scene()
    s.lift()
    s.p.isSourceSilent = true
    s.tap()
    let question = try #require(s.p.openQuestion)
    s.p.act { e, _ in e.touchGivenAway(ContactID(2)) }
    s.p.act {
      $0.answered(
        by: ClientID(5), question.1, serial: question.serial, items: [Play.item(7)], at: s.p.instant, into: &$1)
    }
    s.p.wait(6000)
    #expect(s.p.touches == ["claim 1"] && s.p.source(5).last == "didEnd(cancel)")
  }

  @Test("Z23, A6: an application that drags itself adds to its own drag") func Z23_A6_ownFirst() throws {
    let s = try Scene()
    s.lift()
    s.p.lift(4, 700, 300)
    s.p.move(4, 700, 350)
    s.tap()
    #expect(s.p.source(5).last == "itemsForAdding" && s.p.source(5).count { $0 == "itemsForBeginning" } == 1)
  }

  @Test("Z23: nor does one application of Carry's own add to another one's drag") func Z23_A6_notToOthers() throws {
    let s = try Scene()
    let other = try s.p.window(6, Rect(x: 0, y: 0, width: 100, height: 800), .drag)
    s.p.drag(1, from: (50, 300), to: (300, 300))
    s.tap()
    #expect(s.p.source(6).contains("willBegin") && s.p.source(5).isEmpty && s.p.touches.last == "yield 2")
    _ = other
  }

  @Test("Z23, G4, G6: the items are judged by the application that they come from", arguments: [nil, "t", "self"])
  func Z23_G4_G6_whoSees(target: String?) throws {
    let s = try Scene()
    switch target {
    case "t": s.p.engine.setIdentity(ProgramIdentity(process: .peer(2), program: "r", team: "t"), of: ClientID(2))
    case "self":
      s.p.engine.setIdentity(Self.photos, of: ClientID(2))
    default: break
    }
    s.lift()
    s.tap()
    s.drop()
    let types = s.offered.map { $0.types.map(\.name) }
    #expect(types.first == ["text/plain"])
    let all = ["text/plain", "a/team", "a/own"]
    #expect(types.last == Array(all.prefix(target == nil ? 1 : target == "t" ? 2 : 3)))
    #expect(s.offered.map(\.teamData) == [[], target == nil ? [] : [7]])
  }

  @Test("Z23, G6: a rule keeps only the items that it is about") func Z23_G6_rules() throws {
    let s = try Scene()
    s.p.engine.apply(
      Policy([.init(.forbid, from: [.program("org.example.photos")], place: "/etc/carry/policy.d/10-a.conf:1")]))
    s.lift()
    s.tap()
    s.drop()
    #expect(s.offered.map { $0.types.map(\.name) } == [["text/plain"], []] && s.loads == ["101 in 1 by 9"])
  }

  @Test("Z23: nobody lets go of anything for it, and the bridge hears of no item of others") func Z23_nothingMoves()
    throws
  {
    let s = try Scene()
    var options = SourceOptions()
    options.allowsMoveToOthers = true
    s.p.options = options
    s.p.proposal = { _, _ in Proposal(.move) }
    s.lift()
    s.tap()
    s.drop()
    #expect(s.loads.count == 2 && s.p.source(9).filter { $0.hasPrefix("itemMoved") } == ["itemMoved(101)"])
    #expect(s.p.source(5).suffix(3) == ["willEnd(copy)", "didEnd(copy)", "didTransfer(1)"])
  }

  @Test("Z23: when the application ends, its items are lost and the drag goes on") func Z23_applicationEnds() throws {
    let s = try Scene()
    s.lift()
    s.tap()
    s.p.act { $0.clientGone(ClientID(5), at: s.p.instant, into: &$1) }
    s.drop()
    #expect(s.loads == ["101 in 1 by 9"] && s.p.failures.first == .sourceGone)
    s.p.wait(40_000)
    #expect(s.p.isAtRest)
  }

  @Test("Z23, F2: when the bridge ends, what the application has added is carried on") func Z23_F2_bridgeEnds() throws {
    let s = try Scene()
    s.lift()
    s.tap()
    s.p.act { $0.clientGone(Self.bridge, at: s.p.instant, into: &$1) }
    s.drop()
    #expect(s.loads == ["102 in 2 by 5"] && s.p.source(5).last == "didTransfer(1)")
    s.p.wait(40_000)
    #expect(s.p.isAtRest)
  }

  @Test("Z23: an application that ends while it is asked leaves nothing", arguments: [true, false])
  func Z23_endsWhileAsked(knowsItems: Bool) throws {
    let s = try Scene()
    s.lift()
    if knowsItems { s.p.configures = false } else { s.p.isSourceSilent = true }
    s.tap()
    s.p.act { $0.clientGone(ClientID(5), at: s.p.instant, into: &$1) }
    #expect(s.p.touches.last == "yield 2")
    s.drop()
    s.p.wait(40_000)
    #expect(s.p.isAtRest)
  }

  @Test("Z23, P15: pictures that come late are the application's, under its own number") func Z23_P15_latePictures()
    throws
  {
    let s = try Scene()
    s.lift()
    s.tap()
    let guest = SessionID(2)
    s.p.act { $0.offeredPreview(of: ItemID(102), by: ClientID(5), guest, into: &$1) }
    s.p.act { $0.changedPreview(PreviewID(3), for: ItemID(102), by: ClientID(5), guest, into: &$1) }
    #expect(s.p.stage.suffix(2).map(\.0) == [SessionID(1), SessionID(1)])
    #expect(s.p.stage.suffix(2).map(\.1) == [.offer(item: 1), .picture(item: 1, PreviewID(3))])
    let asked = s.p.engine.item(1, of: SessionID(1))
    #expect(asked?.session == guest && asked?.item == ItemID(102))
    // Of the other's item, or by another client, it changes nothing.
    let before = s.p.stage.count
    s.p.act { $0.changedPreview(nil, for: ItemID(101), by: ClientID(5), guest, into: &$1) }
    s.p.act { $0.changedPreview(nil, for: ItemID(102), by: ClientID(2), guest, into: &$1) }
    #expect(s.p.stage.count == before)
  }

  @Test("Z23: what it cannot ask for and answer changes nothing") func Z23_liars() throws {
    let s = try Scene()
    s.lift()
    s.tap()
    let guest = SessionID(2)
    s.p.act { e, a in
      e.configured(
        by: ClientID(5), guest, serial: 1, options: SourceOptions(isRestricted: true), at: s.p.instant, into: &a)
      e.answered(by: ClientID(5), guest, serial: 1, items: [Play.item(8)], at: s.p.instant, into: &a)
      e.animationFinished(guest, at: s.p.instant, into: &a)
      for client in [ClientID(5), ClientID(2)] {
        _ = e.requestLoad(
          by: client, guest, region: s.target, item: 0, type: "text/plain", at: s.p.instant, into: &a)
        e.finishedPerforming(by: client, guest, serial: 0, at: s.p.instant, into: &a)
      }
    }
    #expect(s.loads.isEmpty)
    s.drop()
    #expect(s.loads == ["101 in 1 by 9", "102 in 2 by 5"])
  }

  @Test("Z23, Z15: on the shelf such an item stays its application's promise") func Z23_Z15_onTheShelf() throws {
    let s = try Scene()
    try s.openShelf(keeping: 2)
    s.lift()
    s.tap()
    s.p.move(1, 1240, 300)
    s.p.wait(400)
    s.p.up(1, 1240, 300)
    s.p.wait(60_000)
    #expect(s.kept.count == 2 && s.p.source(5).last == "didEnd(copy)")
    s.p.itemsToLift = { [s] _ in
      s.kept.enumerated().map {
        var item = Play.item(UInt32(200 + $0.offset))
        item.lent = $0.element
        return item
      }
    }
    s.p.lift(1, 1240, 300)
    s.p.move(1, 1240, 320)
    s.drop()
    #expect(s.loads == ["101 in 1 by 9", "102 in 2 by 5"])
    for id in s.kept { s.p.change { $0.releaseKept(id, by: ClientID(7)) } }
    s.p.wait(40_000)
    #expect(s.p.source(5).last == "didTransfer(1)" && s.p.isAtRest)
  }

  @Test("Z23, Z15: a tap on the shelf adds what it keeps, and the shelf lets go of it") func Z23_Z15_fromTheShelf()
    throws
  {
    let s = try Scene()
    try s.openShelf(keeping: 1)
    s.p.drag(3, from: (600, 300), to: (1240, 300))
    s.p.wait(400)
    s.p.up(3, 1240, 300)
    s.p.wait(1000)
    #expect(s.kept.count == 1)
    s.lift()
    s.p.itemsToLift = { _ in
      var item = Play.item(200)
      item.lent = s.kept.first
      return [item]
    }
    s.p.tap(2, 1240, 300)
    s.drop()
    #expect(s.loads == ["102 in 2 by 9", "101 in 1 by 5"] && s.p.source(7).contains("itemMoved(200)"))
    for id in s.kept { s.p.change { $0.releaseKept(id, by: ClientID(7)) } }
    s.p.wait(40_000)
    #expect(s.p.source(5).last == "didTransfer(1)" && s.p.isAtRest)
  }
}
