import CarryGestures
package import CarryModel

/// Spring loading of the regions under a drag: docs/behaviour.md, 2.4.
extension SessionEngine {
  mutating func updateSpring(
    _ drag: Drag, of session: Session, _ region: Region?, _ local: Point, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    if let place = drag.spring.place, place.region != region?.id { leaveSpring(drag, of: session, into: &actions) }
    let slop = settings.spring.slop * drag.scale
    let begins = drag.spring.moved(
      to: session.point, over: region, slop: slop, mayBegin: session.isCarried, at: now)
    if begins, let region { actions.append(.spring(region.client, region.id, session.id, .possible, local)) }
    frameSpring(drag, of: session, into: &actions)
  }

  /// Frames the region that may spring open, if it does not draw that itself. The frame fades in anew as a flash.
  private mutating func frameSpring(_ drag: Drag, of session: Session, into actions: inout [SessionAction]) {
    var frame: Drag.SpringFrame?
    if let place = drag.spring.place, let region = region(place.region), region.roles.contains(.framed),
      place.state == .possible || place.state == .activating
    {
      frame = visibleRect(of: region).map { Drag.SpringFrame(rect: $0, isFlashing: place.state == .activating) }
    }
    guard frame != drag.springFrame else { return }
    drag.springFrame = frame
    actions.append(.stage(session.id, .highlight(drag.targetFrames + (frame.map { [$0.rect] } ?? []))))
  }

  mutating func leaveSpring(_ drag: Drag, of session: Session, into actions: inout [SessionAction]) {
    guard let left = drag.spring.leave(), let region = region(left.region) else { return }
    let point = tree.local(session.point, in: region.window)
    actions.append(.spring(left.client, left.region, session.id, .inactive, point))
    frameSpring(drag, of: session, into: &actions)
  }

  /// The region under the finger refuses to spring open until the drag moves on.
  package mutating func refusedSpring(
    by client: ClientID, _ id: SessionID, region: RegionID, into actions: inout [SessionAction]
  ) {
    guard let session = sessions.find(id), let drag = session.carriedDrag, drag.spring.refuse(region, by: client) else {
      return
    }
    leaveSpring(drag, of: session, into: &actions)
  }

  mutating func advanceSpring(_ drag: Drag, of session: Session, to now: Instant, into actions: inout [SessionAction]) {
    while let place = drag.spring.place, let region = region(place.region),
      let state = drag.spring.advance(to: now, at: session.point, settings.spring)
    {
      let point = tree.local(session.point, in: region.window)
      actions.append(.spring(place.client, place.region, session.id, state, point))
      if state == .activated {
        monitor(
          .springActivated, session, target: place.client, targetRegion: place.region, at: now, into: &actions)
      }
      frameSpring(drag, of: session, into: &actions)
    }
  }
}
