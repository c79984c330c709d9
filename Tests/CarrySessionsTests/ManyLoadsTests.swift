import CarryModel
import Testing

@testable import CarrySessions

/// As many loads of one drop as there may be, ended together.
@Suite struct ManyLoadsTests {
  private let one = SessionID(1)
  private static let all = Limits.itemsPerSession * Limits.loadsPerItem

  /// A drop of as many items as there may be, with as many loads of each.
  private func drop() throws -> Play {
    let p = Play()
    p.itemsToLift = { _ in (1...UInt32(Limits.itemsPerSession)).map { Play.item($0) } }
    _ = try p.window(1, Rect(x: 0, y: 0, width: 400, height: 400), .drag)
    _ = try p.window(2, Rect(x: 600, y: 0, width: 400, height: 400), .drop)
    p.provides = { _, _, _ in nil }
    p.perform = { p, session, region, client in
      p.act { engine, actions in
        for i in 0..<Self.all {
          _ = engine.requestLoad(
            by: client, session, region: region, item: i % Limits.itemsPerSession, type: "text/plain", at: p.instant,
            into: &actions)
        }
      }
    }
    p.drag(1, from: (100, 100), to: (700, 100))
    p.wait(100)
    p.up(1, 700, 100)
    p.wait(100)
    try #require(p.engine.transfers.count == Self.all)
    return p
  }

  private func isOver(_ p: Play, _ why: LoadFailure) -> Bool {
    p.failures == [LoadFailure](repeating: why, count: Self.all) && p.engine.transfers.isEmpty
      && p.log.count { if case .loadCancelled = $0 { true } else { false } } == Self.all
      && p.log.count { if case .transferred = $0 { true } else { false } } == 1
  }

  @Test("R5: each of 4,096 loads is looked at once when they are ended together, and the source is told once")
  func R5_eachOnce() throws {
    let p = try drop()
    var asked = 0
    p.act { engine, actions in
      engine.endTransfers(.cancelled, at: p.instant, into: &actions) { _ in
        asked += 1
        return true
      }
    }
    #expect(asked == Self.all)
    #expect(isOver(p, .cancelled))
  }

  @Test("R5, R6: a user's cancel, and a source that stays silent, end all loads of a drop") func R5_R6_all() throws {
    let cancelled = try drop()
    cancelled.act { $0.cancelLoads(of: self.one, at: cancelled.instant, into: &$1) }
    #expect(isOver(cancelled, .cancelled))
    let silent = try drop()
    silent.wait(Int(Limits.transferSeconds) * 1000 + 1000)
    #expect(isOver(silent, .timedOut))
  }
}
