import CarryLoop
import CarryModel
import CarrySystem
import CWaylandServer

/// Limits what clients leave waiting: descriptors without a message, and unread bytes.
extension WireServer {
  /// After this time, descriptors have been consumed by their messages if they came with any.
  static let descriptorsAreRead = Interval.milliseconds(100)

  /// Limits how long, and how many, descriptors wait for their message.
  func limitDescriptors(at now: Instant) {
    guard cwayland_all_waiting_descriptors(sockets) > 0 || someWait else { return }
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
      if cwayland_has_sent_too_many_descriptors(client.fd) {
        disconnect(client, "it has sent more descriptors at once than anybody needs")
      } else if count > Limits.waitingDescriptorsPerClient {
        disconnect(client, "\(count) descriptors of its wait for messages that take them")
      } else if since + .seconds(Limits.transferSeconds) <= now {
        disconnect(client, "descriptors of its have waited for \(Int(Limits.transferSeconds)) s")
      }
    }
    endDoomed()
    // Disconnect the client with the most waiting descriptors. Those that have just arrived do not count, because the
    // next part of their message may consume them.
    while Int(cwayland_all_waiting_descriptors(sockets)) > Limits.waitingDescriptors,
      let greediest = clients.values.max(by: {
        cwayland_waiting_descriptors($0.fd) < cwayland_waiting_descriptors($1.fd)
      }), (greediest.descriptorsWaitSince ?? now) + Self.descriptorsAreRead <= now
    {
      disconnect(greediest, "the engine keeps \(Limits.waitingDescriptors) descriptors for all, and it has sent most")
      endDoomed()
    }
  }

  func noteClientsBehind() {
    guard cwayland_times_clogged(sockets) != timesClogged else { return }
    timesClogged = cwayland_times_clogged(sockets)
    for client in clients.values where client.isBehind {
      client.awaitReading()
      if clientsBehind.insert(client.id).inserted { delegate?.isBehind(client.id) }
    }
  }

  /// A client has read all queued bytes.
  func hasRead(_ client: WireClient) {
    for session in dropSessions.values where session.client === client { session.tellTeamData() }
    guard !client.isBehind else { return client.awaitReading() }
    if clientsBehind.remove(client.id) != nil { delegate?.hasRead(client.id) }
  }

  /// Reads again from clients whose descriptors had no room before.
  func resumeReading(at now: Instant) {
    guard cwayland_held_back(sockets) > 0 else {
      if readOnDue != nil { Log.notice("descriptors that clients send are taken again") }
      readOnDue = nil
      return
    }
    if readOnDue == nil { Log.warning("hardly any file descriptors are left; clients that send some wait") }
    guard readOnDue.map({ $0 <= now }) ?? true else { return }
    if readOnDue != nil { for client in clients.values { cwayland_read_again(client.fd) } }
    readOnDue = now + Self.descriptorsAreRead
  }

  // MARK: Files that cannot be closed

  /// The owner IDs of the descriptors that clients send, one for each connected process.
  package var descriptorOwners: [UInt32] { processes.values.map(\.number) }

  /// Disconnects clients with too many files whose closing is blocked by a file system.
  func limitClosing() {
    guard !AsideCloser.isIdle else { return }
    for client in clients.values where AsideCloser.count(of: client.process.number) > Limits.closingFiles {
      disconnect(client, "\(Limits.closingFiles) files that it sent cannot be closed")
    }
    for process in processes.values { forgetProcess(process) }
  }

  // MARK: Descriptors that the kernel does not pass on

  var nextPassing: Instant? {
    guard !clientsBehind.isEmpty else { return nil }
    return clientsBehind.lazy.compactMap { self.clients[$0]?.nextPassing }.min()
  }

  func retryPassing(at now: Instant) {
    guard !clientsBehind.isEmpty else { return }
    for id in clientsBehind { clients[id]?.retryPassing(at: now) }
  }

  // MARK: Last words

  private static let maxFarewells = 16

  /// Sends the queued messages of disconnected clients, such as the reason, as they read, for a limited time.
  func sendLastMessages(at now: Instant) {
    guard !parting.isEmpty || !farewells.isEmpty else { return }
    for fd in parting where cwayland_is_leaving(fd) && !farewells.contains(where: { $0.fd == fd }) {
      farewells.append(Farewell(fd, until: now + .seconds(Limits.answerSeconds), loop))
    }
    parting = []
    while let first = farewells.first, first.due <= now || farewells.count > Self.maxFarewells {
      farewells.removeFirst().end()
    }
    farewells.removeAll { !cwayland_is_leaving($0.fd) }
  }
}

/// The socket of a disconnected client, kept while its last messages wait to be read.
final class Farewell {
  let fd: CInt
  let due: Instant
  private var whenItReads: EventLoop.Source?

  init(_ fd: CInt, until due: Instant, _ loop: EventLoop) {
    self.fd = fd
    self.due = due
    whenItReads = loop.watch(fd, for: .writing) { [weak self] in self?.sendOn() }
  }

  private func sendOn() {
    guard cwayland_send_queued(fd) || cwayland_is_full(fd) || cwayland_is_refused_passing(fd) else { return }
    end()
  }

  func end() {
    whenItReads?.cancel()
    cwayland_end_leaving(fd)
  }
}
