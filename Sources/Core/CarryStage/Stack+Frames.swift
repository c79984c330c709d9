import CarryModel

/// A stack's surfaces, frame by frame.
extension Stack {
  // These methods change the stack in place, because every motion draws a frame, and reading a stack from its array
  // copies it.

  /// - Returns: whether there may be pictures that are no longer visible.
  mutating func advance(to time: Instant, style: StageStyle) -> Bool {
    var some = forgetMorphs(at: time)
    land(at: time, style: style)
    forgetLag(at: time, style: style)
    if phase == .lifting || phase == .carried {
      sprite.rest(following: displayedTouch(at: time, style: style), at: time, style: style)
    }
    let flying = departures.count
    if flying > 0 { departures.removeAll { $0.motion.isOver(at: time) } }
    if departures.count < flying { some = true }
    return some
  }

  /// Writes the frames of the stack's possible targets; `draw` writes the rest.
  mutating func drawHighlights(at time: Instant, style: StageStyle, into list: inout DrawList, _ n: inout Int) {
    for j in highlights.indices {
      highlights[j].draw(at: time, touch: nil, badge: .absent, moving: false, style: style, into: &list, index: n)
      n += 1
    }
  }

  /// Writes the stack's surfaces from index `n` on, and moves `n` past them.
  mutating func draw(at time: Instant, style: StageStyle, into list: inout DrawList, _ n: inout Int) {
    if phase != .leaving {
      for j in companions.indices {
        companions[j].draw(at: time, touch: nil, badge: .absent, moving: false, style: style, into: &list, index: n)
        n += 1
      }
      let touch = displayedTouch(at: time, style: style)
      sprite.draw(
        at: time, touch: touch, badge: mark(at: time, style: style), moving: badgePops(at: time), style: style,
        into: &list, index: n)
      n += 1
      let center = touch + sprite.motion.to.center
      for j in arrivals.indices {
        arrivals[j].aim(at: center)
        arrivals[j].draw(at: time, touch: nil, badge: .absent, moving: false, style: style, into: &list, index: n)
        n += 1
      }
    }
    if phase == .carried, reason != nil { drawReason(at: time, style: style, into: &list, &n) }
    for j in departures.indices {
      departures[j].draw(at: time, touch: nil, badge: .absent, moving: false, style: style, into: &list, index: n)
      n += 1
    }
  }

  /// Writes the reason above the topmost card, or below the card at the edge of the screen.
  private func drawReason(at time: Instant, style: StageStyle, into list: inout DrawList, _ n: inout Int) {
    guard let reason else { return }
    let touch = displayedTouch(at: time, style: style)
    let pose = sprite.motion.to
    let half = (sprite.cards.last.map { $0.size.height * $0.scale(in: pose) } ?? 0) / 2
    let room = style.labelSize
    let middle = touch + pose.center
    let above = middle.y - half - style.badgeRadius - room.height
    let y = above < 0 ? middle.y + half + style.badgeRadius : above
    let t = Easing.outCubic(progress(from: reason.since, for: style.badgePop, at: time))
    var surface = Surface(id: reason.id)
    (surface.x, surface.y) = (Sprite.coordinate(middle.x - room.width / 2), Sprite.coordinate(y))
    (surface.width, surface.height) = (Int32(room.width), Int32(room.height))
    // The content changes only while the text fades in.
    surface.content = 1 + UInt64(t * 1000)
    surface.badge = BadgeMark(
      badge: .label(reason.text), center: Point(x: room.width / 2, y: room.height / 2), radius: style.badgeRadius,
      scale: 1, opacity: t)
    if n == list.surfaces.count { list.surfaces.append(surface) } else { list.surfaces[n] = surface }
    n += 1
  }
}
