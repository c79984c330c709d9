import CXcb
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// The connection to the X server for the clipboard. It uses xcb, separate from the application's own connection:
/// Xlib's error handlers belong to the application, as do the events of its connection.
final class PasteboardConnection {
  private let raw: OpaquePointer
  private let x: SelectionConnection
  let server: SelectionServer
  let reader: SelectionReader
  private let timer: DeadlineTimer
  /// The server's time when the clipboard was acquired; nil while it does not belong to this application.
  private var ownedSince: UInt32?
  /// The number of the events for selection owner changes; -1 if the X server does not support them.
  private let ownerEvent: Int32
  /// Another program has destroyed the window that owns the clipboard, which any program can do.
  private var isWindowDestroyed = false
  /// The conversion in which the clipboard manager saves everything.
  private var leaving: UInt32?
  private(set) var hasLeft = false
  /// An event that was read during another operation, and is handled next.
  private var early: UnsafeMutablePointer<xcb_generic_event_t>?
  /// Requests that were read while waiting for the X server's time: they are handled before `early`, oldest first.
  private var aside: ArraySlice<UnsafeMutablePointer<xcb_generic_event_t>> = []
  /// The number of pending answers.
  private var pending = 0
  /// Answers that are ready, but not sent yet.
  private var answers: ArraySlice<Answer> = []
  /// The number of answers sent since `turn` was called.
  private var answersInTurn = 0
  /// Whether the clipboard has ever belonged to this application.
  private var hasOwned = false
  /// When `turn` is to be called for the pasteboard.
  var turnsAt: Instant? { didSet { if turnsAt != oldValue { updateTimer() } } }
  var onRequest: ((SelectionServer.Request) -> Void)?
  var onReplaced: (() -> Void)?

  private typealias Answer = (request: SelectionServer.Request, bytes: [UInt8]?)

  private static let clipboard = "CLIPBOARD"
  private static let manager = "CLIPBOARD_MANAGER"
  /// The maximum number of pending answers. Requests cost a program nothing, and each is kept until its answer is ready.
  private static let maxPending = 4096
  /// The maximum number of answers sent at once; the others get turns of their own. Many programs may wait for the
  /// same data.
  private static let maxAtOnce = 16

  /// - Parameter displayName: nil for the display in the environment.
  init(_ displayName: String?) throws(ClientError) {
    timer = try Self.makeTimer()
    var screen: CInt = 0
    guard let raw = xcb_connect(displayName, &screen) else { throw ClientError("there is no memory for a connection") }
    guard xcb_connection_has_error(raw) == 0, let root = Self.root(of: raw, screen) else {
      xcb_disconnect(raw)
      let display = displayName.map { "'\($0)' " } ?? ""
      throw ClientError("the X display \(display)cannot be reached, and with it the clipboard")
    }
    self.raw = raw
    x = SelectionConnection(raw, root: root, closes: true)
    server = SelectionServer(x)
    reader = SelectionReader(x, of: Self.clipboard)
    let events = XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
    x.select(events, on: server.window)
    ownerEvent = cxcb_watch_selection(raw, server.window, x.atom(Self.clipboard))
    // The next wait may be for the descriptors, which do not report events that were read meanwhile.
    reader.onAsk = { [weak self] in self?.updateTimer() }
  }

  deinit {
    cxcb_free(early)
    for event in aside { cxcb_free(event) }
  }

  private static func makeTimer() throws(ClientError) -> DeadlineTimer {
    do { return try DeadlineTimer() } catch { throw ClientError(error.sentence) }
  }

  private static func root(of raw: OpaquePointer, _ screen: CInt) -> UInt32? {
    var screens = xcb_setup_roots_iterator(xcb_get_setup(raw))
    for _ in 0..<max(0, screen) where screens.rem > 1 { xcb_screen_next(&screens) }
    return screens.data?.pointee.root
  }

  /// Whether the connection is no longer usable.
  var isLost: Bool { isWindowDestroyed || xcb_connection_has_error(raw) != 0 }

  /// Readable when `turn` has something to do.
  var descriptors: [CInt] { [xcb_get_file_descriptor(raw), timer.descriptor] }

  func name(of atom: UInt32) -> String? { x.name(of: atom) }
  func names(of atoms: [UInt32]) -> [String] { x.names(of: atoms) }

  // MARK: The owner

  /// Acquires the clipboard.
  ///
  /// - Returns: whether it succeeded.
  func own() -> Bool {
    defer { updateTimer() }
    guard let time = readTime() else { return false }
    xcb_set_selection_owner(raw, server.window, x.atom(Self.clipboard), time)
    guard isOwner else { return false }
    (ownedSince, hasLeft, hasOwned) = (time, false, true)
    return true
  }

