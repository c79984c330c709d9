import CarryModel

/// Which region a session is over: docs/behaviour.md, 2.3.
extension SessionEngine {
  /// What lies under a session's finger.
  private struct Sight {
    var drop: Region?
    var dropPoint = Point.zero
    var spring: Region?
    var springPoint = Point.zero
  }

  /// Looks down through the regions under the finger; `busy` are those that another session has.
  private mutating func look(_ s: Int, busy: inout [RegionID]) -> Sight {
    // The copy shares the storage and is gone before anything is changed: it costs no allocation.
    let sessions = self.sessions
    var sight = Sight()
    let isForItsClientOnly = sessions[s].isForItsClientOnly
    regions.search(at: sessions[s].point, roles: [.drop, .spring]) { region, local in
      guard region.client == sessions[s].client || !isForItsClientOnly else { return false }
      if sight.spring == nil, region.roles.contains(.spring) {
        sight.spring = region
        sight.springPoint = local
      }
      // D5: a region that cannot handle the session is as good as absent. D2: it handles one session at a time.
      if sight.drop == nil, region.roles.contains(.drop),
        !sessions[s].hasBeenRefused(by: region.id),
        !sessions[s].passedOver.contains(region.id)
      {
        if !region.roles.contains(.simultaneous),
          sessions.indices.contains(where: { $0 != s && sessions[$0].holds(region.id) })
        {
          busy.append(region.id)
        } else {
          sight.drop = region
          sight.dropPoint = local
        }
      }
      return sight.drop != nil && sight.spring != nil
    }
    return sight
  }

  /// D2: a region that was taken when this session came stays ignored until the session has left its rectangle.
  mutating func updatePassedOver(_ s: Int, _ busy: [RegionID]) {
    for i in sessions[s].passedOver.indices.reversed() {
      if let region = region(sessions[s].passedOver[i]),
        region.rect.contains(local(sessions[s].point, in: region.window))
      {
        continue
      }
      sessions[s].passedOver.remove(at: i)
    }
    sessions[s].passedOver += busy
  }

  /// Why the region under the finger may be another one now.
  enum TargetCause {
    case fingerMoved
    /// A window or region was mapped, moved or raised; a region that was under the finger before hears nothing.
    case somethingMovedUnderTheFinger
    /// The target refused, was silent, or hears of more items: what lies beneath it may be the target now.
    case targetChangedItsMind
  }

  /// Finds the region under the finger and tells whoever is concerned.
  mutating func updateTarget(
    _ s: Int, because cause: TargetCause, at now: Instant, into actions: inout [SessionAction]
  ) {
    guard sessions[s].optionsAreKnown else { return }
    updatePassedOver(s, [])
    var busy: [RegionID] = []
    let sight = look(s, busy: &busy)
    if !busy.isEmpty { updatePassedOver(s, busy) }
    updateSpring(s, sight.spring, sight.springPoint, at: now, into: &actions)
    updateHover(s, at: now)
    var left: ClientID?
    if let t = sessions[s].target, sessions[s].visits[t].region != sight.drop?.id {
      left = sessions[s].visits[t].client
      leaveTarget(s, at: now, into: &actions)
    }
    if let found = sight.drop {
      if let t = sessions[s].target {
        updateEdge(s, found, sight.dropPoint, at: now)
        if cause != .somethingMovedUnderTheFinger, sessions[s].visits[t].state == .inside {
          update(t, of: s, reported(t, of: s, sight.dropPoint, found), into: &actions)
        }
      } else {
        // T21: the time counts until it is over, whatever becomes the target meanwhile: who slides one region under a
        // finger can have another one beneath it or beside it.
        // A list that scrolls under the finger has had the drag all the time.
        if cause == .somethingMovedUnderTheFinger, found.client != left { sessions[s].aim.targetSlidUnder(at: now) }
        updateEdge(s, found, sight.dropPoint, at: now)
        arrive(s, found, sight.dropPoint, at: now, into: &actions)
      }
    }
    updateBadge(s, into: &actions)
    if sessions[s].isFullSize { updateSize(s, into: &actions) }
  }

  /// O7: where the drag is for a region: above the finger if its proposal is precise, but never outside of it.
  func reported(_ v: Int, of s: Int, _ local: Point, _ region: Region) -> Point {
    guard sessions[s].visits[v].proposal?.isPrecise == true else { return local }
    let above = local.y - settings.precisionOffset * sessions[s].slopScale
    return Point(x: local.x, y: min(local.y, max(region.rect.y, above)))
  }

