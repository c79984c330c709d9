import CLinux
import CWayland
import CWaylandClient
import CarrySystem
import CarryTesting
import Testing

@testable import CarryWireClient

/// What a source hands over when nobody waits for it any more.
@Suite struct LateDeliveryTests {
  /// libwayland's end of a connection, and an engine's that the test speaks for.
  private final class Line {
    let display: OpaquePointer
    let engine: RawClient
    let objects: WireObjects

    init() throws {
      let pair = try SocketPair(CInt(SOCK_STREAM.rawValue))
      engine = RawClient(on: Descriptor(owning: clinux_dup_above(pair.theirs.raw, 0)))
      display = try #require(wl_display_connect_to_fd(pair.takeOurs().release()))
      objects = WireObjects(Outbox(display))
    }

    deinit {
      objects.close(telling: false)
      wl_display_disconnect(display)
    }

    /// A load that the engine knows, and its number.
    func load() -> (WireLoad, UInt32) {
      let load = WireLoad(objects, 0) { wl_proxy_create(self.display, cwayland_load()) }
      return (load, wl_proxy_get_id(load.proxy))
    }
  }

  @Test("T7, R3: what comes for a cancelled load is closed aside, until the engine says that nothing follows")
  func T7_R3_closedAside() throws {
    let line = try Line()
    let (load, id) = line.load()
    var heard = 0
    load.onEvent = { _ in heard += 1 }
    load.finish(success: false)
    wl_display_flush(line.display)
    #expect(line.engine.event(of: id, 2)?.words == [0])
    var ends: [CInt] = [-1, -1]
    try check("pipe2") { clinux_pipe(&ends) }
    let write = Descriptor(owning: ends[1])
    line.engine.send(RawClient.message(id, 2), descriptors: [ends[0]])
    close(ends[0])
    #expect(wl_display_dispatch(line.display) > 0)
    // libwayland would have closed it, on this thread, if there were no object any more.
    #expect(load.proxy != nil && heard == 0)
    var p = pollfd(fd: write.raw, events: 0, revents: 0)
    #expect(Wait.until { poll(&p, 1, 0) > 0 })
    line.engine.send(RawClient.message(id, 8))
    #expect(wl_display_dispatch(line.display) > 0)
    #expect(load.proxy == nil)
    wl_display_flush(line.display)
    #expect(line.engine.event(of: id, 0) != nil)
  }
}
