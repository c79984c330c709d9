package import CarryModel

/// Changes the pictures of cards, and finds the visible cards.
extension Stage {
  /// The picture of an item, and its unscaled size; nil for an item without a card.
  package func picture(ofItem item: Int, in session: SessionID) -> (image: ImageID, size: Size)? {
    live(session).flatMap { stacks[$0].card(ofItem: item) }.map { ($0.image, $0.size) }
  }

  /// Changes an item's picture. An item without a picture appears.
  package mutating func setPicture(_ session: SessionID, _ source: CardSource, at time: Instant) {
    takeChargeOf([source])
    guard let i = live(session), source.item >= 0, source.item < stacks[i].count else { return }
    let room = style.flightPixels - stacks[i].flightPixels
    if stacks[i].isFlying(source.item), source.size.width * source.size.height * 2 > Double(room) {
      // The window would be too large, so the card keeps its picture.
    } else if stacks[i].card(ofItem: source.item) == nil {
      let others = stacks[i].sprite.cards
      let isTop = !others.contains { $0.item > source.item || $0.slot == .straight }
      let card = Card(source, batch: 0, slot: isTop ? .straight : .fanned(source.item), style: style)
      let touch = stacks[i].displayedTouch(at: time, style: style)
      stacks[i].sprite.changeCards(
        { cards in cards.insert(card, at: cards.firstIndex { $0.item > card.item } ?? cards.count) }, following: touch,
        style: style)
    } else {
      change(i, item: source.item, at: time) { card, style in
        card.become(source, at: time, duration: style.morph, style: style)
      }
    }
    if stacks[i].phase == .carried {
      stacks[i].takeInHand()
      stacks[i].settleInHand(at: time, style: style)
    }
    isDirty = true
  }

  /// Maximum number of hidden items that fade at a time; further items vanish at once.
  private static let maxFadingAway = 8

  /// Hides an item: its card fades in place, and the other cards keep their places.
  package mutating func hide(_ session: SessionID, item: Int, at time: Instant) {
    guard let i = live(session), stacks[i].card(ofItem: item) != nil else { return }
    let (now, others) = leavingPoses(i, at: time)
    let pose = others.first { $0.cards.contains { $0.item == item } }?.pose ?? now
    guard let card = stacks[i].removeCard(ofItem: item, at: time, style: style) else { return }
    if !settings.animation.isReduced {
      var ghost = Sprite(
        id: SurfaceID(surfaces.next()), cards: [card], motion: fading(pose, duration: style.morph, at: time))
      ghost.fly(ghost.motion, style: style)
      // Each fading card needs a window, and people cannot tell more than a few apart anyway.
      if stacks[i].departures.count < Self.maxFadingAway,
        stacks[i].flightPixels + ghost.pixels <= style.flightPixels
      {
        stacks[i].departures.append(ghost)
      }
    }
    if stacks[i].phase == .carried {
      stacks[i].takeInHand()
      stacks[i].settleInHand(at: time, style: style)
    }
    mayGiveBack = true
    isDirty = true
  }

  /// Highlights possible targets beneath the stack: pictures at their homes, until the stack leaves (Z13).
  package mutating func setHighlights(_ session: SessionID, _ sources: [CardSource], at time: Instant) {
    takeChargeOf(sources)
    guard let i = live(session) else { return }
    stacks[i].highlights = []
    for source in sources {
      guard let home = source.home else { continue }
      let there = Pose.flat(at: home.center)
      var absent = there
      absent.opacity = 0
      let motion = Motion(from: absent, to: there, start: time, duration: style.settle, curve: .smooth)
      let card = Card(source, batch: 0, slot: .straight, style: style)
      var sprite = Sprite(id: SurfaceID(surfaces.next()), cards: [card], motion: motion)
      sprite.fly(motion, style: style)
      stacks[i].highlights.append(sprite)
    }
    isDirty = true
  }

  /// Sets where the item flies when the drag is cancelled, in screen pixels; nil lets it fade away.
  package mutating func setHome(_ session: SessionID, item: Int, to home: Rect?, at time: Instant) {
    guard let i = index(session), stacks[i].phase != .leaving else { return }
    change(i, item: item, at: time) { card, _ in card.home = home }
  }

  private mutating func change(_ i: Int, item: Int, at time: Instant, _ body: (inout Card, StageStyle) -> Void) {
    guard stacks[i].card(ofItem: item) != nil else { return }
    let style = style
    stacks[i].changeCard(ofItem: item, at: time, style: style) { body(&$0, style) }
    mayGiveBack = true
    isDirty = true
  }

  /// The items of a session that have no cards yet.
  package func hiddenItems(_ session: SessionID) -> [Int] {
    guard let i = live(session) else { return [] }
    var hidden = Set(0..<stacks[i].count)
    stacks[i].forEachItem { hidden.remove($0.item) }
    return hidden.sorted()
  }

  /// The sizes of the pictures of a session's items, unscaled, in pixels. Hidden items have no size.
  package func pictureSizes(_ session: SessionID) -> [(item: Int, size: Size)] {
    guard let i = live(session) else { return [] }
    var sizes: [(item: Int, size: Size)] = []
    stacks[i].forEachItem { sizes.append(($0.item, $0.size)) }
    return sizes
  }

  /// How many items a session has on the stage.
  package func itemCount(_ session: SessionID) -> Int { index(session).map { stacks[$0].count } ?? 0 }

  /// Requests a frame, because something visible has changed.
  package mutating func setNeedsFrame() { isDirty = true }

  /// Redraws the cards that show a picture that has changed.
  package mutating func imageChanged(_ image: ImageID) {
    for i in stacks.indices where stacks[i].invalidate(showing: image) { isDirty = true }
  }

  /// The items of a session whose cards are visible in the stack, from the bottom up.
  package func visibleItems(_ session: SessionID) -> [Int] {
    guard let i = live(session) else { return [] }
    let all =
      stacks[i].arrivals.filter(\.landsBelow).flatMap(\.cards) + stacks[i].sprite.cards
      + stacks[i].arrivals.filter { !$0.landsBelow }.flatMap(\.cards)
    return all.suffix(style.visibleCards).map(\.item)
  }
}
