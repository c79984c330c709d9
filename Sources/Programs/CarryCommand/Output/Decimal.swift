/// Formats numbers, the same on every machine.
package enum Decimal {
  /// At most `places` digits (0…6) after the point, without trailing zeros and without an exponent. NaN becomes 0; a
  /// value out of range becomes the nearest value in range.
  package static func text(_ value: Double, places: Int = 6) -> String {
    guard !value.isNaN else { return "0" }
    var unit: Int64 = 1
    for _ in 0..<max(0, min(6, places)) { unit *= 10 }
    let limit = 9e12  // Times 10^6 that still fits 64 bits.
    let scaled = (max(-limit, min(limit, value)) * Double(unit)).rounded(.toNearestOrEven)
    let digits = Int64(scaled)
    var text = String(digits.magnitude / UInt64(unit))
    var rest = digits.magnitude % UInt64(unit)
    if rest > 0 {
      var width = max(0, min(6, places))
      while rest % 10 == 0 {
        rest /= 10
        width -= 1
      }
      let fraction = String(rest)
      text += "." + String(repeating: "0", count: width - fraction.count) + fraction
    }
    return digits < 0 ? "-" + text : text
  }

  /// Always `places` digits after the point: for columns.
  package static func fixed(_ value: Double, places: Int) -> String {
    let short = text(value, places: places)
    guard places > 0 else { return short }
    let dot = short.firstIndex(of: ".")
    let have = dot.map { short.distance(from: $0, to: short.endIndex) - 1 } ?? 0
    return short + (dot == nil ? "." : "") + String(repeating: "0", count: max(0, places - have))
  }
}
