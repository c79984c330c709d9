import CarryModel
import CarrySessions
import Testing

/// How items look and end, as far as sessions know of it.
@Suite struct EndingTests {
  @Test("E3, Z8: where the items of a cancelled drag go is asked, and a source that does not say delays only itself")
  func E3_Z8_whereTheItemsGoIsAsked() throws {
    for answers in [true, false] {
      let p = Play()
      _ = try p.window(1, sourceRect, .drag)
      p.endings = answers ? [ItemEnding(item: 0, preview: .hidden)] : nil
      p.animationsFinish = false
      p.drag(1, from: (100, 300), to: (600, 600))
      p.up(1, 600, 600)
      p.wait(100)
      #expect(p.stage.contains { $0.1 == .cancel([ItemEnding(item: 0, preview: .hidden)]) } == answers)
      p.wait(300)
      #expect(p.stage.contains { $0.1 == .cancel([]) } == !answers)
      p.wait(3000)
      #expect(p.source(1).last == "didEnd(cancel)" && p.isAtRest)
    }
  }

  @Test("DA1, Z8: items land when the drop has been performed, and not much later") func DA1_Z8_itemsLand() throws {
    for performs in [true, false] {
      let p = Play()
      _ = try p.window(1, sourceRect, .drag)
      _ = try p.window(2, targetRect, .drop)
      p.landings = [ItemEnding(item: 0, preview: .own(PreviewID(4)))]
      p.performsSilently = !performs
      p.drag(1, from: (100, 300), to: (900, 300))
      p.up(1, 900, 300)
      p.wait(100)
      func lands(_ endings: [ItemEnding]) -> Bool {
        p.stage.contains { if case .drop(_, _, endings) = $0.1 { true } else { false } }
      }
      #expect(lands(p.landings) == performs)
      p.wait(300)
      #expect(lands([]) == !performs)
      p.wait(6000)
      #expect(p.isAtRest)
    }
  }

  @Test("L9, L10, A10: how items look comes with them") func L9_L10_A10_howItemsLookComesWithThem() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let own = ItemPreview.own(PreviewID(3))
    p.itemsToLift = { _ in
      [ItemDescription(id: ItemID(1), types: Play.item(1).types, preview: own), Play.item(2)]
    }
    p.itemsToAdd = { _ in [ItemDescription(id: ItemID(3), types: Play.item(1).types, preview: .hidden)] }
    p.drag(1, from: (100, 300), to: (600, 300))
    p.tap(2, 100, 400)
    guard case .lift([own, .usual], _, _, _, _, _) = p.stage[0].1 else {
      Issue.record("\(p.stage[0])")
      return
    }
    #expect(p.stage.contains { if case .add([.hidden], _, _) = $0.1 { true } else { false } })
  }

  @Test("Z12: a forbidden proposal may say why, as long as it forbids") func Z12_aForbiddenProposalMaySayWhy() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    _ = try p.window(2, targetRect, .drop)
    p.proposal = { _, point in
      var proposal = Proposal(point.x < 150 ? .forbidden : .copy)
      proposal.reason = "Read-only folder"
      return proposal
    }
    func reasons() -> [String?] { p.stage.compactMap { if case .reason(let r) = $0.1 { .some(r) } else { nil } } }
    p.drag(1, from: (100, 300), to: (900, 300))
    #expect(reasons() == ["Read-only folder"])
    p.move(1, 1100, 300)
    #expect(reasons() == ["Read-only folder", nil])
    p.move(1, 900, 320)
    p.up(1, 900, 320)
    p.wait(100)
    #expect(reasons().last == .some(nil))
  }

  @Test("Z13: what says that it takes the items is shown, where the user wants it and it can be seen")
  func Z13_whatTakesTheItemsIsShown() throws {
    for wanted in [true, false] {
      let p = Play()
      var settings = Settings()
      settings.drop.highlightsTargets = wanted
      p.engine.apply(settings)
      _ = try p.window(1, sourceRect, .drag)
      let taking = try p.window(2, targetRect, .drop)
      let other = try p.window(3, Rect(x: 400, y: 600, width: 100, height: 100), .drop)
      _ = try p.window(4, Rect(x: 400, y: 20, width: 100, height: 100), .drop)
      p.engine.setAcceptedTypes(["image/png", "text/*"], of: taking)
      p.engine.setAcceptedTypes(["image/*"], of: other)
      p.drag(1, from: (100, 300), to: (600, 300))
      let shown = p.stage.compactMap { if case .highlight(let rects) = $0.1 { rects } else { nil } }
      #expect(shown == (wanted ? [[targetRect]] : []))
    }
  }

  /// Each with each would be hundreds of millions of comparisons of long strings.
  @Test("Z13: as many regions, types and items as there may be are compared in a moment")
  func Z13_thereMayBeMany() throws {
    let p = Play()
    var settings = Settings()
    settings.drop.highlightsTargets = true
    p.engine.apply(settings)
    let items = (0..<Limits.itemsPerSession).map { i in
      Play.item(UInt32(i + 1), types: (0..<Limits.typesPerItem).map { "application/x-i-\(i)-\($0)" })
    }
    p.itemsToLift = { _ in items }
    _ = try p.window(1, sourceRect, .drag)
    let first = try p.window(2, targetRect, .drop)
    let window = try #require(p.engine.region(first)?.window)
    for _ in 1..<Limits.regionsPerClient {
      let region = try p.engine.addRegion(client: ClientID(2), window: window, rect: targetRect, roles: .drop)
      p.engine.setAcceptedTypes((0..<Limits.typesPerItem).map { "application/x-none-\($0)" }, of: region)
    }
    p.drag(1, from: (100, 300), to: (600, 300))
    #expect(!p.stage.contains { if case .highlight = $0.1 { true } else { false } })
  }

  @Test("P15: only the source shows other pictures, and only of what is carried") func P15_onlyTheSource() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    p.drag(1, from: (100, 300), to: (600, 300))
    let first = p.engine.item(0, of: SessionID(1))
    let item = try #require(first).item
    func shows(_ client: UInt32, _ item: ItemID) -> Int {
      let before = p.stage.count
      p.act { e, a in
        e.changedPreview(PreviewID(5), for: item, by: ClientID(client), SessionID(1), into: &a)
        e.offeredPreview(of: item, by: ClientID(client), SessionID(1), into: &a)
      }
      return p.stage.count - before
    }
    #expect(shows(1, item) == 2 && p.stage.suffix(2).map(\.1) == [.picture(item: 0, PreviewID(5)), .offer(item: 0)])
    #expect(shows(2, item) == 0 && shows(1, ItemID(99)) == 0)
    p.up(1, 600, 300)
    p.wait(3000)
    #expect(shows(1, item) == 0)
  }

  @Test("E4: a flight home is waited for as long as carry.conf has it last") func E4_aLongFlightHome() throws {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    var settings = Settings()
    settings.animation.cancel = .seconds(10)
    p.act { e, _ in e.apply(settings) }
    p.animationsFinish = false
    p.drag(1, from: (100, 300), to: (600, 300))
    p.up(1, 600, 300)
    p.wait(10_500)
    #expect(!p.source(1).contains("didEnd(cancel)"))
    p.wait(3000)
    #expect(p.source(1).last == "didEnd(cancel)")
    #expect(p.isAtRest)
  }
}
