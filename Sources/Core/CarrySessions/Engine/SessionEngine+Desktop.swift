import CarryGestures
package import CarryModel

/// Holding a stack over a task bar's entry, or over the visible part of a covered window, raises that window (Z10).
///
/// The desktop's windows are read only after a finger has rested, not while it moves.
extension SessionEngine {
  /// The finger moved, or the windows did.
  mutating func updateHover(_ drag: Drag, of session: Session, at now: Instant) {
    guard settings.spring.raisesWindows, session.isCarried else { return }
    let point = session.point
    if !drag.hover.hasLeftSource {
      let source = tree.toplevel(of: session.window)
      let here = tree.window(at: point).flatMap { tree.toplevel(of: $0.window) }
      if here != source { drag.hover.leaveSource() }
    }
    drag.hover.moved(
      to: point, slop: settings.spring.slop * drag.scale, isSpringing: drag.spring.place != nil, at: now)
  }

  mutating func advanceHover(_ drag: Drag, of session: Session, to now: Instant, into actions: inout [SessionAction]) {
    guard let due = drag.hoverDeadline(settings.spring, of: session), due <= now else { return }
    drag.hover.spend()
    actions.append(.lookAtDesktop(session.id))
  }

  /// Handles the answer to `lookAtDesktop`.
  ///
  /// - Parameter windows: the window manager's list. Any X client may have forged it.
  package mutating func learnedWindows(
    _ windows: [DesktopWindow], for id: SessionID, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let session = sessions.find(id), let drag = session.carriedDrag else { return }
    let spared = drag.hover.hasLeftSource ? nil : tree.toplevel(of: session.window)
    let view = DesktopView(tree, windows)
    guard let choice = view.choice(at: session.point, sparing: spared), drag.hover.raise(choice)
    else { return }
    actions.append(.raise(choice.window))
    monitor(.windowRaised, session, at: now, into: &actions)
  }
}

extension Drag {
  func hoverDeadline(_ settings: Settings.Spring, of session: Session) -> Instant? {
    guard settings.raisesWindows, session.optionsAreKnown, spring.place == nil else { return nil }
    return hover.deadline(settings.windowDelay)
  }
}
