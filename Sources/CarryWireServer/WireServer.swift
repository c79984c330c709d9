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

  package weak var delegate: (any WireDelegate)?
  /// PH1: whether drag interactions that say nothing of their own are enabled, told to clients that say hello.
  package var enablesDrags = true
  /// Of the pictures that all clients have handed over.
  var pictureBytes = 0
  /// Told to clients that come from now on: K3.
  package var fewItems = Limits.fewItems
  package let loop: EventLoop
  let version: String
  private let display: OpaquePointer
  private let listener: SocketListener
  private var acceptSource: EventLoop.Source?
  /// When accepting goes on after the descriptors ran out.
  private var pausedUntil: Instant?
  private var clientIDs = IdentifierSource()
  var itemIDs = IdentifierSource()
  var previewIDs = IdentifierSource()
  private var clients: [ClientID: WireClient] = [:]
  private var clientsByRaw: [OpaquePointer: WireClient] = [:]
  /// By number, of those that have connections.
  private var processes: [Int32: WireProcess] = [:]
  /// Clients that are disconnected at the end of the turn.
  private var doomed: [(id: ClientID, raw: OpaquePointer)] = []
  /// When memory that clients have left is given back: a while after they went, and not once for each.
  private var trimDue: Instant?
  /// Those that do not read as fast as there is something to say to them.
  private var clientsBehind: Set<ClientID> = []
  private var timesClogged: UInt32 = 0
  /// Whether descriptors of some client were waiting at the last look.
  private var someWait = false
  /// Descriptors that must be free for a new client.
  private let reserve = min(Limits.reservedDescriptors, DescriptorTable.limit / 8)
  /// How many of them have not said hello: with none, a turn of the loop need not look at any.
  private var silentCount = 0
  private var monitors: [ObjectIdentifier: MonitorObject] = [:]
  private var isRefusing = false
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

  private func startAccepting() {
    acceptSource = loop.watch(listener.descriptor) { [weak self] in self?.accept() }
  }

  private func accept() {
    // A few at a time, so that a storm of connections leaves room for everything else.
    for _ in 0..<8 {
      // T12: what is left is for the clients that are there.
      guard DescriptorTable.hasRoom(for: reserve) else { return pause() }
      switch listener.accept() {
      case .nothing: return
      case .exhausted: return pause()
      case .connection(let connection, let peer): admit(connection, peer)
      }
    }
  }

  private func pause() {
    Log.warning("hardly any file descriptors are left; new clients wait for a second")
    acceptSource?.isPaused = true
    pausedUntil = MonotonicClock.now() + .seconds(1)
  }

  private func admit(_ connection: consuming Descriptor, _ peer: SocketListener.Peer) {
    guard peer.uid == getuid() else {
      Log.warning("refused pid \(peer.pid) of uid \(peer.uid): only uid \(getuid()) may connect")
      return
    }
    let process = process(of: connection.raw, peer)
    if let why = refusal(of: process) { return refuse(connection, peer, why) }
    isRefusing = false
    let fd = connection.release()
    guard cwayland_watch_socket(fd, UInt32(Limits.queuedBytes)), let raw = wl_client_create(display, fd) else {
      cwayland_forget_socket(fd)
      CLinux.close(fd)
      return
    }
    let client = WireClient(
      id: ClientID(clientIDs.next()), peer: peer, process: process, raw: raw, server: self,
      since: MonotonicClock.now())
    clients[client.id] = client
    clientsByRaw[raw] = client
    processes[peer.pid] = process
    process.clientCount += 1
    process.silentCount += 1
    silentCount += 1
  }

  /// A number stands for another process when the one that had it has exited.
  private func process(of connection: CInt, _ peer: SocketListener.Peer) -> WireProcess {
    if let known = processes[peer.pid], known.peer.isRunning { return known }
    return WireProcess(PeerProcess(of: connection, pid: peer.pid))
  }

  /// Why a process gets no further connection. Where there are too many in all, the process that has most gives one up:
  /// one of those that have not said who they are, or else its newest.
  private func refusal(of process: WireProcess) -> String? {
    if process.silentCount >= Limits.unauthenticatedClientsPerProcess {
      return "\(process.silentCount) connections of this process have not said hello; try again in "
        + "\(Int(Limits.helloSeconds)) s"
    }
    if process.clientCount >= Limits.clientsPerProcess {
      return "this process has all the \(Limits.clientsPerProcess) connections that one may have; close some"
    }
    if silentCount >= Limits.unauthenticatedClients, let oldest = silentClient(ofAnyBut: process) {
      Log.info("client \(oldest.id.raw) (pid \(oldest.peer.pid)) said nothing, and others wait")
      wl_client_destroy(oldest.raw)
    }
    if clients.count >= Limits.clients, let newest = spareClient(for: process) {
      Log.warning(
        "pid \(newest.peer.pid) has \(newest.process.clientCount) of all \(Limits.clients) connections; "
          + "its newest is closed for pid \(process.peer.pid)")
      wl_client_destroy(newest.raw)
    }
    guard clients.count < Limits.clients, silentCount < Limits.unauthenticatedClients else {
      return "the engine has all the \(Limits.clients) clients it takes; close some"
    }
    return nil
  }

  private func silentClient(ofAnyBut process: WireProcess) -> WireClient? {
    clients.values.filter { !$0.hasSaidHello }.max {
      ($0.process.silentCount, $1.id) < ($1.process.silentCount, $0.id)
    }
  }

  private func spareClient(for process: WireProcess) -> WireClient? {
    let greediest = clients.values.max { ($0.process.clientCount, $0.id) < ($1.process.clientCount, $1.id) }
    // Whoever has a few is no crowd: nobody who is there makes room for a newcomer of many processes.
    guard let greediest, greediest.process.clientCount > max(process.clientCount + 1, 8) else { return nil }
    return greediest
  }

  /// Says why before it hangs up; in the log once, until somebody is admitted again.
  private func refuse(_ connection: consuming Descriptor, _ peer: SocketListener.Peer, _ why: String) {
    if !isRefusing { Log.warning("refused pid \(peer.pid) and whoever comes next: \(why)") }
    isRefusing = true
    let fd = connection.release()
    guard let raw = wl_client_create(display, fd) else {
      CLinux.close(fd)
      return
    }
    cwayland_post_client_error(raw, why)
    wl_client_flush(raw)
    wl_client_destroy(raw)
  }

  /// Ends a client's connection at the end of the turn: it may be in the middle of a request of its.
  func disconnect(_ client: WireClient, _ why: String) {
    guard !client.isGone, !doomed.contains(where: { $0.id == client.id }) else { return }
    Log.warning("client \(client.id.raw) (\(client.name), pid \(client.peer.pid)) is disconnected: \(why)")
    cwayland_post_client_error(client.raw, why)
    doomed.append((client.id, client.raw))
  }

  private func endDoomed() {
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
    if client.process.clientCount == 0, processes[client.peer.pid] === client.process {
      processes[client.peer.pid] = nil
    }
    client.isGone = true
    if cwayland_is_full(client.fd) {
      Log.warning(
        "\(client.name) (pid \(client.peer.pid)) was disconnected: it left \(Limits.queuedBytes >> 10) KiB unread")
    }
    client.fallSilent()
    clientsBehind.remove(client.id)
    if client.hasMadeMany, trimDue == nil { trimDue = MonotonicClock.now() + .seconds(1) }
    client.unsettled = []
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

  // MARK: Time

  /// When `advance(to:)` wants to be called: a silent client's time is up, or accepting goes on.
  package var nextDeadline: Instant? {
    var next = pausedUntil
    if let trimDue, next == nil || trimDue < next! { next = trimDue }
    if cwayland_all_waiting_descriptors() > 0 {
      for client in clients.values {
        guard let since = client.descriptorsWaitSince else { continue }
        let isFull = Int(cwayland_all_waiting_descriptors()) > Limits.waitingDescriptors
        let due = since + (isFull ? Self.descriptorsAreRead : .seconds(Limits.transferSeconds))
        if next == nil || due < next! { next = due }
      }
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
    endDoomed()
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

  /// By then descriptors have met their messages, if those came with them.
  private static let descriptorsAreRead = Interval.milliseconds(100)

  /// T11: descriptors that no message takes are not kept for ever, and not in any number.
  private func limitDescriptors(at now: Instant) {
    guard cwayland_all_waiting_descriptors() > 0 || someWait else { return }
    someWait = false
    for client in clients.values {
      let count = Int(cwayland_waiting_descriptors(client.fd))
      guard count > 0 else {
        client.descriptorsWaitSince = nil
        continue
      }
      someWait = true
      let since = client.descriptorsWaitSince ?? now
      client.descriptorsWaitSince = since
      if count > Limits.waitingDescriptorsPerClient {
        disconnect(client, "\(count) descriptors of its wait for messages that take them")
      } else if since + .seconds(Limits.transferSeconds) <= now {
        disconnect(client, "descriptors of its have waited for \(Int(Limits.transferSeconds)) s")
      }
    }
    endDoomed()
    // Who has most of them gives way to the others: of those that keep them, not of those that have just come and are
    // taken with the next part of their message.
    while Int(cwayland_all_waiting_descriptors()) > Limits.waitingDescriptors,
      let greediest = clients.values.max(by: {
        cwayland_waiting_descriptors($0.fd) < cwayland_waiting_descriptors($1.fd)
      }), (greediest.descriptorsWaitSince ?? now) + Self.descriptorsAreRead <= now
    {
      disconnect(greediest, "the engine keeps \(Limits.waitingDescriptors) descriptors for all, and it has sent most")
      endDoomed()
    }
  }

  package func flush() {
    wl_display_flush_clients(display)
    noteClientsBehind()
  }

  func noteClientsBehind() {
    guard cwayland_times_clogged() != timesClogged else { return }
    timesClogged = cwayland_times_clogged()
    for client in clients.values where client.isBehind {
      client.awaitReading()
      if clientsBehind.insert(client.id).inserted { delegate?.isBehind(client.id) }
    }
  }

  /// A client has read all that waited for it.
  func hasRead(_ client: WireClient) {
    if clientsBehind.remove(client.id) != nil { delegate?.hasRead(client.id) }
  }

  /// Disconnects everybody and lets go of the socket; the last call.
  package func close() {
    delegate = nil
    acceptSource?.cancel()
    listener.removeFiles()
    wl_display_flush_clients(display)
    wl_display_destroy_clients(display)
  }

  // MARK: Monitors

  /// The step that comes again and again while a drag moves, of which only the newest counts.
  private static let motionKind = "updated"

  /// Has it hear of everything from now on; of nothing, where others have taken what there is: that is no fault of its
  /// client.
  func add(_ monitor: MonitorObject) {
    guard monitor.client.process.monitorCount < Limits.monitorsPerProcess, monitors.count < Limits.monitors else {
      Log.warning(
        "\(monitor.client.name) (pid \(monitor.client.peer.pid)) hears of nothing: \(Limits.monitorsPerProcess) "
          + "monitors of a process, and \(Limits.monitors) in all, are the most")
      return
    }
    monitors[ObjectIdentifier(monitor)] = monitor
    monitor.client.monitorCount += 1
    monitor.client.process.monitorCount += 1
    delegate?.monitorsChanged(monitors.count)
  }

  func remove(_ monitor: MonitorObject) {
    guard monitors.removeValue(forKey: ObjectIdentifier(monitor)) != nil else { return }
    monitor.client.monitorCount -= 1
    monitor.client.process.monitorCount -= 1
    delegate?.monitorsChanged(monitors.count)
  }

  /// One step of a session, to everybody who watches. The point is in screen pixels.
  ///
  /// - Parameter owner: the only client that may see the types; nil for all.
  package func step(
    time: Instant, kind: String, session: SessionID, items: Int, types: [String], point: Point,
    operation: DropOperation?, source: String, target: String?, device: String, owner: ClientID? = nil
  ) {
    // A message has room for 4096 bytes; a list that does not fit loses its end.
    var list = ""
    for type in types where list.utf8.count + type.utf8.count < 2048 {
      if !list.isEmpty { list += "\n" }
      list += type
    }
    let seconds = UInt32(truncatingIfNeeded: time.microseconds / 1_000_000)
    let microseconds = UInt32(truncatingIfNeeded: time.microseconds % 1_000_000)
    for monitor in monitors.values {
      // Of one that does not read along, places are left out: newer ones follow.
      if monitor.client.isBehind, kind == Self.motionKind { continue }
      guard let r = monitor.resource else { continue }
      carry_monitor_send_step(
        r, seconds, microseconds, kind, session.raw, UInt32(items),
        owner == nil || owner == monitor.client.id ? list : "", fixed(point.x), fixed(point.y),
        operation?.rawValue ?? .max, source, target, device)
    }
  }

  /// What a person is to be told who may not see the screen, to everybody who watches.
  package func announce(_ text: String, at time: Instant) {
    let seconds = UInt32(truncatingIfNeeded: time.microseconds / 1_000_000)
    let microseconds = UInt32(truncatingIfNeeded: time.microseconds % 1_000_000)
    for monitor in monitors.values {
      if let r = monitor.resource { carry_monitor_send_announcement(r, seconds, microseconds, text) }
    }
  }
}
