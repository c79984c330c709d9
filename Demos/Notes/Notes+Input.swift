import Carry
import DemoKit

/// Mouse, fingers and keys.
extension Notes {
  private func target(at p: Point, _ l: Layout) -> Target? {
    guard !isLetter else { return nil }
    if l.plus.inset(-4).contains(p) { return .plus }
    guard let i = l.tabs.firstIndex(where: { $0.inset(-2).contains(p) }) else { return nil }
    return i == current && l.tabs[i].width > 80 && Self.cross(of: l.tabs[i]).contains(p) ? .close : .tab(i)
  }

  func pointer(_ e: PointerEvent) {
    let l = layout
    switch e.phase {
    case .began: began(e, l)
    case .moved: dragged(e, l)
    case .ended: ended(e, l)
    case .cancelled: grips[e.source] = nil
    case .scrolled(let lines): scroll(to: scroll + lines * 22)
    case .hovered:
      hovered = e.place.y < Layout.bar ? e.place : nil
      window.redraw()
    case .left:
      hovered = nil
      window.redraw()
    }
  }

  private func began(_ e: PointerEvent, _ l: Layout) {
    if let target = target(at: e.place, l) {
      grips[e.source] = .pressing(target)
    } else if e.place.y >= Layout.bar {
      // A finger scrolls, and places the caret when it only tapped; a mouse selects.
      if e.isTouch {
        grips[e.source] = .panning(from: e.place, scroll: scroll, moved: false)
      } else {
        grips[e.source] = .selecting
        let offset = l.offset(at: e.place)
        if e.clicks == 3, let p = note.paragraphs.first(where: { $0.lowerBound <= offset && offset <= $0.upperBound }) {
          notes[current].select(p)
        } else {
          notes[current].place(at: offset, selecting: e.modifiers.contains(.shift))
        }
        moved()
      }
    }
  }

  private func dragged(_ e: PointerEvent, _ l: Layout) {
    switch grips[e.source] {
    case .selecting:
      notes[current].place(at: l.offset(at: e.place), selecting: true)
      showCaret()
      window.redraw()
    case .panning(let from, let start, let moved):
      guard moved || abs(e.place.y - from.y) > 10 else { return }
      grips[e.source] = .panning(from: from, scroll: start, moved: true)
      scroll(to: start + from.y - e.place.y)
    default: break
    }
  }

  private func ended(_ e: PointerEvent, _ l: Layout) {
    switch grips.removeValue(forKey: e.source) {
    case .pressing(let target):
      guard self.target(at: e.place, l) == target else { return }
      switch target {
      case .plus: open("opened")
      case .tab(let i): show(i)
      case .close: close(current)
      }
    case .panning(_, _, moved: false):
      notes[current].place(at: l.offset(at: e.place))
      moved()
    case .selecting: moved()
    default: break
    }
  }

  func key(_ e: KeyEvent) {
    let selecting = e.modifiers.contains(.shift)
    let id = note.id
    if e.isShortcut("t") {
      if !isLetter { open("opened") }
    } else if e.isShortcut("w") {
      isLetter ? closed() : close(current)
    } else if e.isShortcut("z") {
      undo()
    } else if e.isShortcut("q") {
      closed()
    } else if e.isShortcut("a") {
      notes[current].select(0..<note.text.utf8.count)
      moved()
    } else if !isLetter, e.key == .tab, e.modifiers.contains(.control) {
      show((current + (selecting ? notes.count - 1 : 1)) % notes.count)
    } else {
      switch e.key {
      case .text(let text):
        guard e.modifiers.isDisjoint(with: [.control, .alt]) else { return }
        edit(id, "typed", typing: true) { $0.insert(text) }
      case .enter: edit(id, "typed", typing: true) { $0.insert("\n") }
      case .tab: edit(id, "typed", typing: true) { $0.insert("\t") }
      case .backspace: edit(id, "typed", typing: true) { $0.deleteBackward() }
      case .delete: edit(id, "typed", typing: true) { $0.deleteForward() }
      case .left: go { $0.moveLeft(selecting: selecting) }
      case .right: go { $0.moveRight(selecting: selecting) }
      case .up: goLine(-1, selecting)
      case .down: goLine(1, selecting)
      case .home: goEdge(layout.page.x, selecting)
      case .end: goEdge(1e5, selecting)
      case .pageUp: scroll(to: scroll - layout.page.height * 0.9)
      case .pageDown: scroll(to: scroll + layout.page.height * 0.9)
      case .escape: go { $0.place(at: $0.caret) }
      }
    }
  }

  private func go(_ body: (inout Note) -> Void) {
    body(&notes[current])
    moved()
  }

  private func goLine(_ direction: Double, _ selecting: Bool) {
    let l = layout
    let b = l.caret(at: note.caret)
    let target = l.offset(at: Point(x: b.x, y: b.center.y + direction * max(12, b.height * 1.2)))
    go { $0.place(at: target, selecting: selecting) }
  }

  private func goEdge(_ x: Double, _ selecting: Bool) {
    let l = layout
    let target = l.offset(at: Point(x: x, y: l.caret(at: note.caret).center.y))
    go { $0.place(at: target, selecting: selecting) }
  }
}
