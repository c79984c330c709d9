import CarryGestures
import CarryModel
import CarrySessions
import Testing

/// Z16, R5: what follows a move, and the end that a user makes of a drop's loads.
@Suite struct UndoTests {
  private static let source = ClientID(1)
  private let one = SessionID(1)

  /// A move within one client that has ended.
  private func moved(_ operation: DropOperation = .move) throws -> Play {
    let p = Play()
    p.options = SourceOptions()
    _ = try p.window(1, Rect(x: 0, y: 0, width: 400, height: 400), .drag)
    let target = try p.window(1, Rect(x: 600, y: 0, width: 400, height: 400), .drop)
    p.proposal = { _, _ in Proposal(operation) }
    p.perform = { p, session, region, client in
      p.act {
        _ = $0.requestLoad(by: client, session, region: region, item: 0, type: "text/plain", at: p.instant, into: &$1)
      }
    }
    p.drag(1, from: (100, 100), to: (700, 100))
    p.wait(100)
    p.up(1, 700, 100)
    p.wait(100)
    _ = target
    return p
  }

  private func forgotten(_ p: Play) -> Bool { p.log.contains(.forget(one)) }

  @Test("Z16: a source may offer to undo a move for three seconds, and hears only then that it is gone")
  func Z16_wait() throws {
    let p = try moved()
    #expect(p.source(1).contains("didTransfer(1)") && !forgotten(p))
    p.wait(3500)
    #expect(forgotten(p) && p.isStill)
    p.act { $0.offeredUndo(by: Self.source, self.one, "late", at: p.instant, into: &$1) }
    #expect(!p.log.contains { if case .showUndo = $0 { true } else { false } })
  }

  @Test("Z16: a copy has nothing to undo, and its session is gone at once") func Z16_copy() throws {
    let p = try moved(.copy)
    #expect(forgotten(p))
  }

  @Test("Z16: the undo is shown at the place of the drop for six seconds, and done once") func Z16_once() throws {
    let p = try moved()
    // Nobody else can offer it.
    p.act { $0.offeredUndo(by: ClientID(9), self.one, "not mine", at: p.instant, into: &$1) }
    p.act { $0.offeredUndo(by: Self.source, self.one, "Moved 1 item", at: p.instant, into: &$1) }
    p.act { $0.offeredUndo(by: Self.source, self.one, "again", at: p.instant, into: &$1) }
    let shown = p.log.compactMap { if case .showUndo(_, let title, let point) = $0 { (title, point) } else { nil } }
    #expect(shown.map(\.0) == ["Moved 1 item"] && shown.first?.1 == Point(x: 700, y: 100))
    p.wait(5000)
    let windows = p.engine.undoWindows
    #expect(windows.count == 2)
    p.act { $0.undo(self.one, into: &$1) }
    p.act { $0.undo(self.one, into: &$1) }
    #expect(p.source(1).count { $0 == "undo" } == 1)
    #expect(p.log.contains(.hideUndo(one)) && forgotten(p))
    let none = p.engine.undoWindows
    #expect(none.isEmpty)
  }

  @Test("Z16: after six seconds it goes by itself, and with the source at once") func Z16_ends() throws {
    let p = try moved()
    p.act { $0.offeredUndo(by: Self.source, self.one, "Moved 1 item", at: p.instant, into: &$1) }
    p.wait(6100)
    #expect(p.log.contains(.hideUndo(one)) && forgotten(p) && !p.source(1).contains("undo"))
    let q = try moved()
    q.act { $0.offeredUndo(by: Self.source, self.one, "Moved 1 item", at: q.instant, into: &$1) }
    q.act { $0.clientGone(Self.source, at: q.instant, into: &$1) }
    #expect(q.log.contains(.hideUndo(one)) && forgotten(q) && q.isStill)
  }

  @Test("Z16: the undo key counts in the windows of the move, and in no other") func Z16_key() throws {
    let p = try moved()
    p.act { $0.offeredUndo(by: Self.source, self.one, "Moved 1 item", at: p.instant, into: &$1) }
    p.act { $0.undo(in: WindowID(99), into: &$1) }
    #expect(!p.source(1).contains("undo"))
    p.act { $0.undo(in: p.lastWindow, into: &$1) }
    #expect(p.source(1).contains("undo"))
  }

  /// A drop whose target loads the item twice, and whose source has not answered yet.
  private func dropsWithTwoLoads(_ p: Play) {
    p.provides = { _, _, _ in nil }
    p.performsSilently = true
    p.perform = { p, session, region, client in
      for _ in 0..<2 {
        p.act {
          _ = $0.requestLoad(by: client, session, region: region, item: 0, type: "text/plain", at: p.instant, into: &$1)
        }
      }
    }
    p.drag(1, from: (100, 100), to: (700, 100))
    p.wait(100)
    p.up(1, 700, 100)
    p.wait(100)
  }