  /// Whether the clipboard belongs to this application right now. Events may lag behind, or date from before it was
  /// acquired again.
  var isOwner: Bool { owner == window }
  /// The window that owns the clipboard right now; 0 for none.
  var owner: UInt32 { reader.owner }
  /// The window of this connection.
  var window: UInt32 { server.window }

  /// Empties the clipboard, if it belongs to this application.
  func disown() {
    // With the time of acquisition: if another application owns it by now, this has no effect.
    if let ownedSince { xcb_set_selection_owner(raw, 0, x.atom(Self.clipboard), ownedSince) }
    ownedSince = nil
    updateTimer()
  }

  /// Ends the connection. The clipboard then has no owner, since requests would not be answered.
  func end() {
    reader.end()
    xcb_flush(raw)
    guard hasOwned else { return }
    disown()
    // When this is answered, all requests to this program have arrived.
    _ = x.owner(of: x.atom(Self.clipboard))
    while let event = nextEarlyEvent() ?? xcb_poll_for_queued_event(raw) {
      defer { cxcb_free(event) }
      guard event.pointee.response_type == UInt8(XCB_SELECTION_REQUEST) else { continue }
      event.withMemoryRebound(to: xcb_selection_request_event_t.self, capacity: 1) {
        server.refuse(Self.request($0.pointee))
      }
    }
    for answer in answers { server.refuse(answer.request) }
    answers = []
    // When a connection closes, the X server may discard what it has not read, and requestors would wait for their
    // answers.
    _ = x.owner(of: x.atom(Self.clipboard))
  }

