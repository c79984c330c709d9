import CX11
import CarryModel
import CarrySelections
import CarryTesting
import Testing

/// A connection, with a window.
final class SelectionSide {
  let raw: OpaquePointer
  let x: SelectionConnection
  let window: UInt32

  init(_ server: PrivateXServer) throws {
    raw = try #require(xcb_connect(server.display, nil))
    // All sides of a test are one process, and are to be programs of their own.
    x = SelectionConnection(
      raw, root: xcb_setup_roots_iterator(xcb_get_setup(raw)).data.pointee.root, knowsProcesses: false)
    window = x.makeWindow()
    sync()
  }

  deinit { xcb_disconnect(raw) }

  /// The X server has done everything that was asked.
  func sync() { _ = x.owner(of: 1) }

  /// What lies in a property, of its own window where none is named.
  func type(of property: UInt32, at other: UInt32? = nil) -> (name: String?, count: Int) {
    let cookie = xcb_get_property(raw, 0, other ?? window, property, 0, 0, 1 << 28)
    guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return (nil, 0) }
    defer { cx11_free(reply) }
    return (x.name(of: reply.pointee.type), Int(xcb_get_property_value_length(reply)))
  }

  func bytes(of property: UInt32) -> [UInt8] {
    let cookie = xcb_get_property(raw, 0, window, property, 0, 0, 1 << 28)
    guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return [] }
    defer { cx11_free(reply) }
    let start = UnsafeRawPointer(xcb_get_property_value(reply))
    return Array(UnsafeRawBufferPointer(start: start, count: Int(xcb_get_property_value_length(reply))))
  }

  /// Becomes the owner of the clipboard, by a window.
  func ownClipboard(by window: UInt32) {
    xcb_set_selection_owner(raw, window, x.atom("CLIPBOARD"), 0)
    sync()
  }

  /// The next request for data that has come.
  func nextRequest() -> SelectionServer.Request? {
    while let event = xcb_poll_for_event(raw) {
      defer { cx11_free(event) }
      guard event.pointee.response_type == UInt8(XCB_SELECTION_REQUEST) else { continue }
      let e = event.withMemoryRebound(to: xcb_selection_request_event_t.self, capacity: 1) { $0.pointee }
      return SelectionServer.Request(
        requestor: e.requestor, property: e.property, target: e.target, time: e.time, selection: e.selection)
    }
    return nil
  }

  func take(_ property: UInt32) {
    xcb_delete_property(raw, window, property)
    sync()
  }
}

/// A selection's owner, and a program that asks for its data.
final class SelectionScene {
  let server: PrivateXServer
  let owner: SelectionSide
  let asker: SelectionSide
  let selection: SelectionServer
  let now = Instant(microseconds: 1_000_000)

  init() throws {
    server = try PrivateXServer()
    owner = try SelectionSide(server)
    asker = try SelectionSide(server)
    selection = SelectionServer(owner.x)
  }

  func answer(_ count: Int, at property: String, of requestor: UInt32? = nil) {
    selection.answer(request(property, of: requestor), [UInt8](repeating: 7, count: count), at: now)
    owner.sync()
  }

  private func request(_ property: String, of requestor: UInt32? = nil) -> SelectionServer.Request {
    SelectionServer.Request(
      requestor: requestor ?? asker.window, property: owner.x.atom(property), target: owner.x.atom("image/png"),
      time: 0, selection: owner.x.atom("CLIPBOARD"))
  }

  func begin(
    _ count: Int, at property: String, of requestor: UInt32? = nil, onPart: @escaping @Sendable () -> Void = {}
  ) -> PartsWriter? {
    defer { owner.sync() }
    return selection.beginAnswer(
      request(property, of: requestor), count, at: now, onPart: onPart)
  }

  /// The asker asks for something at the property.
  @discardableResult
  func ask(for type: String = "image/png", at property: String) -> SelectionServer.Request {
    defer { owner.sync() }
    return selection.begin(
      SelectionServer.Request(
        requestor: asker.window, property: owner.x.atom(property), target: owner.x.atom(type), time: 0,
        selection: owner.x.atom("CLIPBOARD")))
  }

  func answer(_ request: SelectionServer.Request, _ bytes: [UInt8]) {
    selection.answer(request, bytes, at: now)
    owner.sync()
  }

  func partIsThere(at property: String) {
    selection.partIsThere(for: request(property), at: now)
    owner.sync()
  }

  func end(_ writer: PartsWriter, at property: String, hasAllCome: Bool) -> Bool {
    defer { owner.sync() }
    return selection.endAnswer(request(property), writer, hasAllCome: hasAllCome, at: now)
  }

  /// The properties that the asker has been told of.
  func notices() -> [UInt32] {
    asker.sync()
    var found: [UInt32] = []
    while let event = xcb_poll_for_event(asker.raw) {
      defer { cx11_free(event) }
      guard event.pointee.response_type & 0x7F == UInt8(XCB_SELECTION_NOTIFY) else { continue }
      event.withMemoryRebound(to: xcb_selection_notify_event_t.self, capacity: 1) {
        found.append($0.pointee.property)
      }
    }
    return found
  }

  /// Hands the owner the properties that were deleted.
  func turn() {
    owner.sync()
    while let event = xcb_poll_for_event(owner.raw) {
      defer { cx11_free(event) }
      guard event.pointee.response_type == UInt8(XCB_PROPERTY_NOTIFY) else { continue }
      let sequence = event.pointee.full_sequence
      event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) {
        guard $0.pointee.state == UInt8(XCB_PROPERTY_DELETE.rawValue) else { return }
        selection.propertyDeleted($0.pointee.atom, of: $0.pointee.window, after: sequence, at: now)
      }
    }
    owner.sync()
  }

  func lies(_ property: String) -> (name: String?, count: Int) { asker.type(of: asker.x.atom(property)) }

  func isEmpty(_ property: String) -> Bool { lies(property).name == nil }
}
