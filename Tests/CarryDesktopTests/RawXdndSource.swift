import CX11
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd

/// A program that drags by XDND, every message of which the test writes itself.
final class RawXdndSource {
  /// How a type is answered.
  enum Answer {
    case bytes([UInt8])
    /// In parts of so many bytes.
    case parts([UInt8], each: Int)
    /// In parts without an end.
    case endless
    /// A list of parts of which the first is announced, and none comes.
    case silentParts
    case refusal
    case silence
    /// It does something with the address that the target has written (XDS), and answers; nil for silence.
    case saves((_ address: String) -> String?)
  }

  let client: XClient
  let window: WindowID
  var answers: [String: Answer] = [:]
  /// Whether its answers name another target than the one requested, as those of some programs do.
  var namesOtherTarget = false
  /// The types that were asked for, in order.
  private(set) var asked: [String] = []
  /// The messages that came, in order.
  private(set) var heard: [XdndMessage] = []
  /// What is left of answers in parts.
  private var rest: [(requestor: UInt, property: Atom, type: Atom, bytes: [UInt8], each: Int, isEndless: Bool)] = []
  private(set) var partsSent = 0
  /// Whether its messages name the window that gets them, as Chromium's do, and not the target's.
  var namesReceiver = false
  private var named: UInt32 { namesReceiver ? receiver : target }
  private var target: UInt32 = 0
  private var receiver: UInt32 = 0

  /// - Parameter owning: whether it takes the selection; one that only looks does not.
  init?(on d: Desktop, owning: Bool = true) {
    guard let client = XClient(d.server.display) else { return nil }
    self.client = client
    window = client.makeWindow(CarryModel.Rect(x: 0, y: 700, width: 20, height: 20))
    if owning { client.ownSelection("XdndSelection", by: window) }
  }

  func atom(_ name: String) -> Atom { XInternAtom(client.connection, name, 0) }

  private func word(_ window: UInt32, _ property: String) -> UInt32? {
    let connection = XGetXCBConnection(client.connection)
    let cookie = xcb_get_property(
      connection, 0, window, UInt32(truncatingIfNeeded: atom(property)), 0, 0, 1)
    guard let reply = xcb_get_property_reply(connection, cookie, nil) else { return nil }
    defer { free(reply) }
    guard xcb_get_property_value_length(reply) == 4 else { return nil }
    return xcb_get_property_value(reply)?.load(as: UInt32.self)
  }

  /// Looks for the window that takes drops at a point, as toolkits do.
  func finds(at x: Int, _ y: Int) -> Bool {
    var child: Window = 0
    var (a, b): (CInt, CInt) = (0, 0)
    let root = UInt(client.root.raw)
    XTranslateCoordinates(client.connection, root, root, CInt(x), CInt(y), &a, &b, &child)
    target = UInt32(truncatingIfNeeded: child)
    guard target != 0, let aware = word(target, "XdndAware"), aware >= 3 else { return false }
    receiver = word(target, "XdndProxy").flatMap { word($0, "XdndProxy") == $0 ? $0 : nil } ?? target
    return true
  }

  /// The same for a window with a door of the bridge's, to which the messages then go.
  ///
  /// - Parameter other: a door that it must not be.
  func findsDoor(at x: Int, _ y: Int, otherThan other: UInt32? = nil) -> Bool {
    finds(at: x, y) && receiver != target && receiver != other
  }

  /// Whether the window there says that it takes drops: `XdndAware`, `XdndProxy`.
  func properties() -> (aware: UInt32?, proxy: UInt32?) { (word(target, "XdndAware"), word(target, "XdndProxy")) }

  var targetWindow: WindowID { WindowID(target) }

  func enter(_ types: [String], version: UInt32 = 5, from other: WindowID? = nil) {
    let numbers = types.map { UInt32(truncatingIfNeeded: atom($0)) }
    var list = numbers.map { UInt($0) }
    list.withUnsafeMutableBytes {
      _ = XChangeProperty(
        client.connection, UInt(window.raw), atom("XdndTypeList"), Atom(XA_ATOM), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(numbers.count))
    }
    let first = numbers.prefix(3) + [0, 0, 0]
    send(.enter(version: version, types: (first[0], first[1], first[2]), hasMore: numbers.count > 3), from: other)
  }

  func position(_ x: Int, _ y: Int, from other: WindowID? = nil) {
    send(.position(Point(x: Double(x), y: Double(y)), time: 1000, action: UInt32(atom("XdndActionCopy"))), from: other)
  }

  func drop(from other: WindowID? = nil) { send(.drop(time: 2000), from: other) }
  func leave() { send(.leave) }

  private func send(_ message: XdndMessage, from other: WindowID? = nil) {
    let words = message.words(from: (other ?? window).raw)
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = UInt(named)
    event.xclient.message_type = atom(message.kind.rawValue)
    event.xclient.format = 32
    event.xclient.data.l = (Int(words.w0), Int(words.w1), Int(words.w2), Int(words.w3), Int(words.w4))
    XSendEvent(client.connection, UInt(receiver), 0, 0, &event)
    client.sync()
  }

  // MARK: What comes

  /// Answers requests until something has happened.
  func serve(seconds: Double = 15, until isDone: () -> Bool) -> Bool {
    Wait.until(seconds: seconds) {
      while XPending(client.connection) > 0 {
        var event = XEvent()
        XNextEvent(client.connection, &event)
        take(event)
      }
      return isDone()
    }
  }

