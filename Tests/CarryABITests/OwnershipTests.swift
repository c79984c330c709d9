import CCarry
import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Who keeps what for how long, and what bad arguments do.
@Suite(.serialized) struct OwnershipTests {
  private func text() -> OpaquePointer? {
    let item = carry_item_create()
    carry_item_add_text(item, "text")
    return item
  }

  @Test("running with a descriptor that is none is refused, and one that has nothing to say does not spin")
  func runningWithBadDescriptors() throws {
    let desktop = try Desktop(compositor: nil)
    let app = try App(desktop, name: "C", x: 50)
    #expect(carry_client_run(app.client, 5000, nil, nil) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(String(cString: carry_last_error()) == "5000 is no open descriptor")
    // A pipe without a writer is ready for ever. A refused region ends the loop.
    func runsUntilRefused(_ other: CInt, _ readable: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?) {
      let foreign = carry_region_create(app.client, 1, 0, 0, 10, 10)
      app.setDrag()
      carry_region_set_refused(
        foreign, { data, _ in carry_client_stop(App.of(data).client) }, Unmanaged.passUnretained(app).toOpaque())
      #expect(carry_region_set_drag(foreign, &app.drag) == CARRY_OK.rawValue)
      let status = carry_client_run(app.client, other, readable, Unmanaged.passUnretained(app).toOpaque())
      #expect(status == CARRY_OK.rawValue)
      carry_region_destroy(foreign)
    }
    var ends: [CInt] = [-1, -1]
    clinux_pipe(&ends)
    close(ends[1])
    runsUntilRefused(ends[0]) { App.of($0).calls.append("readable") }
    // Once before the first wait, and once when the other end was gone.
    #expect(app.calls.count { $0 == "readable" } <= 2)
    runsUntilRefused(ends[0], nil)
    close(ends[0])
  }

  @Test("what is watched beside the engine is looked at after callbacks, too: drawing in them may have read ahead")
  func whatCallbacksHaveRead() throws {
    let desktop = try Desktop(compositor: nil)
    let app = try App(desktop, name: "C", x: 50)
    app.setDrag()
    root = desktop.client.root.raw
    registerARegionOfTheRoot(app)
    var ends: [CInt] = [-1, -1]
    clinux_pipe(&ends)
    defer { for end in ends { close(end) } }
    let status = carry_client_run(
      app.client, ends[0], { App.of($0).calls.append("readable") }, Unmanaged.passUnretained(app).toOpaque())
    #expect(status == CARRY_OK.rawValue)
    // Between the two; and before the first wait, unless the first has come by then.
    let calls = app.calls.filter { ["readable", "refused"].contains($0) }
    #expect(calls.drop { $0 == "readable" } == ["refused", "readable", "refused"])
  }

  @Test("the last error stays where it is, so that an old pointer shows an old sentence at worst")
  func theLastErrorStays() {
    carry_item_set_name(nil, "a")
    let first = carry_last_error()
    #expect(String(cString: first) == "a carry_item is NULL: the call that makes it has failed, or was not made")
    let item = carry_item_create()
    carry_item_add_data(item, String(repeating: "é", count: 5000), nil, 0)
    #expect(carry_last_error() == first)
    let long = String(cString: first)
    #expect(long.hasPrefix("'é") && long.utf8.count < 1024)
    carry_item_destroy(item)
  }

