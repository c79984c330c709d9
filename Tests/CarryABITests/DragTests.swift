import CCarry
import Carry
import CLinux
import CarrySystem
import CarryTesting
import Testing

@Suite(.serialized) struct DragTests {
  /// Requests that are answered later.
  private final class Waiting {
    var requests: [OpaquePointer] = []

    static func of(_ data: UnsafeMutableRawPointer?) -> Waiting {
      Unmanaged<Waiting>.fromOpaque(data!).takeUnretainedValue()
    }
  }

  @Test("Z21, L8: an item of a selection rises from the region that shows it") func Z21_L8_fromAnotherRegion() throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let row = carry_region_create(source.client, desktop.window(x: 400), 10, 20, 120, 40)
    var statuses: [Int32] = []
    source.onCall["items_for_beginning"] = { session in
      for region in [row, source.region] {
        let item = carry_item_create()
        carry_item_add_text(item, "row")
        statuses.append(carry_drag_session_add_item_from(session, item, region))
        carry_item_destroy(item)
      }
      statuses.append(carry_drag_session_add_item_from(session, nil, row))
      statuses.append(carry_drag_session_add_item_from(session, nil, nil))
    }
    source.drag.preview_for_cancelling = { data, session, item, _ in
      var (width, height) = (0.0, 0.0)
      carry_drag_session_carried_size(session, item, &width, &height)
      App.of(data).calls.append("item \(item): \(width) x \(height)")
      return 0
    }
    source.setDrag()
    #expect(App.run([source]) { source.calls.contains("did_end(0)") }, "\(source.calls)")
    #expect(statuses == [0, 0, CARRY_ERROR_INVALID_HANDLE.rawValue, CARRY_ERROR_INVALID_HANDLE.rawValue])
    #expect(source.calls.filter { $0.hasPrefix("item ") } == ["item 0: 120.0 x 40.0", "item 1: 300.0 x 300.0"])
  }

  @Test("Z21: a target that can never get a drop says so") func Z21_noDropEver() throws {
    let desktop = try Desktop("press-drag-drop")
    let (source, target) = (try App(desktop, name: "C source", x: 50), try App(desktop, name: "C target", x: 850))
    source.items = {
      let item = carry_item_create()
      carry_item_add_text(item, "a")
      return [item]
    }
    source.setDrag()
    target.drop.did_update = { _, _ in 77 }
    target.setDrop()
    #expect(App.run([source, target]) { source.calls.contains("did_end(0)") }, "\(source.calls)")
    #expect(Warning.sentences.contains("did_update returned 77, which is no carry_operation: it counts as CANCEL"))
    let again = try Desktop("press-drag-drop")
    let (other, deaf) = (try App(again, name: "C source", x: 50), try App(again, name: "C target", x: 850))
    other.items = source.items
    other.setDrag()
    deaf.drop.did_update = nil
    deaf.setDrop()
    #expect(App.run([other, deaf]) { other.calls.contains("did_end(0)") }, "\(other.calls)")
    #expect(Warning.sentences.contains { $0.hasPrefix("a drop target has no did_update") })
  }

  @Test("Z21, C3, C4, G16: a drag goes through the c interface") func Z21_C3_C4_G16_aDragGoesThroughTheCInterface()
    throws
  {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    let path = desktop.folder + "/file.txt"
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT, mode: 0o600)
    Output.write("from a file", to: file.raw)
    let big = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let types = ["a/text", "a/data", "a/file", "a/later", "a/pipe", "a/stream", "a/refused", "a/fails", "a/empty"]
    let waiting = Waiting()
    source.items = {
      let item = carry_item_create()
      carry_item_set_name(item, "everything.bin")
      carry_item_add_data(item, types[0], "text", 4)
      big.withUnsafeBytes { _ = carry_item_add_data(item, types[1], $0.baseAddress, $0.count) }
      carry_item_add_file(item, types[2], path)
      carry_item_add_callback(
        item, types[3],
        {
          Waiting.of($0).requests.append($1); _ = $2
        }, Unmanaged.passUnretained(waiting).toOpaque(), nil)
      carry_item_add_callback(
        item, types[4],
        { _, request, _ in
          var ends: [CInt] = [-1, -1]
          clinux_pipe(&ends)
          write(ends[1], "pipe", 4)
          close(ends[1])
          #expect(carry_request_answer_descriptor(request, ends[0]) == CARRY_OK.rawValue)
          // It has been answered: the handle is of no more use.
          #expect(carry_request_fail(request, "again") == CARRY_ERROR_INVALID_HANDLE.rawValue)
          close(ends[0])
        }, nil, nil)
      carry_item_add_stream(
        item, types[5],
        { _, stream in
          for i in 0..<1000 {
            let text = "\(i),"
            if carry_stream_write(stream, text, text.utf8.count) < 0 { return 1 }
          }
          return 0
        }, nil, nil)
      carry_item_add_callback(item, types[6], { _, r, _ in carry_request_fail(r, "not today") }, nil, nil)
      carry_item_add_stream(
        item, types[7],
        { _, stream in
          carry_stream_write(stream, "half", 4); return 5
        }, nil, nil)
      carry_item_add_data(item, types[8], nil, 0)
      carry_item_set_local_data(item, UnsafeMutableRawPointer(bitPattern: 7))
      return [item]
    }
    source.onCall["session_will_begin"] = { session in
      #expect(carry_drag_session_item_count(session) == 1)
      #expect(carry_drag_session_item_local_data(session, 0) == UnsafeMutableRawPointer(bitPattern: 7))
      #expect(carry_drag_session_item_conforms(session, 0, "a/*") == 1)
      #expect(carry_drag_session_item_conforms(session, 1, "a/*") == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
      // Items come by a press or a tap, at no other time.
      let item = carry_item_create()
      #expect(carry_drag_session_add_item(session, item) == CARRY_ERROR_STATE.rawValue)
      carry_item_destroy(item)
      #expect(carry_drag_session_set_local_data(session, UnsafeMutableRawPointer(bitPattern: 9)) == 0)
      #expect(carry_drag_session_local_data(session) == UnsafeMutableRawPointer(bitPattern: 9))
    }
    let received = try Descriptor.open(desktop.folder + "/received", O_RDWR | O_CREAT, mode: 0o600)
    target.onCall["did_update"] = { session in
      // X2: types while hovering, data at no other time than the drop.
      #expect(carry_drop_session_load(session, 0, types[0], 0, App.loaded, nil) == nil)
      #expect(String(cString: carry_last_error()).contains("drop is being performed"))
      #expect(carry_drop_session_conforms(session, "a/*") == 1)
      // Another client, and the same process.
      #expect(carry_drop_session_is_local(session) == 1)
    }
    var handle: OpaquePointer?
    target.perform = { session in
      handle = session
      #expect(carry_drop_session_item_count(session) == 1)
      #expect(carry_drop_session_type_count(session, 0) == Int32(types.count))
      #expect(carry_drop_session_type(session, 0, 1).map { String(cString: $0) } == types[1])
      #expect(carry_drop_session_type(session, 0, 99) == nil)
      #expect(carry_drop_session_name(session, 0).map { String(cString: $0) } == "everything.bin")
      // LO2: another client's pointers stay there.
      #expect(carry_drop_session_item_local_data(session, 0) == nil)
      var (x, y) = (0.0, 0.0)
      #expect(carry_drop_session_location(session, nil, &x, &y) == CARRY_OK.rawValue)
      #expect((140...160).contains(x) && (140...160).contains(y))
      for (i, type) in types.enumerated() where i != 1 {
        #expect(carry_drop_session_load(session, 0, type, 0, App.loaded, target.ticket(i)) != nil)
      }
      #expect(
        carry_drop_session_load_into(session, 0, types[1], received.raw, App.loaded, target.ticket(1)) != nil)
      // What cannot be written to is said at once.
      let readOnly = clinux_open("/dev/null", O_RDONLY, 0)
      defer { close(readOnly) }
      for bad in [9999, readOnly] {
        #expect(carry_drop_session_load_into(session, 0, types[1], bad, App.loaded, nil) == nil, "\(bad)")
      }
      #expect(carry_drop_session_load(session, 0, types[1], 1000, App.loaded, target.ticket(100)) != nil)
      #expect(carry_drop_session_load(session, 0, "a/none", 0, App.loaded, nil) == nil)
      let cancelled = carry_drop_session_load(session, 0, types[3], 0, App.loaded, target.ticket(101))
      carry_load_cancel(cancelled)
      #expect(target.results[101]?.status == CARRY_ERROR_CANCELLED.rawValue)
      #expect(carry_load_completed_bytes(cancelled) == Int64(CARRY_ERROR_INVALID_HANDLE.rawValue))
    }
    source.setDrag()
    target.setDrop()
    let isOver = App.run([target, source]) {
      // One of them is not waited for any more, which the source need not know.
      for request in waiting.requests {
        #expect(carry_request_answer_data(request, "later", 5) == CARRY_OK.rawValue)
      }
      waiting.requests = []
      return source.calls.last == "did_transfer" && target.calls.last == "did_end(2)"
        && target.results.count == types.count + 2
    }
    #expect(isOver, "\(source.calls) \(target.calls) \(target.results.mapValues { ($0.status, $0.size) })")
    func bytes(_ i: Int) -> String { String(decoding: target.results[i]?.bytes ?? [], as: UTF8.self) }
    #expect([0, 2, 3, 4].map(bytes) == ["text", "from a file", "later", "pipe"])
    #expect(bytes(5) == (0..<1000).map { "\($0)," }.joined())
    #expect(target.results[1]?.size == big.count, "\(String(describing: target.results[1]?.status))")
    #expect(try Files.read(desktop.folder + "/received", limit: 1 << 24) == big)
    #expect(target.results[6]?.status == CARRY_ERROR_SOURCE_FAILED.rawValue)
    #expect(target.results[7]?.status == CARRY_ERROR_SOURCE_FAILED.rawValue)
    #expect(target.results[8]?.status == CARRY_OK.rawValue)
    #expect(target.results[100]?.status == CARRY_ERROR_LOCAL.rawValue)
    #expect(
      source.calls.filter { $0 != "session_did_move" } == [
        "items_for_beginning", "lift_began", "lifted", "lift_ended(1)", "session_will_begin", "allows_move",
        "is_restricted", "prefers_full_size", "will_end(2)", "did_end(2)", "did_transfer",
      ])
    #expect(source.calls.contains("session_did_move"))
    #expect(
      target.calls == ["can_handle", "did_enter", "did_update", "perform_drop", "conclude_drop", "did_end(2)"])
    // The session's handle ended with it.
    #expect(carry_drop_session_item_count(handle) == CARRY_ERROR_INVALID_HANDLE.rawValue)
  }

  @Test("A1, A9: a tap adds and the limit of items holds") func A1_A9_aTapAddsAndTheLimitOfItemsHolds() throws {
    let desktop = try Desktop("two-items-by-tap")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    func item(_ number: Int) -> OpaquePointer? {
      let item = carry_item_create()
      carry_item_add_text(item, "\(number)")
      carry_item_set_local_data(item, UnsafeMutableRawPointer(bitPattern: number))
      return item
    }
    source.items = { [item(1)] }
    var statuses: [Int32] = []
    source.onCall["items_for_adding"] = { session in
      let same = item(2)
      for _ in 0..<2 { statuses.append(carry_drag_session_add_item(session, same)) }
      #expect(carry_drag_session_item_count(session) == 2)
      for n in 3...129 {
        let item = item(n)
        statuses.append(carry_drag_session_add_item(session, item))
        carry_item_destroy(item)
      }
      carry_item_destroy(same)
    }
    var count: Int32 = 0
    target.perform = { count = carry_drop_session_item_count($0) }
    source.setDrag()
    target.setDrop()
    #expect(App.run([target, source]) { source.calls.contains("did_end(2)") }, "\(source.calls) \(target.calls)")
    #expect(statuses.dropLast() == Array(repeating: 0, count: 128)[...])
    #expect(statuses.last == CARRY_ERROR_LIMIT.rawValue)
    #expect(count == 128)
  }

  @Test("Z21: only as much of a struct is read as its size says") func Z21_onlyAsMuchOfAStructIsReadAsItsSizeSays()
    throws
  {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "old source", x: 50)
    let target = try App(desktop, name: "new target", x: 850)
    source.items = {
      let item = carry_item_create()
      carry_item_add_text(item, "text")
      return [item]
    }
    // A program that was built when a struct ended earlier: what lies behind is not the library's business.
    source.drag.size = MemoryLayout<carry_drag_callbacks>.offset(of: \.lift_ended)! + 3
    source.setDrag()
    // And one from the future.
    target.drop.size = Int(bitPattern: UInt.max)
    target.setDrop()
    var nothing = carry_drop_callbacks()
    #expect(carry_region_set_drop(target.region, &nothing) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(App.run([target, source]) { target.calls.last == "did_end(2)" }, "\(target.calls)")
    // The engine exits at the end of the recording. Everything that it has sent comes before the end of the connection.
    #expect(App.run([target]) { carry_client_dispatch(source.client) != CARRY_OK.rawValue })
    #expect(source.calls == ["items_for_beginning", "allows_move", "is_restricted"])
  }

  @Test("a client that is destroyed in a callback is silent from then on")
  func aClientThatIsDestroyedInACallbackIsSilentFromThenOn() throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    source.items = {
      let item = carry_item_create()
      carry_item_add_stream(
        item, "a/b",
        { _, stream in
          while carry_stream_write(stream, "0123456789", 10) == 0 {}
          return 1
        }, nil, nil)
      return [item]
    }
    target.perform = { session in
      #expect(carry_drop_session_load(session, 0, "a/b", 0, App.loaded, target.ticket(0)) != nil)
      #expect(carry_client_dispatch(target.client) == CARRY_ERROR_STATE.rawValue)
      carry_client_destroy(target.client)
      carry_client_destroy(target.client)
      #expect(carry_client_fd(target.client) == CARRY_ERROR_INVALID_HANDLE.rawValue)
      #expect(target.results.isEmpty)
    }
    source.setDrag()
    target.setDrop()
    // Its own death is no trouble to the source, which hears that the transfer is over.
    #expect(App.run([source, target]) { source.calls.last == "did_transfer" }, "\(source.calls) \(target.calls)")
    #expect(target.calls.last == "perform_drop")
    #expect(target.results[0]?.status == CARRY_ERROR_CANCELLED.rawValue)
    #expect(carry_client_dispatch(target.client) == CARRY_ERROR_INVALID_HANDLE.rawValue)
    #expect(carry_region_set_drop(target.region, nil) == CARRY_ERROR_INVALID_HANDLE.rawValue)
  }

  @Test("Z7: refusals regions and the end of the engine") func Z7_refusalsRegionsAndTheEndOfTheEngine() throws {
    let desktop = try Desktop(compositor: nil)
    let app = try App(desktop, name: "C", x: 50)
    #expect(carry_client_engine_version(app.client).map { String(cString: $0) } == "0.1.0")
    let foreign = carry_region_create(app.client, 1, 0, 0, 10, 10)
    app.setDrag()
    #expect(carry_region_set_drag(foreign, &app.drag) == CARRY_OK.rawValue)
    #expect(carry_client_synchronize(app.client) == CARRY_OK.rawValue)
    #expect(
      Wait.until {
        _ = carry_client_dispatch(app.client)
        return carry_region_refusal(foreign) != nil
      })
    #expect(carry_region_refusal(app.region) == nil)
    #expect(carry_region_set_rectangle(app.region, .min, .max, .max, .max) == CARRY_OK.rawValue)
    #expect(carry_region_set_rectangle(app.region, 0, 0, -1, 1) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(carry_region_create(app.client, 0, 0, 0, 10, 10) == nil)
    #expect(String(cString: carry_last_error()).hasPrefix("0 is no X window"))
    #expect(carry_region_set_enabled(app.region, 8, 1) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(carry_region_set_enabled(app.region, CARRY_INTERACTION_DRAG.rawValue, 0) == CARRY_OK.rawValue)
    let spring = carry_region_create(app.client, desktop.window(x: 850), 0, 0, 10, 10)
    var callbacks = carry_spring_callbacks(
      size: MemoryLayout<carry_spring_callbacks>.size, user_data: nil, state_changed: nil, activated: nil,
      should_allow: nil, did_finish: nil)
    #expect(carry_region_set_spring(spring, &callbacks) == CARRY_OK.rawValue)
    #expect(carry_region_set_spring(spring, nil) == CARRY_OK.rawValue)
    let monitor = carry_monitor_create(app.client, { _, _ in }, nil)
    #expect(monitor != nil)
    #expect(carry_client_synchronize(app.client) == CARRY_OK.rawValue)
    desktop.engine.stop()
    #expect(Wait.until { carry_client_dispatch(app.client) == CARRY_ERROR_CONNECTION.rawValue })
    // Everything can still be asked for, and nothing comes of it.
    app.setDrop()
    carry_region_destroy(foreign)
    carry_region_destroy(foreign)
    carry_monitor_destroy(monitor)
    #expect(carry_client_flush(app.client) == CARRY_ERROR_CONNECTION.rawValue)
  }
}
