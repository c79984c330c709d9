import CarryXdnd
import Testing

@Suite struct WindowSharesTests {
  @Test("a program has its share, and leaves room for the windows of others") func ofOneProgram() {
    var shares = WindowShares<String>(most: 8, mostOfOne: 3, mostTurnedAway: 8)
    let answers = (UInt32(1)...5).map { shares.add($0, of: "greedy") }
    #expect(answers == [.placed, .placed, .placed, .turnedAway, .turnedAway])
    let other = shares.add(10, of: "other")
    #expect(other == .placed && !shares.hasNext)
  }

  @Test("where all places are taken, a program with few windows gets those of the one that has most")
  func ofManyPrograms() {
    var shares = WindowShares<Int>(most: 7, mostOfOne: 4, mostTurnedAway: 8)
    for window in UInt32(10)...13 { _ = shares.add(window, of: 1) }
    for window in UInt32(20)...22 { _ = shares.add(window, of: 2) }
    let first = shares.add(30, of: 3)
    #expect(first == .placedInstead(of: 13))
    // That one has no more right to a place than the others.
    let again = shares.add(13, of: 1)
    #expect(again == .turnedAway)
    let second = shares.add(31, of: 3)
    #expect(second == .placedInstead(of: 12) || second == .placedInstead(of: 22))
    // Two, two and three: nobody takes from anybody.
    let third = shares.add(32, of: 3)
    #expect(third == .turnedAway && !shares.hasNext)
  }

  @Test("a window that may not go keeps its place") func whoStays() {
    var shares = WindowShares<Int>(most: 7, mostOfOne: 4, mostTurnedAway: 8)
    for window in UInt32(10)...13 { _ = shares.add(window, of: 1) }
    for window in UInt32(20)...22 { _ = shares.add(window, of: 2) }
    let older = shares.add(30, of: 3) { $0 != 13 }
    #expect(older == .placedInstead(of: 12))
    let ofAnother = shares.add(31, of: 3) { $0 >= 20 }
    #expect(ofAnother == .placedInstead(of: 22))
    let none = shares.add(40, of: 4) { _ in false }
    #expect(none == .turnedAway)
  }

  @Test("a window that was turned away has its turn when there is room, first that of a program with few")
  func roomComesBack() {
    var shares = WindowShares<String>(most: 2, mostOfOne: 2, mostTurnedAway: 8)
    for window in UInt32(1)...3 { _ = shares.add(window, of: "greedy") }
    let first = shares.add(10, of: "other")
    #expect(first == .placedInstead(of: 2))
    for window in UInt32(11)...12 { _ = shares.add(window, of: "other") }
    #expect(!shares.hasNext)
    // One that is gone has no turn.
    shares.remove(11)
    shares.remove(10)
    #expect(shares.hasNext)
    let next = shares.takeNext()
    #expect(next == 12)
    let second = shares.add(12, of: "other")
    #expect(second == .placed && !shares.hasNext)
  }

  @Test("a program at its share has its turn only when one of its own windows is gone") func itsOwnRoom() {
    var shares = WindowShares<String>(most: 8, mostOfOne: 2, mostTurnedAway: 8)
    for window in UInt32(1)...4 { _ = shares.add(window, of: "greedy") }
    _ = shares.add(10, of: "other")
    shares.remove(10)
    #expect(!shares.hasNext)
    shares.remove(1)
    let next = shares.takeNext()
    #expect(next == 3)
    _ = shares.add(3, of: "greedy")
    let none = shares.takeNext()
    #expect(none == nil)
  }

  @Test("a bounded number of windows is remembered, and no program takes the room of others there")
  func remembered() {
    var shares = WindowShares<String>(most: 1, mostOfOne: 1, mostTurnedAway: 3)
    for window in UInt32(1)...100 { _ = shares.add(window, of: "greedy") }
    let other = shares.add(200, of: "other")
    #expect(other == .turnedAway)
    shares.remove(1)
    var remembered: Set<UInt32> = []
    while let window = shares.takeNext() { remembered.insert(window) }
    #expect(remembered == [2, 3, 200])
  }
}
