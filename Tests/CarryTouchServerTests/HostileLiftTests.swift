import CInputTest
import CX11
import CLinux
import CarryModel
import CarryTesting
import Testing

/// A program on the list that answers the bridge's press as it likes. The test writes each of its messages.
private final class RawDragger {
  enum Conduct: CaseIterable {
    /// Takes the selection, and never enters a window.
    case ownsOnly
    /// Its window is gone as soon as it is pressed.
    case vanishes
    /// Enters and never says where.
    case onlyEnters
    /// Offers ten thousand types, none of which anybody wants.
    case manyTypes
    /// Never drops.
    case neverDrops
    case refuses
    case neverAnswers
    /// Data in parts, without an end.
    case endlessParts
    /// A list of files that are none, with a line of a megabyte.
    case oddList
    /// Enters again before its drop, with no types at all.
    case entersAgain
  }

  let client: XClient
  let window: WindowID
  private let conduct: Conduct
  private(set) var isPressed = false
  /// Whether it heard that its drop is over.
  private(set) var hasFinished = false
  private var requestor: (window: Window, property: Atom)?

  init(_ conduct: Conduct, on display: String) throws {
    self.conduct = conduct
    client = try #require(XClient(display))
    window = client.makeWindow(Rect(x: 50, y: 250, width: 300, height: 300), maps: false, overridesRedirect: false)
    let name = Array("odd\0Liftable-GTK3\0".utf8)
    XChangeProperty(
      client.connection, Window(window.raw), Atom(XA_WM_CLASS), Atom(XA_STRING), 8, PropModeReplace, name,
      CInt(name.count))
    XSelectInput(client.connection, Window(window.raw), ButtonPressMask)
    XMapWindow(client.connection, Window(window.raw))
    client.sync()
  }

  private func atom(_ name: String) -> Atom { XInternAtom(client.connection, name, 0) }

  /// Does what is its to do, without waiting.
  func serve() {
    var event = XEvent()
    while XPending(client.connection) > 0 {
      XNextEvent(client.connection, &event)
      switch event.type {
      case ButtonPress: pressed()
      case ClientMessage where event.xclient.message_type == atom("XdndStatus"):
        if conduct == .entersAgain { send("XdndEnter", (Int(window.raw), 5 << 24, 0, 0, 0)) }
        if conduct != .neverDrops { send("XdndDrop", (Int(window.raw), 0, 0, 0, 0)) }
      case ClientMessage where event.xclient.message_type == atom("XdndFinished"): hasFinished = true
      case SelectionRequest: answer(event.xselectionrequest)
      case PropertyNotify where event.xproperty.state == PropertyDelete: sendPart()
      default: break
      }
    }
  }

  private func pressed() {
    isPressed = true
    if conduct == .vanishes {
      client.destroy(window)
      return client.sync()
    }
    client.ownSelection("XdndSelection", by: window)
    if conduct == .ownsOnly { return }
    // The window that takes the drag comes under the pointer.
    guard Wait.until(seconds: 2, { taker != Window(window.raw) && taker != 0 }) else { return }
    var types = ["text/uri-list", "text/plain"]
    if conduct == .manyTypes { types = (0..<10_000).map { "application/x-odd-\($0)" } }
    var list = types.map { atom($0) }
    list.withUnsafeMutableBytes {
      _ = XChangeProperty(
        client.connection, Window(window.raw), atom("XdndTypeList"), Atom(XA_ATOM), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(types.count))
    }
    send("XdndEnter", (Int(window.raw), 5 << 24 | 1, 0, 0, 0))
    if conduct == .onlyEnters { return }
    send("XdndPosition", (Int(window.raw), 0, 200 << 16 | 400, 0, Int(atom("XdndActionMove"))))
  }

  private var taker: Window {
    var child: Window = 0
    var (x, y): (CInt, CInt) = (0, 0)
    XTranslateCoordinates(client.connection, Window(client.root.raw), Window(client.root.raw), 230, 400, &x, &y, &child)
    return child
  }

  private func send(_ kind: String, _ words: (Int, Int, Int, Int, Int)) {
    var event = XEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = taker
    event.xclient.message_type = atom(kind)
    event.xclient.format = 32
    event.xclient.data.l = words
    XSendEvent(client.connection, taker, 0, 0, &event)
    client.sync()
  }

  private func answer(_ request: XSelectionRequestEvent) {
    if conduct == .neverAnswers { return }
    var answer = XEvent()
    answer.xselection.type = SelectionNotify
    answer.xselection.requestor = request.requestor
    answer.xselection.selection = request.selection
    answer.xselection.target = request.target
    answer.xselection.time = request.time
    if conduct == .endlessParts {
      XSelectInput(client.connection, request.requestor, PropertyChangeMask)
      requestor = (request.requestor, request.property)
      var size = 1
      withUnsafeBytes(of: &size) { put($0, type: atom("INCR"), format: 32, count: 1) }
      answer.xselection.property = request.property
    } else if conduct == .oddList {
      requestor = (request.requestor, request.property)
      let bytes =
        Array("file://elsewhere/etc/passwd\r\nfile:///dev/null\r\n\0\r\nfile:///".utf8)
        + [UInt8](repeating: 0x61, count: 1 << 20)
      bytes.withUnsafeBytes { put($0, type: atom("text/uri-list"), format: 8, count: bytes.count) }
      answer.xselection.property = request.property
    }
    XSendEvent(client.connection, request.requestor, 0, 0, &answer)
    client.sync()
  }

