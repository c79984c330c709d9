import CarryModel

@testable import CarrySessions

/// What is so whenever nothing happens, whatever has happened before: every play looks after every step.
extension SessionEngine {
  /// The first rule that is broken; nil when all is well.
  var brokenRule: String? {
    for session in sessions {
      if let what = session.brokenRule { return "session \(session.id.raw) (\(session.phase.name)): \(what)" }
      if sessions.contains(where: { $0 !== session && !$0.isOver && !session.isOver && $0.contact == session.contact })
      {
        return "finger \(session.contact.raw) carries two sessions"
      }
    }
    for session in sessions {
      guard let held = session.drag?.visits.target?.region ?? session.drop?.region, session.isHandled(by: held),
        region(held)?.roles.contains(.simultaneous) == false
      else { continue }
      if sessions.contains(where: { $0 !== session && $0.isHandled(by: held) }) {
        return "region \(held.raw) has two sessions"
      }
    }
    for guest in sessions where guest.isLent {
      guard let host = host(of: guest) else { continue }
      if host.drop != nil || host.isGone { return "guest \(guest.id.raw) stays after the end of its host's drag" }
      let own = Set(host.borrowed.values.filter { $0.session == guest.id }.map(\.item))
      if !own.isSubset(of: guest.items.map(\.id)) { return "guest \(guest.id.raw) has lent what it does not have" }
    }
    for session in sessions {
      let borrowed = Set(session.items.map(\.id)).intersection(session.borrowed.keys)
      if borrowed.count != session.borrowed.count {
        return "session \(session.id.raw) has borrowed what it does not carry"
      }
    }
    for transfer in transfers where sessions.find(transfer.session)?.drop == nil {
      return "transfer \(transfer.id.raw) belongs to no drop"
    }
    // Somebody else ends these, and may never do so.
    let waits = sessions.contains { session in
      switch session.phase {
      case .asking, .releasing, .settling, .cancelling, .joining: true
      // Z15: the shelf keeps items as long as it likes.
      // Z23: a guest waits for its host's end, and for the end of that turn.
      // X2: a destination keeps its drop open as long as it likes.
      case .dropping:
        !kept.holds(session.id) && host(of: session) == nil && !guestsMayEnd && session.drop?.isKeptOpen != true
      case .lifting, .dragging, .lent, .gone: false
      }
    }
    return waits && nextDeadline == nil ? "nothing is waited for" : nil
  }
}

extension Session {
  fileprivate var brokenRule: String? {
    switch phase {
    case .gone: return "it is still there"
    case .asking, .lifting, .settling:
      if !additions.isEmpty { return "a tap adds to what is not carried" }
      if case .unasked = sourceOptions {} else { return "the source was asked too early" }
    case .joining:
      if case .unasked = sourceOptions { return items.isEmpty ? nil : "its source was not asked who may see it" }
    case .dragging, .releasing, .cancelling, .dropping, .lent:
      if case .unasked = sourceOptions { return "the source was not asked" }
    }
    if case .asking = phase { return items.isEmpty ? nil : "items that nobody has named" }
    if items.isEmpty { return "nothing is lifted" }
    return drag.flatMap { $0.brokenRule(of: self) }
  }
}

extension Drag {
  fileprivate func brokenRule(of session: Session) -> String? {
    let all = visits.all
    if Set(all.map(\.region)).count != all.count { return "a region is visited twice" }
    for visit in all {
      if visits[visit.region]?.client != visit.client { return "region \(visit.region.raw) is not found" }
      if visit.isInside, !visits.isTarget(visit.region) {
        return "inside region \(visit.region.raw), which is no target"
      }
    }
    if let target = visits.target, !target.isInside, target.answerDue == nil {
      return "target \(target.region.raw) is neither asked nor entered"
    }
    if !session.optionsAreKnown, !all.isEmpty { return "it was seen before the source said by whom" }
    if isFullSize, session.items.count > 1 { return "several are carried large" }
    if session.isReleasing, spring.place != nil { return "it springs something open without a finger" }
    if session.isReleasing, !helpers.isEmpty { return "other fingers are on a stack that is let go" }
    return nil
  }
}
