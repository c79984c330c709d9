import CarryLoop
import CLinux
import CarryModel
import CarrySystem
import CWaylandServer

/// Accepts clients: a few at a time, as long as descriptors are available, and within each process's share.
extension WireServer {
  func startAccepting() {
    acceptSource = loop.watch(listener.descriptor) { [weak self] in self?.accept() }
  }

  private func accept() {
    // A few at a time, so that a storm of connections leaves room for everything else.
    for _ in 0..<8 {
      // The remaining descriptors are for the connected clients.
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
    switch decision(on: process) {
    case .refuse(let why): return refuse(connection, process, why)
    case .admit(let silent, let spare):
      if let client = silent.flatMap({ clients[$0] }) {
        Log.info("client \(client.id.raw) (pid \(client.peer.pid)) said nothing, and others wait")
        wl_client_destroy(client.raw)
      }
      if let client = spare.flatMap({ clients[$0] }) {
        Log.warning(
          "pid \(client.peer.pid) has the most of all \(Limits.clients) connections; its newest is closed for pid "
            + "\(process.peer.pid)")
        wl_client_destroy(client.raw)
      }
    }
    isRefusing = false
    let fd = connection.release()
    guard let raw = makeClient(fd, process) else { return }
    add(
      WireClient(
        id: ClientID(clientIDs.next()), peer: peer, process: process, raw: raw, server: self,
        since: MonotonicClock.now()))
  }

  func add(_ client: WireClient) {
    clients[client.id] = client
    clientsByRaw[client.raw] = client
    processes[client.peer.pid] = client.process
    client.process.clientCount += 1
    client.process.silentCount += 1
    silentCount += 1
  }

  /// Creates libwayland's client for a connection; if that fails, closes the connection and returns nil.
  func makeClient(_ fd: CInt, _ process: WireProcess) -> OpaquePointer? {
    if cwayland_watch_socket(sockets, fd, process.number),
      let raw = wl_client_create(display, fd)
    {
      return raw
    }
    CLinux.close(fd)
    return nil
  }

  /// The process of a connection. A process ID may have been reused by a new process.
  private func process(of connection: CInt, _ peer: SocketListener.Peer) -> WireProcess {
    if let known = processes[peer.pid] ?? neighbours[peer.pid], known.peer.isRunning { return known }
    return WireProcess(PeerProcess(of: connection, pid: peer.pid), programs)
  }

  /// Forgets a process without connections, unless the engine still has to close files of it. The process then stays
  /// known, in case it connects again.
  func forgetProcess(_ process: WireProcess) {
    guard process.clientCount == 0, AsideCloser.isDone(with: process.number) else { return }
    if processes[process.peer.pid] === process { processes[process.peer.pid] = nil }
  }

  private func decision(on process: WireProcess) -> Admission.Decision {
    Admission.decide(
      .init(process: process.number, closingFiles: AsideCloser.count(of: process.number)),
      among: clients.values.filter { $0.helper == nil && $0.companion == nil }.map {
        .init(id: $0.id, process: $0.process.number, isSilent: !$0.hasSaidHello)
      })
  }

  /// Sends the client the reason and disconnects it. Logs this once, until a client is admitted again.
  private func refuse(_ connection: consuming Descriptor, _ process: WireProcess, _ why: String) {
    if !isRefusing { Log.warning("refused pid \(process.peer.pid) and later clients: \(why)") }
    isRefusing = true
    guard let raw = makeClient(connection.release(), process) else { return }
    cwayland_post_client_error(raw, why)
    wl_client_flush(raw)
    wl_client_destroy(raw)
  }
}