  private func put(_ bytes: UnsafeRawBufferPointer, type: Atom, format: CInt, count: Int) {
    guard let requestor else { return }
    XChangeProperty(
      client.connection, requestor.window, requestor.property, type, format, PropModeReplace,
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(count))
    client.sync()
  }

  private func sendPart() {
    let part = [UInt8](repeating: 0x61, count: 1000)
    part.withUnsafeBytes { put($0, type: atom("text/plain"), format: 8, count: part.count) }
  }
}

extension ForeignLiftTests {
  @Test("Z23: a program that drags in an odd way holds neither the button nor the bridge", arguments: 0..<10)
  func Z23_oddPrograms(conduct: Int) throws {
    let s = try Scene()
    let conduct = RawDragger.Conduct.allCases[conduct]
    let odd = try RawDragger(conduct, on: s.server.display)
    #expect(s.isGuarded())
    let bridge = s.bridge
    // Each address of the odd list is an item, whose load fails; all others hand nothing over.
    let expected = conduct == .oddList ? "2 items" : "0 items"
    var items: String?
    for touch in UInt32(1)...(conduct == .oddList ? 5 : 1) where items?.contains(expected) != true {
      s.server.down(touch, 200, 400)
      let isPressed = Wait.until(seconds: 5) {
        odd.serve()
        return odd.isPressed
      }
      #expect(isPressed)
      items = nil
      let isOver = Wait.until(seconds: 5) {
        odd.serve()
        items = s.engine.readLine(seconds: 0.02) { $0.contains("lift out of window") }
        return items != nil
      }
      #expect(isOver, "the lift does not end")
      #expect(try !s.buttonIsDown())
      s.server.up(touch, 200, 400)
    }
    #expect(items?.contains(expected) == true, "\(items ?? "")")
    #expect(s.bridge == bridge, "the bridge did not live through it")
    // Others are lifted out of as ever.
    odd.client.destroy(odd.window)
    odd.client.sync()
    let good = try ForeignPeer(s.server, ["text", "good"])
    #expect(s.isGuarded())
    #expect(s.lift(6, 200, 400))
    withExtendedLifetime(good) {}
  }

  @Test("Z23: a window of another program that begins just beside the finger is not pressed")
  func Z23_beside() throws {
    let s = try Scene()
    let odd = try RawDragger(.refuses, on: s.server.display)
    let other = try #require(XClient(s.server.display))
    let cover = other.makeWindow(Rect(x: 203, y: 350, width: 60, height: 100))
    XSelectInput(other.connection, Window(cover.raw), ButtonPressMask)
    other.sync()
    #expect(s.isGuarded())
    s.server.down(1, 200, 400)
    let line = s.engine.readLine(seconds: 5) { $0.contains("lift out of window") }
    #expect(line?.contains("0 items") == true)
    s.server.up(1, 200, 400)
    other.sync()
    var event = XEvent()
    #expect(XCheckMaskEvent(other.connection, ButtonPressMask, &event) == 0, "the other program was clicked")
    #expect(try !s.buttonIsDown() && !odd.isPressed)
  }

  @Test("Z23: an engine that is killed during a lift leaves no button down", arguments: [0, 30, 100])
  func Z23_aKilledEngine(milliseconds: Int) throws {
    let s = try Scene()
    let peer = try ForeignPeer(s.server, ["text", "gone"])
    #expect(s.isGuarded())
    #expect(s.presses(200, 400) != nil, "nothing was pressed")
    // From the press on it is killed later and later.
    _ = Wait.until(seconds: Double(milliseconds) / 1000) { false }
    s.engine.stop(SIGKILL)
    #expect(Wait.until(seconds: 5) { (try? s.buttonIsDown()) == false }, "the button is down")
    #expect(peer.process.isRunning)
  }

  @Test("Z23: a button that both have left down comes up when the engine starts") func Z23_theNextEngine() throws {
    let s = try Scene()
    s.engine.stop(SIGKILL)
    let x = try #require(XClient(s.server.display))
    cx11_press(XGetXCBConnection(x.connection), 1)
    x.sync()
    xcb_flush(XGetXCBConnection(x.connection))
    #expect(Wait.until(seconds: 5) { (try? s.buttonIsDown()) == true })
    let next = try Engine(on: s.server.display)
    defer { next.stop(SIGKILL) }
    #expect(Wait.until(seconds: 10) { (try? s.buttonIsDown()) == false })
  }
}
