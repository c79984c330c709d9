import CCarry
import CarryTesting
import Testing

/// Which presses lift, and regions that change beneath a drag, through the C interface and the real engine.
@Suite(.serialized) struct PressTests {
  private static func text() -> OpaquePointer? {
    let item = carry_item_create()
    carry_item_add_text(item, "hello")
    return item
  }

  @Test("Z35: a source in C is asked as a press begins, in its own pixels, and only what it allows lifts")
  func Z35_mayBegin() throws {
    var s = FingerScript(width: 1280, height: 800)
    // The upper half of the source is a title, which is not draggable.
    s.carry(from: (100, 300), at: 0, .to(1000, 300, 700...900), upAt: 1200)
    s.carry(from: (100, 500), at: 1500, .to(1000, 500, 2200...2400), upAt: 2700)
    let desktop = try Desktop(s, compositor: nil)
    let source = try App(desktop, name: "source", x: 50)
    let target = try App(desktop, name: "target", x: 850)
    source.items = { [Self.text()] }
    source.drag.may_begin = { data, x, y in
      App.of(data).calls.append("may_begin(\(Int(x)), \(Int(y)))")
      #expect(carry_client_is_dispatching(App.of(data).client) == 1)
      return y > 150 ? 1 : 0
    }
    source.setDrag()
    target.setDrop()
    #expect(carry_client_is_dispatching(source.client) == 0)
    #expect(App.run([source, target]) { source.calls.contains { $0.hasPrefix("did_transfer") } }, "\(source.calls)")
    #expect(source.calls.prefix(2) == ["may_begin(50, 50)", "may_begin(50, 250)"], "\(source.calls)")
    #expect(source.calls.count { $0 == "items_for_beginning" } == 1)
  }

  @Test("Z35: a target in C is asked again when its content has changed beneath a drag that rests")
  func Z35_askAgain() throws {
    var s = FingerScript(width: 1280, height: 800)
    s.carry(from: (200, 400), at: 0, .to(1000, 400, 620...850), upAt: 4000)
    let desktop = try Desktop(s, compositor: nil)
    let source = try App(desktop, name: "source", x: 50)
    let target = try App(desktop, name: "target", x: 850)
    source.items = { [Self.text()] }
    source.setDrag()
    target.setDrop()
    // Each answer changes the next one, although the finger rests: three answers come only if three are asked for.
    var operations: [Int32] = []
    target.onCall["did_update"] = { _ in
      operations.append(target.operation.rawValue)
      target.operation = target.operation == CARRY_OPERATION_COPY ? CARRY_OPERATION_FORBIDDEN : CARRY_OPERATION_COPY
      if operations.count < 30 { #expect(carry_region_ask_again(target.region) == CARRY_OK.rawValue) }
    }
    #expect(App.run([source, target]) { operations.count >= 30 }, "\(operations.count)")
    #expect(App.run([source, target]) { target.calls.contains { $0.hasPrefix("did_end") } }, "\(target.calls)")
  }

  @Test("Z35: an obstacle in C keeps presses from the source beneath it") func Z35_obstacle() throws {
    var s = FingerScript(width: 1280, height: 800)
    s.carry(from: (100, 300), at: 0, .to(1000, 300, 700...900), upAt: 1200)
    s.carry(from: (100, 500), at: 1500, .to(1000, 500, 2200...2400), upAt: 2700)
    let desktop = try Desktop(s, compositor: nil)
    let source = try App(desktop, name: "source", x: 50)
    let target = try App(desktop, name: "target", x: 850)
    source.items = { [Self.text()] }
    source.setDrag()
    target.setDrop()
    let button = carry_region_create(source.client, source.window, 0, 0, 300, 150)
    defer { carry_region_destroy(button) }
    #expect(carry_region_set_obstacle(button, 1) == CARRY_OK.rawValue)
    var starts: [Double] = []
    source.onCall["items_for_beginning"] = { session in
      var y = 0.0
      _ = carry_drag_session_location(session, nil, nil, &y)
      starts.append(y)
    }
    #expect(App.run([source, target]) { source.calls.contains { $0.hasPrefix("did_transfer") } }, "\(source.calls)")
    #expect(starts == [250])
  }

  @Test("X2: a target in C loads after its drop, which it has kept open, and ends it then") func X2_keepOpen() throws {
    var s = FingerScript(width: 1280, height: 800)
    s.carry(from: (200, 400), at: 0, .to(1000, 400, 620...850), upAt: 1200)
    let desktop = try Desktop(s, compositor: nil)
    let source = try App(desktop, name: "source", x: 50)
    let target = try App(desktop, name: "target", x: 850)
    source.items = { [Self.text()] }
    source.setDrag()
    target.setDrop()
    var drop: OpaquePointer?
    target.perform = { session in
      #expect(carry_drop_session_finish(session, 0) == CARRY_ERROR_STATE.rawValue)
      #expect(carry_drop_session_keep_open(session) == CARRY_OK.rawValue)
      drop = session
    }
    #expect(App.run([source, target]) { drop != nil && source.calls.contains { $0.hasPrefix("did_end") } })
    // In a later turn.
    let ticket = target.ticket(1)
    #expect(carry_drop_session_load(drop, 0, "text/plain;charset=utf-8", 0, App.loaded, ticket) != nil)
    #expect(App.run([source, target]) { target.results[1] != nil })
    #expect(target.results[1]?.bytes == Array("hello".utf8) && !target.calls.contains { $0.hasPrefix("did_end") })
    #expect(carry_drop_session_finish(drop, 0) == CARRY_OK.rawValue)
    #expect(App.run([source, target]) { target.calls.contains { $0.hasPrefix("did_end") } }, "\(target.calls)")
    #expect(App.run([source, target]) { source.calls.contains("did_transfer") }, "\(source.calls)")
  }

  @Test("Z35: a client without a name has that of the program") func Z35_name() throws {
    let client = carry_client_create_awaiting(nil, "/tmp/carry-no-such-folder/socket")
    #expect(client != nil)
    carry_client_destroy(client)
  }
}
