import CLinux
import CarryModel
package import CarrySystem
package import CarryWireClient

/// An application's connection to the Carry engine, and the starting point for everything else.
///
/// One thread uses a client and all objects created with it; delegates and completions are called on that thread,
/// from within `dispatch()`. Add `fileDescriptor` to your event loop and call `dispatch()` whenever it is readable,
/// or let `run()` do both. A process that is forked cannot use its parent's clients: fork before creating one.
///
/// ```swift
/// let client = try Client(name: "Postcards")
/// let region = Region(client: client, window: window, frame: Rect(x: 0, y: 0, width: 300, height: 300))
/// region.addInteraction(DragInteraction(delegate: self))
/// try client.run()
/// ```
///
/// This client ends with its connection. A client created with `init(awaitingEngineAs:)`, or whose `reconnects` is
/// set, outlives engines: see <doc:WithoutAnEngine>.
public final class Client {
  /// The current connection; nil without an engine.
  package internal(set) var wire: WireConnection?
  /// Registers a region in a window of another application; nil in an application.
  package var makeForeignRegion: ((_ window: UInt32) -> WireRegion?)?
  /// A connection that the engine has not answered yet.
  var pending: WireConnection?
  let name: String
  let path: String
  var watch: EngineWatch?
  /// Only in a client that waits for engines.
  var attempts: ConnectionAttempts?
  /// The running loads, so that `close` can report that their data will not arrive.
  let transfers: Transfers
  /// Created on first use.
  var ownPasteboard: Pasteboard?
  let clock: AnimationClock
  /// Called with a sentence that says why a preview cannot be shown as described; a plain card, or the whole view, is
  /// shown instead. On the client's thread. While this is nil, the sentence is written to stderr.
  public var onPreviewRefused: ((String) -> Void)?
  var describedPreviews: [WirePreview] = []
  /// Set through `executor`.
  var ownExecutor: ClientExecutor?
  private let poll: Descriptor
  /// Wakes the loop to notice that the engine has gone.
  private let wakeUp: DeadlineTimer
  private var isRunning = false
  private(set) var isClosed = false
  /// The current sessions that started here, as found by `localDragSession`.
  var dragSessions: [SessionID: DragSession] = [:]
  /// The bytes of team data that the engine holds for the client's items.
  var teamDataBytes = 0
  /// Sessions of engines that have gone, whose streams are still being written.
  var transferring: [ObjectIdentifier: DragSession] = [:]
  /// Regions are retained while they have interactions, like views in a window.
  var regions: [ObjectIdentifier: Region] = [:]
  /// The number of times a region has been raised in its window.
  var regionsRaised = 0
  /// The monitors, registered again with each engine.
  var monitors: [ObjectIdentifier: WeakMonitor] = [:]

  /// Whether the engine has closed the connection without a protocol error.
  var hasLostEngine = false

  private var fileWatches: [WeakFileWatch] = []

  private struct WeakFileWatch { weak var watch: FileWatch? }

  /// Whether the client outlives its engine: when the engine goes, regions and monitors remain, and are registered
  /// with the next engine. See <doc:WithoutAnEngine>.
  public var reconnects = false
  /// Called, in a client that reconnects, when the connection to an engine is established or lost. On the client's
  /// thread.
  public var onConnectionChanged: ((_ isConnected: Bool) -> Void)?
  /// Why there is no engine, as a sentence that says what to do; nil while there is one.
  public internal(set) var connectionProblem: String?

  /// Connects to the engine of this user.
  ///
  /// - Parameters:
  ///   - name: the application's name shown in `carry monitor`; at most 255 bytes.
  ///   - socket: the engine's socket; nil for `$CARRY_SOCKET`, or `carry-0` in the runtime directory.
  /// - Throws: `ClientError` with a sentence that says what to do, if there is no engine.
  public convenience init(name: String, socket: String? = nil) throws(ClientError) {
    try self.init(SafeText.displayable(name), socket)
    let wire: WireConnection
    do { wire = try WireConnection(path: path, name: self.name) } catch { throw ClientError(error.sentence) }
    listen(to: wire)
    self.wire = wire
  }

