package import CarryModel

/// Undo after a move (Z16).
extension SessionEngine {
  /// A move's data has been transferred: its source may offer to undo it.
  mutating func expectUndo(_ session: Session, _ drop: Drop, at now: Instant, into actions: inout [SessionAction]) {
    guard drop.operation == .move, !session.sourceIsGone, !drop.isCancelled else { return }
    var windows = [session.window]
    if let target = region(drop.region)?.window, target != session.window { windows.append(target) }
    let old = undoOffers.expect(session.id, from: session.client, in: windows, at: session.point, time: now)
    if let old { over(old, into: &actions) }
  }

  /// The source offers to undo a move.
  ///
  /// - Parameter title: what was done, such as "Moved 2 items". Safe to show.
  package mutating func offeredUndo(
    by client: ClientID, _ id: SessionID, _ title: String, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard !title.isEmpty, let offer = undoOffers.offer(id, by: client, at: now) else { return }
    actions.append(.showUndo(id, title: title, offer.point))
  }

  /// Undoes a move for the user.
  package mutating func undo(_ id: SessionID, into actions: inout [SessionAction]) {
    for offer in undoOffers.take(where: { $0.session == id && $0.isShown }) {
      actions.append(.source(offer.source, id, .undo))
      over(offer, into: &actions)
    }
  }

  /// The user pressed the undo key in a window: undoes the newest move that involves this window.
  package mutating func undo(in window: WindowID, into actions: inout [SessionAction]) {
    let offer = undoOffers.all.last { offer in
      offer.isShown && offer.windows.contains { $0 == window || tree.toplevel(of: $0) == window }
    }
    if let offer { undo(offer.session, into: &actions) }
  }

  /// The windows in which the undo key counts now: the window manager's, or without one the applications'.
  package var undoWindows: [WindowID] {
    var windows: [WindowID] = []
    for offer in undoOffers.all where offer.isShown {
      for window in offer.windows {
        guard let window = tree.toplevel(of: window), !windows.contains(window) else { continue }
        windows.append(window)
      }
    }
    return windows
  }

  /// Ends expired offers.
  mutating func endUndo(at now: Instant, into actions: inout [SessionAction]) {
    guard let due = undoOffers.deadline, due <= now else { return }
    for offer in undoOffers.take(where: { $0.until <= now }) { over(offer, into: &actions) }
  }

  /// Withdraws the offers of a source that is gone.
  mutating func forgetUndo(of client: ClientID, into actions: inout [SessionAction]) {
    for offer in undoOffers.take(where: { $0.source == client }) { over(offer, into: &actions) }
  }

  /// Withdraws all offers, because the engine stops or the screen is lost.
  mutating func forgetAllUndo(into actions: inout [SessionAction]) {
    for offer in undoOffers.take(where: { _ in true }) { over(offer, into: &actions) }
  }

  private func over(_ offer: UndoOffers.Offer, into actions: inout [SessionAction]) {
    if offer.isShown { actions.append(.hideUndo(offer.session)) }
    if offer.isAlone { actions.append(.forget(offer.session)) }
  }
}
