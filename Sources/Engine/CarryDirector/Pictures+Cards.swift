import CarryModel
import CarryStage

/// Chooses the picture and the place of each card.
extension Pictures {
  /// The size at which each item's picture is carried.
  func sizes(_ session: SessionID) -> [(item: Int, size: Size)] { stage.pictureSizes(session) }

  /// Makes a card for each visible item. The rectangle is the region's, in its window's pixels.
  func cards(
    _ previews: [ItemPreview], first: Int, _ window: WindowID, _ rect: Rect, _ session: SessionID
  ) -> [CardSource] {
    var region: (image: ImageID, place: Rect)?
    return previews.enumerated().compactMap { i, preview in
      switch preview {
      case .hidden: return nil
      case .own(let id):
        if let look = clients.preview(id), let card = card(look, item: first + i, session) { return card }
      case .usual: break
      }
      let usual = region ?? picture(of: window, rect)
      region = usual
      return CardSource(item: first + i, image: usual.image, size: usual.place.size, home: usual.place)
    }
  }

  /// The card that shows a preview; nil for a preview without a picture.
  ///
  /// A session that has used up its pixels gets plain cards.
  func card(_ look: PreviewDescription, item: Int, _ session: SessionID) -> CardSource? {
    var look = look
    look.drawnScale = stage.scale
    guard let visible = look.visibleRect else { return nil }
    let pixels = Int(visible.width * visible.height)
    let image = known.hasRoom(session, for: pixels) ? screen.image(look) ?? ImageID(0) : ImageID(0)
    known.note(image, of: session, pixels: pixels)
    let isShaped = look.isShaped && image.raw != 0
    return CardSource(item: item, image: image, size: visible.size, home: home(look, visible), isShaped: isShaped)
  }

  /// Where the centre of a preview goes; nil if the preview names no place.
  private func place(_ look: PreviewDescription) -> Point? {
    if let target = look.target {
      return screen.windows.screenFrame(of: target.window).map { target.center + $0.origin }
    }
    return look.visibleRect.flatMap { home(look, $0)?.center }
  }

  /// The rectangle whose centre, that of the visible part's bounding box, lies on the target. Without a target, a
  /// part of a window stays in its place.
  private func home(_ look: PreviewDescription, _ visible: Rect) -> Rect? {
    if look.target != nil {
      guard let c = place(look) else { return nil }
      return Rect(
        x: c.x - visible.width / 2, y: c.y - visible.height / 2, width: visible.width, height: visible.height)
    }
    guard case .window(let window, let rect) = look.picture,
      let origin = screen.windows.screenFrame(of: window)?.origin
    else { return nil }
    return visible.offset(by: origin + rect.origin)
  }

  func landings(_ endings: [ItemEnding], _ session: SessionID) -> [Landing] {
    endings.compactMap { ending in
      switch ending.preview {
      case .usual: return nil
      case .hidden: return Landing(item: ending.item, way: .fade)
      case .own(let id):
        guard let look = clients.preview(id) else { return nil }
        // Checked before the picture is made, because only the stage releases pictures.
        guard let center = place(look) else { return nil }
        let picture = card(look, item: ending.item, session)
        if let picture { screen.follow(picture.image, true) }
        return Landing(
          item: ending.item,
          way: .place(center: center, scale: look.target?.scale ?? 1, turn: look.target?.turn ?? 0), picture: picture)
      }
    }
  }

  /// Records each item's place relative to its region, because window and region may move during the drag.
  func keepHomes(of cards: [CardSource], _ window: WindowID, _ rect: Rect, _ session: SessionID) {
    guard let origin = screen.windows.screenFrame(of: window)?.origin else { return }
    let region = sessions?.region(of: window, at: rect)
    let corner = origin + (region == nil ? .zero : rect.origin)
    for card in cards {
      guard let home = card.home else { continue }
      known.homes[session, default: [:]][card.item] = ItemHome(
        window: window, region: region,
        rect: home.offset(by: Point(x: -corner.x, y: -corner.y)))
    }
  }

  /// The present position of a home; nil if it is not visible: its window or region is gone, or is not on the screen.
  func place(of home: ItemHome) -> Rect? {
    guard let frame = screen.windows.screenFrame(of: home.window) else { return nil }
    guard let id = home.region else { return home.rect.offset(by: frame.origin) }
    guard let region = sessions?.place(of: id), region.window == home.window else { return nil }
    // The application may have moved the region out of the window, as a scrolled list does.
    let visible = region.rect.intersection(Rect(origin: .zero, size: frame.size))
    guard !visible.isEmpty else { return nil }
    return home.rect.offset(by: frame.origin + region.rect.origin)
  }

  /// A snapshot of the entire region, and where it was on the screen, in screen pixels.
  private func picture(of window: WindowID, _ rect: Rect) -> (image: ImageID, place: Rect) {
    let frame = screen.windows.screenFrame(of: window) ?? .zero
    let visible = rect.intersection(Rect(origin: .zero, size: frame.size))
    let image = visible.isEmpty ? nil : screen.snapshot(window, visible)
    return (image ?? ImageID(0), (visible.isEmpty ? rect : visible).offset(by: frame.origin))
  }
}
