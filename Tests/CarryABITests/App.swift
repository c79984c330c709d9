import CCarry
import CarryTesting
import Testing

/// A program that uses the C interface, over a real engine: it writes down what it is called back with.
final class App {
  let client: OpaquePointer
  /// Its X window.
  let window: UInt32
  private(set) var region: OpaquePointer?
  var calls: [String] = []
  /// The items of the next press.
  var items: () -> [OpaquePointer?] = { [] }
  var perform: (OpaquePointer) -> Void = { _ in }
  var onCall: [String: (OpaquePointer) -> Void] = [:]
  /// What loads ended with, by the number that was given with them.
  var results: [Int: (status: Int32, bytes: [UInt8], size: Int)] = [:]
  /// Why the loads that failed did.
  var messages: [Int: String] = [:]
  var added: () -> [OpaquePointer?] = { [] }
  var isRestricted = false
  var operation = CARRY_OPERATION_COPY
  /// Which of several sessions a tap adds to.
  var chosen: Int32 = -1
  var drag = carry_drag_callbacks()
  var drop = carry_drop_callbacks()

  /// - Parameter tall: the region is 600 pixels high from 100 on, not 300 from 250 on.
  init(_ desktop: Desktop, name: String, x: Double, tall: Bool = false) throws {
    client = try #require(carry_client_create(name, desktop.socket), "\(String(cString: carry_last_error()))")
    window = desktop.window(x: x, tall: tall)
    region = carry_region_create(client, window, 0, 0, 300, tall ? 600 : 300)
    let data = Unmanaged.passUnretained(self).toOpaque()
    drag = carry_drag_callbacks(
      size: MemoryLayout<carry_drag_callbacks>.size, user_data: data,
      items_for_beginning: { data, session, x, y in
        App.of(data).call("items_for_beginning", session)
        for item in App.of(data).items() {
          carry_drag_session_add_item(session, item)
          carry_item_destroy(item)
        }
      },
      items_for_adding: {
        App.of($0).call("items_for_adding", $1); _ = ($2, $3)
        for item in App.of($0).added() {
          carry_drag_session_add_item($1, item)
          carry_item_destroy(item)
        }
      },
      allows_move: {
        App.of($0).call("allows_move", $1); return 1
      },
      is_restricted: {
        App.of($0).call("is_restricted", $1); return App.of($0).isRestricted ? 1 : 0
      },
      lift_ended: { App.of($0).call("lift_ended(\($2))", $1) },
      session_will_begin: { App.of($0).call("session_will_begin", $1) },
      session_did_move: { App.of($0).call("session_did_move", $1) },
      will_end: { App.of($0).call("will_end(\($2))", $1) }, did_end: { App.of($0).call("did_end(\($2))", $1) },
      did_transfer: { App.of($0).call("did_transfer", $1) }, lift_began: { App.of($0).call("lift_began", $1) },
      lifted: { App.of($0).call("lifted", $1) },
      session_for_adding: { data, sessions, count, _, _ in
        App.of(data).call("session_for_adding(\(count))", sessions[0])
        return App.of(data).chosen
      },
      will_add: { data, session, first, adding in
        #expect(adding == App.of(data).region)
        App.of(data).call("will_add(\(first))", session)
      },
      prefers_full_size: {
        App.of($0).call("prefers_full_size", $1); return 0
      }, preview_for_lifting: nil, will_animate_lift: nil, preview_for_cancelling: nil, will_animate_cancel: nil,
      allows_move_to_others: nil, may_begin: nil)
    drop = carry_drop_callbacks(
      size: MemoryLayout<carry_drop_callbacks>.size, user_data: data,
      can_handle: {
        App.of($0).call("can_handle", $1); return 1
      }, did_enter: { App.of($0).call("did_enter", $1) },
      did_update: {
        App.of($0).call("did_update", $1); return App.of($0).operation.rawValue
      },
      did_exit: { App.of($0).call("did_exit", $1) },
      perform_drop: {
        App.of($0).call("perform_drop", $1); App.of($0).perform($1)
      },
      conclude_drop: { App.of($0).call("conclude_drop", $1) }, did_end: { App.of($0).call("did_end(\($2))", $1) },
      preview_for_dropping: nil, will_animate_drop: nil)
  }

  deinit { carry_client_destroy(client) }

  static func of(_ data: UnsafeMutableRawPointer?) -> App {
    Unmanaged<App>.fromOpaque(data!).takeUnretainedValue()
  }

  private func call(_ name: String, _ session: OpaquePointer) {
    // Moves and updates come as often as the machine is fast.
    if calls.last != name { calls.append(name) }
    onCall[name]?(session)
  }

  func setDrag() { #expect(carry_region_set_drag(region, &drag) == CARRY_OK.rawValue) }
  func setDrop() { #expect(carry_region_set_drop(region, &drop) == CARRY_OK.rawValue) }

  /// Called when a load is over; its user data is the number of the load in an `App.Ticket`.
  static let loaded: carry_load_func = { data, status, bytes, size, message in
    guard let data else { return }
    let ticket = Unmanaged<Ticket>.fromOpaque(data).takeRetainedValue()
    ticket.app?.results[ticket.number] = (
      status, Array(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : size)), size
    )
    ticket.app?.messages[ticket.number] = message.map { String(cString: $0) }
    #expect((status == 0) == (message == nil))
  }

  final class Ticket {
    weak var app: App?
    let number: Int
    init(_ app: App, _ number: Int) {
      self.app = app
      self.number = number
    }
  }

  func ticket(_ number: Int) -> UnsafeMutableRawPointer { Unmanaged.passRetained(Ticket(self, number)).toOpaque() }

  /// Dispatches two programs until something holds.
  static func run(_ apps: [App], seconds: Double = 20, until condition: () -> Bool) -> Bool {
    Wait.until(seconds: seconds, descriptor: carry_client_fd(apps[0].client)) {
      for app in apps { _ = carry_client_dispatch(app.client) }
      return condition()
    }
  }
}
