import CLinux
package import CarryModel
import CarrySystem
import CarryWireClient

/// An application's connection to the Carry engine: where everything begins.
///
/// One thread uses a client and everything made with it; all delegates and completions are called on that thread, from
/// within `dispatch()`. Put `fileDescriptor` into your event loop and call `dispatch()` whenever it can be read, or let
/// `run()` do both.
///
/// ```swift
/// let client = try Client(name: "Postcards")
/// let region = Region(client: client, window: window, frame: Rect(x: 0, y: 0, width: 300, height: 300))
/// region.addInteraction(DragInteraction(delegate: self))
/// try client.run()
/// ```
///
/// This client ends with its connection. A client that is made with `init(awaitingEngineAs:)`, or whose `reconnects` is
/// set, outlives engines: see <doc:WithoutAnEngine>.
public final class Client {
  /// The current connection; nil without an engine.
  var wire: WireConnection?
  /// Only in the engine's own bridge: what its regions are made with.
  var bridge: WireBridge?
  /// Only in the engine's own bridge: called when a window comes to have a drop region, or has none any more.
  package var onDropWindow: ((_ window: UInt32, _ takesDrops: Bool) -> Void)?
  /// Called with where a window takes drops, in its pixels. Only in the engine's own bridge.
  package var onDropPlaces: ((_ window: UInt32, _ places: [CarryModel.Rect]) -> Void)?
  /// Only in the engine's own bridge: called with the applications that touches lift out of (Z23), and when they change.
  package var onLiftApplications: (([String]) -> Void)?
  /// Only in the engine's own bridge: called when a mouse or a pen begins to carry a session, or does no more.
  package var onPointerCarries: ((Bool) -> Void)?
  /// Only in the engine's own shelf (Z15).
  var shelf: WireShelf?
  /// Only in the engine's own shelf: called when a drag begins, with where the shelf shows itself, and with nil when nothing
  /// is dragged any more.
  package var onShelfPlace: ((ShelfPlace?) -> Void)?
  /// A connection that the engine has not answered on yet.
  var pending: WireConnection?
  let name: String
  let path: String
  var watch: EngineWatch?
  /// Only in a client that waits for engines.
  var attempts: ConnectionAttempts?
  /// The loads under way, so that `close` can say that their data will not come.
  let transfers: Transfers
  /// Once it has been asked for.
  var ownPasteboard: Pasteboard?
  let clock: AnimationClock
  /// Called with a sentence that says why a preview cannot be shown as it was described; a plain card, or all of the
  /// view, is seen instead. On the client's thread. While this is nil, a line on stderr says so.
  public var onPreviewRefused: ((String) -> Void)?
  var describedPreviews: [WirePreview] = []
  /// Set through `executor`.
  var ownExecutor: ClientExecutor?
  private let poll: Descriptor
  /// Until it is tried again whether the kernel passes descriptors on.
  private let pause: DeadlineTimer
  private var hasWarnedOfPause = false
  private var isRunning = false
  private(set) var isClosed = false
  /// The sessions that started here, while they last: what `localDragSession` finds.
  var dragSessions: [SessionID: DragSession] = [:]
  /// Bytes of team data that the engine holds for the client's items.
  var teamDataBytes = 0
  /// Sessions of engines that have gone, whose streams are still being written.
  var transferring: [ObjectIdentifier: DragSession] = [:]
  /// Regions stay while they have interactions, like views in a window.
  var regions: [ObjectIdentifier: Region] = [:]
  /// How many regions have come to the top of their windows.
  var regionsRaised = 0
  /// The monitors, which are registered anew with each engine.
  var monitors: [ObjectIdentifier: WeakMonitor] = [:]

  /// Whether the engine has closed the connection, for no offence.
  var hasLostEngine = false

  private var fileWatches: [WeakFileWatch] = []

  private struct WeakFileWatch { weak var watch: FileWatch? }

  /// Whether the client outlives its engine: when the engine goes, regions and monitors stay, and are registered with
  /// the next engine. See <doc:WithoutAnEngine>.
  public var reconnects = false
  /// For a client that reconnects: called when an engine is there, and when it is gone. On the client's thread.
  public var onConnectionChanged: ((_ isConnected: Bool) -> Void)?
  /// Why there is no engine, as a sentence that says what to do; nil while there is one.
  public internal(set) var connectionProblem: String?

  /// Connects to the engine of this user.
  ///
  /// - Parameters:
  ///   - name: the application's name as people see it in `carry monitor`; at most 255 bytes.
  ///   - socket: the engine's socket; nil for `$CARRY_SOCKET`, or `carry-0` in the runtime directory.
  /// - Throws: `ClientError` with a sentence that says what to do, when there is no engine.
  public convenience init(name: String, socket: String? = nil) throws(ClientError) {
    try self.init(SafeText.displayable(name), socket)
    let wire: WireConnection
    do { wire = try WireConnection(path: path, name: self.name) } catch { throw ClientError(error.sentence) }
    listen(to: wire)
    self.wire = wire
  }

