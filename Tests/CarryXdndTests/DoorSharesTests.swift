import CarryXdnd
import Testing

@Suite struct DoorSharesTests {
  @Test("Z1, C14, T29: a program with many windows leaves doors for the windows of others")
  func Z1_C14_T29_turns() {
    let programs = ["greedy": Array(UInt32(1)...100), "second": [200, 201], "third": [300]]
    #expect(DoorShares.windows(of: programs, most: 4, mostOfOne: 8) == [1, 200, 300, 2])
    #expect(DoorShares.windows(of: programs, most: 32, mostOfOne: 3) == [1, 200, 300, 2, 201, 3])
    #expect(DoorShares.windows(of: [String: [UInt32]](), most: 32, mostOfOne: 8).isEmpty)
  }
}
