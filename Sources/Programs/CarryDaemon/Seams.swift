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
}

extension Input: Fingers {
  func newContact() -> ContactID { identifiers.next() }
}