  /// A client that exists without an engine, connects to it as soon as it can, and outlives it. Nothing waits but `run()`
  /// and `synchronize()`. Make regions at once: they are registered with each engine. See <doc:WithoutAnEngine>.
  ///
  /// - Parameters:
  ///   - name: the application's name as people see it in `carry monitor`; at most 255 bytes.
  ///   - socket: the engine's socket; nil for `$CARRY_SOCKET`, or `carry-0` in the runtime directory.
  /// - Throws: `ClientError` when the socket's path is too long, or the process has no descriptors left.
  public convenience init(awaitingEngineAs name: String, socket: String? = nil) throws(ClientError) {
    try self.init(SafeText.displayable(name), socket)
    reconnects = true
    // A service manager starts an engine for this first attempt.
    if case .pathTooLong(let path) = connect() {
      throw ClientError(WireConnection.Problem.pathTooLong(path: path).sentence)
    }
    if pending == nil { try awaitEngine() }
  }

  /// A file provider's client, on the connection that the engine has opened.
  convenience init(name: String, opened socket: consuming Descriptor) throws(ClientError) {
    try self.init(SafeText.displayable(name), "")
    let wire: WireConnection
    do { wire = try WireConnection(opened: socket, name: self.name) } catch { throw ClientError(error.sentence) }
    listen(to: wire)
    self.wire = wire
  }

