import CarryGestures
package import CarryModel

/// How long a carried stack has been held still, for springing windows open.
struct DesktopHover {
  private(set) var origin = Point.zero
  private(set) var since = Instant.zero
  /// What is under the finger has been looked at; only another place is looked at again.
  var isSpent = true
  /// Raised, and not left since.
  var raised: DesktopView.Choice?
  /// The window that the stack was lifted in stays where it is until the stack has been elsewhere: who still gathers
  /// there does not want it in front of the target.
  var hasLeftSource = false

  mutating func begin(at point: Point, _ now: Instant) {
    origin = point
    since = now
    isSpent = false
  }
}

/// Z10: a stack that is held over a task bar's entry, or over what can be seen of a covered window, brings that window
/// to the front.
///
/// Nothing is known of the desktop's windows while a finger moves: once it has rested, they are read, as they are then.
extension SessionEngine {
  /// The finger moved, or the windows did.
  mutating func updateHover(_ session: Session, at now: Instant) {
    guard settings.springsWindows, session.phase == .dragging else { return }
    let point = session.point
    if !session.hover.hasLeftSource {
      let source = tree.toplevel(of: session.window)
      let here = tree.window(at: point).flatMap { tree.toplevel(of: $0.window) }
      if here != source { session.hover.hasLeftSource = true }
    }
    if let raised = session.hover.raised, !raised.area.contains(point) { session.hover.raised = nil }
    // S1 comes first: what springs open by itself is what the user waits for.
    let slop = settings.springSlop * session.slopScale
    if session.spring != nil || point.distance(to: session.hover.origin) > slop {
      session.hover.begin(at: point, now)
    }
  }

  func hoverDeadline(_ session: Session) -> Instant? {
    guard settings.springsWindows, session.phase == .dragging, session.optionsAreKnown,
      !session.hover.isSpent, session.spring == nil
    else { return nil }
    return session.hover.since + settings.windowDelay
  }

  mutating func advanceHover(_ session: Session, to now: Instant, into actions: inout [SessionAction]) {
    guard let due = hoverDeadline(session), due <= now else { return }
    session.hover.isSpent = true
    actions.append(.lookAtDesktop(session.id))
  }

  /// The answer to `lookAtDesktop`.
  ///
  /// - Parameter windows: as the window manager says; anybody may have said it in its place.
  package mutating func learnedWindows(
    _ windows: [DesktopWindow], for id: SessionID, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard let session = find(id), session.phase == .dragging else { return }
    let spared = session.hover.hasLeftSource ? nil : tree.toplevel(of: session.window)
    let view = DesktopView(tree, windows)
    guard let choice = view.choice(at: session.point, sparing: spared),
      session.hover.raised?.window != choice.window
    else { return }
    session.hover.raised = choice
    actions.append(.raise(choice.window))
    monitor(.windowRaised, session, at: now, into: &actions)
  }
}
