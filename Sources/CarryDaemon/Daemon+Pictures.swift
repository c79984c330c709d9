import CarryDisplay
import CarryModel
import CarrySessions
import CarryStage
import CarrySystem
import CarryWireServer

/// What is known of the pictures that sessions show.
struct SessionPictures {
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

/// Showing sessions on the stage: which pictures, off which places, and where to.
extension Daemon {
  func show(_ session: SessionID, _ what: StageAction) {
    let now = MonotonicClock.now()
    switch what {
    case .move(let point):
      stage.move(session, to: point, at: now)
    case .lift(let previews, let window, let rect, let touch, let start, let duration):
      if stage.count == 0 { stage.setScale(display.readScale()) }
      let cards = cards(previews, first: 0, window, rect, session)
      stage.lift(session, cards: cards, count: previews.count, touch: touch, at: start, duration: duration)
      pictures.rising[session] = Array(Set(cards.map(\.image)))
      for card in cards { display.follow(card.image, true) }
      keepHomes(of: cards, window, rect, session)
      server.motion(session, .lift, item: nil, start: start, duration: duration)
    case .reverseLift:
      stage.reverseLift(session, at: now)
    case .beginDrag(let point):
      settleRising(session)
      stage.beginDrag(session, touch: point, at: now, keepsFullSize: true)
    case .highlight(let places):
      stage.setHighlights(session, frames(places), at: now)
    case .scaleDown: stage.scaleDown(session, at: now)
    case .handOff(let point): stage.handOff(session, to: point, at: now)
    case .add(let previews, let window, let rect):
      let origin = display.windows.screenFrame(of: window)?.origin ?? .zero
      let cards = cards(previews, first: stage.itemCount(session), window, rect, session)
      keepHomes(of: cards, window, rect, session)
      stage.add(session, cards: cards, count: previews.count, from: rect.offset(by: origin), at: now)
    case .picture(let item, let preview):
      if let preview {
        pictures.changes.want(preview, for: item, of: session, at: now)
      } else {
        pictures.changes.cancel(item, of: session)
        stage.hide(session, item: item, at: now)
        // Another one may be seen instead.
        askForOffers(session, at: now)
      }
    case .offer(let item):
      pictures.offers.offer(item, of: session)
      askForOffers(session, at: now)
    case .badge(let badge): stage.setBadge(session, badge, at: now)
    case .reason(let reason): stage.setReason(session, reason, at: now)
    case .cancel(let endings):
      for (item, home) in pictures.homes[session] ?? [:] {
        stage.setHome(session, item: item, to: place(of: home), at: now)
      }
      stage.cancel(session, landings: landings(endings, session), at: now)
    case .drop(let target, let point, let endings):
      stage.drop(session, into: target, at: point, landings: landings(endings, session), at: now)
    case .remove:
      settleRising(session)
      stage.remove(session)
    }
    tellFlights()
  }

  /// Z13: frames round what is on the screen of the places, as many as there is room for.
  private func frames(_ places: [Rect]) -> [CardSource] {
    let screen = Rect(origin: .zero, size: display.rootSize)
    var room = Double(Limits.previewPixelsPerSession)
    return places.enumerated().compactMap { i, place in
      let seen = place.intersection(screen)
      room -= seen.width * seen.height
      guard room >= 0, let image = display.frameImage(seen.size) else { return nil }
      return CardSource(item: -1 - i, image: image, size: seen.size, home: seen, isShaped: true)
    }
  }

  /// Makes pictures that are wanted, as many as a turn has time for; the others have their turn at once, after whatever
  /// else there is to do.
  func changePictures(at now: Instant) {
    pictures.changes.beginTurn(at: now)
    while !display.isBusy,
      let next = pictures.changes.next(
        at: MonotonicClock.now(),
        pixels: { self.server.preview($0)?.visibleRect.map { Int($0.width * $0.height) } ?? 0 })
    {
      guard let look = server.preview(next.preview), let card = card(look, item: next.item, next.session) else {
        continue
      }
      stage.setPicture(next.session, card, at: now)
      stage.setNeedsFrame()
      display.askWhenDone()
    }
  }

  /// L15: from here on the pictures are as the windows look now.
  private func settleRising(_ session: SessionID) {
    for image in pictures.rising.removeValue(forKey: session) ?? [] {
      display.follow(image, false)
      if display.refreshImage(image) { stage.imageChanged(image) }
    }
  }

  /// Tells applications what moves, so that they can animate alongside.
  private func tellFlights() {
    for flight in stage.takeFlights() {
      switch flight.kind {
      case .reverse:
        server.motion(flight.session, .reverse, item: nil, start: flight.start, duration: flight.duration)
      case .cancel:
        for item in flight.items {
          guard let item = engine.item(item, of: flight.session) else { continue }
          server.motion(flight.session, .cancel, item: item, start: flight.start, duration: flight.duration)
        }
      case .drop:
        guard let region = engine.dropRegion(of: flight.session) else { continue }
        for item in flight.items {
          server.landing(flight.session, region, item: item, start: flight.start, duration: flight.duration)
        }
      }
    }
  }

