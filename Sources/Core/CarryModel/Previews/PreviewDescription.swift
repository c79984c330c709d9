/// A picture of an item with its outline and place, as described by an application.
package struct PreviewDescription: Equatable, Sendable {
  package enum Picture: Equatable, Sendable {
    /// The picture that is being carried.
    case carried
    /// A part of a window, in the window's pixels.
    case window(WindowID, Rect)
    /// A picture that the display holds, and the size at which to show it.
    case image(ImageID, Size)
    /// A card with a link's address and its title, if it has one.
    case link(url: String, title: String)
    /// A picture that was refused and cannot be used.
    case refused
  }

  /// Where the centre of the visible part goes.
  package struct Target: Equatable, Sendable {
    package var window: WindowID
    /// In the window's pixels.
    package var center: Point
    package var scale: Double
    /// Radians, clockwise.
    package var turn: Double

    package init(window: WindowID, center: Point, scale: Double = 1, turn: Double = 0) {
      self.window = window
      self.center = center
      self.scale = scale
      self.turn = turn
    }
  }

  package var picture = Picture.carried
  /// The colour behind the picture: alpha, red, green and blue from the highest byte down, not premultiplied. White
  /// by default.
  package var background: UInt32 = 0xFFFF_FFFF
  /// The outline of the visible part, in the picture's own pixels; nil for the whole picture.
  package var path: PreviewPath?
  /// The outline that casts the shadow; nil for the outline of the visible part.
  package var shadowPath: PreviewPath?
  package var target: Target?
  /// The scale of pictures that the engine draws itself: 1 is 96 dots per inch.
  package var drawnScale = 1.0

  package init() {}

  /// Whether the preview is not a plain rectangle.
  package var isShaped: Bool { path != nil || background >> 24 == 0 }

  /// The bounding box of the visible part, in the picture's own pixels; nil for the picture that is carried.
  package var visibleRect: Rect? {
    if let path, picture != .carried { return path.boundingBox }
    switch picture {
    case .carried: return nil
    case .window(_, let rect): return Rect(origin: .zero, size: rect.size)
    case .image(_, let size): return Rect(origin: .zero, size: size)
    case .link(_, let title):
      return Rect(origin: .zero, size: drawnSize(of: Limits.linkCard(hasTitle: !title.isEmpty)))
    case .refused: return path?.boundingBox ?? Rect(origin: .zero, size: drawnSize(of: (96, 96)))
    }
  }

  /// The size at which the engine draws a picture that has `size` at 96 dpi.
  package func drawnSize(of size: (width: Double, height: Double)) -> Size {
    Size(width: (size.width * drawnScale).rounded(), height: (size.height * drawnScale).rounded())
  }
}