  /// Forgets the answers that have come.
  func startAnew() { heard = [] }

  /// Waits for a status with this answer, which may have come already.
  func isAnswered(accepts: Bool, seconds: Double = 15) -> Bool {
    serve(seconds: seconds) {
      if case .status(accepts, _)? = heard.last(where: { $0.kind == .status }) { true } else { false }
    }
  }

  /// Waits for Finished.
  ///
  /// - Returns: whether the drop was taken.
  func finished(seconds: Double = 15) -> Bool? {
    guard serve(seconds: seconds, until: { heard.contains { $0.kind == .finished } }),
      case .finished(let accepted, _)? = heard.last(where: { $0.kind == .finished })
    else { return nil }
    return accepted
  }

  private func take(_ event: XEvent) {
    switch event.type {
    case ClientMessage:
      guard let kind = XdndMessage.Kind.allCases.first(where: { atom($0.rawValue) == event.xclient.message_type })
      else {
        return
      }
      let l = event.xclient.data.l
      guard UInt32(truncatingIfNeeded: l.0) == named else { return }
      heard.append(
        XdndMessage(
          kind,
          .init(
            UInt32(truncatingIfNeeded: l.0), UInt32(truncatingIfNeeded: l.1), UInt32(truncatingIfNeeded: l.2),
            UInt32(truncatingIfNeeded: l.3), UInt32(truncatingIfNeeded: l.4))))
    case SelectionRequest: answer(event.xselectionrequest)
    case PropertyNotify where event.xproperty.state == PropertyDelete: goOn(event.xproperty)
    default: break
    }
  }

  private func answer(_ request: XSelectionRequestEvent) {
    guard let text = XGetAtomName(client.connection, request.target) else { return }
    defer { XFree(text) }
    let type = String(cString: text)
    asked.append(type)
    switch answers[type] ?? .refusal {
    case .bytes(let bytes):
      put(bytes, request.target, request.requestor, request.property)
      notify(request, request.property)
    case .parts(let bytes, let each): announce(request, bytes, each, isEndless: false)
    case .endless: announce(request, Array(repeating: 97, count: 1 << 20), 1 << 20, isEndless: true)
    case .silentParts: announce(request, [], -1, isEndless: false)
    case .refusal: notify(request, 0)
    case .silence: break
    case .saves(let save):
      guard let answer = save(savePlace) else { break }
      put(Array(answer.utf8), request.target, request.requestor, request.property)
      notify(request, request.property)
    }
    client.sync()
  }

  /// Where the target wants a file saved.
  private var savePlace: String {
    let connection = XGetXCBConnection(client.connection)
    let cookie = xcb_get_property(
      connection, 0, window.raw, UInt32(truncatingIfNeeded: atom(XdndOffer.directSave)), 0, 0, 4096)
    guard let reply = xcb_get_property_reply(connection, cookie, nil) else { return "" }
    defer { free(reply) }
    let count = Int(xcb_get_property_value_length(reply))
    return String(decoding: UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: count), as: UTF8.self)
  }

  private func announce(_ request: XSelectionRequestEvent, _ bytes: [UInt8], _ each: Int, isEndless: Bool) {
    XSelectInput(client.connection, request.requestor, PropertyChangeMask)
    var size: UInt = 1 << 31
    withUnsafeBytes(of: &size) {
      _ = XChangeProperty(
        client.connection, request.requestor, request.property, atom("INCR"), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), 1)
    }
    if each > 0 { rest.append((request.requestor, request.property, request.target, bytes, each, isEndless)) }
    notify(request, request.property)
  }

  private func goOn(_ event: XPropertyEvent) {
    guard let i = rest.firstIndex(where: { $0.requestor == event.window && $0.property == event.atom }) else { return }
    let part = Array(rest[i].bytes.prefix(rest[i].each))
    put(part, rest[i].type, rest[i].requestor, rest[i].property)
    partsSent += 1
    guard !rest[i].isEndless else { return }
    rest[i].bytes.removeFirst(part.count)
    if part.isEmpty { rest.remove(at: i) }
  }

  private func put(_ bytes: [UInt8], _ type: Atom, _ requestor: UInt, _ property: Atom) {
    bytes.withUnsafeBytes {
      _ = XChangeProperty(
        client.connection, requestor, property, type, 8, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt($0.count))
    }
    client.sync()
  }

  private func notify(_ request: XSelectionRequestEvent, _ property: Atom) {
    var event = XEvent()
    event.xselection.type = SelectionNotify
    event.xselection.requestor = request.requestor
    event.xselection.selection = request.selection
    event.xselection.target = namesOtherTarget ? atom("TIMESTAMP") : request.target
    event.xselection.property = property
    event.xselection.time = request.time
    XSendEvent(client.connection, request.requestor, 0, 0, &event)
    client.sync()
  }
}

extension XClient {
  /// Sets a property as another program would.
  func setNumber(_ number: UInt, _ property: String, of window: WindowID) {
    var number = number
    withUnsafeBytes(of: &number) {
      _ = XChangeProperty(
        connection, UInt(window.raw), XInternAtom(connection, property, 0), Atom(XA_ATOM), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), 1)
    }
    sync()
  }
}
