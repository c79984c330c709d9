import CarryModel
import CarrySessions
import Testing

/// Drags of applications that speak another protocol, over regions of Carry's applications. The bridge is client 9.
@Suite struct ForeignDragTests {
  private let bridge = ClientID(9)

  /// A region of client 3 on the right.
  private func play(_ roles: RegionRoles = .drop) throws -> (Play, RegionID) {
    let p = Play()
    return (p, try p.window(3, Rect(x: 800, y: 0, width: 400, height: 800), roles))
  }

  private func begin(
    _ p: Play, _ items: [ItemDescription] = [Play.item(1)], from program: ProgramIdentity? = nil,
    isByButton: Bool = true
  ) throws -> SessionID {
    let id = try #require(start(p, items, from: program, isByButton: isByButton))
    move(p, id, 900, 300)
    return id
  }

  private func start(
    _ p: Play, _ items: [ItemDescription], from program: ProgramIdentity? = nil, isByButton: Bool = true
  ) -> SessionID? {
    p.engine.beginForeign(
      by: bridge, from: program ?? ProgramIdentity(process: .peer(50)), isByButton: isByButton,
      ContactID(500 + UInt32(p.engine.sessionCount)), items,
      over: p.lastWindow, at: Point(x: 900, y: 300), p.instant)
  }

  private func move(_ p: Play, _ id: SessionID, _ x: Double, _ y: Double) {
    p.act { $0.moveForeign(id, to: Point(x: x, y: y), at: p.instant, into: &$1) }
  }

  private func drop(_ p: Play, _ id: SessionID, _ x: Double = 900, _ y: Double = 300) {
    p.act { $0.dropForeign(id, at: Point(x: x, y: y), p.instant, into: &$1) }
  }

  private func sessions(_ p: Play) -> Int { p.engine.sessionCount }

  @Test("Z1: a foreign drag may be dropped at once where the mouse has gone, though windows change meanwhile")
  func Z1_droppedAtOnce() throws {
    let (p, region) = try play()
    let gone = try p.window(4, Rect(x: 0, y: 0, width: 100, height: 100), .drop)
    _ = try p.window(5, Rect(x: 800, y: 0, width: 400, height: 800), .drop)
    let id = try #require(start(p, [Play.item(1)]))
    // A program ends, and its windows go, as the drag begins.
    p.change { $0.updateRegion(gone, rect: Rect(x: 0, y: 0, width: 1, height: 1)) }
    move(p, id, 900, 300)
    p.wait(10)
    drop(p, id)
    #expect(p.source(9).contains("didEnd(copy)"))
    _ = region
  }

  @Test(
    "Z15: the shelf neither opens for what nobody drags, nor takes it", arguments: [true, false])
  func Z15_nobodyDrags(_ isByButton: Bool) throws {
    let (p, _) = try play()
    var identity = ProgramIdentity(process: .peer(7))
    identity.isShelf = true
    p.engine.setIdentity(identity, of: ClientID(7))
    let shelf = try p.window(7, Rect(x: 800, y: 0, width: 400, height: 800), .drop)
    let id = try begin(p, isByButton: isByButton)
    #expect((p.engine.dragPoint != nil) == isByButton)
    var performed: [RegionID] = []
    p.perform = { _, _, region, _ in performed.append(region) }
    p.wait(10)
    drop(p, id)
    #expect(performed == (isByButton ? [shelf] : []))
    #expect(p.source(9).contains("didEnd(cancel)") != isByButton)
  }

  @Test("Z15: drags of other programs, which any program can make up, do not fill the shelf") func Z15_few()
    throws
  {
    let (p, _) = try play()
    var kept: [KeptItemID?] = []
    p.perform = { p, session, region, client in
      kept.append(p.engine.keep(by: client, session, region: region, item: 0))
    }
    for _ in 0...Limits.keptForeignItems {
      let id = try begin(p)
      p.wait(300)
      drop(p, id)
      p.wait(500)
    }
    #expect(kept.count { $0 != nil } == Limits.keptForeignItems && kept.last == .some(nil))
  }

