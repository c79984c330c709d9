/// Where a window goes, in pixels: `WIDTHxHEIGHT+X+Y`, or `WIDTHxHEIGHT` alone.
package struct WindowGeometry: Equatable, Sendable {
  package var width, height: Int
  package var x, y: Int?

  /// Nil when the text is no geometry.
  package init?(_ text: String) {
    let size = text.prefix { $0 != "+" && $0 != "-" }.split(separator: "x", omittingEmptySubsequences: false)
    guard size.count == 2, let w = Int(size[0]), let h = Int(size[1]), (16...16_384).contains(w),
      (16...16_384).contains(h)
    else { return nil }
    width = w
    height = h
    var rest = text.drop { $0 != "+" && $0 != "-" }
    guard !rest.isEmpty else { return }
    var offsets: [Int] = []
    while let sign = rest.popFirst() {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard sign == "+" || sign == "-", let n = Int(digits), n <= 32_767 else { return nil }
      offsets.append(sign == "-" ? -n : n)
      rest = rest.dropFirst(digits.count)
    }
    guard offsets.count == 2 else { return nil }
    (x, y) = (offsets[0], offsets[1])
  }
}
