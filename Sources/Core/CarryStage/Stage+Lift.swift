package import CarryModel

/// Lifts stacks, and lets them sink back.
extension Stage {
  /// Starts to lift one card for each image from `source`, the place of the images in screen pixels.
  package mutating func lift(
    _ session: SessionID, images: [ImageID], source: Rect, touch: Point, at time: Instant, duration: Interval
  ) {
    let cards = images.enumerated().map { CardSource(item: $0, image: $1, size: source.size, home: source) }
    lift(session, cards: cards, count: cards.count, touch: touch, at: time, duration: duration)
  }

  /// Starts to lift cards, each from its own place.
  ///
  /// The last card is the topmost (K1), and the point under `touch` stays under the finger. Cards with another place
  /// rise there, and join the stack when the drag begins.
  ///
  /// - Parameters:
  ///   - cards: in the order of their items, some of which may have none.
  ///   - count: the number of items; with more than one item, a badge counts them.
  package mutating func lift(
    _ session: SessionID, cards sources: [CardSource], count: Int, touch: Point, at time: Instant, duration: Interval
  ) {
    takeChargeOf(sources)
    remove(session)
    guard makeRoom(), count > 0 else { return }
    let sources = sources.suffix(Limits.itemsPerSession)
    var groups: [[Card]] = []
    for (position, source) in sources.enumerated() {
      let depth = sources.count - 1 - position
      let card = Card(source, batch: 0, slot: depth == 0 ? .straight : .fanned(depth - 1), style: style)
      if let last = groups.last?.last, last.home == card.home {
        groups[groups.count - 1].append(card)
      } else {
        groups.append([card])
      }
    }
    let cards = groups.popLast() ?? []
    let grab = (cards.last?.home?.center ?? touch) - touch
    let flat = Pose.flat(at: grab)
    var stack = Stack(
      session: session, touch: touch, grab: grab,
      sprite: Sprite(id: SurfaceID(surfaces.next()), cards: cards, motion: .rest(flat, at: time)),
      count: min(count, Limits.itemsPerSession))
    let duration = settings.animation.isReduced ? .zero : duration
    let motion = Motion(
      from: flat, to: stack.carriedPose(style: style), start: time, duration: duration, curve: .rise)
    stack.sprite.follow(touch, with: motion, style: style)
    var buried: [Card] = []
    for (n, group) in groups.enumerated() {
      let flat = Pose.flat(at: group.last?.home?.center ?? touch)
      var risen = stack.carriedPose(style: style)
      risen.center = flat.center
      if group.count == 1 { risen.spread = 0 }
      let motion = Motion(from: flat, to: risen, start: time, duration: duration, curve: .rise)
      var sprite = Sprite(id: SurfaceID(surfaces.next()), cards: group, motion: motion)
      sprite.landsBelow = true
      sprite.fly(motion, style: style)
      let isTooMany = groups.count - n > style.flightsPerSession
      if isTooMany || stack.flightPixels + sprite.pixels > style.flightPixels {
        buried += group
      } else {
        stack.companions.append(sprite)
      }
    }
    if !buried.isEmpty { stack.sprite.changeCards({ $0 = buried + $0 }, following: touch, style: style) }
    if stack.count > 1 { stack.setBadge(.count(stack.count), at: time, style: style) }
    stacks.append(stack)
    isDirty = true
  }

  /// Lets the stack sink back to the place where it was lifted. The session then finishes.
  package mutating func reverseLift(_ session: SessionID, at time: Instant) {
    guard let i = live(session) else { return }
    guard stacks[i].phase == .lifting, stacks[i].arrivals.isEmpty else { return cancel(session, at: time) }
    stacks[i].phase = .settling
    let now = stacks[i].sprite.motion.pose(at: time)
    // A lift that had hardly begun is undone sooner.
    let duration = Interval.seconds(style.settle.seconds * max(0.35, now.elevation))
    let motion = Motion(from: now, to: .flat(at: stacks[i].grab), start: time, duration: duration, curve: .rise)
    stacks[i].sprite.follow(stacks[i].touch, with: motion, style: style)
    for j in stacks[i].companions.indices {
      let now = stacks[i].companions[j].motion.pose(at: time)
      let motion = Motion(from: now, to: .flat(at: now.center), start: time, duration: duration, curve: .rise)
      stacks[i].companions[j].fly(motion, style: style)
    }
    stacks[i].setBadge(.none, at: time, style: style)
    flights.append(
      Flight(session: session, kind: .reverse, items: Array(0..<stacks[i].count), start: time, duration: duration))
    isDirty = true
  }
}
