package import CarryModel

/// What is on the screen as a function of time: lifted stacks, flying cards, badges.
///
///     lift ──► (raised) ──beginDrag──► carried ──cancel──► flying home ──┐
///      │                                 │                               ├──► finished
///      └──reverseLift──► sinking ────────┼──drop────► shrinking, fading ─┘
///                                        └──add──► cards fly into the stack
///
/// Each step may come at any moment of the one before; it starts from what is seen then. Pure: time comes in with each
/// call, and the same calls give the same lists. Calls for a session that is not there are ignored, since a session may
/// end while its caller still speaks of it.
package struct Stage {
  package private(set) var style: StageStyle
  package private(set) var settings: Settings
  /// Time between two frames: the output's refresh interval.
  package var refreshInterval = Interval.seconds(1.0 / 60)

  private var stacks: [Stack] = []
  private var finished: [SessionID] = []
  private var unused: [ImageID] = []
  private var surfaces = IdentifierSource()
  private var lastFrame: Instant?
  /// Whether something happened that no frame has shown yet.
  private var isDirty = false

  package init(settings: Settings, style: StageStyle = StageStyle()) {
    self.settings = settings
    self.style = style
  }

  /// Takes over settings that changed; animations under way keep theirs.
  package mutating func setSettings(_ settings: Settings) { self.settings = settings }

  /// The number of sessions that are still seen.
  package var count: Int { stacks.count }

  private func index(_ session: SessionID) -> Int? {
    for i in stacks.indices where stacks[i].session == session { return i }
    return nil
  }

  private func live(_ session: SessionID) -> Int? {
    stacks.firstIndex { $0.session == session && ($0.phase == .lifting || $0.phase == .carried) }
  }

  // MARK: Lift

  /// Starts to lift one card for each image off `source`, which is where they were seen, in screen pixels.
  ///
  /// The last image is the topmost (K1); the point under `touch` stays under it. With more than one a badge counts them.
  package mutating func lift(
    _ session: SessionID, images: [ImageID], source: Rect, touch: Point, at time: Instant, duration: Interval
  ) {
    remove(session)
    guard makeRoom(), !images.isEmpty else { return }
    let images = images.suffix(Limits.itemsPerSession)
    let cards = images.enumerated().map { position, image in
      let depth = images.count - 1 - position
      return Card(
        image: image, home: source, batch: 0, slot: depth == 0 ? .straight : .fanned(depth - 1), style: style)
    }
    let grab = source.center - touch
    let flat = Pose(center: grab, scale: 1, fit: 0, spread: 0, elevation: 0, opacity: 1)
    var stack = Stack(
      session: session, touch: touch, grab: grab,
      sprite: Sprite(id: SurfaceID(surfaces.next()), cards: cards, motion: .rest(flat, at: time)), count: cards.count)
    let motion = Motion(
      from: flat, to: stack.carriedPose(style: style), start: time, duration: duration, curve: .smooth)
    stack.sprite.follow(touch, with: motion, style: style)
    if cards.count > 1 { stack.setBadge(.count(cards.count), at: time, style: style) }
    stacks.append(stack)
    isDirty = true
  }

  /// Lets the stack sink back to where it was lifted, from wherever it is; the session then finishes.
  package mutating func reverseLift(_ session: SessionID, at time: Instant) {
    guard let i = live(session) else { return }
    guard stacks[i].phase == .lifting, stacks[i].arrivals.isEmpty else { return cancel(session, at: time) }
    stacks[i].phase = .settling
    let now = stacks[i].sprite.motion.pose(at: time)
    let flat = Pose(center: stacks[i].grab, scale: 1, fit: 0, spread: 0, elevation: 0, opacity: 1)
    // A lift that had hardly begun is undone sooner.
    let duration = Interval.seconds(style.settle.seconds * max(0.35, now.elevation))
    let motion = Motion(from: now, to: flat, start: time, duration: duration, curve: .smooth)
    stacks[i].sprite.follow(stacks[i].touch, with: motion, style: style)
    stacks[i].setBadge(.none, at: time, style: style)
    isDirty = true
  }

  /// How far the lift is: 0 flat, 1 risen; nil without such a session.
  package func liftProgress(_ session: SessionID, at time: Instant) -> Double? {
    index(session).map { stacks[$0].sprite.motion.pose(at: time).elevation }
  }

  // MARK: Drag

  /// The drag proper starts: cards too large to carry shrink (V1), unless the source wishes them whole and there is one.
  package mutating func beginDrag(
    _ session: SessionID, touch: Point, at time: Instant, keepsFullSize: Bool = false
  ) {
    guard let i = live(session), stacks[i].phase == .lifting else { return }
    stacks[i].isFullSize = keepsFullSize && stacks[i].count == 1
    stacks[i].phase = .carried
    stacks[i].glide(to: touch, at: time, style: style)
    stacks[i].settleInHand(at: time, style: style)
    isDirty = true
  }

  /// Shrinks a card that was carried at full size; it never grows again (V7).
  package mutating func scaleDown(_ session: SessionID, at time: Instant) {
    guard let i = live(session), stacks[i].isFullSize else { return }
    stacks[i].isFullSize = false
    if stacks[i].phase == .carried { stacks[i].settleInHand(at: time, style: style) }
    isDirty = true
  }

  /// The finger moved; only the position of the stack changes. Nothing is allocated. Ignored before the drag begins.
  package mutating func move(_ session: SessionID, to touch: Point, at time: Instant) {
    for i in stacks.indices where stacks[i].session == session && stacks[i].phase == .carried {
      stacks[i].touch = touch
      isDirty = true
    }
  }

  /// From now on another finger carries the stack (K7): it stays where it is and follows that one.
  package mutating func handOff(_ session: SessionID, to touch: Point, at time: Instant) {
    guard let i = live(session) else { return }
    stacks[i].rebase(to: touch, at: time, style: style)
    isDirty = true
  }

  /// Whose stack, in a hand, covers this point of the screen: the newest one's, if there are several.
  package func session(at point: Point, time: Instant) -> SessionID? {
    for i in stacks.indices.reversed() where stacks[i].phase == .carried {
      if stacks[i].covers(point, at: time, style: style) { return stacks[i].session }
    }
    return nil
  }

  /// Cards for more items fly from `source` into the stack and land on top of it.
  package mutating func add(_ session: SessionID, images: [ImageID], source: Rect, at time: Instant) {
    guard let i = live(session) else { return }
    let room = max(0, Limits.itemsPerSession - stacks[i].count)
    let images = images.prefix(room)
    guard !images.isEmpty else { return }
    let batch = stacks[i].batches
    stacks[i].batches &+= 1
    let cards = images.enumerated().map { position, image in
      Card(image: image, home: source, batch: batch, slot: .fanned(stacks[i].count + position), style: style)
    }
    stacks[i].count += cards.count
    let from = Pose(center: source.center, scale: 1, fit: 0, spread: 0, elevation: 0, opacity: 1)
    // Several items are always carried small (V5).
    stacks[i].isFullSize = false
    if stacks[i].phase == .carried { stacks[i].settleInHand(at: time, style: style) }
    var to = stacks[i].carriedPose(style: style)
    to.fit = 1
    to.center = stacks[i].displayedTouch(at: time, style: style) + to.center
    let distance = from.center.distance(to: to.center)
    var motion = Motion(from: from, to: to, start: time, duration: style.flyIn, curve: .inOutCubic)
    motion.arc = min(70, 0.14 * distance)
    var sprite = Sprite(id: SurfaceID(surfaces.next()), cards: cards, motion: motion)
    sprite.fly(motion, style: style)
    stacks[i].arrivals.append(sprite)
    switch stacks[i].badge {
    case .none, .count: stacks[i].setBadge(.count(stacks[i].count), at: time, style: style)
    case .copy: stacks[i].setBadge(.copy(stacks[i].count), at: time, style: style)
    case .forbidden: break
    }
    isDirty = true
  }

  /// Changes what the corner says; a new badge pops up.
  package mutating func setBadge(_ session: SessionID, _ badge: Badge, at time: Instant) {
    guard let i = live(session), stacks[i].badge != badge else { return }
    stacks[i].setBadge(badge, at: time, style: style)
    isDirty = true
  }

  /// Shows another picture for the item at `position`, counted from the first that was lifted (B6, L15).
  package mutating func replaceImage(_ session: SessionID, item position: Int, with image: ImageID) {
    change(session, item: position) { $0.image = image }
  }

  /// Where the item at `position` flies when the drag is cancelled, in screen pixels; nil lets it fade away (E3).
  package mutating func setHome(_ session: SessionID, item position: Int, to home: Rect?) {
    change(session, item: position) { $0.home = home }
  }

  private mutating func change(_ session: SessionID, item position: Int, _ body: (inout Card) -> Void) {
    guard position >= 0, let i = live(session) else { return }
    var position = position
    if position < stacks[i].sprite.cards.count {
      let old = stacks[i].sprite.cards[position].image
      body(&stacks[i].sprite.cards[position])
      stacks[i].sprite.invalidate()
      noteUnused(old)
    } else {
      position -= stacks[i].sprite.cards.count
      for j in stacks[i].arrivals.indices {
        let n = stacks[i].arrivals[j].cards.count
        guard position >= n else {
          let old = stacks[i].arrivals[j].cards[position].image
          body(&stacks[i].arrivals[j].cards[position])
          noteUnused(old)
          break
        }
        position -= n
      }
    }
    isDirty = true
  }

  // MARK: Ends

  /// Every card flies home to where it was lifted, sinks and fades there; the session then finishes.
  package mutating func cancel(_ session: SessionID, at time: Instant) {
    guard let i = index(session), stacks[i].phase != .leaving else { return }
    let touch = stacks[i].displayedTouch(at: time, style: style)
    var now = stacks[i].sprite.motion.pose(at: time)
    now.center = touch + now.center
    // Cards that came together and go to the same place share a window.
    var groups: [[Card]] = []
    for card in stacks[i].sprite.cards {
      if let last = groups.last?.last, last.batch == card.batch, last.home == card.home {
        groups[groups.count - 1].append(card)
      } else {
        groups.append([card])
      }
    }
    var departures = groups.suffix(style.flightsPerSession).map { flightHome(of: $0, from: now, at: time) }
    for arrival in stacks[i].arrivals.suffix(style.flightsPerSession) {
      departures.append(flightHome(of: arrival.cards, from: arrival.motion.pose(at: time), at: time))
    }
    leave(i, with: departures)
  }

  private mutating func flightHome(of cards: [Card], from: Pose, at time: Instant) -> Sprite {
    var to = from
    var motion = Motion(from: from, to: to, start: time, duration: .zero, curve: .inOutCubic)
    if let card = cards.first, let home = card.home {
      let scale = min(home.width / card.size.width, home.height / card.size.height)
      to = Pose(
        center: home.center, scale: scale.isFinite ? max(0.05, min(4, scale)) : 1, fit: 0, spread: 0, elevation: 0,
        opacity: 1)
      let distance = from.center.distance(to: to.center)
      let extra = Interval.seconds(min(0.2, distance * 0.00015))
      motion.duration = Interval(microseconds: settings.cancelAnimation.microseconds &+ extra.microseconds)
      motion.fadesAfter = 0.75
    } else {
      to.scale *= 0.6
      to.elevation = 0.2
      motion.duration = settings.cancelAnimation
      motion.fadesAfter = 0.1
    }
    motion.to = to
    var sprite = Sprite(id: SurfaceID(surfaces.next()), cards: cards, motion: motion)
    sprite.fly(motion, style: style)
    return sprite
  }

  /// The cards go down into `target`, or towards `point` without one, shrink and fade; the session then finishes.
  package mutating func drop(_ session: SessionID, into target: Rect?, at point: Point, at time: Instant) {
    guard let i = live(session) else { return }
    let touch = stacks[i].displayedTouch(at: time, style: style)
    var now = stacks[i].sprite.motion.pose(at: time)
    now.center = touch + now.center
    var departures = [flightDown(of: stacks[i].sprite.cards, from: now, into: target, at: point, at: time)]
    for arrival in stacks[i].arrivals.suffix(style.flightsPerSession) {
      let from = arrival.motion.pose(at: time)
      departures.append(flightDown(of: arrival.cards, from: from, into: target, at: point, at: time))
    }
    leave(i, with: departures)
  }

  private mutating func flightDown(
    of cards: [Card], from: Pose, into target: Rect?, at point: Point, at time: Instant
  ) -> Sprite {
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
    let distance = from.center.distance(to: to.center)
    let extra = Interval.seconds(min(0.15, distance * 0.00012))
    let duration = Interval(microseconds: style.drop.microseconds &+ extra.microseconds)
    var motion = Motion(from: from, to: to, start: time, duration: duration, curve: .outCubic)
    motion.fadesAfter = 0.35
    var sprite = Sprite(id: SurfaceID(surfaces.next()), cards: cards, motion: motion)
    sprite.fly(motion, style: style)
    return sprite
  }

  private mutating func leave(_ i: Int, with departures: [Sprite]) {
    stacks[i].phase = .leaving
    stacks[i].arrivals = []
    stacks[i].departures = departures
    isDirty = true
  }

  /// Takes a session off the screen at once. It is not reported as finished, for the caller knows.
  package mutating func remove(_ session: SessionID) {
    guard let i = index(session) else { return }
    discard(i)
    isDirty = true
  }

  private mutating func discard(_ i: Int) {
    let stack = stacks.remove(at: i)
    for card in stack.sprite.cards { noteUnused(card.image) }
    for sprite in stack.arrivals + stack.departures {
      for card in sprite.cards { noteUnused(card.image) }
    }
  }

  /// Keeps the number of stacks bounded whatever the caller does: the oldest one that is leaving goes first.
  private mutating func makeRoom() -> Bool {
    guard stacks.count >= 2 * Limits.sessions else { return true }
    guard let i = stacks.firstIndex(where: { $0.phase == .leaving || $0.phase == .settling }) else { return false }
    finished.append(stacks[i].session)
    discard(i)
    return true
  }

  private mutating func noteUnused(_ image: ImageID) {
    guard image.raw != 0, !unused.contains(image) else { return }
    let isUsed = stacks.contains { stack in
      stack.sprite.cards.contains { $0.image == image }
        || stack.arrivals.contains { $0.cards.contains { $0.image == image } }
        || stack.departures.contains { $0.cards.contains { $0.image == image } }
    }
    if !isUsed { unused.append(image) }
  }

  // MARK: Frames

  /// When the next frame is due: nil when nothing changes any more. A time in the past means at once.
  package var nextFrame: Instant? {
    guard isDirty || isAnimating else { return nil }
    guard let lastFrame else { return .zero }
    return lastFrame + refreshInterval
  }

  /// `nextFrame` of a stage that an object holds: a getter would copy the whole stage out of the object first.
  package mutating func nextFrameInPlace() -> Instant? { nextFrame }

  private var isAnimating: Bool {
    guard let lastFrame else { return !stacks.isEmpty }
    for i in stacks.indices where stacks[i].isAnimating(at: lastFrame, style: style) { return true }
    return false
  }

  /// Brings `list` up to date with what is to be seen at `time`. Always pass the same list.
  package mutating func frame(at time: Instant, into list: inout DrawList) {
    lastFrame = time
    isDirty = false
    var n = 0
    var i = 0
    while i < stacks.count {
      stacks[i].advance(to: time, style: style)
      if stacks[i].isOver(at: time) {
        finished.append(stacks[i].session)
        discard(i)
        continue
      }
      stacks[i].draw(at: time, style: style, into: &list, &n)
      i += 1
    }
    if list.surfaces.count > n { list.surfaces.removeLast(list.surfaces.count - n) }
  }

  /// Sessions that were seen for the last time since the previous call.
  package mutating func takeFinished() -> [SessionID] {
    defer { finished.removeAll(keepingCapacity: true) }
    return finished
  }

  /// Pictures that no card shows any more since the previous call; the display may let them go.
  package mutating func takeUnusedImages() -> [ImageID] {
    defer { unused.removeAll(keepingCapacity: true) }
    return unused
  }
}