  /// P16: what is offered of items that can be seen is asked for, once.
  private func askForOffers(_ session: SessionID, at now: Instant) {
    guard pictures.offers.hasSome(of: session), engine.isCarried(session) else { return }
    let seen = stage.visibleItems(session) + stage.hiddenItems(session)
    for item in pictures.offers.take(session, seen: seen, at: now) {
      if let id = engine.item(item, of: session) { server.wantPreview(session, id) }
    }
  }

  /// Offers that came too soon after the last.
  func askForWaitingOffers(at now: Instant) {
    guard pictures.offers.isDue(at: now) else { return }
    for session in pictures.offers.sessions { askForOffers(session, at: now) }
  }

  // MARK: Cards

  /// A card for each item that is to be seen. The rectangle is the region's, in its window's pixels.
  private func cards(
    _ previews: [ItemPreview], first: Int, _ window: WindowID, _ rect: Rect, _ session: SessionID
  ) -> [CardSource] {
    var region: (image: ImageID, place: Rect)?
    return previews.enumerated().compactMap { i, preview in
      switch preview {
      case .hidden: return nil
      case .own(let id):
        if let look = server.preview(id), let card = card(look, item: first + i, session) { return card }
      case .usual: break
      }
      let usual = region ?? picture(of: window, rect)
      region = usual
      return CardSource(item: first + i, image: usual.image, size: usual.place.size, home: usual.place)
    }
  }

  /// What is to be seen of a preview, and where; nil for one without a picture of its own.
  ///
  /// A session that has had its fill of pixels gets plain cards.
  private func card(_ look: PreviewDescription, item: Int, _ session: SessionID) -> CardSource? {
    var look = look
    look.drawnScale = stage.scale
    guard let visible = look.visibleRect else { return nil }
    let pixels = Int(visible.width * visible.height)
    let image = pictures.hasRoom(session, for: pixels) ? display.image(look) ?? ImageID(0) : ImageID(0)
    pictures.note(image, of: session, pixels: pixels)
    let isShaped = look.isShaped && image.raw != 0
    return CardSource(item: item, image: image, size: visible.size, home: home(look, visible), isShaped: isShaped)
  }

  /// Where the middle of a preview goes; nil for nowhere.
  private func place(_ look: PreviewDescription) -> Point? {
    if let target = look.target {
      return display.windows.screenFrame(of: target.window).map { target.center + $0.origin }
    }
    return look.visibleRect.flatMap { home(look, $0)?.center }
  }

  /// P12: the middle of the box round what is seen lies on the target; without one, a part of a window is where it is.
  private func home(_ look: PreviewDescription, _ visible: Rect) -> Rect? {
    if look.target != nil {
      guard let c = place(look) else { return nil }
      return Rect(
        x: c.x - visible.width / 2, y: c.y - visible.height / 2, width: visible.width, height: visible.height)
    }
    guard case .window(let window, let rect) = look.picture,
      let origin = display.windows.screenFrame(of: window)?.origin
    else { return nil }
    return visible.offset(by: origin + rect.origin)
  }

  private func landings(_ endings: [ItemEnding], _ session: SessionID) -> [Landing] {
    endings.compactMap { ending in
      switch ending.preview {
      case .usual: return nil
      case .hidden: return Landing(item: ending.item, way: .fade)
      case .own(let id):
        guard let look = server.preview(id) else { return nil }
        // First, since a picture that is made is only let go of by the stage.
        guard let center = place(look) else { return nil }
        let picture = card(look, item: ending.item, session)
        if let picture { display.follow(picture.image, true) }
        return Landing(
          item: ending.item,
          way: .place(center: center, scale: look.target?.scale ?? 1, turn: look.target?.turn ?? 0), picture: picture)
      }
    }
  }

  /// B7: where items were is kept as a place in their region: both may move while they are carried.
  private func keepHomes(of cards: [CardSource], _ window: WindowID, _ rect: Rect, _ session: SessionID) {
    guard let origin = display.windows.screenFrame(of: window)?.origin else { return }
    let region = engine.region(of: window, at: rect)
    let corner = origin + (region == nil ? .zero : rect.origin)
    for card in cards {
      guard let home = card.home else { continue }
      pictures.homes[session, default: [:]][card.item] = ItemHome(
        window: window, region: region,
        rect: home.offset(by: Point(x: -corner.x, y: -corner.y)))
    }
  }

  /// Where that is now; nil when nobody can see it any more: the window or the region is gone, or not on the screen.
  private func place(of home: ItemHome) -> Rect? {
    guard let frame = display.windows.screenFrame(of: home.window) else { return nil }
    guard let id = home.region else { return home.rect.offset(by: frame.origin) }
    guard let region = engine.region(id), region.window == home.window else { return nil }
    // One that its application has moved out of the window, as a list does that is scrolled.
    let visible = region.rect.intersection(Rect(origin: .zero, size: frame.size))
    guard !visible.isEmpty else { return nil }
    return home.rect.offset(by: frame.origin + region.rect.origin)
  }

  /// L8: a snapshot of the entire region, and where it was seen, in screen pixels.
  private func picture(of window: WindowID, _ rect: Rect) -> (image: ImageID, place: Rect) {
    let frame = display.windows.screenFrame(of: window) ?? .zero
    let visible = rect.intersection(Rect(origin: .zero, size: frame.size))
    let image = visible.isEmpty ? nil : display.snapshot(window, visible)
    return (image ?? ImageID(0), (visible.isEmpty ? rect : visible).offset(by: frame.origin))
  }
}
