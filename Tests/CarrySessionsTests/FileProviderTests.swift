import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// F1, F2: items that a file provider serves do not need their application.
@Suite struct FileProviderTests {
  private static let helper = ClientID(50)

  private static func item(_ id: UInt32, isServed: Bool = true) -> ItemDescription {
    var item = Play.item(id)
    if isServed { item.reference = FileReference(helper: helper, text: "item \(id)") }
    return item
  }

  /// A source at the left whose items are these, and a target at the right that loads all of them.
  private func play(_ items: [ItemDescription]) throws -> (play: Play, target: RegionID) {
    let p = Play()
    _ = try p.window(1, sourceRect, .drag)
    let target = try p.window(2, targetRect, .drop)
    p.itemsToLift = { _ in items }
    p.perform = { p, id, region, client in
      p.act { e, a in
        for i in items.indices {
          _ = e.requestLoad(by: client, id, region: region, item: i, type: "text/plain", at: p.instant, into: &a)
        }
      }
    }
    return (p, target)
  }

  private func asked(_ p: Play) -> [String] {
    p.log.compactMap { if case .provide(let reference, _, _, _, _) = $0 { reference.text } else { nil } }
  }

  private func loads(_ p: Play) -> Int { p.log.count { if case .load = $0 { true } else { false } } }

  @Test("F1, M6: loads of a served item go to the file provider, of other items to the application")
  func F1_M6_whoIsAsked() throws {
    let (p, _) = try play([Self.item(1), Self.item(2, isServed: false)])
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(3000)
    #expect(asked(p) == ["item 1"] && loads(p) == 1)
    #expect(p.source(1).last == "didTransfer(2)")
    #expect(p.isAtRest)
  }

  @Test("F1, F2: the application dies in mid-drag, and the drop delivers") func F1_F2_diesInTheHand() throws {
    let (p, target) = try play([Self.item(1), Self.item(2)])
    p.drag(1, from: (100, 300), to: (600, 300))
    p.act { $0.clientGone(ClientID(1), at: p.instant, into: &$1) }
    #expect(!p.stage.contains { $0.1 == .remove })
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(3000)
    #expect(asked(p) == ["item 1", "item 2"] && p.failures.isEmpty)
    #expect(p.destination(target).contains { $0.hasPrefix("performDrop") } && p.isAtRest)
  }

  @Test("F1, F2: the application dies after the drop, and the loads go on") func F1_F2_diesAfterTheDrop() throws {
    let (p, _) = try play([Self.item(1)])
    p.helperServes = false
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    p.act { $0.clientGone(ClientID(1), at: p.instant, into: &$1) }
    #expect(p.failures.isEmpty && p.engine.transferCount == 1)
    let transfer = try #require(p.log.compactMap { if case .provide(_, let t, _, _, _) = $0 { t } else { nil } }.first)
    let destination = p.engine.provided(transfer, by: Self.helper, at: p.instant)
    #expect(destination == ClientID(2))
    p.act { $0.finished(transfer, by: ClientID(2), successfully: true, at: p.instant, into: &$1) }
    p.wait(3000)
    #expect(p.failures.isEmpty && p.isAtRest)
  }

  @Test("F2: without its application a cancelled drag fades where it is, at once") func F2_cancelWithoutItsApplication()
    throws
  {
    let (p, _) = try play([Self.item(1)])
    p.drag(1, from: (100, 300), to: (600, 700))
    p.act { $0.clientGone(ClientID(1), at: p.instant, into: &$1) }
    p.up(1, 600, 700)
    p.wait(100)
    #expect(p.stage.contains { $0.1 == .cancel([ItemEnding(item: 0, preview: .hidden)]) })
    p.wait(3000)
    #expect(p.isAtRest)
  }

  @Test("F1: an item that its application serves goes with the application; the others are carried on")
  func F1_theOtherItems() throws {
    let (p, _) = try play([Self.item(1), Self.item(2, isServed: false)])
    p.drag(1, from: (100, 300), to: (600, 300))
    p.act { $0.clientGone(ClientID(1), at: p.instant, into: &$1) }
    p.move(1, 900, 300)
    p.up(1, 900, 300)
    p.wait(3000)
    #expect(asked(p) == ["item 1"] && p.failures == [.sourceGone] && p.isAtRest)
  }

  @Test("a file provider that fails ends what it has not answered, and can be asked again")
  func helperFails() throws {
    let (p, _) = try play([Self.item(1), Self.item(2)])
    p.helperServes = false
    p.drag(1, from: (100, 300), to: (900, 300))
    p.up(1, 900, 300)
    p.wait(100)
    let first = try #require(p.log.compactMap { if case .provide(_, let t, _, _, _) = $0 { t } else { nil } }.first)
    let destination = p.engine.provided(first, by: Self.helper, at: p.instant)
    #expect(destination == ClientID(2))
    p.act { $0.helperFailed(Self.helper, at: p.instant, into: &$1) }
    #expect(p.failures == [.sourceFailed] && p.engine.transferCount == 1)
    p.act { $0.finished(first, by: ClientID(2), successfully: true, at: p.instant, into: &$1) }
    p.wait(3000)
    #expect(p.isAtRest)
    p.helperServes = true
    p.drag(2, from: (100, 300), to: (900, 300))
    p.up(2, 900, 300)
    p.wait(3000)
    #expect(p.failures == [.sourceFailed] && asked(p).count == 4 && p.isAtRest)
  }
}
