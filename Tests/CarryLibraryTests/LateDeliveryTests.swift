import CLinux
import CWayland
import CWaylandClient
import CarrySystem
import CarryTesting
import Testing

@testable import CarryWireClient

/// What a source hands over when nobody waits for it any more.
@Suite struct LateDeliveryTests {
  private final class Line {
    private let wire: WireLine
    private let objects: WireObjects
    var display: OpaquePointer { wire.display }
    var engine: RawClient { wire.engine }

    init() throws {
      wire = try WireLine()
      objects = WireObjects(wire.outbox)
    }

    deinit { objects.close(telling: false) }

    /// A load that the engine knows, and its number.
    func load() -> (WireLoad, UInt32) {
      let load = WireLoad(objects, 0) { wl_proxy_create(self.display, cwayland_load()) }
      return (load, wl_proxy_get_id(load.proxy))
    }
  }

  @Test("R3: what comes for a cancelled load is closed aside, until the engine says that nothing follows")
  func R3_closedAside() throws {
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
