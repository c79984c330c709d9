import CarryModel
import CarryStage

/// The pictures of sessions: their pixels, their replacements, and where items were lifted.
struct KnownPictures {
  /// Pictures that follow their windows until the drag begins.
  var rising: [SessionID: [ImageID]] = [:]
  var offers = PictureOffers()
  /// How many pixels the pictures of each session have, and which session each picture belongs to.
  private var pixels: [SessionID: Int] = [:]
  private var owners: [ImageID: (session: SessionID, pixels: Int)] = [:]
  /// Pictures that are to replace the current pictures of items.
  var changes = PictureChanges()
  /// Where items were lifted. The place may have moved by the time the items fly back.
  var homes: [SessionID: [Int: ItemHome]] = [:]

  /// Whether a session may have `count` more pixels.
  func hasRoom(_ session: SessionID, for count: Int) -> Bool {
    pixels[session, default: 0] + count <= Limits.previewPixelsPerSession
  }

  mutating func note(_ image: ImageID, of session: SessionID, pixels count: Int) {
    guard image.raw != 0 else { return }
    owners[image] = (session, count)
    pixels[session, default: 0] += count
  }

  mutating func released(_ image: ImageID) {
    guard let owner = owners.removeValue(forKey: image), let sum = pixels[owner.session] else { return }
    pixels[owner.session] = sum > owner.pixels ? sum - owner.pixels : nil
  }

  mutating func forget(_ session: SessionID) {
    // A session that never became a drag still has rising pictures.
    rising[session] = nil
    offers.forget(session)
    changes.forget(session)
    homes[session] = nil
  }
}

/// The place that an item was lifted from: in a window, and in a region of that window.
struct ItemHome {
  var window: WindowID
  /// Nil if the place is in another window than the region, or if there was no region.
  var region: RegionID?
  /// Relative to the region's corner, or to the window's corner if `region` is nil.
  var rect: Rect
}
