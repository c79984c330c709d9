import CX11
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd

/// A window that takes drops by XDND, every message of which the test writes itself.
final class RawXdndTarget {
  let client: XClient
  let window: WindowID
  /// The source of the newest message.
  private(set) var source: UInt32 = 0
  /// The time of the newest position or drop.
  private(set) var time: UInt32 = 0
  /// What is to be done while it waits, such as an application's work.
  var meanwhile: () -> Void = {}

  /// - Parameter client: whose window it is; nil for a client of its own.
  init?(
    on d: Desktop, _ frame: CarryModel.Rect = Rect(x: 850, y: 250, width: 300, height: 300), version: UInt = 5,
    of client: XClient? = nil
  ) {
    guard let client = client ?? XClient(d.server.display) else { return nil }
    self.client = client
    window = client.makeWindow(frame, color: 0x406080)
    var version = version
    withUnsafeBytes(of: &version) {
      _ = XChangeProperty(
        client.connection, UInt(window.raw), atom("XdndAware"), Atom(XA_ATOM), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), 1)
    }
    client.sync()
  }

  /// Waits until the bridge follows the window: nobody else selects these events on it. The bridge looks then and there whether
  /// the window takes drops.
  func isFollowed(seconds: Double = 30) -> Bool {
    Wait.until(seconds: seconds) {
      var facts = XWindowAttributes()
      return XGetWindowAttributes(client.connection, UInt(window.raw), &facts) != 0
        && facts.all_event_masks & PropertyChangeMask != 0
    }
  }

  func atom(_ name: String) -> Atom { XInternAtom(client.connection, name, 0) }

  /// The next message that comes within the time.
  func next(seconds: Double = 10) -> XdndMessage? {
    var found: XdndMessage?
    _ = Wait.until(seconds: seconds) {
      meanwhile()
      var event = XEvent()
      guard XCheckTypedWindowEvent(client.connection, UInt(window.raw), ClientMessage, &event) != 0,
        let kind = XdndMessage.Kind.allCases.first(where: { atom($0.rawValue) == event.xclient.message_type })
      else { return false }
      let l = event.xclient.data.l
      source = UInt32(truncatingIfNeeded: l.0)
      found = XdndMessage(
        kind,
        .init(
          source, UInt32(truncatingIfNeeded: l.1), UInt32(truncatingIfNeeded: l.2), UInt32(truncatingIfNeeded: l.3),
          UInt32(truncatingIfNeeded: l.4)))
      switch found {
      case .position(_, let time, _), .drop(let time): self.time = time
      default: break
      }
      return true
    }
    return found
  }

  /// Answers positions until a message of another kind comes, and returns that.
  func answer(accepts: Bool = true, until kind: XdndMessage.Kind, seconds: Double = 10) -> XdndMessage? {
    while let message = next(seconds: seconds) {
      if message.kind == kind { return message }
      if message.kind == .position { status(accepts: accepts) }
    }
    return nil
  }

  func status(accepts: Bool, from other: WindowID? = nil) {
    send(.status(accepts: accepts, action: UInt32(truncatingIfNeeded: atom("XdndActionCopy"))), from: other)
  }

  /// - Parameter receiver: the window that gets the message; nil for the source's.
  func finish(accepted: Bool = true, action: String = "XdndActionCopy", to receiver: UInt? = nil) {
    send(.finished(accepted: accepted, action: UInt32(truncatingIfNeeded: atom(action))), to: receiver)
  }

  func send(_ message: XdndMessage, from other: WindowID? = nil, to receiver: UInt? = nil) {
    let words = message.words(from: (other ?? window).raw)
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = receiver ?? UInt(source)
    event.xclient.message_type = atom(message.kind.rawValue)
    event.xclient.format = 32
    event.xclient.data.l = (Int(words.w0), Int(words.w1), Int(words.w2), Int(words.w3), Int(words.w4))
    let mask = receiver == nil ? 0 : SubstructureNotifyMask
    XSendEvent(client.connection, receiver ?? UInt(source), 0, mask, &event)
    client.sync()
  }

  /// Asks for data.
  ///
  /// - Returns: nil when it is refused.
  func convert(_ type: String, seconds: Double = 10) -> [UInt8]? {
    ask(for: type)
    var event = XEvent()
    let hasAnswer = Wait.until(seconds: seconds) {
      meanwhile()
      return XCheckTypedWindowEvent(client.connection, UInt(window.raw), SelectionNotify, &event) != 0
    }
    return hasAnswer ? takeProperty(event.xselection.property) : nil
  }

  /// Whether a request for data is answered with a refusal.
  func isRefused(_ type: String) -> Bool {
    ask(for: type)
    var event = XEvent()
    let hasAnswer = Wait.until {
      meanwhile()
      return XCheckTypedWindowEvent(client.connection, UInt(window.raw), SelectionNotify, &event) != 0
    }
    return hasAnswer && event.xselection.property == 0
  }

  /// Waits until nobody offers dragged data. Everything that the source has sent before has arrived then.
  func offerHasEnded() -> Bool {
    let hasEnded = Wait.until { !client.hasSelectionOwner("XdndSelection") }
    client.sync()
    return hasEnded
  }

  /// Asks for several types in one request (MULTIPLE).
  func convertTogether(_ types: [String]) -> [[UInt8]?] {
    let pairs = types.enumerated().flatMap { [atom($1), atom("PART\($0)")] }
    pairs.withUnsafeBytes {
      _ = XChangeProperty(
        client.connection, UInt(window.raw), atom("RESULT"), atom("ATOM_PAIR"), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(pairs.count))
    }
    _ = convert("MULTIPLE")
    return types.indices.map { takeProperty(atom("PART\($0)")) }
  }

  /// Asks for data, and does not wait for it.
  func ask(for type: String) {
    XConvertSelection(
      client.connection, atom("XdndSelection"), atom(type), atom("RESULT"), UInt(window.raw), UInt(time))
    client.sync()
  }

  /// Whether the answer of `convert` lies there.
  var hasResult: Bool {
    var count: CInt = 0
    guard let atoms = XListProperties(client.connection, UInt(window.raw), &count) else { return false }
    defer { XFree(atoms) }
    return UnsafeBufferPointer(start: atoms, count: Int(count)).contains(atom("RESULT"))
  }

  /// Takes parts of what `convert` has asked for, after the announcement.
  ///
  /// - Parameter most: how many; nil for all of them.
  /// - Returns: nil when one does not come.
  func takeParts(most: Int? = nil, seconds: Double = 10) -> [UInt8]? {
    var bytes: [UInt8] = []
    for _ in 0..<(most ?? .max) {
      let isThere = Wait.until(seconds: seconds) {
        meanwhile()
        return hasResult
      }
      guard isThere, let part = takeProperty(atom("RESULT")) else { return nil }
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  /// Asks for data `count` times without waiting in between.
  ///
  /// - Returns: the answers that have come.
  func convertAtOnce(_ type: String, times count: Int, seconds: Double = 10) -> [[UInt8]] {
    for i in 0..<count {
      XConvertSelection(
        client.connection, atom("XdndSelection"), atom(type), atom("RESULT\(i)"), UInt(window.raw), UInt(time))
    }
    client.sync()
    var answers: [[UInt8]] = []
    var event = XEvent()
    for _ in 0..<count {
      let hasAnswer = Wait.until(seconds: seconds) {
        meanwhile()
        return XCheckTypedWindowEvent(client.connection, UInt(window.raw), SelectionNotify, &event) != 0
      }
      guard hasAnswer else { break }
      if let bytes = takeProperty(event.xselection.property) { answers.append(bytes) }
    }
    return answers
  }

  private func takeProperty(_ property: Atom) -> [UInt8]? {
    guard property != 0 else { return nil }
    let connection = XGetXCBConnection(client.connection)
    let cookie = xcb_get_property(
      connection, 1, window.raw, UInt32(truncatingIfNeeded: property), 0, 0, 1 << 24)
    guard let reply = xcb_get_property_reply(connection, cookie, nil) else { return nil }
    defer { free(reply) }
    return Array(
      UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: Int(xcb_get_property_value_length(reply))))
  }
}