  @Test("an item with nothing at all is refused, one with local data alone is not") func emptyItems() throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    var statuses: [Int32] = []
    source.onCall["items_for_beginning"] = { session in
      let empty = carry_item_create()
      statuses.append(carry_item_add_data(empty, "png", nil, 0))
      statuses.append(carry_drag_session_add_item(session, empty))
      carry_item_destroy(empty)
      let local = carry_item_create()
      carry_item_set_local_data(local, UnsafeMutableRawPointer(bitPattern: 3))
      statuses.append(carry_drag_session_add_item(session, local))
      carry_item_destroy(local)
    }
    source.setDrag()
    #expect(App.run([source]) { source.calls.contains("did_end(0)") }, "\(source.calls)")
    #expect(statuses == [CARRY_ERROR_INVALID_ARGUMENT.rawValue, CARRY_ERROR_INVALID_ARGUMENT.rawValue, 0])
  }

  @Test("a region that is refused is said on stderr, unless the program listens", arguments: [false, true])
  func refusalsAreSaid(listens: Bool) throws {
    let desktop = try Desktop(compositor: nil)
    let app = try App(desktop, name: "C", x: 50)
    // A window that is not there.
    let window: UInt32 = listens ? 0x7FF_0001 : 0x7FF_0002
    let region = carry_region_create(app.client, window, 0, 0, 10, 10)
    if listens {
      carry_region_set_refused(
        region, { App.of($0).calls.append(String(cString: $1)) }, Unmanaged.passUnretained(app).toOpaque())
    }
    #expect(carry_region_set_drag(region, &app.drag) == CARRY_OK.rawValue)
    // It would be waited for otherwise.
    #expect(carry_client_synchronize(app.client) == CARRY_OK.rawValue)
    #expect(carry_region_refusal(region) != nil)
    let said = Warning.sentences.filter { $0.contains("7ff000") }
    let sentence = "there is no such window; create it and call XSync before registering a region"
    if listens {
      #expect(app.calls == [sentence] && !said.contains { $0.contains("7ff0001") }, "\(app.calls) \(said)")
    } else {
      #expect(said.contains("a region of the window 0x7ff0002 is refused: \(sentence)"), "\(said)")
    }
  }

  @Test("the callbacks of a drag outlive its region, unless the program says otherwise", arguments: [true, false])
  func callbacksOutliveTheRegion(areWanted: Bool) throws {
    let desktop = try Desktop("press-drag-drop")
    let source = try App(desktop, name: "C source", x: 50)
    let target = try App(desktop, name: "C target", x: 850)
    source.items = { [text()] }
    source.onCall["session_did_move"] = { _ in
      if !areWanted { carry_region_set_drag(source.region, nil) }
      carry_region_destroy(source.region)
    }
    source.setDrag()
    target.setDrop()
    #expect(
      App.run([target, source]) { target.calls.last == "did_end(2)" && !desktop.engine.isRunning },
      "\(source.calls) \(target.calls)")
    _ = carry_client_dispatch(source.client)
    let ends = source.calls.filter { $0.hasPrefix("will_end") || $0.hasPrefix("did_") }
    #expect(ends == (areWanted ? ["will_end(2)", "did_end(2)", "did_transfer"] : []), "\(source.calls)")
  }
}

/// Engines that come and go, through the C interface.
@Suite(.serialized) struct AwaitingTests {
  private final class Changes {
    var list: [String] = []
  }

  @Test("Z30: a client that waits is registered with the engine that comes, and says when it goes")
  func Z30_aClientThatWaits() throws {
    let folder = try TestFolder("abi")
    let socket = folder.path + "/socket"
    let client = try #require(carry_client_create_awaiting("patient", socket))
    defer { carry_client_destroy(client) }
    let changes = Changes()
    #expect(
      carry_client_set_connection_changed(
        client,
        { data, isConnected, problem in
          Unmanaged<Changes>.fromOpaque(data!).takeUnretainedValue().list.append(
            "\(isConnected) \(problem.map { String(cString: $0) } ?? "none")")
        }, Unmanaged.passUnretained(changes).toOpaque()) == CARRY_OK.rawValue)
    #expect(carry_client_is_connected(client) == 0)
    #expect(carry_client_synchronize(client) == CARRY_ERROR_CONNECTION.rawValue)
    // A window that is not there: that it is refused shows that it is registered.
    let region = carry_region_create(client, 0x7FF_0003, 0, 0, 10, 10)
    var drag = carry_drag_callbacks()
    drag.size = MemoryLayout<carry_drag_callbacks>.size
    #expect(carry_region_set_drag(region, &drag) == CARRY_OK.rawValue)
    let server = try PrivateXServer()
    let engine = try Engine(on: server.display, in: folder)
    func runs(until condition: () -> Bool) -> Bool {
      Wait.until(seconds: 20, descriptor: carry_client_fd(client)) {
        #expect(carry_client_dispatch(client) == CARRY_OK.rawValue)
        return condition()
      }
    }
    #expect(runs { carry_region_refusal(region) != nil })
    #expect(carry_client_is_connected(client) == 1)
    engine.stop(SIGKILL)
    #expect(runs { carry_client_is_connected(client) == 0 })
    #expect(changes.list == ["1 none", "0 the connection to the engine was lost: the engine stopped"])
    // It may be told to end with the next one.
    #expect(carry_client_set_reconnects(client, 1) == CARRY_OK.rawValue)
  }
}

nonisolated(unsafe) private var root: UInt32 = 0

/// It is refused; after the first another one is registered, with the second the loop ends.
private func registerARegionOfTheRoot(_ app: App) {
  let region = carry_region_create(app.client, root, 0, 0, 10, 10)
  carry_region_set_refused(
    region,
    { data, _ in
      let app = App.of(data)
      app.calls.append("refused")
      if app.calls.count(where: { $0 == "refused" }) == 2 {
        carry_client_stop(app.client)
      } else {
        registerARegionOfTheRoot(app)
      }
    }, Unmanaged.passUnretained(app).toOpaque())
  #expect(carry_region_set_drag(region, &app.drag) == CARRY_OK.rawValue)
}
