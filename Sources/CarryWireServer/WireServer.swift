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
  /// How many of them have not said hello: with none, a turn of the loop need not look at any.
  private var silentCount = 0
  private var monitors: [MonitorObject] = []
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
      switch listener.accept() {
      case .nothing:
        return
      case .exhausted:
        Log.warning("no file descriptors left; new clients wait for a second")
        acceptSource?.cancel()
        pausedUntil = MonotonicClock.now() + .seconds(1)
        return
      case .connection(let connection, let peer):
        admit(connection, peer)
      }
    }
  }

  private func admit(_ connection: consuming Descriptor, _ peer: SocketListener.Peer) {
    guard peer.uid == getuid() else {
      Log.warning("refused pid \(peer.pid) of uid \(peer.uid): only uid \(getuid()) may connect")
      return
    }
    guard clients.count < Limits.clients, silentCount < Limits.unauthenticatedClients else {
      refuse(connection, peer)
      return
    }
    isRefusing = false
    let fd = connection.release()
    guard let raw = wl_client_create(display, fd) else {
      CLinux.close(fd)
      return
    }
    let id = ClientID(clientIDs.next())
    clients[id] = WireClient(id: id, peer: peer, raw: raw, server: self, since: MonotonicClock.now())
    silentCount += 1
  }

  /// Says why before it hangs up; in the log once, until somebody is admitted again.
  private func refuse(_ connection: consuming Descriptor, _ peer: SocketListener.Peer) {
    let why =
      clients.count >= Limits.clients
      ? "the engine has all the \(Limits.clients) clients it takes; close some"
      : "\(silentCount) clients have connected and not said who they are; try again in \(Int(Limits.helloSeconds)) s"
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

  private func bind(_ raw: OpaquePointer, _ id: UInt32) {
    guard let client = clients.values.first(where: { $0.raw == raw }) else { return }
    _ = WireObject.attach(
      ManagerObject(client), id: id, interface: cwayland_manager(), requests: ManagerObject.requests.raw)
  }

  func greeted(_ client: WireClient, name: String) {
    client.hasSaidHello = true
    silentCount -= 1
    client.name = SafeText.displayable(name)
    Log.info("client \(client.id.raw) is \(client.name) (pid \(client.peer.pid))")
    delegate?.clientArrived(client.id)
  }

  func gone(_ client: WireClient) {
    guard clients.removeValue(forKey: client.id) != nil else { return }
    if !client.hasSaidHello { silentCount -= 1 }
    client.isGone = true
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
  package func pid(of client: ClientID) -> Int32? { clients[client]?.peer.pid }

  // MARK: Time

  /// When `advance(to:)` wants to be called: a silent client's time is up, or accepting goes on.
  package var nextDeadline: Instant? {
    var next = pausedUntil
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
      startAccepting()
    }
    guard silentCount > 0 else { return }
    for client in clients.values
    where !client.hasSaidHello && client.since + .seconds(Limits.helloSeconds) <= now {
      Log.info("client \(client.id.raw) (pid \(client.peer.pid)) said nothing for \(Limits.helloSeconds) s")
      wl_client_destroy(client.raw)
    }
  }

  package func flush() { wl_display_flush_clients(display) }

  /// Disconnects everybody and lets go of the socket; the last call.
  package func close() {
    delegate = nil
    acceptSource?.cancel()
    listener.removeFiles()
    wl_display_flush_clients(display)
    wl_display_destroy_clients(display)
  }

  // MARK: Monitors

  func add(_ monitor: MonitorObject) {
    monitors.append(monitor)
    delegate?.monitorsChanged(monitors.count)
  }

  func remove(_ monitor: MonitorObject) {
    monitors.removeAll { $0 === monitor }
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
    for monitor in monitors {
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
    for monitor in monitors {
      if let r = monitor.resource { carry_monitor_send_announcement(r, seconds, microseconds, text) }
    }
  }
}
