import CXcb
import CarryXdnd

/// The part of an X connection that selections need, based on xcb. Users of Xlib share Xlib's connection.
///
/// https://www.x.org/releases/current/doc/xorg-docs/icccm/icccm.html, section 2.
package final class SelectionConnection: SelectionDisplay {
  package let raw: OpaquePointer
  package let root: UInt32
  /// How many bytes fit into one property in one request.
  package let largestProperty: Int
  private let idMask: UInt32
  private let closes: Bool
  let knowsProcesses: Bool
  private var atoms: [String: UInt32] = [:]
  private var names: [UInt32: String] = [:]
  private var makers = TurnAnswers<UInt32, WindowOwner>()
  /// The event masks of windows. Each selection of events replaces the previous one.
  private var masks: [UInt32: Mask] = [:]

  private struct Mask {
    /// Until the window is destroyed.
    var kept: UInt32 = 0
    /// Until `endSelecting`.
    var borrowed: UInt32 = 0
    var all: UInt32 { kept | borrowed }
  }

  /// The maximum number of cached type names, since any program can invent more.
  private static let maxNames = 4096
  private static let longestName = 255

  /// - Parameters:
  ///   - raw: A connection that stays open while this object is used.
  ///   - root: The root window.
  ///   - closes: Whether this object closes the connection at the end. Holders of its data may request more later.
  ///   - knowsProcesses: Whether all connections of a process count as one program.
  package init(_ raw: OpaquePointer, root: UInt32, closes: Bool = false, knowsProcesses: Bool = true) {
    (self.raw, self.root, self.closes, self.knowsProcesses) = (raw, root, closes, knowsProcesses)
    idMask = xcb_get_setup(raw).pointee.resource_id_mask
    // In units of four bytes. The margin is larger than the request's header.
    largestProperty = max(1024, Int(xcb_get_maximum_request_length(raw)) * 4 - 256)
  }

  deinit { if closes { xcb_disconnect(raw) } }

  /// The common ID base of a connection's windows.
  package func connection(of window: UInt32) -> UInt32 { window & ~idMask }

  /// The owner of a window, cached for this turn: any program can send any number of requests that trigger the query.
  package func cachedOwner(of window: UInt32) -> WindowOwner {
    makers.answer(to: connection(of: window)) { maker(of: window) }
  }

  /// Ends the turn: a connection's ID base may belong to another program in the next one.
  package func endTurn() { makers.forget() }

  /// The atom of a name; 0 if the connection is lost.
  package func atom(_ name: String) -> UInt32 {
    if let known = atoms[name] { return known }
    if atoms.count >= Self.maxNames { atoms = [:] }
    let cookie = name.withCString { xcb_intern_atom(raw, 0, UInt16(clamping: name.utf8.count), $0) }
    guard let reply = xcb_intern_atom_reply(raw, cookie, nil) else { return 0 }
    defer { cxcb_free(reply) }
    let atom = reply.pointee.atom
    atoms[name] = atom
    // A program that is offered a type requests it by its atom.
    let isName = name.utf8.count <= Self.longestName && !name.utf8.contains(0)
    if atom != 0, isName, names.count < Self.maxNames { names[atom] = name }
    return atom
  }

  /// Nil for a number that is not an atom, and for names that cannot be a type's.
  package func name(of atom: UInt32) -> String? {
    if let known = names[atom] { return known }
    return atom == 0 ? nil : read(xcb_get_atom_name(raw, atom), of: atom)
  }

  /// The names of those atoms that have one, in order. Sends all requests before waiting for the first reply.
  package func names(of atoms: [UInt32]) -> [String] {
    let asked = atoms.map { atom in
      let known = names[atom]
      return (atom, known, atom == 0 || known != nil ? nil : xcb_get_atom_name(raw, atom))
    }
    return asked.compactMap { atom, known, cookie in known ?? cookie.flatMap { read($0, of: atom) } }
  }

  private func read(_ cookie: xcb_get_atom_name_cookie_t, of atom: UInt32) -> String? {
    guard let reply = xcb_get_atom_name_reply(raw, cookie, nil) else { return nil }
    defer { cxcb_free(reply) }
    let bytes = UnsafeRawBufferPointer(start: xcb_get_atom_name_name(reply), count: Int(reply.pointee.name_len))
    guard bytes.count <= Self.longestName, !bytes.contains(0), let name = String(validating: bytes, as: UTF8.self)
    else { return nil }
    if names.count >= Self.maxNames { names = [:] }
    names[atom] = name
    return name
  }

  // MARK: Windows

  /// Creates a window of this connection that is never shown.
  package func makeWindow() -> UInt32 {
    let window = xcb_generate_id(raw)
    var isUnmanaged: UInt32 = 1
    xcb_create_window(
      raw, 0, window, root, -10, -10, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0,
      XCB_CW_OVERRIDE_REDIRECT.rawValue, &isUnmanaged)
    return window
  }

  package func makeRequestor() -> UInt32 {
    let window = makeWindow()
    select(XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue, on: window)
    return window
  }

  package func destroyWindow(_ window: UInt32) {
    forget(window)
    xcb_destroy_window(raw, window)
  }

  /// Whether a window exists. Blocks on the X server.
  package func isThere(_ window: UInt32) -> Bool {
    let reply = xcb_get_geometry_reply(raw, xcb_get_geometry(raw, window), nil)
    defer { cxcb_free(reply) }
    return reply != nil
  }

  /// Selects events on a window in addition to those already selected, until the window is destroyed.
  package func select(_ mask: UInt32, on window: UInt32) { change(window) { $0.kept |= mask } }

  /// Does the same until `endSelecting`; for windows of other programs.
  package func selectForNow(_ mask: UInt32, on window: UInt32) { change(window) { $0.borrowed |= mask } }

  /// Reverts `selectForNow`.
  package func endSelecting(on window: UInt32) {
    guard masks[window] != nil else { return }
    change(window) { $0.borrowed = 0 }
  }

  private func change(_ window: UInt32, _ body: (inout Mask) -> Void) {
    let before = masks[window] ?? Mask()
    var mask = before
    body(&mask)
    masks[window] = mask.all == 0 ? nil : mask
    guard mask.all != before.all else { return }
    var all = mask.all
    xcb_change_window_attributes(raw, window, XCB_CW_EVENT_MASK.rawValue, &all)
  }

  /// Discards the state of a destroyed window.
  package func forget(_ window: UInt32) { masks[window] = nil }

  /// The number of windows with selected events; for tests.
  package var selectedCount: Int { masks.count }

  // MARK: Properties

  /// Sets a property of bytes, which have to fit into a request.
  ///
  /// - Returns: The request's serial number, as in the events that follow.
  @discardableResult
  package func set(_ bytes: ArraySlice<UInt8>, as type: UInt32, _ property: UInt32, of window: UInt32) -> UInt32 {
    bytes.withUnsafeBytes {
      xcb_change_property(
        raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, property, type, 8, UInt32($0.count), $0.baseAddress
      ).sequence
    }
  }

  /// Sets a property of 32-bit values. Returns the same.
  @discardableResult
  package func set(_ words: [UInt32], as type: UInt32, _ property: UInt32, of window: UInt32) -> UInt32 {
    words.withUnsafeBytes {
      xcb_change_property(
        raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, property, type, 32, UInt32(words.count), $0.baseAddress
      ).sequence
    }
  }

  /// A property's 32-bit values, at most `most`; empty if the property does not exist.
  package func words(_ property: UInt32, of window: UInt32, most: Int) -> [UInt32] {
    let cookie = xcb_get_property(
      raw, 0, window, property, UInt32(XCB_GET_PROPERTY_TYPE_ANY.rawValue), 0, UInt32(clamping: most))
    guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return [] }
    defer { cxcb_free(reply) }
    guard reply.pointee.format == 32 else { return [] }
    let bytes = UnsafeRawBufferPointer(
      start: xcb_get_property_value(reply), count: Int(xcb_get_property_value_length(reply)))
    return Array(bytes.bindMemory(to: UInt32.self))
  }

  package func removeProperty(_ property: UInt32, of window: UInt32, most: Int) -> PropertyValue? {
    let cookie = xcb_get_property(
      raw, 1, window, property, UInt32(XCB_GET_PROPERTY_TYPE_ANY.rawValue), 0, UInt32(most / 4 + 1))
    guard let reply = xcb_get_property_reply(raw, cookie, nil) else { return nil }
    defer { cxcb_free(reply) }
    let isCut = reply.pointee.bytes_after > 0
    // A value that was read whole is deleted by now. Deleting it again could delete the first part, which the source
    // writes at once.
    if isCut, reply.pointee.type == atom("INCR") { xcb_delete_property(raw, window, property) }
    let count = Int(xcb_get_property_value_length(reply))
    return PropertyValue(
      type: reply.pointee.type, format: reply.pointee.format,
      bytes: Array(UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: count)), isCut: isCut)
  }

  package static let atomType = XCB_ATOM_ATOM.rawValue

  // MARK: Selections

  /// The owner of a selection; 0 for none.
  package func owner(of selection: UInt32) -> UInt32 { ownerAndSequence(of: selection).owner }

  package func convert(
    _ selection: UInt32, to target: UInt32, into property: UInt32, of window: UInt32, time: UInt32
  ) -> UInt32 {
    xcb_convert_selection(raw, window, selection, target, property, time).sequence
  }

  package func ownerAndSequence(of selection: UInt32) -> (owner: UInt32, sequence: UInt32) {
    let cookie = xcb_get_selection_owner(raw, selection)
    let reply = xcb_get_selection_owner_reply(raw, cookie, nil)
    defer { cxcb_free(reply) }
    return (reply?.pointee.owner ?? 0, cookie.sequence)
  }
}
