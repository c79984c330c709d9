import CarryModel
import CarrySessions
import Testing

/// Z15: what the shelf keeps, and what it lends to later drags.
@Suite struct ShelfTests {
  /// A source of application 1 at the left, the shelf of client 7 at the right, and a target of application 2 below it.
  private final class Scene {
    let p = Play()
    let shelf: RegionID
    let target: RegionID
    /// What the shelf has kept, in the order of the drops.
    var kept: [KeptItemID?] = []
    /// What the shelf keeps of each drop.
    var indices = [0]
    /// Which items the shelf lifts.
    var lends: [KeptItemID] = []
    var types = [
      OfferedType(name: "text/plain"), OfferedType(name: "a/team", visibility: .team),
      OfferedType(name: "a/own", visibility: .ownProcess),
    ]
    private var numbers: UInt32 = 100

    init() throws {
      let source = try p.window(1, Rect(x: 0, y: 0, width: 400, height: 800), [.drag, .drop])
      shelf = try p.window(7, Rect(x: 1000, y: 0, width: 200, height: 400), [.drag, .drop])
      target = try p.window(2, Rect(x: 1000, y: 400, width: 200, height: 400), .drop)
      var identity = ProgramIdentity(process: .peer(7))
      identity.isShelf = true
      p.engine.setIdentity(identity, of: ClientID(7))
      setTarget()
      p.engine.setIdentity(ProgramIdentity(process: .peer(1), program: "s", team: "t"), of: ClientID(1))
      p.provides = { _, _, _ in true }
      p.itemsToLift = { [unowned self] region in
        guard region == shelf else {
          numbers += 1
          var item = ItemDescription(id: ItemID(numbers), name: "note \(numbers)", types: types)
          item.teamData = [7]
          return [item]
        }
        return lends.map {
          numbers += 1
          var item = Play.item(numbers, types: ["text/plain"])
          item.lent = $0
          return item
        }
      }
      p.perform = { [unowned self] p, session, region, client in
        guard region == shelf else { return load(session, region, client) }
        for index in indices { kept.append(p.engine.keep(by: client, session, region: region, item: index)) }
      }
      _ = source
    }

    /// The target's program, of a team or of none.
    func setTarget(team: String? = nil) {
      p.engine.setIdentity(ProgramIdentity(process: .peer(2), program: "r", team: team), of: ClientID(2))
    }

    /// The types that a target loads, each that was promised.
    var wanted = ["text/plain"]
    func load(_ session: SessionID, _ region: RegionID, _ client: ClientID) {
      for type in wanted {
        p.act {
          _ = $0.requestLoad(
            by: client, session, region: region, item: 0, type: type, at: self.p.instant, into: &$1)
        }
      }
    }

    private var finger: UInt32 = 0
    func drag(from: (Double, Double), to: (Double, Double)) {
      finger += 1
      p.drag(finger, from: from, to: to)
      p.wait(200)
      p.up(finger, to.0, to.1)
      p.wait(700)
    }

    func toShelf() { drag(from: (100, 300), to: (1100, 200)) }
    func fromShelf(to place: (Double, Double) = (1100, 600)) { drag(from: (1100, 200), to: place) }

    func release(_ id: KeptItemID) { p.change { $0.releaseKept(id, by: ClientID(7)) } }

    /// The loads that sources were asked for: of which client, item and session.
    var loads: [String] {
      p.log.compactMap {
        if case .load(let client, _, let item, let session, _, let type, _) = $0 {
          "\(type) of \(item.raw) in \(session.raw) by \(client.raw)"
        } else {
          nil
        }
      }
    }
    /// The sessions in which these items were dropped.
    var drops: [UInt32] {
      p.log.compactMap { if case .load(_, _, _, _, let drop, _, _) = $0 { drop.raw } else { nil } }
    }
    var failures: Int { p.log.count { if case .loadFailed = $0 { true } else { false } } }
    var gone: [KeptItemID] { p.log.compactMap { if case .keptItemGone(let id) = $0 { id } else { nil } } }
    var forgotten: [KeptItemID] { p.log.compactMap { if case .forgetKept(let id) = $0 { id } else { nil } } }
    /// What the target was shown.
    var offered: [ItemDescription] {
      p.log.flatMap { action -> [ItemDescription] in
        if case .destination(_, _, target, .offer(let items, _, _, _)) = action { items } else { [] }
      }
    }
  }

  @Test(
    "Z15: the shelf keeps a promise: its source is asked for the data by a later drop, and hears of the end after it")
  func Z15_keepsPromises() throws {
    let s = try Scene()
    s.toShelf()
    let id = try #require(s.kept[0])
    #expect(s.loads.isEmpty && s.p.source(1).contains("didEnd(copy)"))
    s.p.wait(3_600_000)
    #expect(!s.p.source(1).contains { $0.hasPrefix("didTransfer") } && s.p.engine.sessionCount == 1)
    s.lends = [id]
    s.fromShelf()
    // As its owner knows it: by its own number, in its own session.
    #expect(s.loads == ["text/plain of 101 in 1 by 1"] && s.offered.map(\.name) == ["note 101"])
    // T10: it can tell one destination from the next.
    #expect(s.drops == [2])
    #expect(s.p.source(7).contains("itemMoved(102)") || s.p.source(7).contains { $0.hasPrefix("itemMoved") })
    #expect(!s.p.source(1).contains { $0.hasPrefix("didTransfer") })
    s.release(id)
    #expect(s.p.source(1).last == "didTransfer(1)" && s.forgotten == [id] && s.p.engine.sessionCount == 0)
  }

