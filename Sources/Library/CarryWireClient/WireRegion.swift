package import CarryModel
import CWayland
import CWaylandClient

/// The events of a region.
package enum WireRegionEvent: WireEvent {
  case refused(String)
  /// To be answered with the session's items, then its `answer`.
  case beginDrag(WireDragSession, SessionID, serial: UInt32, Point)
  /// Several sessions could accept the items of a tap; to be answered with `choose`.
  case chooseSession(serial: UInt32, [SessionID], Point)
  /// To be answered with the session's items, then its `answer`.
  case addToDrag(SessionID, serial: UInt32, Point)
  case dropSession(WireDropSession, SessionID)
  case spring(SessionID, state: UInt32, Point)
  case touchCancelled(UInt32)
  /// To be answered with `answerPress`.
  case press(serial: UInt32, Point)
  case lost
}

/// The application's end of a region. It stays alive until the engine has confirmed its end.
package final class WireRegion: WireEventSource<WireRegionEvent> {
  override package func unhandled(_ event: WireRegionEvent) {
    if case .beginDrag(let session, _, let serial, _) = event { session.answer(serial: serial) }
  }

  override func listen(_ proxy: OpaquePointer) { carry_region_add_listener(proxy, Self.listener.pointer, data) }

  package func setRectangle(x: Int32, y: Int32, width: Int32, height: Int32) {
    request(MessageSize.of(words: 4), newest: .rectangle) { carry_region_set_rectangle($0, x, y, width, height) }
  }

  package func setRoles(_ roles: RegionRoles) {
    request(MessageSize.of(words: 1), newest: .roles) { carry_region_set_roles($0, roles.rawValue) }
  }

  package func setEdgeZone(_ width: Int) {
    let width = UInt32(max(0, min(10_000, width)))
    request(MessageSize.of(words: 1), newest: .edgeZone) { carry_region_set_edge_zone($0, width) }
  }

  package func setAcceptedTypes(_ types: String) {
    request(MessageSize.of(words: 0, types), newest: .acceptedTypes) { carry_region_set_accepted_types($0, types) }
  }

  package func setLabel(_ label: String) {
    request(MessageSize.of(words: 0, label), newest: .label) { carry_region_set_label($0, label) }
  }

  /// Puts the region above all other regions of its window.
  package func raise() { request(MessageSize.of(words: 0), newest: .raise) { carry_region_raise($0) } }

  package func choose(serial: UInt32, _ session: SessionID?) {
    request(MessageSize.of(words: 2)) { carry_region_choose($0, serial, session?.raw ?? 0) }
  }

  package func answerPress(serial: UInt32, mayBegin: Bool) {
    request(MessageSize.of(words: 2)) { carry_region_answer_press($0, serial, mayBegin ? 1 : 0) }
  }

  package func askAgain() { request(MessageSize.of(words: 0), newest: .askAgain) { carry_region_ask_again($0) } }

  package func refuseSpring(_ session: SessionID) {
    request(MessageSize.of(words: 1)) { carry_region_refuse_spring($0, session.raw) }
  }

  /// Ends the region; no callbacks follow.
  package func withdraw() {
    forget()
    request(MessageSize.of(words: 1)) { carry_region_withdraw($0, 0) }
  }

  private static let listener = ListenerTable(
    carry_region_listener(
      refused: { data, _, _, message in target(data, WireRegion.self)?.deliver(.refused(string(message))) },
      begin_drag: { data, _, session, number, serial, x, y in
        guard let session, let o = target(data, WireRegion.self) else { return }
        o.deliver(.beginDrag(WireDragSession(session, o.objects), SessionID(number), serial: serial, point(x, y)))
      },
      choose_session: { data, _, serial, sessions, x, y in
        guard let o = target(data, WireRegion.self), let list = sessions?.pointee, let words = list.data else { return }
        let bytes = UnsafeRawBufferPointer(start: words, count: list.size)
        let numbers = (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        o.deliver(.chooseSession(serial: serial, numbers.map { SessionID($0) }, point(x, y)))
      },
      add_to_drag: { data, _, session, serial, x, y in
        target(data, WireRegion.self)?.deliver(.addToDrag(SessionID(session), serial: serial, point(x, y)))
      },
      drop_session: { data, _, session, number in
        guard let session, let o = target(data, WireRegion.self) else { return }
        o.deliver(.dropSession(WireDropSession(session, o.objects), SessionID(number)))
      },
      withdrawn: { data, _, _ in target(data, WireRegion.self)?.end { carry_region_destroy($0) } },
      spring: { data, _, session, state, x, y in
        target(data, WireRegion.self)?.deliver(.spring(SessionID(session), state: state, point(x, y)))
      },
      touch_cancelled: { data, _, touch in target(data, WireRegion.self)?.deliver(.touchCancelled(touch)) },
      press: { data, _, serial, x, y in
        target(data, WireRegion.self)?.deliver(.press(serial: serial, point(x, y)))
      }))
}

/// The events of a monitor.
package enum WireMonitorEvent: WireEvent {
  case step(WireMonitor.Step)
  case announcement(Instant, String)
  case detail(Instant, ListedDetail)
  case lost
}

/// Reports the steps of all sessions to an application that observes them.
package final class WireMonitor: WireEventSource<WireMonitorEvent> {
  /// One step; values that do not apply are nil or empty.
  package struct Step: Sendable {
    package var time: Instant
    package var kind: String
    package var session: SessionID
    package var items: Int
    package var types: [String]
    /// In screen pixels.
    package var point: Point
    package var operation: DropOperation?
    package var source: String
    package var target: String?
    package var device: String
    /// Of a drag that was released beside the drop regions: the nearest of these, and how far it is in pixels.
    package var nearest: Nearest?
    /// The labels of the regions; nil for none, and in a sandbox.
    package var sourceLabel: String?
    package var targetLabel: String?
  }

  package struct Nearest: Sendable {
    package var client: String
    package var label: String?
    package var offset: Point
  }

  /// What the next step is about.
  private var missed: (session: SessionID, nearest: Nearest)?

  override func listen(_ proxy: OpaquePointer) { carry_monitor_add_listener(proxy, Self.listener.pointer, data) }

  /// Also reports details from now on.
  package func watchDetails() { request(MessageSize.of(words: 0)) { carry_monitor_watch_details($0) } }

  private static func time(_ seconds: UInt32, _ microseconds: UInt32) -> Instant {
    Instant(microseconds: Int64(seconds) * 1_000_000 + Int64(microseconds))
  }

  /// Stops watching.
  package func stop() { end { carry_monitor_destroy($0) } }

  private static let listener = ListenerTable(
    carry_monitor_listener(
      step: {
        data, _, seconds, microseconds, kind, session, items, types, x, y, operation, source, to, device, sourceLabel,
        targetLabel in
        guard let monitor = target(data, WireMonitor.self) else { return }
        let missed = monitor.missed
        monitor.missed = nil
        monitor.deliver(
          .step(
            Step(
              time: time(seconds, microseconds), kind: string(kind),
              session: SessionID(session), items: Int(items),
              types: string(types).split(separator: "\n").map(String.init), point: point(x, y),
              operation: DropOperation(rawValue: operation), source: string(source),
              target: to.map { String(cString: $0) }, device: string(device),
              nearest: missed?.session.raw == session ? missed?.nearest : nil,
              sourceLabel: sourceLabel.map { String(cString: $0) },
              targetLabel: targetLabel.map { String(cString: $0) })))
      },
      announcement: { data, _, seconds, microseconds, text in
        target(data, WireMonitor.self)?.deliver(
          .announcement(time(seconds, microseconds), string(text)))
      },
      missed: { data, _, session, client, label, x, y in
        target(data, WireMonitor.self)?.missed = (
          SessionID(session),
          Nearest(client: string(client), label: label.map { String(cString: $0) }, offset: point(x, y))
        )
      },
      contact: { data, _, seconds, microseconds, contact, gesture, x, y, due, session in
        let due = due == 0 ? nil : Interval(microseconds: Int64(due))
        target(data, WireMonitor.self)?.deliver(
          .detail(
            time(seconds, microseconds),
            .contact(
              contact, gesture: string(gesture), point(x, y), due: due,
              session: session == 0 ? nil : SessionID(session))))
      },
      question: { data, _, seconds, microseconds, serial, kind, session, client, label in
        target(data, WireMonitor.self)?.deliver(
          .detail(
            time(seconds, microseconds),
            .question(
              serial: serial, kind: string(kind), session: session == 0 ? nil : SessionID(session),
              client: string(client), label: label.map { String(cString: $0) })))
      },
      question_over: { data, _, seconds, microseconds, serial in
        target(data, WireMonitor.self)?.deliver(.detail(time(seconds, microseconds), .questionOver(serial: serial)))
      },
      transfer: { data, _, seconds, microseconds, transfer, session, high, low, totalHigh, totalLow in
        target(data, WireMonitor.self)?.deliver(
          .detail(
            time(seconds, microseconds),
            .transfer(transfer, session: SessionID(session), TransferProgress(high, low, of: totalHigh, totalLow))))
      },
      transfer_over: { data, _, seconds, microseconds, transfer in
        target(data, WireMonitor.self)?.deliver(.detail(time(seconds, microseconds), .transferOver(transfer)))
      }))
}
