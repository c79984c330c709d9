/// Where the shelf appears for the duration of a drag (Z15).
package struct ShelfPlace: Equatable, Sendable {
  /// An edge of a monitor. The raw values are the protocol's.
  package enum Edge: UInt32, CaseIterable, Codable, Sendable {
    case right = 0
    case left = 1
    case top = 2
    case bottom = 3

    /// The edges by their names in the configuration file.
    package static let names: [(name: String, edge: Edge)] = [
      ("right", .right), ("left", .left), ("top", .top), ("bottom", .bottom),
    ]

    package var name: String { Self.names.first { $0.edge == self }?.name ?? "" }
  }

  /// The monitor on which the drag began, in screen pixels.
  package var monitor: Rect
  /// Screen pixels per pixel at 96 dpi.
  package var scale: Double
  package var edge: Edge

  package init(monitor: Rect, scale: Double, edge: Edge) {
    (self.monitor, self.scale, self.edge) = (monitor, scale, edge)
  }
}

/// An item that the shelf keeps, with the picture that it was carried with.
package struct KeptPicture: Equatable, Sendable {
  package var item: KeptItemID
  /// A pixmap of depth 32, which lasts until the engine forgets the item; nil if there is no picture.
  package var pixmap: UInt32?
  /// Pixels.
  package var size: Size

  package init(item: KeptItemID, pixmap: UInt32?, size: Size) {
    (self.item, self.pixmap, self.size) = (item, pixmap, size)
  }
}
