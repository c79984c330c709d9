import CarryContacts
import CarryDirector
import CarryDisplay
package import CarryModel
import CarryWireServer

// The real implementations of the director's protocols.

extension Display: Screen {
  package func readDesktop() -> [DesktopWindow] { desktop.read() }
  package func activate(_ window: WindowID) { desktop.activate(window) }
}

extension WireServer: Clients {
  package func apply(_ settings: Settings) {
    enablesDrags = settings.lift.isEnabled
    fewItems = settings.animation.fewItems
    liftApplications = settings.lift.isEnabled ? settings.lift.applications : []
  }

  package func step(_ event: MonitorEvent, device: String) {
    step(
      time: event.time, kind: event.kind.rawValue, session: event.session, items: event.items, types: event.seen,
      point: event.point, operation: event.operation, source: name(of: event.source),
      target: event.target.map { name(of: $0) },
      nearest: event.nearest.map { (name(of: $0.client), label(of: $0.region), $0.offset) }, device: device)
  }
}

extension Input: Fingers {
  func newContact() -> ContactID { identifiers.next() }
}
