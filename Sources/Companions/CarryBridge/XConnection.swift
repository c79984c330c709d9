import CLinux
import CX11
import CarryModel
import CarrySelections
import CarrySystem
import CarryX
import CarryXdnd

/// The bridge's connection to the X server. All calls come from one thread and may block; nothing waits for the
/// bridge.
final class XConnection: XDisplay {
  let display: OpaquePointer
  let connection: OpaquePointer
  let root: UInt32
  /// The ID base of this connection.
  private let idBase: UInt32
  /// Shares this connection.
  let selections: SelectionConnection
  /// The type of the events about selection owners; nil if the X server does not report them.
  let ownerEvent: CInt?
  /// When the server's clock showed `serverTime`.
  private var clock: (at: Instant, serverTime: UInt32)?
  private var times = ServerTimes()
  /// Replies of the X server in this turn: the processes of connections, selection owners, and whether a button is
  /// down on a root.
  private var turnProcesses = TurnAnswers<UInt32, Int32?>()
  private var turnOwners = TurnAnswers<UInt32, UInt32>()
  private var turnButtons = TurnAnswers<UInt32, Bool>()

  init(name: String?) throws(Problem) {
    XErrors.install()
    guard let display = XOpenDisplay(name), let connection = XGetXCBConnection(display),
      let setup = xcb_get_setup(connection)
    else { throw Problem("cannot open the display") }
    self.display = display
    self.connection = connection
    root = UInt32(truncatingIfNeeded: XDefaultRootWindow(display))
    idBase = setup.pointee.resource_id_base
    selections = SelectionConnection(connection, root: root)
    var (event, error): (CInt, CInt) = (-1, 0)
    var (major, minor): (CInt, CInt) = (5, 0)
    let hasFixes =
      XFixesQueryExtension(display, &event, &error) != 0 && XFixesQueryVersion(display, &major, &minor) != 0
    ownerEvent = hasFixes ? event + CInt(XFixesSelectionNotify) : nil
    XSetIOErrorExitHandler(display, { _, _ in exit(0) }, nil)
  }

  var now: Instant { MonotonicClock.now() }

  // MARK: Names

  func atom(_ name: String) -> UInt32 { selections.atom(name) }

  /// Nil for a number that is not an atom, and for names too long for a type.
  func name(of atom: UInt32) -> String? {
    guard let name = selections.name(of: atom), name.utf8.count <= Limits.typeBytes else { return nil }
    return name
  }

  func names(of atoms: [UInt32]) -> [String] {
    selections.names(of: atoms).filter { $0.utf8.count <= Limits.typeBytes }
  }

  // MARK: Windows

  /// Selects events on a window in addition to those already selected.
  func select(_ mask: Int, on window: UInt32) { selections.select(UInt32(mask), on: window) }

  func watchDestruction(of window: UInt32) { select(StructureNotifyMask, on: window) }

  func forget(_ window: UInt32) { selections.forget(window) }

  /// The children of a window, bottommost first.
  func children(of window: UInt32) -> [UInt32] {
    let cookie = xcb_query_tree(connection, window)
    guard let reply = xcb_query_tree_reply(connection, cookie, nil) else { return [] }
    defer { cx11_free(reply) }
    let list = UnsafeBufferPointer(
      start: xcb_query_tree_children(reply), count: Int(xcb_query_tree_children_length(reply)))
    return Array(list)
  }

  func words(_ window: UInt32, _ property: String, most: Int) -> [UInt32] {
    XProperty.words(connection, XProperty.ask(connection, window, Atom(atom(property)), most: most))
  }

  func bytes(_ window: UInt32, _ property: String, most: Int) -> [UInt8]? {
    let cookie = XProperty.ask(connection, window, Atom(atom(property)), most: most / 4 + 1)
    return XProperty.bytes(connection, cookie).flatMap { $0.count <= most ? $0 : nil }
  }

