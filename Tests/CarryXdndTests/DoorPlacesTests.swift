import CarryModel
import CarryXdnd
import Testing

@Suite struct DoorPlacesTests {
  @Test("Z1: of thousands of windows in a window few are asked about, and others once those have no region")
  func manyPlaces() {
    var places = DoorPlaces()
    for window in UInt32(1)...4096 { places.add(window) }
    let first = Set(places.asked)
    #expect(first.count == 16)
    let square = Rect(x: 0, y: 0, width: 10, height: 10)
    for window in UInt32(1)...4096 { places.learn([square], in: window) }
    #expect(Set(places.places.keys) == first && places.places.values.allSatisfy { $0 == [square] })
    for window in first { places.remove(window) }
    #expect(places.asked.count == 16 && first.isDisjoint(with: places.asked))
    for window in UInt32(1)...4096 { places.remove(window) }
    #expect(places.isEmpty && places.asked.isEmpty)
  }
}
