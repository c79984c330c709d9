package import CarryModel

/// An animation that has begun, for applications that animate alongside it.
package struct Flight: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case reverse, cancel, drop }
  package var session: SessionID
  package var kind: Kind
  /// The positions of the items that move together.
  package var items: [Int]
  package var start: Instant
  package var duration: Interval
}

/// Lets stacks leave the screen.
extension Stage {
  /// Lets every card fly home to the place where it was lifted, sink and fade there. The session then finishes.
  ///
  /// - Parameter landings: the items that end in another way.
  package mutating func cancel(_ session: SessionID, landings: [Landing] = [], at time: Instant) {
    takeChargeOf(landings.compactMap(\.picture))
    guard let i = index(session), stacks[i].phase != .leaving else { return }
    let (now, others) = leavingPoses(i, at: time)
    // Cards that came together and go to the same place share a window.
    let groups = split(stacks[i].sprite.cards, landings) { $0.batch == $1.batch && $0.home == $1.home }
    var departures: [Sprite] = []
    func fly(_ group: [Card], from: Pose) {
      let home = flightHome(of: group, from: from, at: time)
      flight(of: group, .cancel, session, from: from, landings, usually: home, at: time, into: &departures)
    }
    for group in groups.suffix(style.flightsPerSession) { fly(group, from: now) }
    for other in others {
      for group in split(other.cards, landings, { _, _ in true }) { fly(group, from: other.pose) }
    }
    appear(i, landings, .cancel, from: now, at: time, into: &departures)
    leave(i, with: departures)
  }

  /// Lets the cards go down into `target`, or towards `point` without a target, shrink and fade. The session then
  /// finishes.
  ///
  /// - Parameter landings: the items that end in another way.
  package mutating func drop(
    _ session: SessionID, into target: Rect?, at point: Point, landings: [Landing] = [], at time: Instant
  ) {
    takeChargeOf(landings.compactMap(\.picture))
    guard let i = live(session) else { return }
    let (now, others) = leavingPoses(i, at: time)
    var departures: [Sprite] = []
    func fly(_ group: [Card], from: Pose) {
      let down = flightDown(of: group, from: from, into: target, at: point, at: time)
      flight(of: group, .drop, session, from: from, landings, usually: down, at: time, into: &departures)
    }
    for group in split(stacks[i].sprite.cards, landings, { _, _ in true }) { fly(group, from: now) }
    for other in others {
      for group in split(other.cards, landings, { _, _ in true }) { fly(group, from: other.pose) }
    }
    appear(i, landings, .drop, from: now, at: time, into: &departures)
    leave(i, with: departures)
  }

  /// Shows hidden items that end with a picture of their own: the picture appears on its way from the hand.
  private mutating func appear(
    _ i: Int, _ landings: [Landing], _ kind: Flight.Kind, from hand: Pose, at time: Instant,
    into departures: inout [Sprite]
  ) {
    var from = hand
    from.opacity = 0
    var hidden = Set(hiddenItems(stacks[i].session))
    for landing in landings.suffix(style.flightsPerSession) {
      // The landings come from a client, and may name items that do not exist, or one item twice.
      guard let picture = landing.picture, case .place = landing.way, hidden.remove(landing.item) != nil else {
        continue
      }
      let card = Card(picture, batch: 0, slot: .straight, style: style)
      flight(
        of: [card], kind, stacks[i].session, from: from, landings, usually: .rest(from, at: time), at: time,
        into: &departures)
    }
  }

  /// The screen positions of a leaving stack's cards: those in the hand, and those that still fly in.
  func leavingPoses(_ i: Int, at time: Instant) -> (hand: Pose, others: [(cards: [Card], pose: Pose)]) {
    var now = stacks[i].sprite.motion.pose(at: time)
    now.center = stacks[i].displayedTouch(at: time, style: style) + now.center
    let others = (stacks[i].companions + stacks[i].arrivals).suffix(style.flightsPerSession)
    return (now, others.map { ($0.cards, $0.motion.pose(at: time)) })
  }

  /// Splits cards, in their order, into groups that move together. A card with a landing of its own moves alone.
  private func split(_ cards: [Card], _ landings: [Landing], _ belong: (Card, Card) -> Bool) -> [[Card]] {
    var groups: [[Card]] = []
    var lastIsAlone = false
    for card in cards {
      let isAlone = landings.contains { $0.item == card.item }
      if !isAlone, !lastIsAlone, let last = groups.last?.last, belong(last, card) {
        groups[groups.count - 1].append(card)
      } else {
        groups.append([card])
      }
      lastIsAlone = isAlone
    }
    return groups
  }

