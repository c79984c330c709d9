/// A colour with its opacity, 0…1 each.
package struct Color: Equatable, Sendable {
  package var red, green, blue, alpha: Double

  package init(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// From 0xRRGGBB.
  package init(_ hex: UInt32, _ alpha: Double = 1) {
    self.init(
      Double(hex >> 16 & 255) / 255, Double(hex >> 8 & 255) / 255, Double(hex & 255) / 255, alpha)
  }

  package func faded(_ alpha: Double) -> Color { Color(red, green, blue, self.alpha * alpha) }

  package func mixed(with other: Color, _ t: Double) -> Color {
    Color(
      red + (other.red - red) * t, green + (other.green - green) * t, blue + (other.blue - blue) * t,
      alpha + (other.alpha - alpha) * t)
  }

  package static let white = Color(1, 1, 1)
  package static let black = Color(0, 0, 0)
  package static let ink = Color(0x2B2A28)
  /// Marks the selection, and places that would take a drop.
  package static let accent = Color(0x2F7BD9)
}
