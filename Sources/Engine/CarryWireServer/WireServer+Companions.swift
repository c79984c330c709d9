import CLinux
import CarryModel
package import CarrySystem
import CWaylandServer

/// A process of the engine's own, which is a client like any other but has a special right.
package enum Companion: Sendable {
  /// Represents applications of another protocol.
  case bridge
  /// Keeps dropped items.
  case shelf
}

extension WireServer {
  /// Adds one of the engine's own processes as a client.
  ///
  /// - Parameters:
  ///   - socket: The engine's end of the connection.
  ///   - process: A child that has not been waited for.
  package func add(
    _ companion: Companion, at socket: consuming Descriptor, process: Int32
  ) throws(SystemError) {
    let peer = WireProcess(PeerProcess(of: process), programs)
    guard let raw = makeClient(socket.release(), peer) else {
      throw SystemError(code: ENOMEM, call: "wl_client_create")
    }
    let client = WireClient(
      id: ClientID(clientIDs.next()), peer: .init(pid: process, uid: getuid()), process: peer, raw: raw, server: self,
      since: MonotonicClock.now())
    client.companion = companion
    client.mayMakeCompanion = true
    add(client)
  }

  /// Disconnects one.
  package func end(_ companion: Companion) {
    for client in clients.values
    where client.companion == companion && !doomed.contains(where: { $0.id == client.id }) {
      doomed.append((client.id, client.raw))
    }
    endDoomed()
  }
}
