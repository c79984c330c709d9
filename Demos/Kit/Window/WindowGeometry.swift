/// Where a window goes, in pixels: `WIDTHxHEIGHT+X+Y`, or `WIDTHxHEIGHT` alone.
package struct WindowGeometry: Equatable, Sendable {
  package var width, height: Int
  package var x, y: Int?

  /// Nil when the text is no geometry.
  package init?(_ text: String) {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    let size = parts[0].split(separator: "x").compactMap { Int($0) }
    guard size.count == 2, size.allSatisfy({ (16...16_384).contains($0) }) else { return nil }
    (width, height) = (size[0], size[1])
    guard parts.count > 1 else { return }
    let place = parts.dropFirst().compactMap { Int($0) }
    guard parts.count == 3, place.count == 2, place.allSatisfy({ (0...32_767).contains($0) }) else { return nil }
    (x, y) = (place[0], place[1])
  }
}
