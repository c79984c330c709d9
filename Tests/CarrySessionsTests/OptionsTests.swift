import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// B4: what the source allows, asked when the drag begins.
@Suite struct OptionsTests {
  private func configure(_ p: Play, _ options: SourceOptions = .init()) {
    let serial = p.log.compactMap { action -> UInt32? in
      if case .source(_, _, .willBegin(let serial, _)) = action { serial } else { nil }
    }.last
    p.act {
      $0.configured(
        by: ClientID(1), SessionID(1), serial: serial ?? 0, options: options, at: p.instant, into: &$1)
    }
  }

  @Test("B4, LO5: before the source has answered nobody sees the session") func B4_LO5_nobodySeesItBefore() throws {
    let (p, target) = try pair(roles: [.drop, .spring])
    p.configures = false
    p.drag(1, from: (100, 300), to: (900, 300))
    p.wait(3000)
    #expect(p.destination(target).isEmpty)
    #expect(!p.log.contains { if case .spring = $0 { true } else { false } })
    #expect(p.monitorKinds() == [.liftBegan, .lifted])
    configure(p)
    #expect(p.destination(target) == ["offer(1)", "canHandle", "didEnter", "didUpdate"])
    #expect(p.monitorKinds() == [.liftBegan, .lifted, .began, .entered, .updated])
    #expect(p.monitored.map(\.isPrivate) == [true, true, false, false, false])
    // A second answer is none.
    configure(p, SourceOptions(isRestricted: true))
    p.move(1, 901, 300)
    #expect(p.destination(target).last == "didUpdate")
  }

  @Test("B4: a drop before the answer waits for it") func B4_aDropBeforeTheAnswerWaitsForIt() throws {
    let (p, target) = try pair(roles: [.drop, .spring])
    p.configures = false
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(500)
    #expect(p.engine.sessionCount == 1)
    configure(p)
    #expect(p.destination(target).contains("performDrop"))
    p.wait(100)
    #expect(p.isAtRest)
  }

  @Test("Z8: a source that never answers is waited for two seconds after the drop, and shown to nobody")
  func Z8_aSourceThatNeverConfigures() throws {
    let (p, target) = try pair(roles: [.drop, .spring])
    p.configures = false
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(2200)
    #expect(p.destination(target).isEmpty)
    #expect(p.source(1).suffix(2) == ["willEnd(cancel)", "didEnd(cancel)"])
    #expect(p.monitorKinds() == [.liftBegan, .lifted, .began, .cancelled, .ended])
    #expect(p.isAtRest)
    configure(p)
    #expect(p.isAtRest)
  }

