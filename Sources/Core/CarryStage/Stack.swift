import CarryModel

/// One session on the screen: the stack under the finger, and cards that fly to or from it.
struct Stack {
  enum Phase { case lifting, carried, settling, leaving }

  let session: SessionID
  var phase = Phase.lifting
  /// Screen pixels.
  var touch: Point
  /// From the touch to the centre of the touched card, unscaled. The touched point stays under the finger.
  var grab: Point
  var isFullSize = false
  /// The remaining distance of a jump of the touch, and since when the stack has been catching up.
  private(set) var lag = Point.zero
  private var lagStart = Instant.zero
  var sprite: Sprite
  /// Cards that rise elsewhere, until the drag begins.
  var companions: [Sprite] = []
  var arrivals: [Sprite] = []
  /// The frames beneath all cards that mark possible targets.
  var highlights: [Sprite] = []
  var departures: [Sprite] = []
  /// The number of items, including items that still fly in.
  var count: Int
  var batches: UInt32 = 1
  /// A few words above the stack.
  struct Reason {
    let text: String
    let id: SurfaceID
    let since: Instant
  }
  var reason: Reason?
  private(set) var badge = Badge.none
  private var oldBadge = Badge.none
  private var badgeStart = Instant.zero
  private var badgeEnd = Instant.zero

  init(session: SessionID, touch: Point, grab: Point, sprite: Sprite, count: Int) {
    self.session = session
    self.touch = touch
    self.grab = grab
    self.sprite = sprite
    self.count = count
  }

  // MARK: Where it is

  /// The touch at which the stack is drawn: the real touch, minus the rest of a jump.
  func displayedTouch(at time: Instant, style: StageStyle) -> Point {
    guard lag != .zero else { return touch }
    let left = 1 - Easing.outCubic(progress(from: lagStart, for: style.catchUp, at: time))
    return Point(x: touch.x + lag.x * left, y: touch.y + lag.y * left)
  }

  /// Moves the touch without letting the stack jump: it catches up within a moment.
  mutating func glide(to point: Point, at time: Instant, style: StageStyle) {
    let shown = displayedTouch(at: time, style: style)
    touch = point
    lag = shown - point
    lagStart = time
  }

  /// Whether a point of the screen lies on the topmost card at its final size.
  func covers(_ point: Point, at time: Instant, style: StageStyle) -> Bool {
    guard let card = sprite.cards.last else { return false }
    let pose = sprite.motion.to
    let scale = pose.scale * mix(1, card.fit, pose.fit)
    let d = point - (displayedTouch(at: time, style: style) + pose.center)
    return abs(d.x) <= card.size.width * scale / 2 && abs(d.y) <= card.size.height * scale / 2
  }

  /// The pose of the stack in the hand; scale and offset keep the touched point under the finger.
  func carriedPose(style: StageStyle) -> Pose {
    let fit = phase == .lifting || isFullSize ? 0.0 : 1.0
    let touchedFit = sprite.cards.first?.fit ?? 1
    let scale = style.liftedScale * mix(1, touchedFit, fit)
    return Pose(
      center: Point(x: grab.x * scale, y: grab.y * scale), scale: style.liftedScale, fit: fit, spread: 1,
      // A translucent card over its original place would be visible twice, with a small offset.
      elevation: 1, opacity: phase == .lifting ? 1 : style.carriedOpacity)
  }

  /// Follows another touch from now on, but stays where it is.
  mutating func rebase(to point: Point, at time: Instant, style: StageStyle) {
    sprite.rebase(by: displayedTouch(at: time, style: style) - point)
    let pose = sprite.motion.to
    let scale = pose.scale * mix(1, sprite.cards.first?.fit ?? 1, pose.fit)
    grab = Point(x: pose.center.x / scale, y: pose.center.y / scale)
    touch = point
    lag = .zero
  }

  /// Moves the stack to the pose in the hand, unless it is there or on its way already.
  mutating func settleInHand(at time: Instant, style: StageStyle) {
    let to = carriedPose(style: style)
    // Cards that are small anyway look the same in both poses, so a running lift can continue.
    if sprite.cards.allSatisfy({ $0.fit == 1 }) { sprite.setFit(to.fit) }
    guard sprite.motion.to != to else { return }
    let motion = Motion(
      from: sprite.motion.pose(at: time), to: to, start: time, duration: style.settle, curve: .outCubic)
    sprite.follow(displayedTouch(at: time, style: style), with: motion, style: style)
  }

