import CarryModel

/// Cards that share one preview window and move together.
struct Sprite {
  let id: SurfaceID
  /// From the bottom up; only the last few are drawn.
  var cards: [Card]
  private(set) var motion: Motion
  private(set) var width: Int32 = 0
  private(set) var height: Int32 = 0
  /// The window's corner from the touch (when it follows one), or from the centre of the fan.
  private var corner = Point.zero
  private var content: UInt64 = 1
  /// Whether what was drawn last is not what is to be seen.
  private var isStale = true

  init(id: SurfaceID, cards: [Card], motion: Motion) {
    self.id = id
    self.cards = cards
    self.motion = motion
  }

  mutating func invalidate() { isStale = true }

  func isAtRest(at time: Instant) -> Bool { motion.isOver(at: time) && !isStale }

  // MARK: Geometry

  /// Starts another motion of a sprite that follows `touch`; the window gets room for all of it.
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

  /// Starts a flight across the screen; the window goes along with the centre of the fan.
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

  /// Only for cards whose fit is 1, so that nothing seen changes.
  mutating func setFit(_ fit: Double) { (motion.from.fit, motion.to.fit) = (fit, fit) }

  /// Changes where a flight ends, in screen pixels.
  mutating func aim(at center: Point) { motion.to.center = center }

  /// Lets go of the room that the way here needed, once it is over.
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

  /// Keeps the sprite where it is on the screen while the touch it follows is replaced by another.
  mutating func rebase(by d: Point) {
    corner = corner + d
    motion.from.center = motion.from.center + d
    motion.to.center = motion.to.center + d
  }

  /// The box round everything that is drawn between the two poses, shadow and badge included.
  private func bounds(of motion: Motion, style: StageStyle) -> Rect {
    var (left, top, right, bottom) = (1e9, 1e9, -1e9, -1e9)
    let shadow = 2.6 * style.shadow.blur + style.shadow.offsetY
    for card in cards.suffix(style.visibleCards) {
      for pose in [motion.from, motion.to] {
        let c = card.center(in: pose)
        let s = card.scale(in: pose)
        // For small angles the sine is below the angle and the cosine below 1: the box is large enough.
        let lean = abs(card.slot.rotation)
        let halfWidth = (card.size.width + lean * card.size.height) / 2 * s
        let halfHeight = (card.size.height + lean * card.size.width) / 2 * s
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

  /// Writes the surface as it is at `time`; with unchanged content only the position is touched.
  ///
  /// `touch` is the displayed touch of a sprite that follows one. `moving` says that something else than the motion
  /// runs, such as a badge that pops.
  mutating func draw(
    at time: Instant, touch: Point?, badge: BadgeMark, moving: Bool, style: StageStyle, into list: inout DrawList,
    index: Int
  ) {
    let over = motion.isOver(at: time)
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
    // Layers are placed from the window's corner as it would be without rounding to whole pixels, so that a carried
    // stack looks the same wherever it is.
    let origin = touch == nil ? Point(x: x, y: y) : corner
    for card in cards.suffix(style.visibleCards) {
      list.surfaces[index].layers.append(layer(card, pose, origin: origin, style: style))
    }
    list.surfaces[index].badge = mark(badge, pose, origin: origin)
  }

  private func layer(_ card: Card, _ pose: Pose, origin: Point, style: StageStyle) -> Layer {
    Layer(
      image: card.image, size: card.size, center: card.center(in: pose) - origin, scale: card.scale(in: pose),
      rotation: card.slot.rotation * pose.spread, opacity: 1,
      cornerRadius: min(style.cornerRadius, 0.25 * min(card.size.width, card.size.height)),
      shadow: Shadow(
        blur: style.shadow.blur, offsetY: style.shadow.offsetY * pose.elevation,
        opacity: style.shadow.opacity * pose.elevation))
  }

  /// The badge sits on the top right corner of the topmost card.
  private func mark(_ badge: BadgeMark, _ pose: Pose, origin: Point) -> BadgeMark {
    guard badge.badge != .none, let top = cards.last else { return .absent }
    let s = top.scale(in: pose)
    let angle = top.slot.rotation * pose.spread  // small: sin a ≈ a, cos a ≈ 1
    let dx = top.size.width / 2 * s - 3
    let dy = -top.size.height / 2 * s + 3
    let c = top.center(in: pose) - origin
    var mark = badge
    mark.center = Point(x: c.x + dx - dy * angle, y: c.y + dy + dx * angle)
    return mark
  }

  private static func coordinate(_ v: Double) -> Int32 {
    guard v.isFinite else { return 0 }
    return Int32(max(-30_000, min(30_000, v)))
  }
}