  /// The server's time, obtained by changing a property; nil if the connection is lost.
  private func readTime() -> UInt32? {
    let property = x.atom("CARRY_TIME")
    x.set([] as [UInt32], as: SelectionConnection.atomType, property, of: server.window)
    xcb_flush(raw)
    while !isLost, let event = nextPeekedEvent() ?? xcb_wait_for_event(raw) {
      // There may be any number of earlier requests, and copying would wait for all their answers.
      if event.pointee.response_type == UInt8(XCB_SELECTION_REQUEST) {
        aside.append(event)
        continue
      }
      defer { cxcb_free(event) }
      // Any program can guess the window's number, and send an event that looks like the server's.
      if event.pointee.response_type == UInt8(XCB_PROPERTY_NOTIFY) {
        let time = event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) { e in
          e.pointee.window == server.window && e.pointee.atom == property ? e.pointee.time : nil
        }
        if let time { return time }
      }
      handle(event, at: MonotonicClock.now())
    }
    return nil
  }

  // MARK: Answers

  func answerTypes(_ types: [String], to request: SelectionServer.Request) {
    let all = ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS"] + types
    server.answer(request, words: all.map { x.atom($0) }, as: SelectionConnection.atomType)
  }

  func answerTime(to request: SelectionServer.Request) {
    guard let ownedSince else { return server.refuse(request) }
    server.answer(request, words: [ownedSince], as: XCB_ATOM_INTEGER.rawValue)
  }

  /// Registers a request for data.
  ///
  /// - Returns: false if the request is to be refused. Otherwise `answer` is called once, now or later.
  func beginAnswer() -> Bool {
    guard pending < Self.maxPending else { return false }
    pending += 1
    return true
  }

  /// - Parameter bytes: nil if there is no such data.
  func answer(_ request: SelectionServer.Request, _ bytes: [UInt8]?) {
    if answers.isEmpty, answersInTurn < Self.maxAtOnce {
      handle((request, bytes))
    } else {
      answers.append((request, bytes))
    }
    updateTimer()
  }

  /// Sends some of the ready answers.
  private func handleAnswers() {
    answersInTurn = 0
    var budget = TurnBudget(at: MonotonicClock.now())
    while budget.spend(at: MonotonicClock.now()), let answer = answers.popFirst() { handle(answer) }
    if answers.isEmpty { answers = [] }
  }

  private func handle(_ answer: Answer) {
    answersInTurn += 1
    pending -= 1
    guard let bytes = answer.bytes else { return server.refuse(answer.request) }
    server.answer(answer.request, bytes, at: MonotonicClock.now())
  }

  // MARK: The clipboard manager

  /// See https://freedesktop.org/wiki/ClipboardManager.
  ///
  /// - Returns: whether there is a manager.
  func beginSaving(_ types: [String]) -> Bool {
    defer { updateTimer() }
    let manager = x.atom(Self.manager)
    guard ownedSince != nil, leaving == nil, x.owner(of: manager) != 0 else { return false }
    let property = x.atom("CARRY_TYPES")
    x.set(types.map { x.atom($0) }, as: SelectionConnection.atomType, property, of: server.window)
    xcb_convert_selection(raw, server.window, manager, x.atom("SAVE_TARGETS"), property, 0)
    leaving = manager
    return true
  }

  /// Stops waiting for the manager.
  func endLeaving() { leaving = nil }

  var isLeaving: Bool { leaving != nil && !isLost }

  // MARK: Events

  /// Handles received events.
  func turn() {
    _ = timer.isOver
    // Sending one answer may mean sending 16 MiB to the X server.
    var budget = TurnBudget(at: MonotonicClock.now())
    // Without its window it does not learn who acquires the clipboard.
    while !isWindowDestroyed, budget.spend(at: MonotonicClock.now()) {
      guard let event = nextEarlyEvent() ?? xcb_poll_for_event(raw) else {
        // Nothing is overdue that has arrived while the application was busy.
        reader.advance(to: MonotonicClock.now())
        break
      }
      defer { cxcb_free(event) }
      handle(event, at: MonotonicClock.now())
    }
    handleAnswers()
    server.advance(to: MonotonicClock.now())
    updateTimer()
  }

  /// Sends pending requests, and ensures that `turn` is called when needed. Calls to the X server may have read
  /// events, for which its descriptor does not become readable. They are not handled here: each answer ends here, so
  /// that a thousand requests would recurse a thousand levels deep, and `readTime` would wait for an event that was
  /// already consumed.
  func updateTimer() {
    xcb_flush(raw)
    if early == nil { early = xcb_poll_for_queued_event(raw) }
    if early != nil || !aside.isEmpty || !answers.isEmpty { return timer.set(MonotonicClock.now()) }
    timer.set(Instant.earliest(turnsAt, Instant.earliest(server.nextDeadline, reader.nextDeadline)))
  }

  private func nextEarlyEvent() -> UnsafeMutablePointer<xcb_generic_event_t>? { aside.popFirst() ?? nextPeekedEvent() }

  private func nextPeekedEvent() -> UnsafeMutablePointer<xcb_generic_event_t>? {
    defer { early = nil }
    return early
  }

  private func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>, at now: Instant) {
    let kind = event.pointee.response_type & 0x7F
    let isServers = event.pointee.response_type & 0x80 == 0
    switch Int32(kind) {
    case XCB_SELECTION_NOTIFY:
      event.withMemoryRebound(to: xcb_selection_notify_event_t.self, capacity: 1) { answered($0.pointee, at: now) }
    // Programs can send events that look like the server's own.
    case XCB_SELECTION_REQUEST where isServers:
      event.withMemoryRebound(to: xcb_selection_request_event_t.self, capacity: 1) { requested($0.pointee, at: now) }
    case XCB_SELECTION_CLEAR where isServers:
      event.withMemoryRebound(to: xcb_selection_clear_event_t.self, capacity: 1) { cleared($0.pointee) }
    case XCB_PROPERTY_NOTIFY where isServers:
      event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) {
        changed($0.pointee, after: event.pointee.full_sequence, at: now)
      }
    case XCB_DESTROY_NOTIFY where isServers:
      event.withMemoryRebound(to: xcb_destroy_notify_event_t.self, capacity: 1) {
        if $0.pointee.window == server.window { isWindowDestroyed = true }
        server.windowGone($0.pointee.window)
        x.forget($0.pointee.window)
      }
    case ownerEvent where isServers:
      guard cxcb_selection(event) == x.atom(Self.clipboard) else { break }
      reader.ownerChanged(to: cxcb_new_owner(event), after: event.pointee.full_sequence)
      if cxcb_owner_is_gone(event) { reader.ownerIsGone(hasEnded: cxcb_owner_has_ended(event), at: now) }
    default: break
    }
  }

  private func answered(_ e: xcb_selection_notify_event_t, at now: Instant) {
    if e.selection == leaving, e.requestor == server.window {
      hasLeft = e.property != 0
      leaving = nil
    } else {
      reader.answered(e.selection, to: e.requestor, property: e.property, at: now)
    }
  }

  private static func request(_ e: xcb_selection_request_event_t) -> SelectionServer.Request {
    SelectionServer.Request(
      requestor: e.requestor, property: e.property, target: e.target, time: e.time, selection: e.selection)
  }

  private func requested(_ e: xcb_selection_request_event_t, at now: Instant) {
    guard e.owner == server.window else { return }
    let request = Self.request(e)
    guard ownedSince != nil, e.selection == x.atom(Self.clipboard) else { return server.refuse(request) }
    for one in e.target == x.atom("MULTIPLE") ? server.parts(of: request) : [request] {
      onRequest?(server.begin(one))
    }
  }

  private func cleared(_ e: xcb_selection_clear_event_t) {
    guard e.owner == server.window, e.selection == x.atom(Self.clipboard), !isOwner else { return }
    ownedSince = nil
    onReplaced?()
  }

  private func changed(_ e: xcb_property_notify_event_t, after sequence: UInt32, at now: Instant) {
    if e.state == UInt8(XCB_PROPERTY_DELETE.rawValue) {
      server.propertyDeleted(e.atom, of: e.window, after: sequence, at: now)
    } else {
      reader.propertySet(e.atom, of: e.window, at: now)
    }
  }
}