  private init(_ name: String, _ socket: String?) throws(ClientError) {
    self.name = name
    do {
      if let socket { path = socket } else { path = try RuntimeSocket.path() }
      transfers = try Transfers()
      clock = try AnimationClock()
      pause = try DeadlineTimer()
      poll = Descriptor(owning: try check("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) })
    } catch {
      throw ClientError(error.sentence)
    }
    for fd in [clock.descriptor, pause.descriptor] + transfers.descriptors { listen(to: fd) }
  }

  func listen(to fd: CInt) {
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(fd: fd))
    epoll_ctl(poll.raw, EPOLL_CTL_ADD, fd, &event)
  }

  /// The descriptor stays open, and nobody reads it any more: at its end it would be readable for ever.
  func endListening(to fd: CInt) { epoll_ctl(poll.raw, EPOLL_CTL_DEL, fd, nil) }

  func listen(to wire: WireConnection) {
    let (set, socket) = (poll.raw, wire.fileDescriptor)
    listen(to: socket)
    // Messages that the engine does not take now are sent when it reads again.
    wire.onAwaited = { [weak self] awaited in
      let events = awaited == .room ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
      var event = epoll_event(events: events, data: epoll_data(fd: socket))
      epoll_ctl(set, EPOLL_CTL_MOD, socket, &event)
      if awaited == .pause { self?.dispatchAfterPause() }
    }
  }

  private func dispatchAfterPause() {
    pause.set(MonotonicClock.now() + WireConnection.pause)
    if hasWarnedOfPause { return }
    hasWarnedOfPause = true
    Warning.say("processes of this user have too many descriptors in flight; messages to the engine are delayed")
  }

  /// The descriptor to watch for reading; owned by the client, and the same for as long as the client lasts.
  public var fileDescriptor: Int32 { poll.raw }

  /// Whether there is an engine, and it has answered.
  public var isConnected: Bool { wire != nil }

  /// The engine's version, such as `0.1.0`; empty without an engine.
  public var engineVersion: String { wire?.engineVersion ?? "" }

  /// Whether a drag interaction is enabled before its `isEnabled` is set. The engine's settings decide this, so that
  /// small screens can do without drags. The value is that of the moment when the client connected; true without an
  /// engine.
  public var isDragEnabledByDefault: Bool { wire?.enablesDrags ?? true }

  /// K3: with at most this many items, the delegate is asked how each of them looks.
  var fewItems: Int { wire?.fewItems ?? Limits.fewItems }

  /// Ends the client and everything made with it: regions disappear, the items of drags that started here are no
  /// longer promised, and the completions of loads under way are called with `cancelled`. No delegate or completion is
  /// called afterwards. A client that has regions lives until this is called, or until they have no interactions any
  /// more.
  ///
  /// What this application has put on the clipboard is left to the clipboard manager, where one runs, which takes two
  /// seconds at most.
  ///
  /// Not from within a delegate or completion.
  public func close() {
    guard !isClosed else { return }
    ownPasteboard?.close()
    isClosed = true
    isRunning = false
    transfers.cancelAll()
    for region in regions.values { region.invalidate() }
    for session in dragSessions.values { session.end() }
    transferring = [:]
    ownExecutor?.runWoken()
    ownExecutor?.leave()
    try? flush()
    wire?.close()
    pending?.close()
    pending = nil
    watch = nil
    waitForRemovals()
  }

  /// Tells a watch when there is something to tell, for as long as the watch lasts.
  func add(_ watch: FileWatch) {
    fileWatches = fileWatches.filter { $0.watch != nil } + [WeakFileWatch(watch: watch)]
    listen(to: watch.descriptor)
  }

  /// Handles everything that has come from the engine, calling delegates and completions; never waits.
  ///
  /// - Throws: `ClientError` when the connection is lost. The client is useless then. A client that reconnects goes on:
  ///   there the error is only thrown when the engine has ended the connection for an offence.
  public func dispatch() throws(ClientError) {
    guard !isClosed else { throw ClientError(WireConnection.Problem.lost("it was closed").sentence) }
    ownExecutor?.noteThread()
    // What this turn has woken runs in it, also when the connection was lost in it: there may be no other turn.
    defer {
      if let ownExecutor {
        ownExecutor.runWoken()
        // What the tasks have asked for: nothing else may wake the loop. Whether the engine is gone the next turn finds out.
        try? flush()
      }
    }
    if let wire { try survive { () throws(WireConnection.Problem) in try wire.dispatch() } }
    if reconnects { try turnConnection() }
    _ = pause.isOver
    ownPasteboard?.turn()
    transfers.turn()
    clock.turn()
    for watched in fileWatches { watched.watch?.turn() }
    try flush()
  }

  /// Sends all requests made so far. `dispatch()` does this too. The client keeps what a busy engine does not take (of
  /// a region's frames only the newest), and sends it as soon as the engine reads again.
  public func flush() throws(ClientError) {
    // `dispatch` finds out that an engine is gone, since it may call back.
    do { try wire?.flush() } catch {
      guard reconnects else { throw ClientError(error.sentence) }
      pause.set(MonotonicClock.now())
    }
  }

  /// Waits until the engine has handled everything that was sent. For start-up and tests; not from within a delegate.
  /// If a connection is being made, this waits for the connection, too. Regions whose window is not on the X server by
  /// then are refused: flush the request that makes the window first.
  ///
  /// - Throws: `ClientError` when there is no engine, or the engine goes meanwhile.
  public func synchronize() throws(ClientError) {
    let deadline = MonotonicClock.now() + .seconds(Limits.connectSeconds)
    while wire == nil, pending != nil, !isClosed {
      let left = (deadline - MonotonicClock.now()).microseconds / 1000
      guard left > 0 else { break }
      var p = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
      CLinux.poll(&p, 1, CInt(clamping: left))
      try dispatch()
    }
    guard let wire else { throw ClientError(connectionProblem ?? "there is no engine") }
    try survive { () throws(WireConnection.Problem) in try wire.roundTrip() }
    transfers.turn()
    if self.wire == nil { throw ClientError(connectionProblem ?? "there is no engine") }
  }

  /// Dispatches until `stop()` is called or the connection is lost.
  ///
  /// - Parameters:
  ///   - other: another descriptor to watch for reading, such as the X connection's; nil for none.
  ///   - body: what to call before the first wait, when the other descriptor can be read, and after delegates have been
  ///     called, since drawing there may have read from an X connection already; once more when the other end is gone. It
  ///     finds nothing to read at times, and may not wait for it. Without it the other descriptor is not watched.
  /// - Throws: `ClientError` when the connection is lost, or the other descriptor is not an open one.
  public func run(alsoWatching other: Int32? = nil, _ body: (() -> Void)? = nil) throws(ClientError) {
    var other = body == nil ? nil : other
    if let other, clinux_get_status_flags(other) < 0 { throw ClientError("\(other) is no open descriptor") }
    isRunning = true
    // Before the first wait, sends earlier requests and handles what came while nobody watched.
    try dispatch()
    if isRunning { body?() }
    if isRunning { try sendAll() }
    while isRunning {
      var fds = [pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)]
      if let other { fds.append(pollfd(fd: other, events: Int16(POLLIN), revents: 0)) }
      if CLinux.poll(&fds, nfds_t(fds.count), -1) < 0 {
        if clinux_errno() == EINTR { continue }
        throw ClientError(SystemError.last("poll").sentence)
      }
      if fds[0].revents != 0 { try dispatch() }
      guard fds.count > 1 else { continue }
      if isRunning, fds[1].revents & Int16(POLLNVAL) != 0 || clinux_get_status_flags(fds[1].fd) < 0 {
        throw ClientError("\(fds[1].fd) was closed while it was watched")
      }
      // There will never be anything to read, and `poll` would report the descriptor for ever.
      if fds[1].revents != 0, fds[1].revents & Int16(POLLIN) == 0 { other = nil }
      guard isRunning else { return }
      // Also where only the engine has spoken: a callback that draws has Xlib read events, of which the descriptor says
      // nothing any more, and leaves requests to be sent.
      body?()
      if isRunning { try sendAll() }
    }
  }

  /// What the body has asked for, or answered, is not left until the engine says something. Where it cannot be sent, what the
  /// engine has said last tells whether that is an ordinary end.
  private func sendAll() throws(ClientError) {
    do { try wire?.flush() } catch { try dispatch() }
  }

  func refusePreview(_ why: String) {
    if let onPreviewRefused { return onPreviewRefused(why) }
    Warning.say("a preview is not shown as described: \(why)")
  }

  /// Makes `run()` return after the current turn.
  public func stop() { isRunning = false }
}
