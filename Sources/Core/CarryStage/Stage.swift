package import CarryModel

/// The content of the screen as a function of time: lifted stacks, flying cards, badges.
///
///     lift ──► (raised) ──beginDrag──► carried ──cancel──► flying home ──┐
///      │                                 │                               ├──► finished
///      └──reverseLift──► sinking ────────┼──drop────► shrinking, fading ─┘
///                                        └──add──► cards fly into the stack
///
/// Each step may come at any moment of the step before, and starts from the look at that moment. Pure: time comes in
/// with each call, and the same calls give the same lists. Calls for an unknown session are ignored, because a
/// session may end before its caller knows. The stage is not copyable, so that its owner always changes it in place.
package struct Stage: ~Copyable {
  package private(set) var style: StageStyle
  private var unhurried: StageStyle
  /// The desktop's scale: 1 is 96 dots per inch.
  package private(set) var scale = 1.0
  package private(set) var settings: Settings
  /// When frames are due.
  package var pace = FramePace(interval: .seconds(1.0 / 60))

  var stacks: [Stack] = []
  private var finished: [SessionID] = []
  /// Pictures that the stage holds and has not yet released.
  private var held: Set<ImageID> = []
  /// Whether one of the held pictures may no longer be visible.
  var mayGiveBack = false
  var flights: [Flight] = []
  var surfaces = IdentifierSource()
  private var lastFrame: Instant?
  /// Whether something happened that no frame has shown yet.
  var isDirty = false
  /// Until when nothing is drawn; nil for no such time. Cleared when a frame is drawn.
  private var notBefore: Instant?

  package init(settings: Settings, style: StageStyle = StageStyle()) {
    self.settings = settings
    unhurried = style
    self.style = settings.animation.isReduced ? style.withoutMotion : style
  }

  /// Applies new settings. Running animations keep the old settings.
  package mutating func setSettings(_ settings: Settings) {
    self.settings = settings
    style = settings.animation.isReduced ? unhurried.withoutMotion : unhurried
  }

  /// Sets the desktop's scale; 1 is 96 dots per inch. Ignored while anything is visible.
  package mutating func setScale(_ scale: Double) {
    guard stacks.isEmpty, scale != self.scale else { return }
    self.scale = scale
    unhurried = StageStyle().scaled(by: scale)
    style = settings.animation.isReduced ? unhurried.withoutMotion : unhurried
  }

  /// The number of sessions that are still visible.
  package var count: Int { stacks.count }

  func index(_ session: SessionID) -> Int? {
    for i in stacks.indices where stacks[i].session == session { return i }
    return nil
  }

  func live(_ session: SessionID) -> Int? {
    stacks.firstIndex { $0.session == session && ($0.phase == .lifting || $0.phase == .carried) }
  }

  // MARK: Drag

  /// Starts the drag: cards that are too large to carry shrink, unless there is only one card and the source prefers
  /// its full size.
  package mutating func beginDrag(
    _ session: SessionID, touch: Point, at time: Instant, keepsFullSize: Bool = false
  ) {
    guard let i = live(session), stacks[i].phase == .lifting else { return }
    stacks[i].isFullSize = keepsFullSize && stacks[i].count == 1
    stacks[i].phase = .carried
    stacks[i].glide(to: touch, at: time, style: style)
    stacks[i].takeInHand()
    stacks[i].settleInHand(at: time, style: style)
    stacks[i].gather(at: time, style: style)
    isDirty = true
  }

  /// Shrinks a card that was carried at full size; it never grows again.
  package mutating func scaleDown(_ session: SessionID, at time: Instant) {
    guard let i = live(session), stacks[i].isFullSize else { return }
    stacks[i].isFullSize = false
    if stacks[i].phase == .carried { stacks[i].settleInHand(at: time, style: style) }
    isDirty = true
  }

  /// Moves the stack with the finger; only its position changes and nothing is allocated. Ignored before the drag
  /// begins.
  package mutating func move(_ session: SessionID, to touch: Point, at time: Instant) {
    for i in stacks.indices where stacks[i].session == session && stacks[i].phase == .carried {
      stacks[i].touch = touch
      isDirty = true
    }
  }

  /// Lets another finger carry the stack from now on. The stack stays in its place and follows that finger.
  package mutating func handOff(_ session: SessionID, to touch: Point, at time: Instant) {
    guard let i = live(session) else { return }
    stacks[i].rebase(to: touch, at: time, style: style)
    isDirty = true
  }

  /// The session whose carried stack covers this point of the screen; the newest of several.
  package func session(at point: Point, time: Instant) -> SessionID? {
    for i in stacks.indices.reversed() where stacks[i].phase == .carried {
      if stacks[i].covers(point, at: time, style: style) { return stacks[i].session }
    }
    return nil
  }

  /// Cards for more items fly from `source` into the stack and land on top of it.
  package mutating func add(_ session: SessionID, images: [ImageID], source: Rect, at time: Instant) {
    guard let i = live(session) else { return }
    let known = stacks[i].count
    let cards = images.enumerated().map {
      CardSource(item: known + $0, image: $1, size: source.size, home: source)
    }
    add(session, cards: cards, count: cards.count, from: source, at: time)
  }

  /// Cards for more items fly, each from its home, into the stack and land on top of it.
  ///
  /// - Parameters:
  ///   - count: the number of new items, some of which may have no card.
  ///   - place: where cards without a home come from, in screen pixels.
  package mutating func add(
    _ session: SessionID, cards: [CardSource], count: Int, from place: Rect, at time: Instant
  ) {
    takeChargeOf(cards)
    guard let i = live(session) else { return }
    let room = max(0, Limits.itemsPerSession - stacks[i].count)
    let cards = cards.prefix(room)
    guard count > 0, room > 0 else { return }
    let batch = stacks[i].batches
    stacks[i].batches &+= 1
    var groups: [[Card]] = []
    for (position, source) in cards.enumerated() {
      let card = Card(source, batch: batch, slot: .fanned(stacks[i].count + position), style: style)
      if let last = groups.last?.last, last.home == card.home {
        groups[groups.count - 1].append(card)
      } else {
        groups.append([card])
      }
    }
    stacks[i].count += min(count, room)
    // Several items are always carried small.
    stacks[i].isFullSize = false
    if stacks[i].phase == .carried { stacks[i].settleInHand(at: time, style: style) }
    for group in groups {
      stacks[i].flyIn(
        Sprite(
          id: SurfaceID(surfaces.next()), cards: group,
          motion: .rest(.flat(at: (group.last?.home ?? place).center), at: time)), at: time, style: style)
      if stacks[i].flightPixels > style.flightPixels { stacks[i].landLast(at: time, style: style) }
    }
    switch stacks[i].badge {
    case .none, .count: stacks[i].setBadge(.count(stacks[i].count), at: time, style: style)
    case .copy: stacks[i].setBadge(.copy(stacks[i].count), at: time, style: style)
    case .forbidden, .label: break
    }
    isDirty = true
  }

  /// Shows a few words above the stack, or removes them.
  package mutating func setReason(_ session: SessionID, _ reason: String?, at time: Instant) {
    guard let i = live(session) else { return }
    let id = SurfaceID(surfaces.next())
    stacks[i].reason = reason.flatMap { $0.isEmpty ? nil : Stack.Reason(text: $0, id: id, since: time) }
    isDirty = true
  }

  /// Changes the badge; a new badge pops up.
  package mutating func setBadge(_ session: SessionID, _ badge: Badge, at time: Instant) {
    guard let i = live(session), stacks[i].badge != badge else { return }
    stacks[i].setBadge(badge, at: time, style: style)
    isDirty = true
  }

  // MARK: Removal

  /// Removes a session from the screen at once. The session is not reported as finished, because the caller knows.
  package mutating func remove(_ session: SessionID) {
    guard let i = index(session) else { return }
    discard(i)
    isDirty = true
  }

  private mutating func discard(_ i: Int) {
    stacks.remove(at: i)
    mayGiveBack = true
  }

  /// Keeps the number of stacks bounded whatever the caller does: removes the oldest leaving stack first.
  mutating func makeRoom() -> Bool {
    guard stacks.count >= 2 * Limits.sessions else { return true }
    guard let i = stacks.firstIndex(where: { $0.phase == .leaving || $0.phase == .settling }) else { return false }
    finished.append(stacks[i].session)
    discard(i)
    return true
  }

  /// Takes ownership of pictures: the stage reports when they are no longer needed, even if they are never shown.
  mutating func takeChargeOf(_ cards: some Sequence<CardSource>) {
    for card in cards where card.image.raw != 0 {
      held.insert(card.image)
      mayGiveBack = true
      isDirty = true
    }
  }

  // MARK: Frames

  /// When the next frame is due; nil if nothing changes any more. A time in the past means at once.
  package var nextFrame: Instant? {
    guard isDirty || isAnimating else { return nil }
    guard let lastFrame else { return .zero }
    let next = pace.next(after: lastFrame)
    return notBefore.map { max(next, $0) } ?? next
  }

  private var isAnimating: Bool {
    guard let lastFrame else { return !stacks.isEmpty }
    for i in stacks.indices where stacks[i].isAnimating(at: lastFrame, style: style) { return true }
    return false
  }

  /// Draws nothing before the next frame would be due if one were drawn now. A wait that has already begun is not
  /// extended: any program can make drops, one after the other.
  package mutating func deferOneFrame(at time: Instant) {
    if lastFrame != nil, notBefore == nil || nextFrame == nil { notBefore = pace.next(after: time) }
  }

  /// Updates `list` for `time`. Always pass the same list.
  package mutating func frame(at time: Instant, into list: inout DrawList) {
    (lastFrame, notBefore) = (time, nil)
    isDirty = false
    var n = 0
    var i = 0
    while i < stacks.count {
      if stacks[i].advance(to: time, style: style) { mayGiveBack = true }
      if stacks[i].isOver(at: time) {
        finished.append(stacks[i].session)
        discard(i)
        continue
      }
      i += 1
    }
    // Highlights lie below every stack, including those of other sessions.
    for i in stacks.indices { stacks[i].drawHighlights(at: time, style: style, into: &list, &n) }
    for i in stacks.indices { stacks[i].draw(at: time, style: style, into: &list, &n) }
    if list.surfaces.count > n { list.surfaces.removeLast(list.surfaces.count - n) }
  }

  /// Sessions whose last animation has ended since the previous call.
  package mutating func takeFinished() -> [SessionID] {
    defer { finished.removeAll(keepingCapacity: true) }
    return finished
  }

  /// Animations that have begun since the previous call, with their times.
  package mutating func takeFlights() -> [Flight] {
    defer { flights.removeAll(keepingCapacity: true) }
    return flights
  }

  /// Pictures that no card shows any more since the previous call; the display may release them.
  package mutating func takeUnusedImages() -> [ImageID] {
    guard mayGiveBack else { return [] }
    mayGiveBack = false
    var shown: Set<ImageID> = []
    for stack in stacks { stack.forEachCard { shown.formUnion($0.images) } }
    let unused = held.subtracting(shown)
    held.subtract(unused)
    return unused.sorted { $0.raw < $1.raw }
  }
}
