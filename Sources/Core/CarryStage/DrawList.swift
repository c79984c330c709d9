package import CarryModel

/// One preview window, for as long as it is on the screen; never reused.
package struct SurfaceID: Hashable, Sendable {
  package var raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
}

/// A soft shadow under a card, in pixels of the unscaled card.
package struct Shadow: Equatable, Sendable {
  /// Standard deviation of the blur.
  package var blur: Double
  /// How far below the card the shadow falls.
  package var offsetY: Double
  /// 0…1, black.
  package var opacity: Double

  package init(blur: Double, offsetY: Double, opacity: Double) {
    self.blur = blur
    self.offsetY = offsetY
    self.opacity = opacity
  }
}

/// One card: a picture with rounded corners and a shadow.
package struct Layer: Equatable, Sendable {
  /// The picture; 0 means no picture, which is drawn as a neutral card.
  package var image: ImageID
  /// The card's unscaled size in pixels; the picture fills it.
  package var size: Size
  /// In pixels from the surface's top-left corner.
  package var center: Point
  package var scale: Double
  /// Radians, clockwise.
  package var rotation: Double
  package var opacity: Double
  /// Pixels of the unscaled card.
  package var cornerRadius: Double
  /// Whether the picture has an outline of its own, which its shadow follows.
  package var isShaped: Bool
  package var shadow: Shadow

  package init(
    image: ImageID, size: Size, center: Point, scale: Double, rotation: Double, opacity: Double, cornerRadius: Double,
    isShaped: Bool = false, shadow: Shadow
  ) {
    self.image = image
    self.size = size
    self.center = center
    self.scale = scale
    self.rotation = rotation
    self.opacity = opacity
    self.cornerRadius = cornerRadius
    self.isShaped = isShaped
    self.shadow = shadow
  }
}

/// A badge with its place.
package struct BadgeMark: Equatable, Sendable {
  package var badge: Badge
  /// In pixels from the surface's top-left corner.
  package var center: Point
  /// Half the resting height in pixels.
  package var radius: Double
  /// 1 is the resting size.
  package var scale: Double
  package var opacity: Double

  package static let absent = BadgeMark(badge: .none, center: .zero, radius: 0, scale: 1, opacity: 1)

  package init(badge: Badge, center: Point, radius: Double, scale: Double, opacity: Double) {
    self.badge = badge
    self.center = center
    self.radius = radius
    self.scale = scale
    self.opacity = opacity
  }
}

/// The content of one preview window at one moment.
package struct Surface: Equatable, Sendable {
  package var id: SurfaceID
  /// Screen pixels of the top-left corner.
  package var x, y: Int32
  package var width, height: Int32
  /// Changes whenever anything but the position changes. While it stays the same, nothing needs to be redrawn.
  package var content: UInt64
  /// From the bottom up.
  package var layers: [Layer]
  /// The opacity of all layers together: they are first drawn opaque over each other. It does not apply to the badge.
  package var opacity: Double
  package var badge: BadgeMark

  package init(id: SurfaceID) {
    self.id = id
    (x, y, width, height) = (0, 0, 0, 0)
    content = 0
    layers = []
    opacity = 1
    badge = .absent
  }
}

/// Everything on the screen at one moment, from the bottom up.
///
/// The same list is refilled for every frame. If only positions change, only positions are written and nothing is
/// allocated.
package struct DrawList: Equatable, Sendable {
  package var surfaces: [Surface] = []

  package init() {}
}
