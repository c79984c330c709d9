import CarryModel
import CarrySystem
import CWaylandServer

/// What clients leave waiting: descriptors that no message takes, and bytes that they do not read.
extension WireServer {
  /// By then descriptors have met their messages, if those came with them.
  static let descriptorsAreRead = Interval.milliseconds(100)

  /// T11: descriptors that no message takes are not kept for ever, and not in any number.
  func limitDescriptors(at now: Instant) {
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
}
