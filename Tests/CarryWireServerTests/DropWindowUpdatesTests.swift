import CarryModel
import Testing

@testable import CarryWireServer

@Suite struct DropWindowUpdatesTests {
  private static func windows(_ numbers: ClosedRange<UInt32>) -> Set<WindowID> { Set(numbers.map { WindowID($0) }) }

  @Test("Z1: the bridge is told of a few windows at a time, and of none that is as it was")
  func Z1_aFewAtATime() throws {
    var news = DropWindowUpdates()
    var now = Instant(microseconds: 1_000_000)
    #expect(news.due == nil)
    news.want(Self.windows(1...100), at: now)
    #expect(news.due == now)
    var told: [WindowID] = []
    while let due = news.due {
      now = due
      let some = news.take(at: now)
      #expect(some.count <= DropWindowUpdates.most && some.allSatisfy(\.hasRegions))
      told += some.map(\.window)
    }
    #expect(told.count == 100 && Set(told) == Self.windows(1...100) && news.told == Set(told))
    #expect(now == Instant(microseconds: 1_000_000) + .milliseconds(20 * 6))
    // Those that come and go before their turn are no news, and there is a pause all the same.
    news.want(Self.windows(1...5000), at: now)
    #expect(news.due == now + DropWindowUpdates.pause)
    news.want(Self.windows(2...100), at: now)
    let left = news.take(at: now + DropWindowUpdates.pause)
    #expect(left.map(\.window) == [WindowID(1)] && left.map(\.hasRegions) == [false] && news.due == nil)
  }

  @Test("Z1: who changes its windows without end keeps nobody else's from being told of")
  func Z1_inTheirOrder() throws {
    var news = DropWindowUpdates()
    var now = Instant(microseconds: 0)
    let own = WindowID(9999)
    var rounds = 0
    while !news.told.contains(own), rounds < 1000 {
      news.want(rounds % 2 == 0 ? Self.windows(1...64).union([own]) : [own], at: now)
      now = try #require(news.due)
      _ = news.take(at: now)
      rounds += 1
    }
    #expect(rounds <= 6)
  }
}
