import CarryLoop
import CLinux
import CarryModel
import CarrySystem
import CWaylandServer

/// Who comes in: accepted a few at a time, as long as there are descriptors, and each with its share.
extension WireServer {
  func startAccepting() {
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
    if let why = refusal(of: process) { return refuse(connection, process, why) }
    isRefusing = false
    let fd = connection.release()
    guard let raw = makeClient(fd, process) else { return }
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

  /// libwayland's client for a connection, which is closed where there can be none.
  private func makeClient(_ fd: CInt, _ process: WireProcess) -> OpaquePointer? {
    if cwayland_watch_socket(fd, process.number, UInt32(Limits.queuedBytes), Int32(Limits.queuedDescriptors)),
      let raw = wl_client_create(display, fd)
    {
      return raw
    }
    CLinux.close(fd)
    return nil
  }

  /// A number stands for another process when the one that had it has exited.
  private func process(of connection: CInt, _ peer: SocketListener.Peer) -> WireProcess {
    if let known = processes[peer.pid], known.peer.isRunning { return known }
    return WireProcess(PeerProcess(of: connection, pid: peer.pid))
  }

  /// Lets go of a process without connections, unless it still has files that cannot be closed: it is known again by
  /// them when it comes back.
  func forgetProcess(_ process: WireProcess) {
    guard process.clientCount == 0, AsideCloser.isDone(with: process.number) else { return }
    if processes[process.peer.pid] === process { processes[process.peer.pid] = nil }
  }

  /// Why a process gets no further connection. Where there are too many in all, those who belong together and have most
  /// give one up: one that has not said who it is, or else their newest.
  private func refusal(of process: WireProcess) -> String? {
    if AsideCloser.count(of: process.number) > Limits.closingFiles {
      return "\(Limits.closingFiles) files of this process cannot be closed; see to the file system that they are on"
    }
    if process.silentCount >= Limits.unauthenticatedClientsPerProcess {
      return "\(process.silentCount) connections of this process have not said hello; try again in "
        + "\(Int(Limits.helloSeconds)) s"
    }
    if process.clientCount >= Limits.clientsPerProcess {
      return "this process has all the \(Limits.clientsPerProcess) connections that one may have; close some"
    }
    if silentCount >= Limits.unauthenticatedClients, let oldest = silentClient(for: process) {
      Log.info("client \(oldest.id.raw) (pid \(oldest.peer.pid)) said nothing, and others wait")
      wl_client_destroy(oldest.raw)
    }
    if clients.count >= Limits.clients, let newest = spareClient(for: process) {
      Log.warning(
        "pid \(newest.peer.pid) and those like it have too many of all \(Limits.clients) connections; "
          + "their newest is closed for pid \(process.peer.pid)")
      wl_client_destroy(newest.raw)
    }
    guard clients.count < Limits.clients, silentCount < Limits.unauthenticatedClients else {
      return "the engine has all the \(Limits.clients) clients it takes; close some"
    }
    return nil
  }

  private func silentClient(for process: WireProcess) -> WireClient? {
    let silent = clients.values.filter { !$0.hasSaidHello }
    let crowd = ProcessKin.crowd(
      among: silent, and: process.kin, moreThan: Limits.unauthenticatedClients / 4, kin: \.process.kin)
    return (crowd?.members ?? silent).max { ($0.process.silentCount, $1.id) < ($1.process.silentCount, $0.id) }
  }

  private func spareClient(for process: WireProcess) -> WireClient? {
    // Forks of one program are many processes with a connection each.
    if let crowd = ProcessKin.crowd(
      among: Array(clients.values), and: process.kin, moreThan: Limits.clients / 4, kin: \.process.kin)
    {
      return crowd.makesRoom ? crowd.members.max { $0.id < $1.id } : nil
    }
    let greediest = clients.values.max { ($0.process.clientCount, $0.id) < ($1.process.clientCount, $1.id) }
    // Whoever has a few is no crowd: nobody who is there makes room for a newcomer of many processes.
    guard let greediest, greediest.process.clientCount > max(process.clientCount + 1, 8) else { return nil }
    return greediest
  }

  /// Says why before it hangs up; in the log once, until somebody is admitted again.
  private func refuse(_ connection: consuming Descriptor, _ process: WireProcess, _ why: String) {
    if !isRefusing { Log.warning("refused pid \(process.peer.pid) and whoever comes next: \(why)") }
    isRefusing = true
    guard let raw = makeClient(connection.release(), process) else { return }
    cwayland_post_client_error(raw, why)
    wl_client_flush(raw)
    wl_client_destroy(raw)
  }
}