  /// Creates a client that exists without an engine, connects to one as soon as possible, and outlives it.
  ///
  /// Only `run()` and `synchronize()` wait. Create regions at once: they are registered with each engine. See
  /// <doc:WithoutAnEngine>.
  ///
  /// - Parameters:
  ///   - name: the application's name shown in `carry monitor`; at most 255 bytes.
  ///   - socket: the engine's socket; nil for `$CARRY_SOCKET`, or `carry-0` in the runtime directory.
  /// - Throws: `ClientError` if the socket's path is too long, or the process has no descriptors left.
  public convenience init(awaitingEngineAs name: String, socket: String? = nil) throws(ClientError) {
    try self.init(SafeText.displayable(name), socket)
    reconnects = true
    // A service manager starts an engine for this first attempt.
    if case .pathTooLong(let path) = connect() {
      throw ClientError(WireConnection.Problem.pathTooLong(path: path).sentence)
    }
    if pending == nil { try awaitEngine() }
  }

  /// Creates the client of a process that the engine has started, on the connection that the engine has opened: of a
  /// file provider, or of one of the engine's own.
  package convenience init(name: String, opened socket: consuming Descriptor) throws(ClientError) {
    try self.init(SafeText.displayable(name), "")
    let wire: WireConnection
    do { wire = try WireConnection(opened: socket, name: self.name) } catch { throw ClientError(error.sentence) }
    listen(to: wire)
    self.wire = wire
  }

  /// Creates a client that never has an engine, for `CopyThread`.
  convenience init(servingPasteboardOf name: String) throws(ClientError) { try self.init(name, "") }