  @Test("Z15: what its owner withdraws is gone from the shelf, and nobody else's item is")
  func Z15_withdrawn() throws {
    let s = try Scene()
    s.toShelf()
    let id = try #require(s.kept[0])
    s.p.act { $0.withdrew(ItemID(101), by: ClientID(7), at: s.p.instant, into: &$1) }
    s.p.act { $0.withdrew(ItemID(999), by: ClientID(1), at: s.p.instant, into: &$1) }
    #expect(s.gone.isEmpty)
    s.p.act { $0.withdrew(ItemID(101), by: ClientID(1), at: s.p.instant, into: &$1) }
    s.p.act { $0.withdrew(ItemID(101), by: ClientID(1), at: s.p.instant, into: &$1) }
    s.p.wait(100)
    #expect(s.gone == [id] && s.p.source(1).last == "didTransfer" && s.p.engine.sessionCount == 0)
  }

  @Test("Z15: each session ends once, and data is delivered in the one that takes it from the shelf")
  func Z15_whatIsMonitored() throws {
    let s = try Scene()
    s.toShelf()
    let id = try #require(s.kept[0])
    s.lends = [id]
    #expect(s.p.monitorKinds(1).suffix(2) == [.dropped, .ended])
    s.fromShelf()
    s.release(id)
    #expect(s.p.source(1).last == "didTransfer(1)")
    s.p.act { $0.stop(at: s.p.instant, into: &$1) }
    #expect(s.p.monitorKinds(1).suffix(2) == [.dropped, .ended])
    #expect(s.p.monitorKinds(2).suffix(4) == [.dropped, .received, .dataDelivered, .ended])
    for kind in [MonitorEvent.Kind.ended, .dataDelivered] {
      #expect(s.p.monitorKinds().count { $0 == kind } == (kind == .ended ? 2 : 1))
    }
  }

