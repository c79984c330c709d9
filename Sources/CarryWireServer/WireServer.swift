package import CarryLoop
import CLinux
package import CarryModel
package import CarrySystem
import CWayland
import CWaylandServer

/// The engine's end of the wire: accepts clients, keeps their objects, and sends.
///
/// Sending never blocks: libwayland queues, and a client whose queue is full is disconnected.
package final class WireServer {
  struct DropKey: Hashable {
    var session: SessionID
    var region: RegionID
  }

  package weak var delegate: (any ClientRequests)?
  /// PH1: whether drag interactions that say nothing of their own are enabled, told to clients that say hello.
  package var enablesDrags = true
  /// Of the pictures that all clients have handed over.
  var pictureBytes = 0
  /// Told to clients that come from now on: K3.
  package var fewItems = Limits.fewItems
  package let loop: EventLoop
  let version: String
  let display: OpaquePointer
  let listener: SocketListener
  var acceptSource: EventLoop.Source?
  /// When accepting goes on after the descriptors ran out.
  var pausedUntil: Instant?
  var clientIDs = IdentifierSource()
  var itemIDs = IdentifierSource()
  var previewIDs = IdentifierSource()
  var clients: [ClientID: WireClient] = [:]
  var clientsByRaw: [OpaquePointer: WireClient] = [:]
  /// By number, of those that have connections.
  var processes: [Int32: WireProcess] = [:]
  /// Clients that are disconnected at the end of the turn.
  var doomed: [(id: ClientID, raw: OpaquePointer)] = []
  /// When memory that clients have left is given back: a while after they went, and not once for each.
  private var trimDue: Instant?
  /// Sockets of clients that are gone, and of those the ones that still have something to read.
  var parting: [CInt] = []
  var farewells: [Farewell] = []
  /// Those that do not read as fast as there is something to say to them.
  var clientsBehind: Set<ClientID> = []
  var timesClogged: UInt32 = 0
  /// When clients whose descriptors there was no room for are read from again.
  var readOnDue: Instant?
  /// Whether descriptors of some client were waiting at the last look.
  var someWait = false
  /// Descriptors that must be free for a new client.
  let reserve = min(Limits.reservedDescriptors, DescriptorTable.limit / 8)
  /// How many of them have not said hello: with none, a turn of the loop need not look at any.
  var silentCount = 0
  var monitors: [ObjectIdentifier: MonitorObject] = [:]
  var isRefusing = false
  /// What clients that are gone called themselves: the last words about their sessions still name them.
  private var formerNames: [(ClientID, String)] = []

  var regions: [RegionID: RegionObject] = [:]
  var items: [ItemID: ItemObject] = [:]
  var previews: [PreviewID: PreviewObject] = [:]
  var dragSessions: [SessionID: DragSessionObject] = [:]
  var dropSessions: [DropKey: DropSessionObject] = [:]
  var provisions: [TransferID: ProvisionObject] = [:]
  var loads: [TransferID: LoadObject] = [:]
  var failureMessages: [TransferID: String] = [:]

  package init(listener: SocketListener, version: String) throws(SystemError) {
    self.version = version
    self.listener = listener
    guard let display = wl_display_create(), let raw = wl_display_get_event_loop(display) else {
      throw SystemError(code: ENOMEM, call: "wl_display_create")
    }
    self.display = display
    cwayland_close_aside_with { AsideCloser.close($0, of: $1) }
    cwayland_server_log_to({ text in if let text { Log.debug("libwayland: \(WireServer.line(text))") } })
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

  private static func line(_ text: UnsafePointer<CChar>) -> String {
    SafeText.displayable(String(String(cString: text).prefix { $0 != "\n" }), limit: 400)
  }

  /// Where clients find us.
  package var socketPath: String { listener.path }

  /// The display is gone, and all pictures that it held with it.
  package func dropImages() { for preview in previews.values { preview.dropImage() } }

  /// What a region is called, if anything.
  package func label(of region: RegionID) -> String? {
    regions[region].flatMap { $0.label.isEmpty ? nil : $0.label }
  }

  /// What a client has described; nil once it has let go of it.
  package func preview(_ id: PreviewID) -> PreviewDescription? { previews[id]?.description }

  // MARK: Clients

  /// Ends a client's connection at the end of the turn: it may be in the middle of a request of its.
  func disconnect(_ client: WireClient, _ why: String) {
    guard !client.isGone, !doomed.contains(where: { $0.id == client.id }) else { return }
    Log.warning("client \(client.id.raw) (\(client.name), pid \(client.peer.pid)) is disconnected: \(why)")
    cwayland_post_client_error(client.raw, why)
    doomed.append((client.id, client.raw))
  }

  func endDoomed() {
    while let next = doomed.popLast() {
      guard let client = clients[next.id] else { continue }
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
    Log.info("client \(client.id.raw) is \(client.name) (pid \(client.peer.pid))")
    delegate?.clientArrived(client.id)
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
    client.fallSilent()
    clientsBehind.remove(client.id)
    parting.append(client.fd)
    if client.hasMadeMany, trimDue == nil { trimDue = MonotonicClock.now() + .seconds(1) }
    client.unsettled = []
    client.awaited = [:]
    formerNames.append((client.id, client.name))
    if formerNames.count > 64 { formerNames.removeFirst() }
    Log.info("client \(client.id.raw) is gone")
    for (id, o) in regions where o.client === client { regions[id] = nil }
    for (id, o) in dragSessions where o.client === client { dragSessions[id] = nil }
    for (id, o) in dropSessions where o.client === client { dropSessions[id] = nil }
    delegate?.clientGone(client.id)
  }

  package func name(of client: ClientID) -> String {
    clients[client]?.name ?? formerNames.last { $0.0 == client }?.1 ?? ""
  }

  /// The process that made a client's connection, while that very process lives: what its number says then is true.
  package func runningProcess(of client: ClientID) -> Int32? {
    guard let process = clients[client]?.process.peer, process.isRunning else { return nil }
    return process.pid
  }

  /// More is known of windows: what clients asked for is tried again.
  package func lookAgain() {
    for client in clients.values where !client.unsettled.isEmpty {
      client.settle()
      // Nothing of its own is being read now, after which libwayland would do that.
      if client.hasOffended { wl_client_destroy(client.raw) }
    }
  }

  /// There is a window now that regions may have waited for.
  package func windowAppeared(_ window: WindowID) {
    for client in clients.values where client.awaited[window] != nil {
      client.settleAwaited(window)
      if client.hasOffended { wl_client_destroy(client.raw) }
    }
  }

  private func refuseAwaited(at now: Instant) {
    for client in clients.values where client.nextAwaited.map({ $0 <= now }) == true {
      client.refuseAwaited(at: now)
      if client.hasOffended { wl_client_destroy(client.raw) }
    }
  }

  // MARK: Time

  /// When `advance(to:)` wants to be called: a silent client's time is up, or accepting goes on.
  package var nextDeadline: Instant? {
    var next = pausedUntil
    for due in [trimDue, nextPassing, farewells.first?.due, readOnDue] {
      if let due, next == nil || due < next! { next = due }
    }
    if cwayland_all_waiting_descriptors() > 0 {
      for client in clients.values {
        guard let since = client.descriptorsWaitSince else { continue }
        let isFull = Int(cwayland_all_waiting_descriptors()) > Limits.waitingDescriptors
        let due = since + (isFull ? Self.descriptorsAreRead : .seconds(Limits.transferSeconds))
        if next == nil || due < next! { next = due }
      }
    }
    for client in clients.values {
      if let due = client.nextAwaited, next == nil || due < next! { next = due }
    }
    guard silentCount > 0 else { return next }
    for client in clients.values where !client.hasSaidHello {
      let due = client.since + .seconds(Limits.helloSeconds)
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
    readOn(at: now)
    limitClosing()
    passAgain(at: now)
    refuseAwaited(at: now)
    endDoomed()
    bidFarewell(at: now)
    if let trimDue, trimDue <= now {
      self.trimDue = nil
      clinux_trim_heap()
    }
    guard silentCount > 0 else { return }
    for client in clients.values
    where !client.hasSaidHello && client.since + .seconds(Limits.helloSeconds) <= now {
      Log.info("client \(client.id.raw) (pid \(client.peer.pid)) said nothing for \(Limits.helloSeconds) s")
      wl_client_destroy(client.raw)
    }
  }

  package func flush() {
    wl_display_flush_clients(display)
    noteClientsBehind()
  }

  /// Disconnects everybody and lets go of the socket; the last call.
  package func close() {
    delegate = nil
    acceptSource?.cancel()
    listener.removeFiles()
    wl_display_flush_clients(display)
    wl_display_destroy_clients(display)
    for fd in parting { cwayland_end_leaving(fd) }
    for farewell in farewells { cwayland_end_leaving(farewell.fd) }
    listener.release()
  }
}