  @Test("Z15: what the shelf keeps of a foreign drag outlives the drag, until the bridge lets go of it")
  func Z15_kept() throws {
    let (p, _) = try play()
    var kept: KeptItemID?
    p.perform = { p, session, region, client in
      kept = p.engine.keep(by: client, session, region: region, item: 0)
    }
    let id = try begin(p)
    p.wait(300)
    drop(p, id)
    p.wait(500)
    #expect(p.source(9).last == "kept" && kept != nil && sessions(p) == 1)
    p.act { $0.cancelForeign(id, at: p.instant, into: &$1) }
    let gone = SessionAction.keptItemGone(try #require(kept))
    #expect(sessions(p) == 0 && p.log.contains(gone))
    #expect(p.source(9).last == "didTransfer")
  }

  @Test("Z1: a foreign drag enters, is proposed to, and is dropped; nothing of it is on the stage") func Z1_aDrop()
    throws
  {
    let (p, region) = try play()
    p.perform = { p, session, region, client in
      p.act {
        _ = $0.requestLoad(by: client, session, region: region, item: 0, type: "text/plain", at: p.instant, into: &$1)
      }
    }
    let id = try begin(p)
    #expect(p.source(9) == ["proposal(copy)"])
    move(p, id, 950, 300)
    drop(p, id, 950, 300)
    #expect(
      p.destination(region) == [
        "offer(1)", "canHandle", "didEnter", "didUpdate", "didUpdate", "performDrop", "concludeDrop", "didEnd(copy)",
      ])
    #expect(p.source(9).contains("didEnd(copy)") && p.source(9).contains("didTransfer(1)"))
    #expect(p.stage.isEmpty && p.touches.isEmpty && sessions(p) == 0)
    #expect(p.monitorKinds().first == .began && p.monitorKinds().last == .ended)
  }

  @Test("Z1: where nothing takes it, the bridge hears cancel, and nothing flies home") func Z1_nobodyTakesIt() throws {
    let (p, region) = try play()
    let id = try begin(p)
    move(p, id, 100, 300)
    #expect(p.source(9) == ["proposal(copy)", "proposal(cancel)"])
    drop(p, id, 100, 300)
    #expect(p.source(9).last == "didEnd(cancel)" && sessions(p) == 0 && p.stage.isEmpty)
    #expect(p.destination(region).last == "didEnd(cancel)")
  }

  @Test("Z1: the bridge is told where a window takes drops, of few regions each, and not where its drag was refused")
  func Z1_dropPlaces() throws {
    let p = Play()
    let whole = try p.window(1, Rect(x: 800, y: 0, width: 300, height: 300), .spring)
    let window = p.lastWindow
    let left = try p.region(1, window, Rect(x: -10, y: 0, width: 60, height: 50), .drop)
    _ = try p.region(1, window, Rect(x: 100, y: 0, width: 50, height: 50), [.drop, .drag])
    _ = try p.region(1, window, Rect(x: 400, y: 0, width: 50, height: 50), .drop)
    _ = try p.engine.addRegion(
      client: ClientID(9), window: window, rect: Rect(x: 0, y: 100, width: 50, height: 50), roles: .drop,
      isStandIn: true)
    func places() -> [Rect] { p.engine.dropPlaces(of: window).sorted { $0.x < $1.x } }
    let both = [Rect(x: 0, y: 0, width: 50, height: 50), Rect(x: 100, y: 0, width: 50, height: 50)]
    #expect(places() == both)
    p.canHandle = { $0 != left }
    let begun = p.engine.beginForeign(
      by: ClientID(9), from: ProgramIdentity(process: .peer(3)), isByButton: true, ContactID(50), [Play.item(1)],
      over: window,
      at: Point(x: 820, y: 20), p.instant)
    let drag = try #require(begun)
    p.act { $0.moveForeign(drag, to: Point(x: 820, y: 20), at: p.instant, into: &$1) }
    #expect(places() == [both[1]])
    p.act { $0.cancelForeign(drag, at: p.instant, into: &$1) }
    #expect(places() == both)
    for i in 0..<Limits.dropPlaces {
      _ = try p.region(1, window, Rect(x: 10, y: Double(i), width: 10, height: 10), .drop)
    }
    #expect(places() == [Rect(x: 0, y: 0, width: 150, height: 137)])
    _ = whole
  }

