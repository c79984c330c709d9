import CarryModel

/// Cards that share one preview window and move together.
struct Sprite {
  let id: SurfaceID
  /// From the bottom up; only the last few are drawn.
  var cards: [Card]
  /// Whether the cards go below the stack's cards when they arrive.
  var landsBelow = false
  private(set) var motion: Motion
  private(set) var width: Int32 = 0
  private(set) var height: Int32 = 0
  /// The pixels of the sprite's window.
  var pixels: Int { Int(width) * Int(height) }
  /// The window's corner relative to the touch (if it follows one), or to the centre of the fan.
  private var corner = Point.zero
  private var content: UInt64 = 1
  /// Whether the surface has to be drawn again.
  private var isStale = true

  init(id: SurfaceID, cards: [Card], motion: Motion) {
    self.id = id
    self.cards = cards
    self.motion = motion
  }

  mutating func invalidate() { isStale = true }

  /// Changes cards in place. The sprite's motion continues, and the window is resized to fit the cards.
  mutating func changeCards(_ body: (inout [Card]) -> Void, following touch: Point?, style: StageStyle) {
    body(&cards)
    if let touch { follow(touch, with: motion, style: style) } else { fly(motion, style: style) }
  }

  /// Forgets the former looks of cards whose change is over.
  ///
  /// - Returns: whether there are pictures that are no longer visible.
  mutating func forgetMorphs(at time: Instant) -> Bool {
    var some = false
    for i in cards.indices where cards[i].morph != nil { if cards[i].forgetMorph(at: time) { some = true } }
    return some
  }

  func isAtRest(at time: Instant) -> Bool { motion.isOver(at: time) && !isStale }

  // MARK: Geometry

  /// Starts another motion of a sprite that follows `touch`. The window is large enough for the whole motion.
  mutating func follow(_ touch: Point, with motion: Motion, style: StageStyle) {
    self.motion = motion
    let room = bounds(of: motion, style: style)
    let left = (touch.x + room.x).rounded(.down)
    let top = (touch.y + room.y).rounded(.down)
    corner = Point(x: left - touch.x, y: top - touch.y)
    width = Sprite.whole(touch.x + room.maxX - left)
    height = Sprite.whole(touch.y + room.maxY - top)
    isStale = true
  }

  /// Starts a flight across the screen. The window moves along with the centre of the fan.
  mutating func fly(_ motion: Motion, style: StageStyle) {
    self.motion = motion
    var centred = motion
    centred.from.center = .zero
    centred.to.center = .zero
    let room = bounds(of: centred, style: style).insetBy(-1)
    corner = room.origin
    width = Sprite.whole(room.width)
    height = Sprite.whole(room.height)
    isStale = true
  }

  /// Sets the fit of the whole motion. Only for cards whose fit is 1, so that nothing visible changes.
  mutating func setFit(_ fit: Double) { (motion.from.fit, motion.to.fit) = (fit, fit) }

  /// Changes where a flight ends, in screen pixels.
  mutating func aim(at center: Point) { motion.to.center = center }

  /// Shrinks the window once the motion is over.
  mutating func rest(following touch: Point, at time: Instant, style: StageStyle) {
    guard motion.duration > .zero, motion.isOver(at: time) else { return }
    let rest = Motion.rest(motion.to, at: time)
    let room = bounds(of: rest, style: style)
    if Double(width) - room.width > 16 || Double(height) - room.height > 16 {
      follow(touch, with: rest, style: style)
    } else {
      motion = rest
      isStale = true
    }
  }

  /// Keeps the sprite's place on the screen while another touch replaces the touch that it follows.
  mutating func rebase(by d: Point) {
    corner = corner + d
    motion.from.center = motion.from.center + d
    motion.to.center = motion.to.center + d
  }