  /// Moves the stack below the finger if the finger does not touch the top card, because the card was lifted
  /// elsewhere or its picture has changed.
  mutating func takeInHand() {
    guard let card = sprite.cards.last else { return }
    func clamped(_ v: Double, _ side: Double) -> Double { max(-0.4 * side, min(0.4 * side, v)) }
    guard abs(grab.x) > card.size.width / 2 || abs(grab.y) > card.size.height / 2 else { return }
    grab = Point(x: clamped(grab.x, card.size.width), y: clamped(grab.y, card.size.height))
  }

  /// Lets the cards that rose elsewhere fly to the stack, below the others.
  mutating func gather(at time: Instant, style: StageStyle) {
    for companion in companions { flyIn(companion, at: time, style: style) }
    companions = []
  }

  /// Lets cards fly from where they are now into the stack.
  mutating func flyIn(_ sprite: Sprite, at time: Instant, style: StageStyle) {
    var sprite = sprite
    let from = sprite.motion.pose(at: time)
    var to = carriedPose(style: style)
    to.fit = 1
    to.center = displayedTouch(at: time, style: style) + to.center
    var motion = Motion(from: from, to: to, start: time, duration: style.flyIn, curve: .inOutCubic)
    motion.arc = min(70, 0.14 * from.center.distance(to: to.center))
    sprite.fly(motion, style: style)
    arrivals.append(sprite)
  }

  /// Puts the cards that have just begun to fly into the stack at once, because their flight would exceed the pixel
  /// limit.
  mutating func landLast(at time: Instant, style: StageStyle) {
    guard let last = arrivals.popLast() else { return }
    sprite.changeCards({ $0 += last.cards }, following: displayedTouch(at: time, style: style), style: style)
  }

  // MARK: Cards

  private var sprites: [Sprite] { [sprite] + companions + arrivals + departures }

  func shows(_ image: ImageID) -> Bool {
    (sprites + highlights).contains { $0.cards.contains { $0.images.contains(image) } }
  }

  /// The pixels of the windows of rising and flying cards.
  var flightPixels: Int { (companions + arrivals + departures).reduce(0) { $0 + $1.pixels } }

  func forEachCard(_ body: (Card) -> Void) {
    for sprite in sprites + highlights { for card in sprite.cards { body(card) } }
  }

  /// Calls `body` with the cards of the carried items, including cards that still fly in.
  func forEachItem(_ body: (Card) -> Void) {
    sprite.cards.forEach(body)
    for other in companions + arrivals { other.cards.forEach(body) }
  }

  /// Whether an item's card is in a window of its own.
  func isFlying(_ item: Int) -> Bool {
    (companions + arrivals).contains { $0.cards.contains { $0.item == item } }
  }

  /// The card of a carried item. Cards that are fading away do not count.
  func card(ofItem item: Int) -> Card? {
    for sprite in [sprite] + companions + arrivals {
      if let card = sprite.cards.first(where: { $0.item == item }) { return card }
    }
    return nil
  }

  mutating func changeCard(ofItem item: Int, at time: Instant, style: StageStyle, _ body: (inout Card) -> Void) {
    func change(_ sprite: inout Sprite, following touch: Point?) {
      guard let c = sprite.cards.firstIndex(where: { $0.item == item }) else { return }
      sprite.changeCards({ body(&$0[c]) }, following: touch, style: style)
    }
    change(&sprite, following: displayedTouch(at: time, style: style))
    for j in companions.indices { change(&companions[j], following: nil) }
    for j in arrivals.indices { change(&arrivals[j], following: nil) }
  }

