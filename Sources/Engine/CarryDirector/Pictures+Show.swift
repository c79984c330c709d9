import CarryModel
import CarrySessions
import CarryStage

/// Shows sessions on the stage: which pictures, from which places, and where they fly.
extension Pictures {
  func show(_ session: SessionID, _ what: StageAction) {
    let now = clock()
    switch what {
    case .move(let point):
      stage.move(session, to: point, at: now)
    case .lift(let previews, let window, let rect, let touch, let start, let duration):
      if stage.count == 0 { stage.setScale(screen.readScale()) }
      let cards = cards(previews, first: 0, window, rect, session)
      stage.lift(session, cards: cards, count: previews.count, touch: touch, at: start, duration: duration)
      known.rising[session] = Array(Set(cards.map(\.image)))
      for card in cards { screen.follow(card.image, true) }
      keepHomes(of: cards, window, rect, session)
      clients.motion(session, .lift, item: nil, start: start, duration: duration)
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
      let origin = screen.windows.screenFrame(of: window)?.origin ?? .zero
      let cards = cards(previews, first: stage.itemCount(session), window, rect, session)
      keepHomes(of: cards, window, rect, session)
      stage.add(session, cards: cards, count: previews.count, from: rect.offset(by: origin), at: now)
    case .picture(let item, let preview):
      if let preview {
        known.changes.want(preview, for: item, of: session, at: now)
      } else {
        known.changes.cancel(item, of: session)
        stage.hide(session, item: item, at: now)
        // Another item may be visible instead.
        askForOffers(session, at: now)
      }
    case .offer(let item):
      known.offers.offer(item, of: session)
      askForOffers(session, at: now)
    case .badge(let badge): stage.setBadge(session, badge, at: now)
    case .reason(let reason): stage.setReason(session, reason, at: now)
    case .cancel(let endings):
      for (item, home) in known.homes[session] ?? [:] {
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

  /// Frames round the visible parts of the places, up to the pixel limit.
  private func frames(_ places: [Rect]) -> [CardSource] {
    let all = Rect(origin: .zero, size: screen.rootSize)
    var room = Double(Limits.previewPixelsPerSession)
    return places.enumerated().compactMap { i, place in
      let seen = place.intersection(all)
      room -= seen.width * seen.height
      guard room >= 0, let image = screen.frameImage(seen.size) else { return nil }
      return CardSource(item: -1 - i, image: image, size: seen.size, home: seen, isShaped: true)
    }
  }

  /// From here on the pictures keep the present look of the windows.
  private func settleRising(_ session: SessionID) {
    for image in known.rising.removeValue(forKey: session) ?? [] {
      screen.follow(image, false)
      if screen.refreshImage(image) { stage.imageChanged(image) }
    }
  }

  /// Tells applications which items move, so that they can animate alongside.
  private func tellFlights() {
    for flight in stage.takeFlights() {
      switch flight.kind {
      case .reverse:
        clients.motion(flight.session, .reverse, item: nil, start: flight.start, duration: flight.duration)
      case .cancel:
        for item in flight.items {
          guard let (session, item) = sessions?.item(item, of: flight.session) else { continue }
          clients.motion(session, .cancel, item: item, start: flight.start, duration: flight.duration)
        }
      case .drop:
        guard let region = sessions?.dropRegion(of: flight.session) else { continue }
        for item in flight.items {
          clients.landing(flight.session, region, item: item, start: flight.start, duration: flight.duration)
        }
      }
    }
  }

  /// Requests each offered picture of a visible item once.
  func askForOffers(_ session: SessionID, at now: Instant) {
    guard known.offers.hasSome(of: session), sessions?.isCarried(session) == true else { return }
    let seen = stage.visibleItems(session) + stage.hiddenItems(session)
    for item in known.offers.takeDue(session, seen: seen, at: now) {
      if let (session, item) = sessions?.item(item, of: session) { clients.wantPreview(session, item) }
    }
  }
}
