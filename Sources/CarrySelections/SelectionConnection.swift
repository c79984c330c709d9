import CXcb
import CarryXdnd

/// The part of a connection to the X server that selections need, by xcb: whoever has Xlib shares its connection.
///
/// https://www.x.org/releases/current/doc/xorg-docs/icccm/icccm.html, section 2.
package final class SelectionConnection {
  package let raw: OpaquePointer
  package let root: UInt32
  /// How many bytes fit in one property in one request.
  package let largestProperty: Int
  private let idMask: UInt32
  private let closes: Bool
  let knowsProcesses: Bool
  private var atoms: [String: UInt32] = [:]
  private var names: [UInt32: String] = [:]
  private var makers = TurnAnswers<UInt32, WindowOwner>()
  /// Which events are selected on windows: each selection replaces the one before it.
  private var masks: [UInt32: Mask] = [:]

  private struct Mask {
    /// Until the window is gone.
    var kept: UInt32 = 0
    /// Until `endSelecting`.
    var borrowed: UInt32 = 0
    var all: UInt32 { kept | borrowed }
  }

  /// The most names of types that are kept, since any program can think of more.
  private static let mostNames = 4096
  private static let longestName = 255

  /// - Parameters:
  ///   - raw: a connection that is open for as long as this object is used.
  ///   - root: the root window.
  ///   - closes: whether this object closes it in the end. Whoever still has data from it may ask for more later.
  ///   - knowsProcesses: whether all connections of a process count as one program.
  package init(_ raw: OpaquePointer, root: UInt32, closes: Bool = false, knowsProcesses: Bool = true) {
    (self.raw, self.root, self.closes, self.knowsProcesses) = (raw, root, closes, knowsProcesses)
    idMask = xcb_get_setup(raw).pointee.resource_id_mask
    // In units of four bytes; the request's own head is smaller than what is left out.
    largestProperty = max(1024, Int(xcb_get_maximum_request_length(raw)) * 4 - 256)
  }

  deinit { if closes { xcb_disconnect(raw) } }

  /// What the windows of one connection have in common.
  func connection(of window: UInt32) -> UInt32 { window & ~idMask }

  /// Who made a window, as it was at one moment of this turn: any program can send any number of requests that ask for it.
  package func makerInTurn(of window: UInt32) -> WindowOwner {
    makers.answer(to: connection(of: window)) { maker(of: window) }
  }

  /// The turn is over: a connection's number may be another program's by the next one.
  package func endTurn() { makers.forget() }

  /// The number of a name; 0 when the connection is lost.
  package func atom(_ name: String) -> UInt32 {
    if let known = atoms[name] { return known }
    if atoms.count >= Self.mostNames { atoms = [:] }
    let cookie = name.withCString { xcb_intern_atom(raw, 0, UInt16(clamping: name.utf8.count), $0) }
    guard let reply = xcb_intern_atom_reply(raw, cookie, nil) else { return 0 }
    defer { cxcb_free(reply) }
    let atom = reply.pointee.atom
    atoms[name] = atom
    // Whoever is offered a type asks for it by its number.
    let isName = name.utf8.count <= Self.longestName && !name.utf8.contains(0)
    if atom != 0, isName, names.count < Self.mostNames { names[atom] = name }
    return atom
  }

  /// Nil for a number that is no atom's, and for names that no type has.
  package func name(of atom: UInt32) -> String? {
    if let known = names[atom] { return known }
    return atom == 0 ? nil : read(xcb_get_atom_name(raw, atom), of: atom)
  }

  /// The names of those that have one, in their order. All are asked for before the first answer is waited for.
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
    if names.count >= Self.mostNames { names = [:] }
    names[atom] = name
    return name
  }

  // MARK: Windows

  /// A window of this connection's own that is never seen.
  package func makeWindow() -> UInt32 {
    let window = xcb_generate_id(raw)
    var isUnmanaged: UInt32 = 1
    xcb_create_window(
      raw, 0, window, root, -10, -10, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0,
      XCB_CW_OVERRIDE_REDIRECT.rawValue, &isUnmanaged)
    return window
  }

  package func destroyWindow(_ window: UInt32) {
    forget(window)
    xcb_destroy_window(raw, window)
  }

  /// Whether there is such a window. Waits for the X server.
  package func isThere(_ window: UInt32) -> Bool {
    let reply = xcb_get_geometry_reply(raw, xcb_get_geometry(raw, window), nil)
    defer { cxcb_free(reply) }
    return reply != nil
  }

  /// Selects events on a window, beside those that are selected already, for as long as there is the window.
  package func select(_ mask: UInt32, on window: UInt32) { change(window) { $0.kept |= mask } }

  /// The same until `endSelecting`: for windows of others.
  package func selectForNow(_ mask: UInt32, on window: UInt32) { change(window) { $0.borrowed |= mask } }

  /// Ends what `selectForNow` has begun.
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

  /// The window is gone.
  package func forget(_ window: UInt32) { masks[window] = nil }

  /// Of how many windows it is known what is selected on them; for tests.
  package var selectedCount: Int { masks.count }

  // MARK: Properties

  /// Sets a property of bytes, which have to fit in a request.
  ///
  /// - Returns: the request's number, as events name it that come after it.
  @discardableResult
  package func set(_ bytes: ArraySlice<UInt8>, as type: UInt32, _ property: UInt32, of window: UInt32) -> UInt32 {
    bytes.withUnsafeBytes {
      xcb_change_property(
        raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, property, type, 8, UInt32($0.count), $0.baseAddress
      ).sequence
    }
  }

  /// Sets a property of numbers of 32 bits. The same is returned.
  @discardableResult
  package func set(_ words: [UInt32], as type: UInt32, _ property: UInt32, of window: UInt32) -> UInt32 {
    words.withUnsafeBytes {
      xcb_change_property(
        raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, property, type, 32, UInt32(words.count), $0.baseAddress
      ).sequence
    }
  }

  /// A property's numbers of 32 bits, at most `most`; empty where there is no such property.
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

  package static let atomType = XCB_ATOM_ATOM.rawValue

  // MARK: Selections

  /// Who owns a selection; 0 for nobody.
  package func owner(of selection: UInt32) -> UInt32 { ownerAndSequence(of: selection).owner }

  /// The same, and the number of the request that has asked.
  func ownerAndSequence(of selection: UInt32) -> (owner: UInt32, sequence: UInt32) {
    let cookie = xcb_get_selection_owner(raw, selection)
    let reply = xcb_get_selection_owner_reply(raw, cookie, nil)
    defer { cxcb_free(reply) }
    return (reply?.pointee.owner ?? 0, cookie.sequence)
  }
}
