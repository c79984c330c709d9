import CarryGestures
import CarryModel

/// Taps that add items of Carry's own applications to a stack that was lifted out of a foreign application (Z23).
///
/// An application's promises belong to a session of its own, so such a tap begins one: the guest. No finger carries
/// it, and it is neither on the screen nor reported to monitors. Its items are carried in the other session, its
/// host, under numbers that only the engine knows. The application sees a drag without a lift, which ends as the host
/// ends.
///
///     joining ──items, options──▶ lent ──the host is dropped──▶ dropping ──no more loads possible──▶ gone
///        └──no items, restricted, late──▶ gone      └──the host is cancelled, its stack is home──▶ gone
extension SessionEngine {
  /// The stack that a tap on an application's own region adds to while the application itself drags nothing: one that
  /// was lifted out of a foreign application. Nil if there are two, because it is unclear which one is meant.
  func host(for region: Region) -> Session? {
    guard !region.isStandIn else { return nil }
    var found: Session?
    for session in sessions where session.isCarried && session.isLifted {
      guard found == nil else { return nil }
      found = session
    }
    return found?.optionsAreKnown == true ? found : nil
  }

  /// Asks an application what a tap adds to another application's stack.
  mutating func invite(
    _ region: Region, to host: Session, tap: GestureEvent, _ local: Point, corner: Point,
    into actions: inout [SessionAction]
  ) {
    // An application that already has items in the stack knows which, and can leave those out.
    if let guest = guests(of: host).first(where: { $0.client == region.client && $0.isLent }) {
      return askForMore(guest, region, tap: tap.contact, local, at: tap.time, into: &actions)
    }
    guard host.items.count < Limits.itemsPerSession, guests(of: host).count(where: { !$0.isLent }) < 8 else {
      actions.append(.yield(tap.contact))
      return
    }
    let serial = nextSerial()
    let joining = Session.Joining(
      host: host.id, serial: serial, tap: tap.contact, deadline: tap.time + .seconds(Limits.answerSeconds))
    let guest = Session(
      id: SessionID(sessionIDs.next()), region: region, of: programs[region], corner: corner, tap,
      phase: .joining(joining))
    sessions.append(guest)
    tellSource(guest, .itemsForBeginning(region.id, serial: serial, local), into: &actions)
  }

  /// The application has answered what the tap adds: requests its options, because it may restrict its items to
  /// itself.
  mutating func join(
    _ guest: Session, _ joining: Session.Joining, _ items: [ItemDescription], at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guard !items.isEmpty, sessions.find(joining.host)?.isCarried == true else {
      return turnAway(guest, into: &actions)
    }
    guest.append(items)
    let serial = nextSerial()
    guest.sourceOptions = .asked(serial: serial)
    tellSource(guest, .willBegin(serial: serial, guest.localToSource(in: tree)), into: &actions)
  }

  /// The application has answered who may see its items: they join the stack.
  mutating func configured(
    _ guest: Session, _ joining: Session.Joining, _ options: SourceOptions, at now: Instant,
    into actions: inout [SessionAction]
  ) {
    guest.sourceOptions = .known(options)
    guard !options.isRestricted, let host = sessions.find(joining.host), let tap = joining.tap,
      lend(guest.items, of: guest, to: host, from: guest.window, guest.sourceRect, at: now, into: &actions)
    else { return turnAway(guest, into: &actions) }
    actions.append(.claim(tap, guest.region))
    guest.phase = .lent()
  }

  /// Puts items of a guest into its host's stack.
  ///
  /// - Parameters:
  ///   - rect: where they were tapped, in the window's coordinates.
  /// - Returns: false if none of them joins, because the stack is full or the drag is over.
  mutating func lend(
    _ items: [ItemDescription], of guest: Session, to host: Session, from window: WindowID, _ rect: Rect,
    at now: Instant, into actions: inout [SessionAction]
  ) -> Bool {
    guard let drag = host.carriedDrag else { return false }
    let fitting = fitting(items, into: host)
    guard !fitting.isEmpty else { return false }
    let lent = fitting.map { item in
      var copy = item
      // Clients number their own items from 1 up, so numbers from the other end cannot collide with them.
      copy.id = ItemID(.max - guestItemIDs.next())
      copy.program = item.program ?? guest.program
      // An item lent by the shelf keeps its original origin.
      copy.origin = item.origin ?? ItemOrigin(kept: nil, session: guest.id, item: item.id)
      host.borrowed[copy.id] = Session.SourceItem(session: guest.id, item: item.id)
      return copy
    }
    add(lent, to: host, drag, from: window, rect, at: now, into: &actions)
    return true
  }

  /// Ends a guest whose tap adds nothing. The application may have been told that a drag begins.
  mutating func turnAway(_ guest: Session, into actions: inout [SessionAction]) {
    guard case .joining(let joining) = guest.phase else { return }
    if let tap = joining.tap { actions.append(.yield(tap)) }
    if case .unasked = guest.sourceOptions { return forget(guest, into: &actions) }
    tellSource(guest, .willEnd(.cancel), into: &actions)
    leave(guest, .cancel, into: &actions)
  }

  /// Ends a host's guests when its drag ends: dropped, or flying home.
  mutating func endGuests(of host: Session, _ operation: DropOperation, into actions: inout [SessionAction]) {
    for guest in guests(of: host) {
      guard guest.isLent else {
        turnAway(guest, into: &actions)
        continue
      }
      forgetAdditions(guest, into: &actions)
      guard operation.transfersData, let drop = host.drop else {
        tellSource(guest, .willEnd(operation), into: &actions)
        guest.phase = .lent(ending: operation)
        continue
      }
      // The host carries these items on behalf of other applications, so the guest is told `copy`: it keeps its items
      // whatever the drop does.
      tellSource(guest, .willEnd(.copy), into: &actions)
      guest.phase = .dropping(Drop(ofGuestIn: drop))
      tellSource(guest, .didEnd(.copy), into: &actions)
    }
  }

  private mutating func leave(_ guest: Session, _ operation: DropOperation, into actions: inout [SessionAction]) {
    tellSource(guest, .didEnd(operation), into: &actions)
    forget(guest, into: &actions)
  }

  /// Ends the guests whose hosts are gone. Called once a turn.
  mutating func settleGuests(at now: Instant, into actions: inout [SessionAction]) {
    guard guestsMayEnd else { return }
    guestsMayEnd = false
    for guest in sessions {
      guard let host = guest.host, sessions.find(host) == nil else { continue }
      switch guest.phase {
      case .joining: turnAway(guest, into: &actions)
      case .lent(let ending):
        if ending == nil { tellSource(guest, .willEnd(.cancel), into: &actions) }
        leave(guest, ending ?? .cancel, into: &actions)
      default: settleDrop(guest, at: now, into: &actions)
      }
    }
  }

  /// The session that carries the items of a guest, or drops them; nil once it is gone.
  func host(of guest: Session) -> Session? { guest.host.flatMap(sessions.find) }

  private func guests(of host: Session) -> [Session] { sessions.filter { $0.host == host.id } }
}
