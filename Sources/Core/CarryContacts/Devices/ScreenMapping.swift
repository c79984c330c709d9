package import CarryModel

/// Maps a device's positions to the screen.
///
/// A position is normalised to 0…1 on its axis, then goes through libinput's calibration, then through X's
/// Coordinate Transformation Matrix, then onto the screen rectangle.
package struct ScreenMapping: Sendable {
  private let originX, originY, scaleX, scaleY: Double
  private let calibration, coordinates: Transform
  private let isPlain: Bool
  /// Screen pixels.
  package let screen: Rect
  /// Screen pixels per millimetre of finger movement.
  package let pixelsPerMillimetre: Double

  /// The density assumed if no size is known: 96 dots per inch.
  package static let nominalPixelsPerMillimetre = 96 / 25.4

  /// - Parameter outputMillimetres: the physical size of the output `screen`, if it is known.
  package init(
    _ description: DeviceDescription, screen: Rect, calibration: Transform = .identity,
    coordinateTransformation: Transform = .identity, outputMillimetres: Size? = nil
  ) {
    let axes = description.positionAxes
    (originX, scaleX) = Self.normalisation(axes?.x)
    (originY, scaleY) = Self.normalisation(axes?.y)
    let calibration = calibration == .identity ? description.calibration : calibration
    self.calibration = calibration
    self.coordinates = coordinateTransformation
    self.screen = screen
    isPlain = calibration == .identity && coordinateTransformation == .identity
    var density = Self.nominalPixelsPerMillimetre
    if let w = axes?.x.plausibleMillimetres, let h = axes?.y.plausibleMillimetres {
      // Measured through both matrices, so that rotated or partly mapped panels get the right density.
      func place(_ p: Point) -> Point {
        let q = coordinateTransformation.apply(calibration.apply(p))
        return Point(x: q.x * screen.width, y: q.y * screen.height)
      }
      let corner = place(.zero)
      let across = place(Point(x: 1, y: 0)).distance(to: corner) / w
      let down = place(Point(x: 0, y: 1)).distance(to: corner) / h
      if let mean = Self.plausibleDensity((across + down) / 2) { density = mean }
    } else if let size = outputMillimetres, (50...2000).contains(size.width), (50...2000).contains(size.height),
      // Drivers report 160×90 mm if they know only the aspect ratio.
      size != Size(width: 160, height: 90),
      let mean = Self.plausibleDensity((screen.width / size.width + screen.height / size.height) / 2)
    {
      density = mean
    }
    pixelsPerMillimetre = density
  }

  /// Converts a position in device units to screen pixels. Always finite.
  package func point(x: Int32, y: Int32) -> Point {
    let p = Point(x: (Double(x) - originX) * scaleX, y: (Double(y) - originY) * scaleY)
    if isPlain { return Point(x: p.x * screen.width + screen.x, y: p.y * screen.height + screen.y) }
    let q = coordinates.apply(calibration.apply(p))
    let mapped = Point(x: q.x * screen.width + screen.x, y: q.y * screen.height + screen.y)
    return mapped.x.isFinite && mapped.y.isFinite ? mapped : screen.center
  }

  /// Screen pixels per pixel of a 96 dpi screen: the factor for distances in the settings.
  package var scale: Double { pixelsPerMillimetre / Self.nominalPixelsPerMillimetre }

  private static func normalisation(_ axis: AxisRange?) -> (origin: Double, scale: Double) {
    guard let axis, axis.isSane else { return (0, 0) }
    return (Double(axis.minimum), 1 / (Double(axis.maximum) - Double(axis.minimum) + 1))
  }

  private static func plausibleDensity(_ value: Double) -> Double? { (0.1...200).contains(value) ? value : nil }
}
