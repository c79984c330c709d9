package import CarryModel
import CarrySessions
import CarryStage

/// Sessions driven by keys, and announcements for people who may not see the screen.
extension Director {
  /// Handles a press of a key that is held for drags.
  package func handle(_ step: KeyStep, at now: Instant) {
    let focus = step == .pickUp && !keyboard.isActive ? screen.focusedWindow() : nil
    keyboard.press(step, focus: focus, newContact: fingers.newContact, &engine, at: now, into: &actions) {
      announcements.append($0)
    }
    carryOut()
    announceAll(at: now)
  }

  /// Grabs the keys of a drag, or returns them to the applications while nothing is dragged. Called at the end of
  /// every turn.
  package func holdKeys(at now: Instant) {
    advanceKeys(to: now)
    screen.setHoldsCancelKey(engine.isCarrying || panel.newestRunning != nil)
    screen.setHoldsDragKeys(keyboard.isActive)
  }

  /// Lets the keyboard driver look at its session.
  private func advanceKeys(to now: Instant) {
    guard keyboard.isActive else { return }
    keyboard.advance(newContact: fingers.newContact, &engine, at: now, into: &actions) { announcements.append($0) }
    carryOut()
    announceAll(at: now)
  }

  /// Esc was pressed: cancels everything that is lifted or carried, or else the newest visible transfer.
  package func cancelDrags(at now: Instant) {
    guard engine.isCarrying else { return cancelNewestTransfer(at: now) }
    keyboard.cancel { announcements.append($0) }
    send(.cancelDrags, at: now)
    announceAll(at: now)
  }

  /// The screen is locked: cancels everything that is lifted or carried. Transfers continue.
  package func screenLocked(at now: Instant) {
    if engine.isCarrying { cancelDrags(at: now) }
  }

  private func announceAll(at now: Instant) {
    if let region = keyboard.region { spokenRegion = region }
    for announcement in announcements {
      clients.announce(words(announcement), inSandboxes: words(announcement, hasLabels: false), at: now)
    }
    announcements = []
  }

  /// - Parameter hasLabels: whether to include applications' own texts, which may name what is dragged.
  private func words(_ announcement: KeyboardDriver.Announcement, hasLabels: Bool = true) -> String {
    func name(_ client: ClientID) -> String {
      let application = SafeText.displayable(clients.name(of: client))
      guard hasLabels, let spoken = spokenRegion, let region = engine.region(spoken), region.client == client,
        let label = engine.label(of: spoken)
      else {
        return application
      }
      // The label of a stand-in is the application's name, and the shelf's labels say where they are.
      if region.isStandIn || engine.isShelf(client) { return label }
      return "\(label) in \(application)"
    }
    switch announcement {
    case .lifted(let client, let index, let count): return "Lifted from \(name(client)), \(index) of \(count)"
    case .pickedUp(let items): return "Picked up \(items) item\(items == 1 ? "" : "s")"
    // A move from the shelf goes to its bin.
    case .over(let client, .move) where engine.isShelf(client): return "Over \(name(client)): takes it off the shelf"
    case .over(let client, let operation): return "Over \(name(client)): \(operation.name)"
    case .nothingToPickUp: return "Nothing to pick up"
    case .nothingTakesIt: return "Nothing here takes it"
    case .dropped(let client): return "Dropped on \(name(client))"
    case .cancelled: return "Cancelled"
    }
  }
}
