import CarryModel
import CarryStage

/// What is known of the pictures that sessions show.
struct KnownPictures {
  /// Pictures that follow their windows until the drag begins.
  var rising: [SessionID: [ImageID]] = [:]
  var offers = PictureOffers()
  /// Pixels of the pictures that each session has, and whose each is.
  private var pixels: [SessionID: Int] = [:]
  private var owners: [ImageID: (session: SessionID, pixels: Int)] = [:]
  /// Pictures that are to be shown instead of those that items have (T23).
  var changes = PictureChanges()
  /// Where items were lifted, which may be elsewhere by the time that they fly back (B7).
  var homes: [SessionID: [Int: ItemHome]] = [:]

  /// Whether a session may have so many pixels more.
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
    // One that never became a drag still has its own.
    rising[session] = nil
    offers.forget(session)
    changes.forget(session)
    homes[session] = nil
  }
}

/// A place in a window, and in the region there that an item was lifted from.
struct ItemHome {
  var window: WindowID
  /// Nil where the place is in another window than the region, or no region was there.
  var region: RegionID?
  /// From the region's corner, or from the window's.
  var rect: Rect
}