  private init(_ name: String, _ socket: String?) throws(ClientError) {
    self.name = name
    do {
      if let socket { path = socket } else { path = try RuntimeSocket.path() }
      transfers = try Transfers()
      clock = try AnimationClock()
      wakeUp = try DeadlineTimer()
      poll = Descriptor(owning: try check("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) })
    } catch {
      throw ClientError(error.sentence)
    }
    for fd in [clock.descriptor, wakeUp.descriptor] + transfers.descriptors { listen(to: fd) }
  }

  /// Creates the wire object for a region; nil without an engine.
  func makeWireRegion(window: UInt32) -> WireRegion? {
    if let makeForeignRegion { makeForeignRegion(window) } else { wire?.makeRegion(window: window) }
  }

  func listen(to fd: CInt) {
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(fd: fd))
    epoll_ctl(poll.raw, EPOLL_CTL_ADD, fd, &event)
  }

  /// Stops polling a descriptor that stays open but is no longer read: at end of file it would be readable forever.
  func endListening(to fd: CInt) { epoll_ctl(poll.raw, EPOLL_CTL_DEL, fd, nil) }

  func listen(to wire: WireConnection) {
    let (set, socket) = (poll.raw, wire.fileDescriptor)
    listen(to: socket)
    // Messages that the engine does not accept now are sent when it reads again.
    wire.onBehind = {
      let events = $0 ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
      var event = epoll_event(events: events, data: epoll_data(fd: socket))
      epoll_ctl(set, EPOLL_CTL_MOD, socket, &event)
    }
  }

  /// The descriptor to watch for reading. The client owns it, and it stays the same for the client's lifetime.
  public var fileDescriptor: Int32 { poll.raw }

  /// Whether there is an engine, and it has answered.
  public var isConnected: Bool { wire != nil }

  /// The engine's version, such as `0.1.0`; empty without an engine.
  public var engineVersion: String { wire?.engineVersion ?? "" }

  /// Whether a drag interaction is enabled before its `isEnabled` is set. The engine's settings decide this, so that
  /// small screens can do without drags. The value is from the time of connecting; true without an engine.
  public var isDragEnabledByDefault: Bool { wire?.enablesDrags ?? true }

  /// Up to this many items, the delegate is asked for a preview of each.
  var fewItems: Int { wire?.fewItems ?? Limits.fewItems }

  /// Ends the client and everything created with it.
  ///
  /// Regions disappear, the promises of items from drags that started here end, and the completions of running loads
  /// are called with `cancelled`. No delegate or completion is called afterwards. A client with regions is retained
  /// until this call, or until the regions have no interactions left.
  ///
  /// The clipboard contents of this application are handed to the clipboard manager, if one runs, which takes two
  /// seconds at most.
  ///
  /// Do not call it from within a delegate or completion.
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

  /// Dispatches the events of a file watch for as long as it exists.
  func add(_ watch: FileWatch) {
    fileWatches = fileWatches.filter { $0.watch != nil } + [WeakFileWatch(watch: watch)]
    listen(to: watch.descriptor)
  }

  /// Handles everything that has arrived from the engine, calling delegates and completions; never blocks.
  ///
  /// - Throws: `ClientError` if the connection is lost. The client is then unusable. A client that reconnects
  ///   continues: it throws only if the engine has closed the connection because of a protocol error.
  public func dispatch() throws(ClientError) {
    guard !isClosed else { throw ClientError(WireConnection.Problem.lost("it was closed").sentence) }
    ownExecutor?.noteThread()
    // Tasks woken in this turn run in it, even if the connection was lost in it: there may be no other turn.
    defer {
      if let ownExecutor {
        ownExecutor.runWoken()
        // Sends the tasks' requests: nothing else may wake the loop. The next turn notices if the engine has gone.
        try? flush()
      }
    }
    if let wire { try survive { () throws(WireConnection.Problem) in try wire.dispatch() } }
    if reconnects { try turnConnection() }
    _ = wakeUp.isOver
    ownPasteboard?.turn()
    transfers.turn()
    clock.turn()
    for watched in fileWatches { watched.watch?.turn() }
    try flush()
  }

  /// Sends all requests made so far. `dispatch()` does this too. Requests that a busy engine does not accept are kept
  /// (of a region's frames only the newest), and sent as soon as the engine reads again.
  public func flush() throws(ClientError) {
    // `dispatch` notices that an engine has gone, since it may call back.
    do { try wire?.flush() } catch {
      guard reconnects else { throw ClientError(error.sentence) }
      wakeUp.set(MonotonicClock.now())
    }
  }

  /// Waits until the engine has processed all sent requests.
  ///
  /// For start-up and tests; not from within a delegate. If a connection is being made, this waits for it too.
  /// Regions whose window is not on the X server by then are refused: flush the request that creates the window
  /// first.
  ///
  /// - Throws: `ClientError` if there is no engine, or the engine goes meanwhile.
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
  ///   - body: called before the first wait, when the other descriptor is readable, and after delegates have been
  ///     called, since drawing there may already have read from an X connection; once more when the other end has
  ///     gone. At times there is nothing to read, and it must not wait. If nil, the other descriptor is not watched.
  /// - Throws: `ClientError` if the connection is lost, or the other descriptor is not open.
  public func run(alsoWatching other: Int32? = nil, _ body: (() -> Void)? = nil) throws(ClientError) {
    var other = body == nil ? nil : other
    if let other, clinux_get_status_flags(other) < 0 { throw ClientError("\(other) is no open descriptor") }
    isRunning = true
    // Sends earlier requests, and handles messages that arrived before the loop.
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
      // Nothing more can arrive, and `poll` would report the descriptor forever.
      if fds[1].revents != 0, fds[1].revents & Int16(POLLIN) == 0 { other = nil }
      guard isRunning else { return }
      // Also called after messages of the engine alone: a callback that draws makes Xlib read events, for which the
      // descriptor is no longer readable, and leaves requests to be sent.
      body?()
      if isRunning { try sendAll() }
    }
  }

  /// Sends the requests and answers of the body, which would otherwise wait for the next message of the engine. If
  /// sending fails, the last messages of the engine tell whether that is an ordinary end.
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
