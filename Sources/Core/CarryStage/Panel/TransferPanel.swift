package import CarryModel

/// When the window for slow transfers is shown, and with which content (R5, Z16). Pure.
///
///     waiting ──half a second, and data is under way──▶ running ──ends──▶ over ──a moment; a failure longer──▶ gone
///     undo ──withdrawn──▶ gone
///
/// These are the states of a row. The window is shown while any row is past waiting. A drop that ends while it waits
/// never becomes visible. No deadline is set while no data is under way.
package struct TransferPanel {
  /// The request made by a press on a button.
  package enum Wish: Equatable, Sendable {
    case cancel(SessionID)
    case undo(SessionID)
  }

  private struct Running {
    var status: TransferStatus
    var rate = TransferRate()
  }

  private enum State {
    /// The drop is young, or nothing has been requested yet; checked again at this time.
    case waiting(until: Instant)
    case running(Running)
    case over(until: Instant)
    case undo
  }

  private struct Entry {
    let session: SessionID
    let point: Point
    var state: State
    /// Whether its destination shows the progress itself.
    var isQuiet = false
    /// The row's content; undefined while it waits.
    var row: PanelContent.Row

    var isSeen: Bool { if case .waiting = state { false } else { true } }
    var isRunning: Bool { if case .running = state { true } else { false } }
    var isUndo: Bool { if case .undo = state { true } else { false } }
  }

  /// How long a drop may take before a row is shown.
  package static let patience = Interval.milliseconds(500)
  /// The time between two updates of the progress.
  package static let refresh = Interval.milliseconds(250)
  /// How long a finished row stays.
  package static let farewell = Interval.milliseconds(300)
  /// How long a row shows why it failed.
  package static let failureStay = Interval.seconds(3)
  /// How long presses are ignored after a button was used: a touch also arrives as a click.
  package static let pressPause = Interval.milliseconds(400)
  /// Maximum number of visible rows.
  package static let maxRows = 4

  private var entries: [Entry] = []
  private var nextRefresh: Instant?
  private var pressed: SessionID?
  private var lastUse: Instant?
  /// Whether anything may look different since `takeChanged`.
  private var hasChanged = false

  package init() {}

  // MARK: Events

  /// A drop was made at a point of the screen.
  package mutating func dropBegan(_ session: SessionID, at point: Point, time: Instant) {
    entries.append(
      Entry(
        session: session, point: point, state: .waiting(until: time + Self.patience),
        row: .init(session: session, title: "")))
  }

  /// All loads of a drop are over.
  ///
  /// - Parameter failure: why a load failed; nil if none did, or the user cancelled.
  package mutating func ended(_ session: SessionID, _ failure: LoadFailure?, at now: Instant) {
    guard let i = entries.firstIndex(where: { $0.session == session && !$0.isUndo }) else { return }
    guard entries[i].isRunning else {
      // A row that is over already shows its result.
      if !entries[i].isSeen { entries.remove(at: i) }
      return
    }
    if let failure {
      finish(i, PanelText.failure(failure), until: now + Self.failureStay)
      entries[i].row.isFailed = true
      entries[i].row.bar = .none
    } else {
      finish(i, "Done", until: now + Self.farewell)
      entries[i].row.bar = .filled(1)
    }
  }

  /// The user has cancelled a drop's loads.
  package mutating func cancelled(_ session: SessionID, at now: Instant) {
    guard let i = entries.firstIndex(where: { $0.session == session && $0.isRunning }) else { return }
    finish(i, "Cancelled", until: now + Self.farewell)
  }

  private mutating func finish(_ i: Int, _ words: String, until: Instant) {
    hasChanged = true
    entries[i].state = .over(until: until)
    entries[i].row.detail = words
    entries[i].row.button = nil
    if pressed == entries[i].session { pressed = nil }
  }

  /// Shows that a move can be undone, until it is withdrawn.
  ///
  /// - Parameter title: safe to show.
  package mutating func showUndo(_ session: SessionID, _ title: String, at point: Point) {
    hideUndo(session)
    hasChanged = true
    var row = PanelContent.Row(session: session, title: title)
    row.button = .undo
    // The drop's own row is no longer needed.
    entries.removeAll { $0.session == session }
    entries.append(Entry(session: session, point: point, state: .undo, row: row))
  }

  package mutating func hideUndo(_ session: SessionID) {
    entries.removeAll { $0.session == session && $0.isUndo }
    hasChanged = true
    if pressed == session { pressed = nil }
  }

  /// Nothing of a session remains in the engine.
  package mutating func forget(_ session: SessionID) {
    entries.removeAll { $0.session == session && ($0.isRunning || !$0.isSeen) }
    hasChanged = true
  }

  // MARK: Time

  /// When `advance` has to be called; nil if nothing is due.
  package var deadline: Instant? {
    var next: Instant?
    for entry in entries {
      switch entry.state {
      case .waiting(let until), .over(let until): next = Instant.earliest(next, until)
      case .running: next = Instant.earliest(next, nextRefresh)
      case .undo: break
      }
    }
    return next
  }

  /// Advances all rows to the present time.
  ///
  /// - Parameters:
  ///   - status: the progress of a drop's loads; nil if none is under way.
  ///   - name: a client's name, safe to show.
  package mutating func advance(
    to now: Instant, status: (SessionID) -> TransferStatus?, name: (ClientID) -> String
  ) {
    guard let deadline, deadline <= now else { return }
    hasChanged = true
    for i in entries.indices {
      switch entries[i].state {
      case .waiting(let until) where until <= now:
        if let status = status(entries[i].session) {
          entries[i].isQuiet = status.isQuiet
          entries[i].state = .running(Running(status: status))
          read(i, status, name, at: now)
        } else {
          entries[i].state = .waiting(until: now + Self.patience)
        }
      case .running where nextRefresh.map { $0 <= now } ?? true:
        if let status = status(entries[i].session) { read(i, status, name, at: now) }
      case .waiting, .running, .over, .undo: break
      }
    }
    // Rows whose destination shows the progress itself never become visible, and are not checked again.
    entries.removeAll { $0.isQuiet }
    entries.removeAll { if case .over(let until) = $0.state { until <= now } else { false } }
    nextRefresh = entries.contains { $0.isRunning } ? now + Self.refresh : nil
  }

  private mutating func read(_ i: Int, _ status: TransferStatus, _ name: (ClientID) -> String, at now: Instant) {
    guard case .running(var running) = entries[i].state else { return }
    running.status = status
    if let bytes = status.bytes { running.rate.note(bytes, at: now) }
    entries[i].state = .running(running)
    entries[i].row.title = PanelText.title(status)
    entries[i].row.target = "to " + name(status.destination)
    entries[i].row.detail = PanelText.detail(status, running.rate, waitsFor: name(status.source))
    entries[i].row.bar = status.fraction.map { .filled($0) } ?? .unknown
    entries[i].row.button = .cancel
  }

  // MARK: Content

  /// Whether anything may look different since the last call.
  package mutating func takeChanged() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  /// Whether the window is shown.
  package var isShown: Bool { entries.contains { $0.isSeen } }

  /// The newest drop that is visible and can be cancelled.
  package var newestRunning: SessionID? {
    // Queried in every turn, so nothing is collected.
    var newest: SessionID?
    var rows = 0
    for entry in entries where entry.isSeen && rows < Self.maxRows {
      rows += 1
      if entry.isRunning { newest = entry.session }
    }
    return newest
  }

  /// The window's content; nil if it is hidden.
  package var content: PanelContent? {
    let seen = entries.filter(\.isSeen)
    guard let first = seen.first else { return nil }
    let rows = seen.prefix(Self.maxRows).map { entry in
      var row = entry.row
      row.isPressed = row.button != nil && entry.session == pressed
      return row
    }
    return PanelContent(rows: rows, hidden: seen.count - rows.count, anchor: first.point)
  }

  // MARK: Buttons

  /// A finger or a mouse button came down on a row's button; nil for anywhere else.
  package mutating func press(_ session: SessionID?, at now: Instant) {
    if let lastUse, now - lastUse < Self.pressPause { return }
    pressed = session
    hasChanged = true
  }

  /// It went up, over a row's button or elsewhere.
  ///
  /// - Returns: what the user wants; nil unless it went up where it came down.
  package mutating func release(_ session: SessionID?, at now: Instant) -> Wish? {
    guard let old = pressed else { return nil }
    pressed = nil
    hasChanged = true
    guard old == session, let entry = entries.first(where: { $0.session == old && $0.row.button != nil }) else {
      return nil
    }
    lastUse = now
    return entry.isUndo ? .undo(old) : .cancel(old)
  }
}