  @Test("Z1: a foreign drag that leaves is cancelled; one that was dropped goes on") func Z1_itLeaves() throws {
    let (p, region) = try play()
    let id = try begin(p)
    p.act { $0.cancelForeign(id, at: p.instant, into: &$1) }
    #expect(p.destination(region).last == "didEnd(cancel)" && sessions(p) == 0)
    p.performsSilently = true
    let next = try begin(p)
    drop(p, next)
    p.act { $0.cancelForeign(next, at: p.instant, into: &$1) }
    #expect(sessions(p) == 1 && p.destination(region).last == "performDrop")
  }

  @Test("Z1: a foreign drag never comes over the bridge's own regions") func Z1_noLoop() throws {
    let p = Play()
    _ = try p.window(3, Rect(x: 800, y: 0, width: 400, height: 800), [])
    let standIn = try p.engine.addRegion(
      client: bridge, window: p.lastWindow, rect: Rect(x: 0, y: 0, width: 400, height: 800), roles: .drop,
      isStandIn: true)
    _ = try begin(p)
    #expect(p.destination(standIn).isEmpty)
  }

  @Test("Z1, K6: a foreign drag has the identity of its application") func Z1_K6_identity() throws {
    let (p, region) = try play()
    p.engine.setIdentity(ProgramIdentity(process: .peer(3), program: "r", team: "t"), of: ClientID(3))
    let items = [
      ItemDescription(id: ItemID(1), types: [OfferedType(name: "a/b"), OfferedType(name: "a/team", visibility: .team)])
    ]
    let first = try begin(p, items, from: ProgramIdentity(process: .peer(50), program: "s", team: "other"))
    func offered() -> [[String]] {
      p.log.compactMap { action in
        guard case .destination(_, _, region, .offer(let items, _, _, _)) = action else { return nil }
        return items.flatMap { $0.types.map(\.name) }
      }
    }
    #expect(offered() == [["a/b"]])
    p.act { $0.cancelForeign(first, at: p.instant, into: &$1) }
    _ = try begin(p, items, from: ProgramIdentity(process: .peer(51), program: "s", team: "t"))
    #expect(offered().last == ["a/b", "a/team"])
  }

  @Test("Z1: a foreign drag that rests over a spring opens it") func Z1_springs() throws {
    let (p, region) = try play([.drop, .spring])
    _ = try begin(p)
    p.wait(3000)
    #expect(
      p.log.contains { if case .spring(_, region, _, .activated, _) = $0 { true } else { false } })
  }

  @Test("Z7: Esc is the other application's own") func Z7_escape() throws {
    let (p, _) = try play()
    _ = try begin(p)
    let isCarrying = p.engine.isCarrying
    #expect(!isCarrying)
    p.act { $0.cancelDrags(at: p.instant, into: &$1) }
    #expect(sessions(p) == 1)
    p.act { $0.stop(at: p.instant, into: &$1) }
    #expect(sessions(p) == 0)
  }

  @Test("the bridge's end is the end of its drags, and there are few of them, so that fingers find room")
  func limits()
    throws
  {
    let (p, region) = try play([.drop, .simultaneous])
    #expect(start(p, []) == nil)
    for _ in 0..<Limits.foreignSessions { _ = try begin(p) }
    #expect(start(p, [Play.item(1)]) == nil && Limits.foreignSessions < Limits.sessions / 2)
    p.act { $0.clientGone(bridge, at: p.instant, into: &$1) }
    #expect(sessions(p) == 0 && p.destination(region).last == "didEnd(cancel)")
  }
}