  @Test("Z15: who sees and loads a kept item is decided by where it comes from", arguments: [nil, "t"] as [String?])
  func Z15_G4_whoSees(team: String?) throws {
    let s = try Scene()
    s.setTarget(team: team)
    s.wanted = ["text/plain", "a/team", "a/own"]
    s.toShelf()
    s.lends = [try #require(s.kept[0])]
    s.fromShelf()
    let seen = team == nil ? ["text/plain"] : ["text/plain", "a/team"]
    #expect(s.offered.map { $0.types.map(\.name) } == [seen] && s.offered.map(\.teamData) == [team == nil ? [] : [7]])
    #expect(s.loads.count == seen.count && s.failures == 3 - seen.count)
  }

  @Test("Z15, I15: back at its own application an item is as it was there") func Z15_I15_backHome() throws {
    let s = try Scene()
    s.wanted = ["a/own"]
    s.toShelf()
    s.lends = [try #require(s.kept[0])]
    s.fromShelf(to: (100, 300))
    #expect(s.loads == ["a/own of 101 in 1 by 1"])
  }

  @Test("Z15, G6: rules hold between an item's own program and its target; the shelf itself may take everything")
  func Z15_G6_rules() throws {
    let s = try Scene()
    let rule = Policy.Rule(
      .forbid, from: [.program("s")], to: [.anyone], types: ["*/*"], place: "test.conf:1")
    s.p.engine.apply(Policy([rule]))
    s.toShelf()
    s.lends = [try #require(s.kept[0])]
    s.fromShelf()
    #expect(s.offered.isEmpty && s.loads.isEmpty && s.p.source(7).last == "didEnd(cancel)")
    let forbidden = s.p.log.contains { action in
      if case .forbidden(_, let source, _, _) = action { source.program == "s" } else { false }
    }
    #expect(forbidden)
  }

  @Test("Z15: one drag has items of several applications") func Z15_severalApplications() throws {
    let s = try Scene()
    _ = try s.p.window(3, Rect(x: 500, y: 0, width: 300, height: 800), .drag)
    s.toShelf()
    s.drag(from: (600, 300), to: (1100, 200))
    s.lends = s.kept.compactMap { $0 }
    s.p.perform = { _, session, region, client in
      for item in 0..<2 {
        s.p.act {
          _ = $0.requestLoad(
            by: client, session, region: region, item: item, type: "text/plain", at: s.p.instant, into: &$1)
        }
      }
    }
    s.fromShelf()
    #expect(s.loads == ["text/plain of 101 in 1 by 1", "text/plain of 102 in 2 by 3"])
  }

  @Test("Z15: what was let go of stays for the drag and the loads that have it") func Z15_releasedInADrag() throws {
    let s = try Scene()
    s.toShelf()
    let id = try #require(s.kept[0])
    s.lends = [id]
    s.p.provides = { _, _, _ in nil }
    s.p.drag(9, from: (1100, 200), to: (1100, 600))
    s.release(id)
    #expect(s.forgotten.isEmpty)
    s.p.wait(200)
    s.p.up(9, 1100, 600)
    s.p.wait(1000)
    #expect(s.loads.count == 1 && s.forgotten.isEmpty && !s.p.source(1).contains { $0.hasPrefix("didTransfer") })
    let to = s.p.engine.provided(TransferID(1), by: ClientID(1), at: s.p.instant)
    #expect(to == ClientID(2))
    s.p.act { $0.finished(TransferID(1), by: ClientID(2), successfully: true, at: s.p.instant, into: &$1) }
    #expect(s.forgotten == [id] && s.p.source(1).last == "didTransfer(1)")
    // And it cannot be lent again.
    s.fromShelf()
    #expect(s.loads.count == 1)
  }

  @Test("Z15: what its owner has taken with it is gone, and cannot be lifted") func Z15_gone() throws {
    let s = try Scene()
    s.toShelf()
    let id = try #require(s.kept[0])
    s.p.act { $0.clientGone(ClientID(1), at: s.p.instant, into: &$1) }
    #expect(s.gone == [id] && s.p.engine.sessionCount == 0)
    s.lends = [id]
    s.fromShelf()
    #expect(s.loads.isEmpty && s.offered.isEmpty)
    s.release(id)
    #expect(s.forgotten == [id])
  }

  @Test("Z15: without the shelf nothing is kept, and drags that have its items go on") func Z15_shelfGone() throws {
    let s = try Scene()
    s.toShelf()
    s.toShelf()
    s.lends = [try #require(s.kept[0])]
    s.p.drag(9, from: (1100, 200), to: (1100, 600))
    s.p.wait(200)
    s.p.act { $0.clientGone(ClientID(7), at: s.p.instant, into: &$1) }
    #expect(s.forgotten == [try #require(s.kept[1])])
    s.p.up(9, 1100, 600)
    s.p.wait(1000)
    #expect(s.loads == ["text/plain of 101 in 1 by 1"] && Set(s.forgotten) == Set(s.kept.compactMap { $0 }))
    #expect(s.p.engine.sessionCount == 0)
  }

  @Test("Z15: only of a drop that is being performed on it, only what is there, and so many")
  func Z15_limits() throws {
    let s = try Scene()
    s.indices = [0, 1, -1]
    s.toShelf()
    #expect(s.kept[0] != nil && s.kept[1] == nil && s.kept[2] == nil)
    // Too late, and by others.
    #expect(s.p.engine.keep(by: ClientID(7), SessionID(1), region: s.shelf, item: 0) == nil)
    #expect(s.p.engine.keep(by: ClientID(2), SessionID(1), region: s.shelf, item: 0) == nil)
    s.release(try #require(s.kept[0]))
    s.kept = []
    s.indices = Array(repeating: 0, count: Limits.keptItems + 5)
    s.toShelf()
    #expect(s.kept.count { $0 != nil } == Limits.keptItems)
    // Others cannot let go of it, or lend it.
    let id = try #require(s.kept[0])
    s.p.change { $0.releaseKept(id, by: ClientID(1)) }
    #expect(s.forgotten.count == 1)
    var stolen = Play.item(900)
    stolen.lent = id
    s.p.itemsToLift = { _ in [stolen] }
    s.drag(from: (100, 300), to: (1100, 600))
    #expect(s.loads.isEmpty)
  }

  @Test("Z15: drops on the shelf do not take the places of drops that load") func Z15_places() throws {
    let s = try Scene()
    for _ in 0..<Limits.keptItems { s.toShelf() }
    #expect(s.kept.allSatisfy { $0 != nil } && s.p.engine.sessionCount == Limits.keptItems)
    s.p.provides = { _, _, _ in nil }
    for _ in 0..<5 { s.drag(from: (100, 300), to: (1100, 600)) }
    #expect(s.failures == 0 && s.loads.count == 5)
  }

  @Test("Z15: the shelf hears where a drag is that it may get") func Z15_dragPoint() throws {
    let s = try Scene()
    #expect(s.p.engine.dragPoint == nil)
    s.p.lift(1, 100, 300)
    #expect(s.p.engine.dragPoint == nil)
    s.p.move(1, 120, 300)
    #expect(s.p.engine.dragPoint == Point(x: 120, y: 300))
    s.p.up(1, 120, 300)
    s.p.wait(1000)
    #expect(s.p.engine.dragPoint == nil)
    s.p.options = SourceOptions(isRestricted: true)
    s.p.drag(2, from: (100, 300), to: (600, 300))
    #expect(s.p.engine.dragPoint == nil)
  }
}