  /// The class name of a window's program, such as `Thunar`; empty if it has none.
  func programName(of window: UInt32) -> String {
    let bytes = XProperty.bytes(connection, XProperty.ask(connection, window, Atom(XA_WM_CLASS), most: 64)) ?? []
    // The instance name, a NUL, the class name, a NUL.
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return "" }
    return SafeText.displayable(String(decoding: parts[1].prefix { $0 != 0 }, as: UTF8.self), limit: 80)
  }

  /// Both parts of a window's `WM_CLASS`, in lowercase; empty if it has none.
  func programNames(of window: UInt32) -> [String] {
    let bytes = XProperty.bytes(connection, XProperty.ask(connection, window, Atom(XA_WM_CLASS), most: 64)) ?? []
    return bytes.split(separator: 0).prefix(2).map { String(decoding: $0, as: UTF8.self).lowercased() }
  }

  /// Whether the window manager ignores a window, such as a menu or a drag picture. True if the window does not
  /// exist.
  func isOverrideRedirect(_ window: UInt32) -> Bool {
    let cookie = xcb_get_window_attributes(connection, window)
    guard let reply = xcb_get_window_attributes_reply(connection, cookie, nil) else { return true }
    defer { cx11_free(reply) }
    return reply.pointee.override_redirect != 0
  }

  func frame(of window: UInt32) -> Rect? {
    let geometry = xcb_get_geometry(connection, window)
    let place = xcb_translate_coordinates(connection, window, root, 0, 0)
    let size = xcb_get_geometry_reply(connection, geometry, nil)
    let corner = xcb_translate_coordinates_reply(connection, place, nil)
    defer {
      cx11_free(size)
      cx11_free(corner)
    }
    guard let size, let corner else { return nil }
    return Rect(
      x: Double(corner.pointee.dst_x), y: Double(corner.pointee.dst_y), width: Double(size.pointee.width),
      height: Double(size.pointee.height))
  }

  func connection(of window: UInt32) -> UInt32 { selections.connection(of: window) }

  /// Whether a window is the bridge's own.
  func isOwn(_ window: UInt32) -> Bool { connection(of: window) == idBase }

  func process(of window: UInt32) -> Int32? { selections.process(of: window) }

  /// The owner of a window. Queries the X server.
  func owner(of window: UInt32) -> WindowOwner { selections.maker(of: window) }

  func makeWindow() -> UInt32 { selections.makeWindow() }

  func setAtoms(_ atoms: [UInt32], _ property: String, of window: UInt32) {
    let list = atoms.map { UInt($0) }
    list.withUnsafeBytes {
      _ = XChangeProperty(
        display, Window(window), Atom(atom(property)), Atom(XA_ATOM), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(list.count))
    }
  }

  /// Sets a property of 32-bit values.
  func setWords(_ words: [UInt32], _ property: String, of window: UInt32, type: Atom) {
    let list = words.map { UInt($0) }
    list.withUnsafeBytes {
      _ = XChangeProperty(
        display, Window(window), Atom(atom(property)), type, 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(list.count))
    }
  }

  func setText(_ text: String, _ property: String, of window: UInt32) {
    let bytes = Array(text.utf8)
    guard bytes.count <= selections.largestProperty else { return }
    selections.set(bytes[...], as: atom("text/plain"), atom(property), of: window)
  }

  /// The serial number of the last request; valid right after one of Xlib's.
  var lastRequest: UInt { XNextRequest(display) &- 1 }

  func delete(_ property: String, of window: UInt32) { XDeleteProperty(display, Window(window), Atom(atom(property))) }

  /// The parent of a window; nil if the window does not exist.
  func parent(of window: UInt32) -> UInt32? {
    guard let reply = xcb_query_tree_reply(connection, xcb_query_tree(connection, window), nil) else { return nil }
    defer { cx11_free(reply) }
    return reply.pointee.parent
  }

  // MARK: Messages

  func send(_ message: XdndMessage, from window: UInt32, to target: UInt32, at receiver: UInt32) {
    let words = message.words(from: window)
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.display = display
    event.xclient.window = Window(target)
    event.xclient.message_type = Atom(atom(message.kind.rawValue))
    event.xclient.format = 32
    // Xlib stores 32-bit numbers in longs.
    event.xclient.data.l = (Int(words.w0), Int(words.w1), Int(words.w2), Int(words.w3), Int(words.w4))
    XSendEvent(display, Window(receiver), 0, 0, &event)
  }

  // MARK: Time

  func newTime(at now: Instant) -> UInt32 {
    if clock == nil { clock = readClock() }
    return times.next(
      shown: clock.map { $0.serverTime &+ UInt32(truncatingIfNeeded: (now - $0.at).microseconds / 1000) })
  }

  /// Reads the server's clock by changing a property.
  ///
  /// Any program can guess the ID of the window created for this, destroy that window, and forge the server's event.
  /// So the loop waits only for the server itself.
  ///
  /// - Returns: Nil if other programs have prevented an answer.
  private func readClock() -> (at: Instant, serverTime: UInt32)? {
    // Interned before the window exists.
    _ = atom("CARRY_TIME")
    for _ in 0..<3 {
      let window = makeWindow()
      defer { XDestroyWindow(display, Window(window)) }
      XSelectInput(display, Window(window), PropertyChangeMask)
      setAtoms([], "CARRY_TIME", of: window)
      XSync(display, 0)
      var event = XEvent()
      while XCheckWindowEvent(display, Window(window), PropertyChangeMask, &event) != 0 {
        guard event.xany.send_event == 0 else { continue }
        return (MonotonicClock.now(), UInt32(truncatingIfNeeded: event.xproperty.time))
      }
    }
    return nil
  }

  /// The number of events that are read and not handled.
  var queuedEvents: Int { Int(XEventsQueued(display, CInt(QueuedAlready))) }

  var hasButtonDown: Bool {
    guard let reply = xcb_query_pointer_reply(connection, xcb_query_pointer(connection, root), nil) else {
      return false
    }
    defer { cx11_free(reply) }
    return reply.pointee.mask & UInt16(Button1Mask | Button2Mask | Button3Mask | Button4Mask | Button5Mask) != 0
  }

  // MARK: Once a turn

  // Any program can send any number of messages that trigger these queries. Each answer was true at one moment of
  // this turn.

  /// The process that created a window; nil if the X server does not know it.
  func processInTurn(of window: UInt32) -> Int32? {
    turnProcesses.answer(to: connection(of: window)) { process(of: window) }
  }

  /// The owner of the XDND selection; 0 for none.
  func dragOwnerInTurn() -> UInt32 {
    let selection = atom("XdndSelection")
    return turnOwners.answer(to: selection) { selections.owner(of: selection) }
  }

  func hasButtonDownInTurn() -> Bool { turnButtons.answer(to: root) { hasButtonDown } }

  /// Ends the turn.
  func endTurn() {
    turnProcesses.forget()
    turnOwners.forget()
    turnButtons.forget()
    selections.endTurn()
  }
}