  @Test("R5: cancelling a drop ends its loads at both ends, and no more may begin") func R5_cancel() throws {
    let p = Play()
    _ = try p.window(1, Rect(x: 0, y: 0, width: 400, height: 400), .drag)
    let target = try p.window(2, Rect(x: 600, y: 0, width: 400, height: 400), .drop)
    dropsWithTwoLoads(p)
    let found = p.engine.transferStatus(of: one)
    let before = try #require(found)
    #expect(before.itemCount == 1 && before.destination == ClientID(2) && before.bytes == nil && before.fraction == nil)
    let transfer = try #require(
      p.log.compactMap { if case .load(_, let t, _, _, _, _, _) = $0 { t } else { nil } }.first)
    p.act {
      $0.ownerProgressed(
        transfer, by: ClientID(1), TransferProgress(completed: 1, total: 2), at: p.instant, into: &$1)
    }
    let unknown = p.engine.transferStatus(of: one)
    #expect(unknown != nil && unknown?.fraction == nil, "nobody knows about the other one")
    p.act { $0.cancelLoads(of: self.one, at: p.instant, into: &$1) }
    #expect(p.failures == [.cancelled, .cancelled])
    #expect(p.log.count { if case .loadCancelled(ClientID(1), _) = $0 { true } else { false } } == 2)
    p.act {
      _ = $0.requestLoad(
        by: ClientID(2), self.one, region: target, item: 0, type: "text/plain", at: p.instant, into: &$1)
    }
    #expect(p.failures.last == .cancelled && p.failures.count == 3)
    p.wait(60_000)
    #expect(p.log.contains(.transferred(one, nil)))
  }

  @Test("R5: of the loads of a drop, all bytes count together") func R5_sum() throws {
    let p = Play()
    p.itemsToLift = { _ in
      var item = Play.item(1)
      item.types[0].byteCount = 1000
      return [item]
    }
    _ = try p.window(1, Rect(x: 0, y: 0, width: 400, height: 400), .drag)
    _ = try p.window(2, Rect(x: 600, y: 0, width: 400, height: 400), .drop)
    dropsWithTwoLoads(p)
    let loads = p.log.compactMap { if case .load(_, let t, _, _, _, _, _) = $0 { t } else { nil } }
    try #require(loads.count == 2)
    p.act {
      $0.progressed(loads[0], by: ClientID(2), TransferProgress(completed: 500), at: p.instant, into: &$1)
    }
    let found = p.engine.transferStatus(of: one)
    let status = try #require(found)
    #expect(status.bytes == 500 && status.totalBytes == 2000 && status.fraction == 0.25)
    // One that has arrived still counts.
    _ = p.engine.provided(loads[0], by: ClientID(1), at: p.instant)
    p.act {
      $0.progressed(loads[0], by: ClientID(2), TransferProgress(completed: 1000), at: p.instant, into: &$1)
      $0.finished(loads[0], by: ClientID(2), successfully: true, at: p.instant, into: &$1)
    }
    let later = p.engine.transferStatus(of: one)
    #expect(later?.bytes == 1000 && later?.fraction == 0.5)
  }

  @Test("R5: a small load of which nobody has said how large it is leaves the bytes of the others known")
  func R5_aSmallOne() throws {
    let p = Play()
    _ = try p.window(1, Rect(x: 0, y: 0, width: 400, height: 400), .drag)
    _ = try p.window(2, Rect(x: 600, y: 0, width: 400, height: 400), .drop)
    dropsWithTwoLoads(p)
    let loads = p.log.compactMap { if case .load(_, let t, _, _, _, _, _) = $0 { t } else { nil } }
    try #require(loads.count == 2)
    for load in loads { _ = p.engine.provided(load, by: ClientID(1), at: p.instant) }
    p.act {
      $0.finished(loads[0], by: ClientID(2), successfully: true, at: p.instant, into: &$1)
      $0.progressed(loads[1], by: ClientID(2), TransferProgress(completed: 500, total: 2000), at: p.instant, into: &$1)
    }
    let status = p.engine.transferStatus(of: one)
    #expect(status?.bytes == 500 && status?.totalBytes == 2000 && status?.fraction == 0.25)
  }
}

extension Play {
  /// Whether the engine waits for nothing.
  fileprivate var isStill: Bool { engine.nextDeadline == nil }
}
