import CarryGestures
package import CarryModel

/// Targets that spring open under a drag: docs/behaviour.md, 2.4.
extension SessionEngine {
  mutating func updateSpring(
    _ s: Int, _ region: Region?, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    if let spring = sessions[s].spring, spring.region != region?.id {
      leaveSpring(s, into: &actions)
    }
    if sessions[s].springRefused != region?.id { sessions[s].springRefused = nil }
    if sessions[s].springsAtRest > 0,
      sessions[s].point.distance(to: sessions[s].springRest) > settings.springSlop * sessions[s].slopScale
    {
      sessions[s].springsAtRest = 0
    }
    guard let region, sessions[s].phase == .dragging, sessions[s].springRefused == nil else { return }
    if sessions[s].spring == nil {
      // T22: regions that open one another under a finger that rests come to an end.
      guard sessions[s].springsAtRest < Limits.springDepth else { return }
      let slop = settings.springSlop * sessions[s].slopScale
      sessions[s].spring = (region.id, region.client, SpringDwell(at: sessions[s].point, slop: slop, time: now))
      actions.append(.spring(region.client, region.id, sessions[s].id, .possible, local))
    } else {
      let point = sessions[s].point
      sessions[s].spring?.dwell.moved(to: point, time: now)
    }
  }

  mutating func leaveSpring(_ s: Int, into actions: inout [SessionAction]) {
    guard let spring = sessions[s].spring else { return }
    sessions[s].spring = nil
    if let region = region(spring.region) {
      let point = local(sessions[s].point, in: region.window)
      actions.append(.spring(spring.client, spring.region, sessions[s].id, .inactive, point))
    }
  }

  /// The region under the finger does not want to spring open while the drag is over it this time.
  package mutating func refusedSpring(
    by client: ClientID, _ id: SessionID, region: RegionID, into actions: inout [SessionAction]
  ) {
    guard let s = index(of: id), let spring = sessions[s].spring, spring.client == client, spring.region == region
    else { return }
    leaveSpring(s, into: &actions)
    sessions[s].springRefused = region
  }

  mutating func advanceSpring(_ s: Int, to now: Instant, into actions: inout [SessionAction]) {
    guard sessions[s].phase == .dragging else { return }
    while let state = sessions[s].spring?.dwell.advance(to: now, settings), let spring = sessions[s].spring {
      guard let region = region(spring.region) else { return }
      let point = local(sessions[s].point, in: region.window)
      actions.append(.spring(spring.client, spring.region, sessions[s].id, state, point))
      if state == .activated {
        sessions[s].springsAtRest += 1
        sessions[s].springRest = sessions[s].point
      }
      if state == .activated { monitor(.springActivated, s, target: spring.client, at: now, into: &actions) }
    }
  }
}
