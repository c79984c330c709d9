import CarryXdnd
import Testing

@Suite struct WindowSharesTests {
  @Test("a program has its share, and leaves room for the windows of others") func shares() {
    var shares = WindowShares<String>(max: 5, maxOfOne: 3)
    let answers = (UInt32(1)...5).map { shares.add($0, of: "greedy") }
    #expect(answers == [true, true, true, false, false])
    let others = (UInt32(10)...12).map { shares.add($0, of: "other") }
    #expect(others == [true, true, false])
    // One that is known is counted once, and one that is gone not at all.
    let again = shares.add(1, of: "greedy")
    shares.remove(2)
    shares.remove(99)
    let next = shares.add(4, of: "greedy")
    #expect(again && next)
  }
}
