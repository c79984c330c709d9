import CarryXdnd
import Testing

/// T29: drops that nobody gives data for leave room for those of others.
@Suite struct DropSharesTests {
  @Test("a program with many drops ends its own oldest one, and not another program's") func greedy() {
    let many = Array(repeating: "greedy", count: 15)
    #expect(DropShares.excess(of: ["honest"] + many, most: 16) == nil)
    #expect(DropShares.excess(of: ["honest"] + many + ["greedy"], most: 16) == 1)
    #expect(DropShares.excess(of: ["honest", "honest"] + many, most: 16) == 2)
    // Nor does the newest end for it.
    #expect(DropShares.excess(of: many + ["greedy", "honest"], most: 16) == 0)
  }

  @Test("where programs have as many drops each, the oldest of all ends") func equals() {
    #expect(DropShares.excess(of: [1, 2, 3], most: 2) == 0)
    #expect(DropShares.excess(of: [1, 2, 3, 2, 3], most: 4) == 1)
    #expect(DropShares.excess(of: [Int](), most: 0) == nil)
  }

  @Test("a greedy program's drops never push out another's, however many come") func endless() {
    var drops = [(program: 0, number: -1)]
    for number in 0..<1000 {
      drops.append((number % 3 == 0 ? 1 : 2, number))
      if let i = DropShares.excess(of: drops.map { $0.program }, most: 16) { drops.remove(at: i) }
    }
    #expect(drops.count == 16 && drops.first?.number == -1)
  }
}