  /// The bounding box of everything drawn between the two poses, including shadow and badge.
  private func bounds(of motion: Motion, style: StageStyle) -> Rect {
    var (left, top, right, bottom) = (1e9, 1e9, -1e9, -1e9)
    let shadow = 2.6 * style.shadow.blur + style.shadow.offsetY
    for card in cards.suffix(style.visibleCards) {
      for pose in [motion.from, motion.to] {
        let c = card.center(in: pose)
        let s = pose.scale * mix(1, max(card.fit, card.morph?.fit ?? 0), pose.fit)
        let size = card.largest
        // For small angles the sine is below the angle and the cosine below 1: the box is large enough.
        let lean = abs(card.slot.rotation) + abs(motion.from.turn) + abs(motion.to.turn)
        let halfWidth = (size.width + min(1, lean) * size.height) / 2 * s
        let halfHeight = (size.height + min(1, lean) * size.width) / 2 * s
        let margin = max(shadow * max(1, s), style.badgeRoom)
        left = min(left, c.x - halfWidth - margin)
        right = max(right, c.x + halfWidth + margin)
        top = min(top, c.y - halfHeight - margin)
        bottom = max(bottom, c.y + halfHeight + margin)
      }
    }
    guard left <= right else { return .zero }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func whole(_ v: Double) -> Int32 { Int32(max(1, min(8192, v.rounded(.up)))) }

  // MARK: Drawing

  /// Writes the surface for `time`. With unchanged content, it writes the position only.
  ///
  /// `touch` is the displayed touch of a sprite that follows a touch. `moving` means that something besides the
  /// motion is running, such as a badge that pops.
  mutating func draw(
    at time: Instant, touch: Point?, badge: BadgeMark, moving: Bool, style: StageStyle, into list: inout DrawList,
    index: Int
  ) {
    let over = motion.isOver(at: time)
    let moving = moving || cards.contains { $0.morph != nil }
    let redraws = isStale || !over || moving
    if redraws { content &+= 1 }
    isStale = !over || moving
    let pose = redraws || touch == nil ? motion.pose(at: time) : motion.to
    let anchor = touch ?? pose.center
    let x = touch == nil ? (anchor.x + corner.x).rounded(.down) : (anchor.x + corner.x).rounded()
    let y = touch == nil ? (anchor.y + corner.y).rounded(.down) : (anchor.y + corner.y).rounded()
    if index == list.surfaces.count { list.surfaces.append(Surface(id: id)) }
    if list.surfaces[index].id != id { list.surfaces[index] = Surface(id: id) }
    list.surfaces[index].x = Sprite.coordinate(x)
    list.surfaces[index].y = Sprite.coordinate(y)
    guard list.surfaces[index].content != content else { return }
    list.surfaces[index].content = content
    list.surfaces[index].width = width
    list.surfaces[index].height = height
    list.surfaces[index].opacity = pose.opacity
    list.surfaces[index].layers.removeAll(keepingCapacity: true)
    // Layers are placed relative to the window's corner before it is rounded to whole pixels, so that a carried stack
    // looks the same everywhere.
    let origin = touch == nil ? Point(x: x, y: y) : corner
    for i in cards.indices.suffix(style.visibleCards) {
      add(
        cards[i], isTop: i == cards.count - 1, pose, at: time, origin: origin, style: style,
        to: &list.surfaces[index].layers)
    }
    list.surfaces[index].badge = mark(badge, pose, at: time, origin: origin)
  }

  /// Adds one layer for a card, or two while its picture changes. In the first half of the change, the new picture
  /// fades in over the old one. In the second half the old picture fades out, in case the new one has holes. Both
  /// have the card's present width.
  ///
  /// Below the topmost card shadows are faint, because full shadows would add up to a smear along the lower edge.
  private func add(
    _ card: Card, isTop: Bool, _ pose: Pose, at time: Instant, origin: Point, style: StageStyle,
    to layers: inout [Layer]
  ) {
    let look = card.look(at: time)
    let center = card.center(in: pose) - origin
    let scale = pose.scale * mix(1, look.fit, pose.fit)
    func layer(_ image: ImageID, _ size: Size, _ isShaped: Bool, opacity: Double) -> Layer {
      Layer(
        image: image, size: size, center: center, scale: scale * look.size.width / size.width,
        rotation: card.slot.rotation * pose.spread + pose.turn, opacity: opacity,
        cornerRadius: isShaped ? 0 : min(style.cornerRadius, 0.25 * min(size.width, size.height)),
        isShaped: isShaped,
        shadow: Shadow(
          blur: style.shadow.blur, offsetY: style.shadow.offsetY * pose.elevation,
          opacity: style.shadow.opacity * pose.elevation * (isTop ? 1 : style.lowerShadow)))
    }
    if let old = card.morph, look.share < 1 {
      layers.append(layer(old.image, old.size, old.isShaped, opacity: min(1, 2 * (1 - look.share))))
    }
    layers.append(layer(card.image, card.size, card.isShaped, opacity: min(1, 2 * look.share)))
  }

  /// The badge's mark, on the top right corner of the topmost card.
  private func mark(_ badge: BadgeMark, _ pose: Pose, at time: Instant, origin: Point) -> BadgeMark {
    guard badge.badge != .none, let top = cards.last else { return .absent }
    let look = top.look(at: time)
    let s = pose.scale * mix(1, look.fit, pose.fit)
    let angle = top.slot.rotation * pose.spread  // small: sin a ≈ a, cos a ≈ 1
    let dx = look.size.width / 2 * s - 3
    let dy = -look.size.height / 2 * s + 3
    let c = top.center(in: pose) - origin
    var mark = badge
    mark.center = Point(x: c.x + dx - dy * angle, y: c.y + dy + dx * angle)
    return mark
  }

  static func coordinate(_ v: Double) -> Int32 {
    guard v.isFinite else { return 0 }
    return Int32(max(-30_000, min(30_000, v)))
  }
}
