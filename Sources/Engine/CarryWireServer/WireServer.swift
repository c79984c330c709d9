package import CarryLoop
import CLinux
package import CarryModel
package import CarrySystem
import CWayland
import CWaylandServer

/// The engine's end of the wire: accepts clients, keeps their objects, and sends messages.
///
/// Sending never blocks: messages are queued, and a client whose queue is full is disconnected.
package final class WireServer {
  struct DropKey: Hashable {
    var session: SessionID
    var region: RegionID
  }

  /// Identifies a process's program by the manifests; without them every program is a stranger.
  package var findProgram: FindProgram = { facts, process, _ in
    (ProgramIdentity(process: process, sandbox: facts.sandbox), nil)
  }
  /// Queries the kernel about the programs of clients.
  package var programs = ProgramReading()
  package weak var delegate: (any ClientRequests)?
  /// Makes a touchscreen for a client that plays fingers; nil in an engine that was not started for tests.
  package var makeTouchscreen: (() -> any PlayedTouchscreen)?
  /// Whether drag interactions are enabled by default. Sent to clients that say hello.
  package var enablesDrags = true
  /// The bytes of all clients' pictures.
  var pictureBytes = 0
  /// The bytes of the descriptions of all items and previews.
  var heldBytes = 0
  /// Up to this number, items are asked for their previews one by one. Sent to clients that say hello.
  package var fewItems = Limits.fewItems
  package let loop: EventLoop
  let version: String
  let display: OpaquePointer
  /// The state that the clients' sockets share.
  let sockets: OpaquePointer
  let listener: SocketListener
  var acceptSource: EventLoop.Source?
  /// When to accept clients again after descriptors ran out.
  var pausedUntil: Instant?
  var clientIDs = IdentifierSource()
  var itemIDs = IdentifierSource()
  var previewIDs = IdentifierSource()
  var clients: [ClientID: WireClient] = [:]
  var clientsByRaw: [OpaquePointer: WireClient] = [:]
  /// The processes with connections, by process ID.
  var processes: [Int32: WireProcess] = [:]
  /// The processes without connections that the bridge represents.
  var neighbours: [Int32: WireProcess] = [:]
  /// The process that represents other applications.
  package let bridge = BridgeLink()
  package let shelf = ShelfLink()
  /// The last message to the bridge about pointers that carry.
  var pointerCarries = false
  /// The applications from which touches can lift.
  package var liftApplications: [String] = [] { didSet { if liftApplications != oldValue { tellLiftApplications() } } }
  /// The file of the session recording, for people; nil if the session is not recorded.
  package var recording: String?
  /// Clients to be disconnected at the end of the turn.
  var doomed: [(id: ClientID, raw: OpaquePointer)] = []
  /// When to release the memory of disconnected clients: a while after they disconnected, and once for all of them.
  private var trimDue: Instant?
  /// Sockets of disconnected clients, and those of them with queued messages.
  var parting: [CInt] = []
  var farewells: [Farewell] = []
  /// Clients that are behind with reading.
  var clientsBehind: Set<ClientID> = []
  var timesClogged: UInt32 = 0
  /// How many events have been sent to all clients, and how many of them before the last flush.
  private let eventsSent = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
  private var eventsFlushed: UInt64 = 0
  /// How often all clients were checked for pending output.
  package private(set) var flushCount = 0
  /// When to read again from clients whose descriptors had no room.
  var readOnDue: Instant?
  /// Whether descriptors of any client were waiting at the last check.
  var someWait = false
  /// Descriptors that must be free for a new client.
  let reserve = min(Limits.reservedDescriptors, DescriptorTable.limit / 8)
  /// How many clients have not said hello. If none, a turn of the loop checks no client.
  var silentCount = 0
  /// How many clients have regions whose windows do not exist yet.
  var awaitingCount = 0
  var monitors: [ObjectIdentifier: MonitorObject] = [:]
  var isRefusing = false
  /// The names of disconnected clients, since the last events of their sessions still name them.
  private var formerNames: [(ClientID, String)] = []

  var regions: [RegionID: RegionObject] = [:]
  var items: [ItemID: ItemObject] = [:]
  var previews: [PreviewID: PreviewObject] = [:]
  var dragSessions: [SessionID: DragSessionObject] = [:]
  var dropSessions: [DropKey: DropSessionObject] = [:]
  var provisions: [TransferID: ProvisionObject] = [:]
  var loads: [TransferID: LoadObject] = [:]
  var failureMessages: [TransferID: String] = [:]
  /// The file providers of programs with items that have references, by their number as owners.
  var helpers: [ClientID: ProviderHelper] = [:]
  /// Starts a file provider. Tests may replace it.
  package var startProvider: StartProvider = { path, socket throws(SystemError) in
    try HelperProcess(path, at: socket)
  }

  package init(listener: SocketListener, version: String) throws(SystemError) {
    self.version = version
    self.listener = listener
    guard let display = wl_display_create(), let raw = wl_display_get_event_loop(display) else {
      throw SystemError(code: ENOMEM, call: "wl_display_create")
    }
    self.display = display
    guard let sockets = cwayland_make_sockets(display, UInt32(Limits.queuedBytes), Int32(Limits.queuedDescriptors))
    else { throw SystemError(code: ENOMEM, call: "cwayland_make_sockets") }
    self.sockets = sockets
    cwayland_close_aside_with { AsideCloser.close($0, of: $1) }
    cwayland_server_log_to({ text in if let text { Log.debug("libwayland: \(WireServer.line(text))") } })
    eventsSent.initialize(to: 0)
    cwayland_count_events(display, eventsSent)
    loop = try EventLoop(raw)
    let this = Unmanaged.passUnretained(self).toOpaque()
    guard
      wl_global_create(
        display, cwayland_manager(), 1, this,
        { client, data, version, id in
          guard let data, let client else { return }
          Unmanaged<WireServer>.fromOpaque(data).takeUnretainedValue().bind(client, id)
        }) != nil
    else { throw SystemError(code: ENOMEM, call: "wl_global_create") }
    try listener.startListening()
    startAccepting()
  }

  deinit { eventsSent.deallocate() }

  private static func line(_ text: UnsafePointer<CChar>) -> String {
    SafeText.displayable(String(String(cString: text).prefix { $0 != "\n" }), limit: 400)
  }

  /// The path of the engine's socket.
  package var socketPath: String { listener.path }

  /// The display is gone, and with it all its pictures.
  package func dropImages() { for preview in previews.values { preview.dropImage() } }

  /// A preview's description; nil if the client has destroyed the preview.
  package func preview(_ id: PreviewID) -> PreviewDescription? { previews[id]?.description }

  // MARK: Clients

  /// Where a refusal of a client can be seen in its session.
  var recordedIn: String { recording.map { "; the session is in \($0)" } ?? "" }

  /// Disconnects a client at the end of the turn, since one of its requests may be running now.
  func disconnect(_ client: WireClient, _ why: String) {
    guard !client.isGone, !doomed.contains(where: { $0.id == client.id }) else { return }
    Log.warning("client \(client.id.raw) (\(client.name), pid \(client.peer.pid)) is disconnected: \(why)\(recordedIn)")
    cwayland_post_client_error(client.raw, why)
    doomed.append((client.id, client.raw))
  }

  func endDoomed() {
    while let next = doomed.popLast() {
      guard let client = clients[next.id], client.raw == next.raw else { continue }
      wl_client_flush(client.raw)
      wl_client_destroy(client.raw)
    }
  }

  private func bind(_ raw: OpaquePointer, _ id: UInt32) {
    guard let client = clientsByRaw[raw] else { return }
    guard client.managerCount < Limits.managersPerClient else {
      return disconnect(client, "it has bound \(Limits.managersPerClient) managers")
    }
    _ = WireObject.attach(
      ManagerObject(client), id: id, interface: cwayland_manager(), requests: ManagerObject.requests.raw)
  }

  func greeted(_ client: WireClient, name: String) {
    client.hasSaidHello = true
    silentCount -= 1
    client.process.silentCount -= 1
    client.name = SafeText.displayable(name)
    guard client.helper == nil else { return }
    let program = identify(client)
    client.program = program
    let manifest = program.program.map { ", the program \($0)" } ?? ""
    Log.info("client \(client.id.raw) is \(client.name) (pid \(client.peer.pid)\(manifest))")
    delegate?.clientArrived(client.id, program)
  }

  func gone(_ client: WireClient) {
    guard clients.removeValue(forKey: client.id) != nil else { return }
    clientsByRaw[client.raw] = nil
    if !client.hasSaidHello {
      silentCount -= 1
      client.process.silentCount -= 1
    }
    client.process.clientCount -= 1
    forgetProcess(client.process)
    client.isGone = true
    if cwayland_is_full(client.fd) {
      Log.warning(
        "\(client.name) (pid \(client.peer.pid)) was disconnected: it left \(Limits.queuedBytes >> 10) KiB unread")
    }
    if cwayland_has_lost_descriptors(client.fd) {
      Log.warning(
        "\(client.name) (pid \(client.peer.pid)) was disconnected: no room was left for descriptors that it sent")
    }
    client.stopWatchingForReads()
    let wasBehind = clientsBehind.remove(client.id) != nil
    parting.append(client.fd)
    if client.hasMadeMany || client.process.heldBytes > Limits.heldBytesInAnyCase, trimDue == nil {
      trimDue = MonotonicClock.now() + .seconds(1)
    }
    client.unsettled = []
    client.awaited = [:]
    formerNames.append((client.id, client.name))
    if formerNames.count > 64 { formerNames.removeFirst() }
    Log.info("client \(client.id.raw) is gone")
    for (id, o) in regions where o.client === client { regions[id] = nil }
    for (id, o) in dragSessions where o.client === client { dragSessions[id] = nil }
    for (id, o) in dropSessions where o.client === client { dropSessions[id] = nil }
    if let helper = client.helper {
      if wasBehind { delegate?.hasRead(client.id) }
      return connectionEnded(of: helper)
    }
    delegate?.clientGone(client.id)
    switch client.companion {
    case .bridge: bridge.onEnded?()
    case .shelf: shelf.onEnded?()
    case nil: break
    }
  }

  package func name(of client: ClientID) -> String {
    clients[client]?.name ?? formerNames.last { $0.0 == client }?.1 ?? ""
  }

  /// The ID of the process that made a client's connection; nil once the process has ended, because its ID may be
  /// reused.
  package func runningProcess(of client: ClientID) -> Int32? {
    guard let process = clients[client]?.process.peer, process.isRunning else { return nil }
    return process.pid
  }

  /// The X server has replied about windows: tries the waiting requests again.
  package func lookAgain() {
    for client in clients.values where !client.unsettled.isEmpty {
      client.settle()
      // libwayland destroys an offending client after reading its requests. None are being read now, so do it here.
      if client.hasOffended { wl_client_destroy(client.raw) }
    }
  }

  /// A window exists now for which regions may have waited.
  package func windowAppeared(_ window: WindowID) {
    guard awaitingCount > 0 else { return }
    for client in clients.values where client.awaited[window] != nil {
      client.settleAwaited(window)
      if client.hasOffended { wl_client_destroy(client.raw) }
    }
  }

  private func refuseAwaited(at now: Instant) {
    guard awaitingCount > 0 else { return }
    for client in clients.values where client.nextAwaited.map({ $0 <= now }) == true {
      client.refuseAwaited(at: now)
      if client.hasOffended { wl_client_destroy(client.raw) }
    }
  }

  // MARK: Time

  /// When to call `advance(to:)` next.
  package var nextDeadline: Instant? {
    var next = Instant.earliest(pausedUntil, trimDue)
    next = .earliest(next, nextPassing)
    next = .earliest(next, farewells.first?.due)
    next = .earliest(next, readOnDue)
    next = .earliest(next, nextHelper)
    if bridge.object != nil { next = .earliest(next, bridge.news.due) }
    if cwayland_all_waiting_descriptors(sockets) > 0 {
      for client in clients.values {
        guard let since = client.descriptorsWaitSince else { continue }
        let isFull = Int(cwayland_all_waiting_descriptors(sockets)) > Limits.waitingDescriptors
        let due = since + (isFull ? Self.descriptorsAreRead : .seconds(Limits.transferSeconds))
        if next == nil || due < next! { next = due }
      }
    }
    if awaitingCount > 0 {
      for client in clients.values {
        if let due = client.nextAwaited, next == nil || due < next! { next = due }
      }
    }
    guard silentCount > 0 else { return next }
    for client in clients.values where !client.hasSaidHello && client.helper == nil {
      let due = client.since + .seconds(client.helloSeconds)
      if next == nil || due < next! { next = due }
    }
    return next
  }

  package func advance(to now: Instant) {
    if let pausedUntil, pausedUntil <= now {
      self.pausedUntil = nil
      acceptSource?.isPaused = false
    }
    limitDescriptors(at: now)
    resumeReading(at: now)
    limitClosing()
    retryPassing(at: now)
    refuseAwaited(at: now)
    endDoomed()
    sendLastMessages(at: now)
    advanceHelpers(to: now)
    tellDropWindows(at: now)
    if let trimDue, trimDue <= now {
      self.trimDue = nil
      clinux_trim_heap()
    }
    guard silentCount > 0 else { return }
    for client in clients.values
    where !client.hasSaidHello && client.helper == nil && client.since + .seconds(client.helloSeconds) <= now {
      Log.info("client \(client.id.raw) (pid \(client.peer.pid)) said nothing for \(client.helloSeconds) s")
      wl_client_destroy(client.raw)
    }
  }

  package func flush() {
    // Flushing checks the buffer of each client, and most turns of the loop send nothing.
    if eventsSent.pointee != eventsFlushed {
      eventsFlushed = eventsSent.pointee
      wl_display_flush_clients(display)
      flushCount += 1
    }
    noteClientsBehind()
  }

  /// Disconnects all clients and releases the socket. This is the last call.
  package func close() {
    delegate = nil
    acceptSource?.cancel()
    listener.removeFiles()
    wl_display_flush_clients(display)
    wl_display_destroy_clients(display)
    for fd in parting { cwayland_end_leaving(fd) }
    for farewell in farewells { cwayland_end_leaving(farewell.fd) }
    for helper in helpers.values { helper.process?.end() }
    listener.release()
  }
}
