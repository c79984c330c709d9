import Testing

@testable import CarryTransfers

@Suite struct PathsInUseTests {
  @Test("F3: paths of others that are in use are remembered, however many more are named")
  func F3_inUse() {
    var paths = PathsInUse(most: 100)
    paths.note("/noted")
    paths.note("/looked at")
    paths.note("/idle")
    for i in 0..<1000 {
      paths.note("/\(i)")
      paths.note("/noted")
      let isKnown = paths.use("/looked at")
      #expect(isKnown)
    }
    let known = ["/noted", "/999", "/idle", "/0"].filter { paths.use($0) }
    #expect(known == ["/noted", "/999"])
    let count = (0..<1000).filter { paths.use("/\($0)") }.count
    #expect(count <= 100)
  }
}
