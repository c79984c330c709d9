import CarryGestures
package import CarryModel

/// Drives a session by keys (Z14). The driver moves a virtual finger from place to place; the session is like any
/// other.
///
///     idle ──pickUp──▶ choosing ──confirm──▶ carrying ──confirm──▶ dropping ──▶ idle
///                       │  ▲                  │  ▲
///                 next, previous:       next, previous: the next region that
///                 the next drag region  would accept it, passing over
///                                       regions that would not
///
/// In `choosing` the item is lifted, so that the user sees which it is. Esc ends every session, including this one.
/// The driver is not copyable, so that its owner always changes it in place.
package struct KeyboardDriver: ~Copyable {
  /// A step to announce to a person who may not see the screen.
  package enum Announcement: Equatable, Sendable {
    /// An item is lifted: number `index` of the items that can be picked up.
    case lifted(ClientID, index: Int, of: Int)
    case pickedUp(items: Int)
    case over(ClientID, DropOperation)
    case nothingToPickUp
    case nothingTakesIt
    case dropped(ClientID)
    case cancelled
  }

  private enum State: Equatable {
    case idle
    case choosing(SessionID, announced: Bool)
    /// Waiting for the answer of the region under the finger.
    case asking(SessionID, until: Instant)
    case carrying(SessionID)
    case dropping(SessionID)
  }

  /// How long a region may take to answer after the finger came over it.
  private static let patience = Interval.seconds(Limits.answerSeconds)

  private var state = State.idle
  private var contact = ContactID(0)
  private var point = Point.zero
  private var places: [SessionEngine.Place] = []
  /// The window whose drag regions come first.
  private var focus: WindowID?
  private var index = 0
  private var isBackwards = false
  /// How many regions were passed over since the last accepting region.
  private var passed = 0

  package init() {}

  /// Whether keys other than the pick-up key have a meaning now.
  package var isActive: Bool { state != .idle }

  /// Whether the contact is the driver's finger.
  package func has(_ contact: ContactID) -> Bool { isActive && contact == self.contact }

  /// The region under the driver's finger.
  package var region: RegionID? { isActive && places.indices.contains(index) ? places[index].region : nil }

  /// When the driver stops waiting for an answer.
  package var nextDeadline: Instant? {
    if case .asking(_, let until) = state { return until }
    return nil
  }

  // MARK: Keys

  /// Handles a key press.
  ///
  /// - Parameters:
  ///   - focus: the window that has the focus: its drag regions come first.
  ///   - newContact: allocates the number of a finger.
  package mutating func press(
    _ step: KeyStep, focus: WindowID?, newContact: () -> ContactID, _ engine: inout SessionEngine, at now: Instant,
    into actions: inout [SessionAction], say: (Announcement) -> Void
  ) {
    switch (state, step) {
    case (.idle, .pickUp):
      self.focus = focus
      places = engine.places(.drag, first: focus)
      index = 0
      passed = 0
      isBackwards = false
      liftHere(newContact, &engine, at: now, into: &actions, say)
    case (.choosing, .next), (.choosing, .previous), (.choosing, .pickUp):
      // Items that are still sinking back count as sessions, too.
      guard places.count > 1, engine.hasRoom else { return }
      send(.liftReversed, &engine, now, &actions)
      isBackwards = step == .previous
      passed = 0
      refreshPlaces(&engine)
      moveOn()
      liftHere(newContact, &engine, at: now, into: &actions, say)
    case (.choosing(let id, _), .confirm):
      guard engine.keyState(id) == .lifted else { return }
      passed = 0
      send(.dragBegan, &engine, now, &actions)
      say(.pickedUp(items: engine.itemCount(id)))
      state = .carrying(id)
    case (.carrying(let id), .next), (.carrying(let id), .previous), (.asking(let id, _), .next),
      (.asking(let id, _), .previous):
      let current = places.indices.contains(index) ? places[index].region : nil
      places = engine.places(.drop, first: nil)
      isBackwards = step == .previous
      passed = 0
      if let here = places.firstIndex(where: { $0.region == current }) {
        index = here
        moveOn()
      } else {
        index = isBackwards ? places.count - 1 : 0
      }
      goHere(id, &engine, at: now, into: &actions, say)
    case (.carrying(let id), .confirm), (.asking(let id, _), .confirm):
      send(.dragEnded, &engine, now, &actions)
      state = .dropping(id)
      // A drop that needs no more answers is decided already.
      if case .dropping(let client) = engine.keyState(id) { end(.dropped(client), say) }
    case (.idle, _), (.carrying, .pickUp), (.asking, .pickUp), (.dropping, _):
      break
    }
  }

  /// Reads the session's state and continues accordingly. Called after everything that may have changed the session.
  package mutating func advance(
    newContact: () -> ContactID, _ engine: inout SessionEngine, at now: Instant, into actions: inout [SessionAction],
    say: (Announcement) -> Void
  ) {
    switch state {
    case .idle: break
    case .choosing(let id, let announced):
      switch engine.keyState(id) {
      case .asking: break
      case .lifted:
        guard !announced, places.indices.contains(index) else { return }
        passed = 0
        state = .choosing(id, announced: true)
        say(.lifted(places[index].client, index: index + 1, of: places.count))
      case .carried: state = .carrying(id)
      case .dropping, .over:
        // If the item was lifted already, something else ended its session. If not, the region has nothing to lift.
        guard !announced else { return end(.cancelled, say) }
        passed += 1
        moveOn()
        liftHere(newContact, &engine, at: now, into: &actions, say)
      }
    case .asking(let id, let until):
      switch engine.keyState(id) {
      case .carried(let answer):
        switch answer {
        case .takes(let client, let operation):
          passed = 0
          state = .carrying(id)
          say(.over(client, operation))
        case .waiting where now < until: break
        case .waiting, .refuses:
          passed += 1
          moveOn()
          goHere(id, &engine, at: now, into: &actions, say)
        }
      case .asking, .lifted: break
      case .dropping, .over: end(.cancelled, say)
      }
    case .carrying(let id), .dropping(let id):
      switch engine.keyState(id) {
      case .asking, .lifted, .carried: break
      case .dropping(let client): end(.dropped(client), say)
      case .over: end(.cancelled, say)
      }
    }
  }

  /// The user pressed Esc, and the engine is about to cancel every drag. A drop that is under way continues.
  package mutating func cancel(say: (Announcement) -> Void) {
    switch state {
    case .idle, .dropping: break
    case .choosing, .asking, .carrying: end(.cancelled, say)
    }
  }

  private mutating func end(_ what: Announcement, _ say: (Announcement) -> Void) {
    state = .idle
    places = []
    say(what)
  }

  /// Updates the places, because a lift may have shown others: the shelf's tab opens.
  private mutating func refreshPlaces(_ engine: inout SessionEngine) {
    let current = region
    let found = engine.places(.drag, first: focus)
    guard let here = found.firstIndex(where: { $0.region == current }) else { return }
    (places, index) = (found, here)
  }

  private mutating func moveOn() {
    guard !places.isEmpty else { return }
    index = (index + (isBackwards ? places.count - 1 : 1)) % places.count
  }

  // MARK: The finger

  private func send(
    _ kind: GestureEvent.Kind, _ engine: inout SessionEngine, _ now: Instant, _ actions: inout [SessionAction]
  ) {
    let event = GestureEvent(kind, contact: contact, point: point, time: now)
    engine.handle(.gesture(event: event, on: nil, isHeld: false), at: now, into: &actions)
  }

  private mutating func liftHere(
    _ newContact: () -> ContactID, _ engine: inout SessionEngine, at now: Instant, into actions: inout [SessionAction],
    _ say: (Announcement) -> Void
  ) {
    while passed < places.count {
      contact = newContact()
      point = places[index].point
      send(.pressed, &engine, now, &actions)
      send(.liftBegan, &engine, now, &actions)
      send(.lifted, &engine, now, &actions)
      if let id = engine.session(of: contact) {
        state = .choosing(id, announced: false)
        return
      }
      passed += 1
      moveOn()
    }
    end(.nothingToPickUp, say)
  }

  private mutating func goHere(
    _ id: SessionID, _ engine: inout SessionEngine, at now: Instant, into actions: inout [SessionAction],
    _ say: (Announcement) -> Void
  ) {
    guard passed < places.count, places.indices.contains(index) else {
      state = .carrying(id)
      return say(.nothingTakesIt)
    }
    point = places[index].point
    state = .asking(id, until: now + Self.patience)
    send(.dragMoved, &engine, now, &actions)
  }
}
