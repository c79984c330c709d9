import CarryGestures
package import CarryModel

/// Targets that spring open under a drag: docs/behaviour.md, 2.4.
extension SessionEngine {
  mutating func updateSpring(
    _ session: Session, _ region: Region?, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    if let spring = session.spring, spring.region != region?.id {
      leaveSpring(session, into: &actions)
    }
    if session.springRefused != region?.id { session.springRefused = nil }
    if session.springsAtRest > 0,
      session.point.distance(to: session.springRest) > settings.springSlop * session.slopScale
    {
      session.springsAtRest = 0
    }
    guard let region, session.phase == .dragging, session.springRefused == nil else { return }
    if session.spring == nil {
      // T22: regions that open one another under a finger that rests come to an end.
      guard session.springsAtRest < Limits.springDepth else { return }
      let slop = settings.springSlop * session.slopScale
      session.spring = (region.id, region.client, SpringDwell(at: session.point, slop: slop, time: now))
      actions.append(.spring(region.client, region.id, session.id, .possible, local))
    } else {
      let point = session.point
      session.spring?.dwell.moved(to: point, time: now)
    }
  }

  mutating func leaveSpring(_ session: Session, into actions: inout [SessionAction]) {
    guard let spring = session.spring else { return }
    session.spring = nil
    if let region = region(spring.region) {
      let point = local(session.point, in: region.window)
      actions.append(.spring(spring.client, spring.region, session.id, .inactive, point))
    }
  }

  /// The region under the finger does not want to spring open while the drag is over it this time.
  package mutating func refusedSpring(
    by client: ClientID, _ id: SessionID, region: RegionID, into actions: inout [SessionAction]
  ) {
    guard let session = find(id), let spring = session.spring, spring.client == client, spring.region == region
    else { return }
    leaveSpring(session, into: &actions)
    session.springRefused = region
  }

  mutating func advanceSpring(_ session: Session, to now: Instant, into actions: inout [SessionAction]) {
    guard session.phase == .dragging else { return }
    while let state = session.spring?.dwell.advance(to: now, settings), let spring = session.spring {
      guard let region = region(spring.region) else { return }
      let point = local(session.point, in: region.window)
      actions.append(.spring(spring.client, spring.region, session.id, state, point))
      if state == .activated {
        session.springsAtRest += 1
        session.springRest = session.point
      }
      if state == .activated { monitor(.springActivated, session, target: spring.client, at: now, into: &actions) }
    }
  }
}
