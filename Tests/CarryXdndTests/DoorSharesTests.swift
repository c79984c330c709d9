import CarryXdnd
import Testing

@Suite struct DoorSharesTests {
  @Test("Z1: a program with many windows leaves doors for the windows of others")
  func Z1_turns() {
    let programs = ["greedy": Array(UInt32(1)...100), "second": [200, 201], "third": [300]]
    #expect(DoorShares.windows(of: programs, most: 4, mostOfOne: 8, turn: 0) == [1, 200, 300, 2])
    #expect(DoorShares.windows(of: programs, most: 32, mostOfOne: 3, turn: 0) == [1, 200, 300, 2, 201, 3])
    #expect(DoorShares.windows(of: [String: [UInt32]](), most: 32, mostOfOne: 8, turn: 3).isEmpty)
  }

  @Test("Z1: where there are more programs than doors, others have one the next time")
  func Z1_moreProgramsThanDoors() {
    let programs = Dictionary(uniqueKeysWithValues: (UInt32(1)...9).map { ($0, [$0 * 100]) })
    let seen = (0..<3).flatMap { DoorShares.windows(of: programs, most: 4, mostOfOne: 8, turn: $0) }
    #expect(Set(seen).count == 9 && seen.count == 12)
  }
}
