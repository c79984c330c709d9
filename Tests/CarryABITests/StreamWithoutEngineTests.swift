import CCarry
import CLinux
import CarryTesting
import Synchronization
import Testing

/// Streams that are being written when the engine goes.
@Suite(.serialized) struct StreamWithoutEngineTests {
  private static let hasBegun = Atomic<Bool>(false)
  private static let goesOn = Atomic<Bool>(false)

  @Test("did_transfer comes when the stream that is being written has ended, though the engine went before that")
  func theEngineGoesInMidStream() throws {
    let desktop = try Desktop("press-drag-drop", clients: 1)
    let app = try App(desktop, name: "app", x: 50)
    let target = carry_region_create(app.client, desktop.window(x: 850), 0, 0, 300, 300)
    #expect(carry_client_set_reconnects(app.client, 1) == CARRY_OK.rawValue)
    app.items = {
      let item = carry_item_create()
      carry_item_add_stream(
        item, "a/stream",
        { _, stream in
          // More than the ring holds: the destination reads by then.
          let much = [UInt8](repeating: 65, count: 8 << 20)
          guard carry_stream_write(stream, much, much.count) == 0 else { return 1 }
          StreamWithoutEngineTests.hasBegun.store(true, ordering: .releasing)
          while !StreamWithoutEngineTests.goesOn.load(ordering: .acquiring) { sched_yield() }
          return carry_stream_write(stream, "last", 4)
        }, nil, nil)
      return [item]
    }
    app.perform = { session in
      #expect(carry_drop_session_load(session, 0, "a/stream", 0, App.loaded, app.ticket(1)) != nil)
    }
    app.setDrag()
    #expect(carry_region_set_drop(target, &app.drop) == CARRY_OK.rawValue)
    var isSession = false
    app.onCall["did_transfer"] = { isSession = carry_drag_session_identifier($0) != 0 }
    #expect(App.run([app]) { Self.hasBegun.load(ordering: .acquiring) }, "\(app.calls)")
    desktop.engine.stop(SIGKILL)
    #expect(App.run([app]) { carry_client_is_connected(app.client) == 0 })
    #expect(!app.calls.contains("did_transfer"), "\(app.calls)")
    Self.goesOn.store(true, ordering: .releasing)
    #expect(App.run([app]) { app.calls.contains("did_transfer") && app.results[1] != nil }, "\(app.calls)")
    #expect(isSession)
    #expect(app.results[1]?.bytes.count == (8 << 20) + 4)
  }
}