  /// V1 to V7: the picture keeps its size while the source wishes it and the finger is over its window, or while a
  /// destination of the same application does.
  mutating func updateSize(_ s: Int, into actions: inout [SessionAction]) {
    // In place: for every motion a copy of the session would cost more than all else here.
    if sessions[s].options.prefersFullSize, let window = tree.toplevel(of: sessions[s].window),
      tree.screenFrame(of: window)?.contains(sessions[s].point) == true
    {
      return
    }
    if let t = sessions[s].target, sessions[s].visits[t].client == sessions[s].client {
      // One that has not answered yet may still wish it.
      guard sessions[s].visits[t].proposal != nil else { return }
      if sessions[s].visits[t].proposal?.prefersFullSize == true { return }
    }
    sessions[s].isFullSize = false
    actions.append(.stage(sessions[s].id, .scaleDown))
  }

  mutating func arrive(
    _ s: Int, _ region: Region, _ local: Point, at now: Instant, into actions: inout [SessionAction]
  ) {
    if let v = visitIndex(s, of: region.id) {
      sessions[s].target = v
      switch sessions[s].visits[v].state {
      case .outside where sessions[s].visits[v].offered == sessions[s].items.count:
        enter(v, of: s, local, at: now, into: &actions)
      case .outside:
        ask(v, of: s, local, at: now, into: &actions)
      case .asked, .inside, .refused:
        break
      }
      return
    }
    let v = sessions[s].visit(region.id, of: region.client)
    sessions[s].target = v
    ask(v, of: s, local, at: now, into: &actions)
  }

  /// D10: the drag left the region it was over.
  mutating func leaveTarget(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    guard let t = sessions[s].target else { return }
    if sessions[s].visits[t].state == .inside {
      tell(t, of: s, .didExit, into: &actions)
      monitor(.exited, s, at: now, into: &actions)
      sessions[s].visits[t].state = .outside
      sessions[s].visits[t].proposal = nil
      sessions[s].visits[t].updates.forget()
      sessions[s].visits[t].edgeSpeed = .zero
    }
    sessions[s].edge.unblock()
    clearTarget(s)
  }

  /// There is no target any more, and with it ends the dwell in its edge zone.
  mutating func clearTarget(_ s: Int) {
    sessions[s].edge.leave()
    sessions[s].target = nil
  }

  /// Takes a visit out of the list.
  ///
  /// - Returns: whether it was the target's, which is none any more.
  mutating func forgetVisit(_ v: Int, of s: Int) -> Bool {
    let wasTarget = sessions[s].forgetVisit(v)
    if wasTarget { clearTarget(s) }
    return wasTarget
  }

  /// The target refused: asks what lies beneath it. Who answers faster than it can have been asked, thousands of times,
  /// does not keep the others waiting: the rest is looked for once a turn.
  mutating func lookBeneath(_ s: Int, at now: Instant, into actions: inout [SessionAction]) {
    refusalsThisTurn += 1
    guard refusalsThisTurn <= 16 else {
      regionsChanged = true
      return
    }
    updateTarget(s, because: .targetChangedItsMind, at: now, into: &actions)
  }

  /// What the target's newest proposal amounts to; a move that is not allowed counts as cancel.
  func effectiveOperation(_ s: Int) -> DropOperation {
    guard let t = sessions[s].target, sessions[s].visits[t].state == .inside,
      let proposal = sessions[s].visits[t].proposal?.operation
    else { return .cancel }
    if proposal == .move, sessions[s].visits[t].client != sessions[s].client || !sessions[s].options.allowsMove {
      return .cancel
    }
    return proposal
  }

  /// L7, O1, O3, O6: what the stack's badge says now.
  mutating func updateBadge(_ s: Int, into actions: inout [SessionAction]) {
    let n = sessions[s].items.count
    let badge: Badge
    switch sessions[s].phase == .dragging ? effectiveOperation(s) : .cancel {
    case .copy: badge = .copy(n)
    case .forbidden: badge = .forbidden
    case .cancel, .move: badge = n > 1 ? .count(n) : .none
    }
    let reason = badge == .forbidden ? sessions[s].target.flatMap { sessions[s].visits[$0].proposal?.reason } : nil
    if reason != sessions[s].reason {
      sessions[s].reason = reason
      actions.append(.stage(sessions[s].id, .reason(reason)))
    }
    guard badge != sessions[s].badge else { return }
    sessions[s].badge = badge
    actions.append(.stage(sessions[s].id, .badge(badge)))
  }
}