  @Test("O4, O5: a move within the application where the source allows it", arguments: [true, false])
  func O4_O5_aMoveWithinTheApplication(allowed: Bool) throws {
    let (p, target) = try pair(1, roles: [.drop, .spring])
    p.options = SourceOptions(allowsMove: allowed)
    p.proposal = { _, _ in .move }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(
      p.log.contains {
        if case .destination(_, _, target, .offer(_, _, true, let o)) = $0 { o.allowsMove == allowed } else { false }
      })
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.source(1).contains(allowed ? "didEnd(move)" : "didEnd(cancel)"))
    #expect(p.destination(target).contains("performDrop") == allowed)
  }

  @Test("Z32: a move to another application where the source allows that, of what has arrived whole")
  func Z32_aMoveToAnotherApplication() throws {
    let (p, target) = try pair(roles: [.drop, .spring])
    p.options = SourceOptions()
    p.options?.allowsMoveToOthers = true
    p.proposal = { _, _ in .move }
    // Of the second item one load fails, of the third nothing is asked for, and the fourth's type arrives once of twice: what
    // arrives may be another copy than the one that was to be kept.
    p.itemsToLift = { _ in (1...4).map { Play.item($0, types: ["text/plain", "text/html"]) } }
    var asked = 0
    p.provides = { _, item, type in
      if item == ItemID(4) { asked += 1 }
      return item == ItemID(4) ? asked > 1 : item != ItemID(2) || type == "text/plain"
    }
    p.perform = { p, id, region, client in
      for (item, type) in [
        (0, "text/plain"), (1, "text/plain"), (1, "text/html"), (3, "text/html"), (3, "text/html"),
      ] {
        p.act { e, a in
          _ = e.requestLoad(by: client, id, region: region, item: item, type: type, at: p.instant, into: &a)
        }
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(
      p.log.contains {
        if case .destination(_, _, target, .offer(_, _, false, let o)) = $0 { o.allowsMove } else { false }
      })
    p.up(1, 900, 300)
    p.wait(100)
    let moved = p.log.compactMap { if case .source(_, _, .itemMoved(let item)) = $0 { item } else { nil } }
    #expect(moved == [ItemID(1)])
    #expect(p.source(1).last == "didTransfer(3)" && p.source(1).contains("didEnd(move)"))
  }

  @Test("Z32: a source keeps an item of which a load was refused, and gives no original away that it then removes")
  func Z32_aMoveWithRefusedLoads() throws {
    let (p, _) = try pair(roles: [.drop, .spring])
    p.options = SourceOptions()
    p.options?.allowsMoveToOthers = true
    p.proposal = { _, _ in .move }
    p.itemsToLift = { _ in (1...2).map { Play.item($0) } }
    p.perform = { p, id, region, client in
      for (item, type) in [(0, "text/plain"), (1, "text/plain"), (1, "text/html")] {
        p.act { e, a in
          _ = e.requestLoad(
            by: client, id, region: region, item: item, type: type, as: .original, at: p.instant, into: &a)
        }
      }
    }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    let moved = p.log.compactMap { if case .source(_, _, .itemMoved(let item)) = $0 { item } else { nil } }
    #expect(moved == [ItemID(1)])
    let forms = p.log.compactMap { if case .load(_, _, _, _, _, _, let form) = $0 { form } else { nil } }
    #expect(forms == [.copy, .copy])
  }

  @Test("Z32, O4: a move to another application is none by default") func Z32_O4_noMoveByDefault() throws {
    let (p, target) = try pair(roles: [.drop, .spring])
    p.proposal = { _, _ in .move }
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(!p.destination(target).contains("performDrop"))
  }

  @Test("G17, PH2: on a small screen a drag stays in its application", arguments: [0.0, 700, 900])
  func G17_PH2_smallScreens(below: Double) throws {
    // The screen's shorter side has 800 pixels.
    let p = Play()
    var settings = Settings()
    settings.drop.staysInApplicationBelow = below
    p.change { $0.apply(settings) }
    let (source, other) = (try p.window(1, sourceRect, .drag), try p.window(2, targetRect, .drop))
    let own = try p.window(1, Rect(x: 500, y: 600, width: 100, height: 100), .drop)
    p.drag(1, from: (100, 300), to: (900, 300))
    p.move(1, 550, 650)
    #expect(p.destination(other).isEmpty == (below == 900))
    #expect(p.destination(own).contains("didEnter"))
    withExtendedLifetime(source) {}
  }

  @Test("O11: a proposal without a drop has no effect in the destination") func O11_aProposalAloneIsNotEnough() throws {
    let (p, _) = try pair(roles: [.drop, .spring])
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    #expect(p.loads == 0)
    #expect(p.source(1).last == "didTransfer")
  }
}

/// O7: precise proposals.
@Suite struct PreciseTests {
  private func points(_ p: Play, _ region: RegionID) -> [Point] {
    p.log.compactMap { action in
      switch action {
      case .destination(_, _, region, .didUpdate(_, let point)): point
      case .destination(_, _, region, .performDrop(_, let point, _)): point
      default: nil
      }
    }
  }

  @Test("O7, O8: a precise target is told of a place above the finger, and asked about it at once")
  func O7_O8_aPlaceAboveTheFinger() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let target = try p.window(2, targetRect, .drop)
    p.proposal = { _, _ in Proposal(.copy, isPrecise: true) }
    p.drag(1, from: (100, 300), to: (900, 400))
    #expect(points(p, target) == [Point(x: 50, y: 150), Point(x: 50, y: 125)])
    p.move(1, 910, 410)
    #expect(points(p, target).last == Point(x: 60, y: 135))
    // Never outside of the region, and it does not leave it for that.
    p.move(1, 910, 255)
    #expect(points(p, target).last == Point(x: 60, y: 0))
    #expect(!p.destination(target).contains("didExit"))
    p.move(1, 910, 410)
    p.up(1, 910, 410)
    p.wait(100)
    #expect(points(p, target).last == Point(x: 60, y: 135))
    #expect(p.destination(target).contains("performDrop"))
  }

  @Test("O7: it ends with the visit, and one that cannot decide is asked no more often")
  func O7_itEndsWithTheVisit() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let target = try p.window(2, targetRect, .drop)
    var precise = true
    p.proposal = { _, _ in
      defer { precise.toggle() }
      return Proposal(.copy, isPrecise: precise)
    }
    p.drag(1, from: (100, 300), to: (900, 400))
    #expect(p.destination(target).count { $0 == "didUpdate" } == 2)
    p.proposal = { _, _ in .copy }
    p.move(1, 600, 400)
    p.move(1, 900, 400)
    #expect(points(p, target).last == Point(x: 50, y: 150))
  }

  @Test("O9, V1, V2, V3, V6, V7, V8: a picture keeps its size while it is wished and alone", arguments: [true, false])
  func V2_V3_aPictureKeepsItsSize(wished: Bool) throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let own = try p.window(1, Rect(x: 400, y: 250, width: 200, height: 300), .drop)
    p.options = SourceOptions(prefersFullSize: wished)
    p.proposal = { region, _ in Proposal(.copy, prefersFullSize: region == own) }
    func shrinks() -> Int { p.stage.count { $0.1 == .scaleDown } }
    p.drag(1, from: (100, 300), to: (300, 300))
    #expect(shrinks() == (wished ? 0 : 1))
    if wished {
      p.move(1, 500, 300)
      #expect(shrinks() == 0)
      // Another window of the application, with a destination that does not prefer it.
      _ = try p.window(1, Rect(x: 800, y: 250, width: 100, height: 300), .drop)
      p.move(1, 850, 300)
      #expect(shrinks() == 0)
      p.move(1, 700, 300)
      #expect(shrinks() == 1)
    }
    // It never grows again.
    p.move(1, 500, 300)
    p.move(1, 300, 300)
    p.move(1, 700, 300)
    #expect(shrinks() == 1)
  }
}