  /// Removes an item's card from the stack, or from its flight to the stack.
  mutating func removeCard(ofItem item: Int, at time: Instant, style: StageStyle) -> Card? {
    func remove(from sprite: inout Sprite, following touch: Point?) -> Card? {
      guard let c = sprite.cards.firstIndex(where: { $0.item == item }) else { return nil }
      let card = sprite.cards[c]
      sprite.changeCards({ $0.remove(at: c) }, following: touch, style: style)
      return card
    }
    let touch = displayedTouch(at: time, style: style)
    var card = remove(from: &sprite, following: touch)
    for j in companions.indices { card = card ?? remove(from: &companions[j], following: nil) }
    for j in arrivals.indices { card = card ?? remove(from: &arrivals[j], following: nil) }
    companions.removeAll { $0.cards.isEmpty }
    arrivals.removeAll { $0.cards.isEmpty }
    return card
  }

  /// - Returns: whether anything shows the picture.
  mutating func invalidate(showing image: ImageID) -> Bool {
    guard shows(image) else { return false }
    sprite.invalidate()
    for j in companions.indices { companions[j].invalidate() }
    for j in arrivals.indices { arrivals[j].invalidate() }
    for j in departures.indices { departures[j].invalidate() }
    return true
  }

  mutating func forgetMorphs(at time: Instant) -> Bool {
    var some = sprite.forgetMorphs(at: time)
    for j in companions.indices where companions[j].forgetMorphs(at: time) { some = true }
    for j in arrivals.indices where arrivals[j].forgetMorphs(at: time) { some = true }
    return some
  }

  // MARK: Badge

  mutating func setBadge(_ new: Badge, at time: Instant, style: StageStyle) {
    guard new != badge else { return }
    oldBadge = badge
    badge = new
    badgeStart = time
    badgeEnd = time + style.badgePop
    sprite.invalidate()
  }

  func badgePops(at time: Instant) -> Bool { time < badgeEnd }

  /// The badge at `time`: a new badge pops up, a replaced badge pops a little, a removed badge shrinks away.
  func mark(at time: Instant, style: StageStyle) -> BadgeMark {
    let t = progress(from: badgeStart, for: badgeEnd - badgeStart, at: time)
    switch (oldBadge, badge) {
    case (.none, .none): return .absent
    case (let old, .none):
      guard t < 1 else { return .absent }
      let rest = 1 - Easing.outCubic(t)
      return BadgeMark(badge: old, center: .zero, radius: style.badgeRadius, scale: 0.5 + 0.5 * rest, opacity: rest)
    case (.none, let new):
      return BadgeMark(
        badge: new, center: .zero, radius: style.badgeRadius, scale: Easing.outBack(t),
        opacity: Easing.outCubic(min(1, t * 3)))
    case (_, let new):
      return BadgeMark(
        badge: new, center: .zero, radius: style.badgeRadius, scale: 1 + 0.22 * (1 - Easing.outBack(t)), opacity: 1)
    }
  }

  // MARK: Time

  /// Puts cards that have arrived on top of the stack.
  mutating func land(at time: Instant, style: StageStyle) {
    guard let first = arrivals.first, first.motion.isOver(at: time) else { return }
    while let next = arrivals.first, next.motion.isOver(at: time) {
      if next.landsBelow { sprite.cards = next.cards + sprite.cards } else { sprite.cards += next.cards }
      arrivals.removeFirst()
    }
    sprite.follow(displayedTouch(at: time, style: style), with: sprite.motion, style: style)
  }

  func isAnimating(at time: Instant, style: StageStyle) -> Bool {
    if !arrivals.isEmpty || !departures.isEmpty { return true }
    if let reason, progress(from: reason.since, for: style.badgePop, at: time) < 1 { return true }
    for companion in companions where !companion.isAtRest(at: time) { return true }
    for highlight in highlights where !highlight.isAtRest(at: time) { return true }
    if phase == .leaving || phase == .settling { return true }
    return !sprite.isAtRest(at: time) || badgePops(at: time)
      || (lag != .zero && progress(from: lagStart, for: style.catchUp, at: time) < 1)
  }

  mutating func forgetLag(at time: Instant, style: StageStyle) {
    if lag != .zero, progress(from: lagStart, for: style.catchUp, at: time) >= 1 { lag = .zero }
  }

  func isOver(at time: Instant) -> Bool {
    switch phase {
    case .lifting, .carried: false
    case .settling: sprite.motion.isOver(at: time)
    case .leaving: departures.isEmpty
    }
  }
}
