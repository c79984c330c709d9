import CCarry
import CarrySystem
import CarryTesting
import Testing

/// Two drags at a time, through the C interface.
@Suite(.serialized) struct SeveralSessionsTests {
  private func text(_ text: String) -> OpaquePointer? {
    let item = carry_item_create()
    carry_item_add_text(item, text)
    return item
  }

  @Test("Z21, A14, K8, D4, O4, O7, LO1, LO3, LO6: two hands, one program, through the c interface")
  func Z21_A14_K8_D4_twoHands() throws {
    let desktop = try Desktop("two-at-once")
    let app = try App(desktop, name: "C program", x: 50, tall: true)
    #expect(carry_client_drag_enabled_by_default(app.client) == 1)
    app.setDrag()
    app.isRestricted = true
    app.items = { [text("lifted")] }
    app.added = { [text("added")] }
    app.chosen = 1
    app.onCall["items_for_beginning"] = { session in
      carry_drag_session_set_local_data(session, UnsafeMutableRawPointer(bitPattern: 42))
    }
    // The same program's other region: its callbacks come to another object, with the same client.
    let window = desktop.window(x: 850, tall: true)
    let target = carry_region_create(app.client, window, 0, 0, 300, 600)
    #expect(carry_region_set_simultaneous(target, 1) == CARRY_ERROR_STATE.rawValue)
    #expect(carry_region_set_own_pointer(target, 1) == CARRY_ERROR_STATE.rawValue)
    #expect(carry_region_set_edge_zone(target, 30) == CARRY_ERROR_STATE.rawValue)
    #expect(carry_region_set_drop(target, &app.drop) == CARRY_OK.rawValue)
    #expect(carry_region_set_simultaneous(target, 1) == CARRY_OK.rawValue)
    #expect(carry_region_set_edge_zone(target, 10_001) == CARRY_ERROR_INVALID_ARGUMENT.rawValue)
    #expect(carry_region_set_edge_zone(target, 30) == CARRY_OK.rawValue)
    // Something that takes nothing came to lie above it; not for long.
    let cover = carry_region_create(app.client, window, 0, 0, 300, 600)
    var nothing = carry_drop_callbacks()
    nothing.size = app.drop.size
    #expect(carry_region_set_drop(cover, &nothing) == CARRY_OK.rawValue)
    #expect(carry_region_raise(target) == CARRY_OK.rawValue)
    app.operation = CARRY_OPERATION_MOVE
    var speeds: Set<Double> = []
    app.onCall["did_update"] = { session in
      #expect(carry_drop_session_propose_precise(session) == CARRY_OK.rawValue)
      #expect(carry_drop_session_propose_full_size(session) == CARRY_OK.rawValue)
      #expect(carry_drop_session_is_restricted(session) == 1)
      var x = 9.0
      #expect(carry_drop_session_edge_speed(session, &x, nil) == CARRY_OK.rawValue)
      speeds.insert(x)
    }
    var places: [Double] = []
    var counts: [Int32] = []
    app.perform = { session in
      #expect(carry_drop_session_propose_precise(session) == CARRY_ERROR_STATE.rawValue)
      let local = carry_drop_session_local_drag_session(session)
      #expect(carry_drag_session_local_data(local) == UnsafeMutableRawPointer(bitPattern: 42))
      #expect(carry_drag_session_is_restricted(local) == 1)
      counts.append(carry_drop_session_item_count(session))
      var y = 0.0
      carry_drop_session_location(session, nil, nil, &y)
      places.append(y)
    }
    #expect(
      App.run([app]) {
        app.calls.count { $0 == "perform_drop" } == 2 && app.calls.count { $0 == "did_transfer" } == 2
      }, "\(app.calls)")
    // Both taps went to the second session: three items in that one, one in the other.
    #expect(counts == [1, 3])
    #expect(app.calls.count { $0 == "session_for_adding(2)" } == 2)
    #expect(app.calls.contains("will_add(1)") && app.calls.contains("will_add(2)"))
    // Dropped at 200 and 600 on the screen, 25 px above the finger.
    #expect(places == [75, 475])
    #expect(speeds == [0])
  }
}
