import CLinux
import CWaylandClient
import CarrySystem
import CarryTesting
import Testing

@testable import CarryWireClient

/// libwayland's end of a connection, and an engine's that the test speaks for, or reads or not.
final class WireLine {
  let display: OpaquePointer
  let engine: RawClient
  let outbox: Outbox

  init() throws {
    let pair = try SocketPair(CInt(SOCK_STREAM.rawValue))
    engine = RawClient(on: try pair.theirs.duplicate())
    display = try #require(wl_display_connect_to_fd(pair.takeOurs().release()))
    outbox = Outbox(display)
  }

  deinit { wl_display_disconnect(display) }
}
