import CarryContacts
import CarryDisplay
import CarryModel
import CarrySessions
import CarrySystem
import CarryWireServer

/// Sessions that keys drive, and the words for those who may not see the screen.
extension Daemon {
  func handle(_ step: KeyStep, at now: Instant) {
    let focus = step == .pickUp && !keyboard.isActive ? display.focusedWindow() : nil
    withEngine { engine, actions in
      self.keyboard.press(
        step, focus: focus, newContact: self.inputs.identifiers.next, &engine, at: now, into: &actions
      ) { self.announcements.append($0) }
    }
    announceAll(at: now)
  }

  /// Looks how the session is that keys drive; at the end of every turn.
  func advanceKeys(to now: Instant) {
    guard keyboard.isActiveInPlace() else { return }
    withEngine { engine, actions in
      self.keyboard.advance(newContact: self.inputs.identifiers.next, &engine, at: now, into: &actions) {
        self.announcements.append($0)
      }
    }
    announceAll(at: now)
  }

  /// Esc was pressed.
  func cancelDrags(at now: Instant) {
    keyboard.cancel { announcements.append($0) }
    withEngine { $0.cancelDrags(at: now, into: &$1) }
    announceAll(at: now)
  }

  private func announceAll(at now: Instant) {
    if let region = keyboard.region { spokenRegion = region }
    for announcement in announcements { server.announce(words(announcement), at: now) }
    announcements = []
  }

  private func words(_ announcement: KeyboardDriver.Announcement) -> String {
    func name(_ client: ClientID) -> String {
      let application = SafeText.displayable(server.name(of: client))
      guard let region = spokenRegion, engine.region(region)?.client == client, let label = server.label(of: region)
      else {
        return application
      }
      return "\(label) in \(application)"
    }
    switch announcement {
    case .lifted(let client, let index, let count): return "Lifted from \(name(client)), \(index) of \(count)"
    case .pickedUp(let items): return "Picked up \(items) item\(items == 1 ? "" : "s")"
    case .over(let client, let operation): return "Over \(name(client)): \(operation.name)"
    case .nothingToPickUp: return "Nothing to pick up"
    case .nothingTakesIt: return "Nothing here takes it"
    case .dropped(let client): return "Dropped on \(name(client))"
    case .cancelled: return "Cancelled"
    }
  }
}