  /// Makes the last flight of cards that move together.
  private mutating func flight(
    of original: [Card], _ kind: Flight.Kind, _ session: SessionID, from: Pose, _ landings: [Landing],
    usually: Motion, at time: Instant, into departures: inout [Sprite]
  ) {
    var cards = original
    var motion = usually
    if cards.count == 1, let landing = landings.first(where: { $0.item == cards[0].item }) {
      motion = way(landing.way, kind, from: from, at: time)
      if let picture = landing.picture {
        cards[0].become(picture, at: time, duration: motion.duration, style: style)
      }
    }
    if settings.animation.isReduced { motion.duration = .zero }
    var sprite = Sprite(id: SurfaceID(surfaces.next()), cards: cards, motion: motion)
    sprite.fly(motion, style: style)
    if departures.reduce(sprite.pixels, { $0 + $1.pixels }) > style.flightPixels {
      sprite.cards = original
      motion = fading(from, duration: motion.duration, at: time)
      sprite.fly(motion, style: style)
    }
    flights.append(
      Flight(session: session, kind: kind, items: cards.map(\.item), start: time, duration: motion.duration))
    departures.append(sprite)
  }

  private func way(_ way: Landing.Way, _ kind: Flight.Kind, from: Pose, at time: Instant) -> Motion {
    let base = kind == .cancel ? settings.animation.cancel : dropTime
    switch way {
    case .fade: return fading(from, duration: base, at: time)
    case .place(let center, let scale, let turn):
      var to = Pose.flat(at: center)
      to.scale = max(0.02, min(20, scale))
      to.turn = turn
      return Motion(
        from: from, to: to, start: time, duration: base + distanceTime(from, to, perPixel: 0.00015, most: 0.2),
        curve: .end)
    }
  }

  /// Shrinks and fades in place.
  func fading(_ from: Pose, duration: Interval, at time: Instant) -> Motion {
    var to = from
    to.scale *= 0.6
    to.elevation = 0.2
    var motion = Motion(from: from, to: to, start: time, duration: duration, curve: .end)
    motion.fadesAfter = 0.1
    return motion
  }

  private func flightHome(of cards: [Card], from: Pose, at time: Instant) -> Motion {
    guard let card = cards.first, let home = card.home else {
      return fading(from, duration: settings.animation.cancel, at: time)
    }
    let scale = min(home.width / card.size.width, home.height / card.size.height)
    var to = Pose.flat(at: home.center)
    to.scale = scale.isFinite ? max(0.05, min(4, scale)) : 1
    let duration = settings.animation.cancel + distanceTime(from, to, perPixel: 0.00015, most: 0.2)
    var motion = Motion(from: from, to: to, start: time, duration: duration, curve: .end)
    motion.fadesAfter = 0.75
    return motion
  }

  private func flightDown(
    of cards: [Card], from: Pose, into target: Rect?, at point: Point, at time: Instant
  ) -> Motion {
    var to = from
    let shrink = 0.45
    if let target, !target.isEmpty, let card = cards.last {
      let fitting = min(target.width / card.size.width, target.height / card.size.height) * 0.8
      to.scale = max(0.15, min(from.scale * 0.6, fitting.isFinite ? fitting : 1))
      to.center = target.center
    } else {
      to.scale = from.scale * shrink
      to.center = point.interpolated(to: from.center, fraction: shrink)
    }
    to.spread = from.spread * 0.5
    to.elevation = 0.15
    let duration = dropTime + distanceTime(from, to, perPixel: 0.00012, most: 0.15)
    var motion = Motion(from: from, to: to, start: time, duration: duration, curve: .end)
    motion.fadesAfter = 0.35
    return motion
  }

  private var dropTime: Interval { settings.animation.isReduced ? .zero : settings.animation.drop }

  /// The extra time for a longer distance.
  private func distanceTime(_ from: Pose, _ to: Pose, perPixel: Double, most: Double) -> Interval {
    .seconds(min(most, from.center.distance(to: to.center) * perPixel))
  }

  private mutating func leave(_ i: Int, with departures: [Sprite]) {
    stacks[i].phase = .leaving
    stacks[i].arrivals = []
    stacks[i].companions = []
    stacks[i].departures = departures
    stacks[i].highlights = []
    mayGiveBack = true
    isDirty = true
  }
}
