package import CarryContacts
import CarryModel

/// The properties of a trackpad that gestures need: its size, its button, and how well it distinguishes fingers.
package struct TrackpadSurface: Equatable, Sendable {
  /// Millimetres per device unit.
  let unitX: Double
  let unitY: Double
  private let left: Double
  /// Millimetres.
  let width: Double
  /// Whether the pad itself is the button.
  let isClickpad: Bool
  /// Whether the pad reports how many fingers touch, but not the position of each.
  let countsOnly: Bool

  /// The size that libinput assumes for pads that do not report their size, in millimetres.
  private static let usualSize = (width: 69.0, height: 50.0)
  /// Resting palms are expected on pads of at least this width, in millimetres.
  private static let palmsFrom = 70.0
  /// The fraction of the width, at each side, where a palm may rest.
  private static let palmEdge = 0.05

  package init(_ description: DeviceDescription) {
    let axes = description.positionAxes
    let unitX = Self.unit(axes?.x, otherwise: Self.usualSize.width)
    self.unitX = unitX
    unitY = Self.unit(axes?.y, otherwise: Self.usualSize.height)
    left = Double(axes?.x.minimum ?? 0)
    width = axes.map { (Double($0.x.maximum) - Double($0.x.minimum)) * unitX } ?? Self.usualSize.width
    isClickpad = description.isClickpad
    countsOnly = description.isSemiMultitouch || description.protocol == .singleTouch
  }

  /// Millimetres per unit of an axis. `plausibleMillimetres` is for screens, and would refuse most pads' heights.
  private static func unit(_ axis: AxisRange?, otherwise usual: Double) -> Double {
    guard let axis, axis.isSane else { return 0 }
    let length = Double(axis.maximum) - Double(axis.minimum)
    if axis.resolution > 0, (15...400).contains(length / Double(axis.resolution)) {
      return 1 / Double(axis.resolution)
    }
    return usual / length
  }

  /// The contact's position in millimetres from the pad's own origin.
  func place(_ contact: Contact) -> Point { Point(x: Double(contact.x) * unitX, y: Double(contact.y) * unitY) }

  /// Whether the contact lies where a palm may rest at the side.
  func isAtEdge(_ contact: Contact) -> Bool {
    guard width >= Self.palmsFrom else { return false }
    let x = (Double(contact.x) - left) * unitX
    return x < width * Self.palmEdge || x > width * (1 - Self.palmEdge)
  }
}
