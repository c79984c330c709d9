import CarryModel
import Testing

@testable import CarrySessions

/// A drop by itself: its scope, its flight and its end.
@Suite struct DropMachineTests {
  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  private func drop() -> Drop {
    Drop(
      on: .init(region: RegionID(5), client: ClientID(2)), .copy, serial: 9,
      landing: .init(target: nil, point: Point(x: 1, y: 2)), at: at(0))
  }

  @Test("X2: loads may begin until the destination has performed") func X2_scope() {
    var drop = drop()
    #expect(drop.region == RegionID(5) && drop.client == ClientID(2) && drop.serial == 9 && drop.mayLoad)
    #expect(drop.next(isLoading: false) == .wait)
    drop.close([ItemEnding(item: 0, preview: .hidden)])
    #expect(!drop.mayLoad && drop.endings.count == 1)
  }

  @Test("DA1: items go down when the drop is performed, or when they have waited for long enough") func DA1_flight() {
    var drop = drop()
    #expect(drop.deadline == at(250) && drop.due(at: at(249)) == nil && drop.due(at: at(250)) == .goingDown)
    #expect(drop.goDown(at: at(250))?.point == Point(x: 1, y: 2))
    #expect(drop.goDown(at: at(251)) == nil)
    // A destination that never says that it has performed.
    let limit = at(0) + .seconds(Limits.answerSeconds)
    #expect(drop.deadline == limit && drop.due(at: limit) == .closing)
    drop.close()
    // Nobody reports the end of the animation.
    #expect(drop.deadline == at(2250) && drop.due(at: at(2249)) == nil && drop.due(at: at(2250)) == .over)
    #expect(drop.land() && !drop.land() && drop.hasLanded)
    #expect(drop.deadline == nil && drop.due(at: at(60_000)) == nil)
  }

  @Test("DA1: what is gone from the screen does not go down") func DA1_landedFirst() {
    var drop = drop()
    #expect(drop.land() == true)
    #expect(drop.goDown(at: at(10)) == nil)
  }

  @Test("D13: the source hears of the data once, the region of the end once") func D13_end() {
    var drop = drop()
    drop.close()
    drop.complete(ItemID(1), delivered: true)
    drop.complete(ItemID(1), delivered: true)
    #expect(drop.next(isLoading: false) == .reportTransferred(delivered: 2))
    #expect(drop.next(isLoading: false) == .wait)
    #expect(drop.land() == true)
    #expect(drop.next(isLoading: false) == .conclude)
    #expect(!drop.isWatched)
    #expect(drop.next(isLoading: false) == .end)
  }

  @Test("loads may last longer than all else") func loadsLast() {
    var drop = drop()
    drop.close()
    #expect(drop.next(isLoading: true) == .wait)
    #expect(drop.land() == true)
    #expect(drop.next(isLoading: true) == .conclude)
    #expect(drop.next(isLoading: true) == .awaitLoads)
    #expect(drop.next(isLoading: false) == .reportTransferred(delivered: 0))
    #expect(drop.next(isLoading: false) == .end)
  }

  @Test("a region that is gone hears of no end") func gone() {
    var drop = drop()
    drop.regionGone()
    drop.endLoading()
    #expect(!drop.mayLoad && drop.land())
    #expect(drop.next(isLoading: false) == .reportTransferred(delivered: 0))
    #expect(drop.next(isLoading: false) == .end)
  }
}
