import Carry
import DemoKit

/// How the notes look.
extension Notes {
  static let paper = Color(0xFCFBF7)

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let l = layout
    c.fill(l.all, Self.paper)
    drawBar(on: c, l)
    if let link = note.link, let box = l.link { drawLink(link, on: c, in: box) }
    c.saved {
      c.clip(Box(0, l.page.y - 8, size.width, l.page.height + 8))
      for b in l.boxes(note.selection) { c.fill(b.inset(-1), radius: 3, Color(0xF6C65B, 0.45)) }
      if note.text.isEmpty { drawHint(on: c, l) }
      c.draw(l.lines, at: l.origin)
      for p in l.pictures { pictures[p.mark]?.draw(on: c, in: p.box, now: app.now) }
      drawCarets(on: c, l)
    }
    if !app.engine.isConnected { c.drawAbsence(in: l.all) }
    let isArriving = l.pictures.contains { pictures[$0.mark]?.arrival.isOver(at: app.now) == false }
    if isArriving || !plusGlow.isOver(at: app.now) || plusState == .activating { window.animate() }
  }

  private func drawBar(on c: Canvas, _ l: Layout) {
    c.fill(Box(0, 0, l.all.width, Layout.bar), from: Color(0xECE8DE), to: Color(0xE3DED2))
    c.fill(Box(0, Layout.bar - 1, l.all.width, 1), Color(0xCFC8B8))
    if isLetter {
      let style = TextStyle(13, .semibold, color: Color(0x6D675B))
      return c.draw(note.title, style, centeredIn: Box(Layout.margin, 0, l.all.width - 2 * Layout.margin, Layout.bar))
    }
    for (i, tab) in l.tabs.enumerated() {
      let isCurrent = i == current
      let box = Box(tab.x, tab.y, tab.width, tab.height + (isCurrent ? 8 : 0))
      if isCurrent {
        c.saved {
          c.clip(Box(0, 0, l.all.width, Layout.bar))
          c.fill(box.inset(-1), radius: 9, Color(0xCFC8B8))
          c.fill(box, radius: 8, Color(0xFCFBF7))
          c.fill(Box(tab.x + 12, tab.y, tab.width - 24, 2.5), radius: 1, Color(0xEBAF36))
        }
      } else if litTab == i || hovered.map(tab.contains) == true {
        c.fill(
          Box(tab.x, tab.y + 3, tab.width, tab.height - 7), radius: 7, Color.white.faded(litTab == i ? 0.85 : 0.45))
      }
      let style = TextStyle(13, isCurrent ? .semibold : .regular, color: Color(isCurrent ? 0x33302B : 0x6D675B))
      let room = isCurrent && tab.width > 80 ? 44.0 : 20
      c.draw(notes[i].title, style, centeredIn: Box(tab.x + 10, tab.y, tab.width - room, tab.height))
      if isCurrent, tab.width > 80 { drawCross(on: c, Self.cross(of: tab)) }
    }
    drawPlus(on: c, l.plus)
  }

  static func cross(of tab: Box) -> Box { Box(tab.maxX - 30, tab.y + 7, 24, 24) }

  private func drawCross(on c: Canvas, _ box: Box) {
    if hovered.map(box.contains) == true { c.fill(box.inset(3), radius: 5, Color.black.faded(0.07)) }
    let m = box.center
    for k in [-1.0, 1] {
      c.move(m.x - 3.5, m.y - 3.5 * k)
      c.line(m.x + 3.5, m.y + 3.5 * k)
      c.strokePath(Color(0x8C8575), width: 1.6)
    }
  }

  private func drawPlus(on c: Canvas, _ box: Box) {
    let glow = plusGlow.value(at: app.now)
    // Three flashes a second while it is about to open.
    let flash = plusState == .activating && Int(app.now * 8) % 2 == 0
    let amber = Color(0xEBAF36)
    if glow > 0 {
      c.fill(box.inset(-3 * glow), radius: 10, (flash ? Color(0xFFE3A3) : amber).faded(glow))
    } else if hovered.map(box.contains) == true {
      c.fill(box, radius: 8, Color.white.faded(0.6))
    }
    let m = box.center
    let ink = Color(0x6D675B).mixed(with: flash ? Color(0x7A5410) : .white, glow)
    for (dx, dy) in [(6.5, 0.0), (0, 6.5)] {
      c.move(m.x - dx, m.y - dy)
      c.line(m.x + dx, m.y + dy)
      c.strokePath(ink, width: 2.2)
    }
  }

  private func drawLink(_ link: Link, on c: Canvas, in box: Box) {
    c.shadow(box, radius: 12, blur: 12, drop: 2, 0.14)
    c.fill(box, radius: 12, .white)
    c.stroke(box.inset(0.5), radius: 12, Color(0xE4DFD3))
    let badge = Box(box.x + 13, box.y + 13, 40, 40)
    let hues: [UInt32] = [0x3E7CC4, 0x4F9D69, 0xC9654F, 0x8467B5, 0x2F8F9B]
    let hue = Color(hues[link.host.unicodeScalars.reduce(0) { ($0 + Int($1.value)) % hues.count }])
    c.fill(badge, radius: 10, from: hue.mixed(with: .white, 0.2), to: hue)
    c.draw(link.host.prefix(1).uppercased(), TextStyle(20, .semibold, color: .white), centeredIn: badge)
    let room = box.width - 82
    let name = TextLayout(link.title ?? link.host, TextStyle(15, .semibold), width: room, isOneLine: true)
    let address = TextLayout(link.address, TextStyle(12, color: Color(0x7C7568)), width: room, isOneLine: true)
    c.draw(name, at: Point(x: box.x + 66, y: box.y + 13))
    c.draw(address, at: Point(x: box.x + 66, y: box.y + 36))
  }

  private func drawHint(on c: Canvas, _ l: Layout) {
    let words =
      isLetter
      ? "Write, or drop text and pictures here."
      : note.link == nil
        ? "Write, or drop text and pictures here.\nA link dropped on + opens in a tab of its own."
        : "Write about it here."
    c.draw(
      TextLayout(words, TextStyle(16, color: Color(0xB7B0A1)), width: l.page.width, spacing: 1.35), at: l.origin)
  }

  private func drawCarets(on c: Canvas, _ l: Layout) {
    let dropCarets = surface?.page?.dropCarets ?? []
    for offset in dropCarets {
      let b = l.caret(at: offset)
      c.fill(Box(b.x - 1.5, b.y - 2, 3, b.height + 4), radius: 1.5, .accent)
      c.circle(Point(x: b.x, y: b.y - 3), radius: 4)
      c.fillPath(.accent)
    }
    guard dropCarets.isEmpty, window.isFocused else { return }
    // A caret blinks, and stands while one types.
    let phase = (app.now - blinkStart).truncatingRemainder(dividingBy: 1.1)
    if phase < 0.6 {
      let b = l.caret(at: note.caret)
      c.fill(Box(b.x - 0.75, b.y - 1, 1.6, b.height + 2), Color(0xC8871A))
    }
    blinkAgain(in: phase < 0.6 ? 0.6 - phase : 1.1 - phase)
  }

  private func blinkAgain(in seconds: Double) {
    guard !blinks else { return }
    blinks = true
    app.after(seconds + 0.01) { [weak self] in
      self?.blinks = false
      self?.window.redraw()
    }
  }
}
