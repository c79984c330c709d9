import CarryModel
import Testing

@Suite struct RectTests {
  private let whole = Rect(x: 10, y: 20, width: 100, height: 80)

  private func area(_ parts: [Rect]) -> Double { parts.reduce(0) { $0 + $1.width * $1.height } }

  @Test("What is outside of another rectangle is what was there before, without it") func subtracting() {
    let others = [
      Rect(x: 40, y: 40, width: 10, height: 10), Rect(x: 0, y: 0, width: 50, height: 50),
      Rect(x: 90, y: 30, width: 50, height: 10), Rect(x: 0, y: 50, width: 500, height: 5),
      Rect(x: 60, y: 0, width: 1, height: 500),
    ]
    for other in others {
      let parts = whole.subtracting(other)
      let hole = whole.intersection(other)
      #expect(area(parts) + area([hole]) == area([whole]), "\(parts)")
      for (i, part) in parts.enumerated() {
        #expect(!part.isEmpty && part.intersection(hole).isEmpty && part.intersection(whole) == part)
        #expect(parts[(i + 1)...].allSatisfy { $0.intersection(part).isEmpty })
      }
    }
    #expect(whole.subtracting(whole) == [] && whole.subtracting(whole.insetBy(-5)) == [])
    #expect(whole.subtracting(Rect(x: 200, y: 20, width: 5, height: 5)) == [whole])
    #expect(whole.subtracting(Rect(x: 110, y: 20, width: 5, height: 5)) == [whole])
  }
}
