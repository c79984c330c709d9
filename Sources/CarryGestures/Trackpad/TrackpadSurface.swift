package import CarryContacts
import CarryModel

/// What a trackpad's description means for gestures: its size, its button, and how well it tells fingers apart.
package struct TrackpadSurface: Equatable, Sendable {
  /// Millimetres for each device unit.
  let unitX: Double
  let unitY: Double
  private let left: Double
  /// Millimetres.
  let width: Double
  /// The pad itself is the button.
  let isClickpad: Bool
  /// The pad knows how many fingers there are but not where all of them are.
  let countsOnly: Bool

  /// What libinput assumes of pads that do not say how large they are, in millimetres.
  private static let usualSize = (width: 69.0, height: 50.0)
  /// Where a resting palm is to be expected on pads at least this wide, in millimetres.
  private static let palmsFrom = 70.0
  /// The part of the width at each side where it is.
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

  /// A pad is smaller than a screen may be: `plausibleMillimetres` would refuse most heights.
  private static func unit(_ axis: AxisRange?, otherwise usual: Double) -> Double {
    guard let axis, axis.isSane else { return 0 }
    let length = Double(axis.maximum) - Double(axis.minimum)
    if axis.resolution > 0, (15...400).contains(length / Double(axis.resolution)) {
      return 1 / Double(axis.resolution)
    }
    return usual / length
  }

  /// Millimetres from the pad's own origin.
  func place(_ contact: Contact) -> Point { Point(x: Double(contact.x) * unitX, y: Double(contact.y) * unitY) }

  /// Whether what comes down there may be a palm that rests at the side.
  func isAtEdge(_ contact: Contact) -> Bool {
    guard width >= Self.palmsFrom else { return false }
    let x = (Double(contact.x) - left) * unitX
    return x < width * Self.palmEdge || x > width * (1 - Self.palmEdge)
  }
}
