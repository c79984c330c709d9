import CarryModel
import CarryXdnd

/// What a drag asks of the X server and sends to other programs. `XConnection` implements it; tests use a double that
/// records what is sent and answers at once.
///
/// All calls come from one thread. Those with a result may wait for the X server.
protocol XDisplay: AnyObject {
  var now: Instant { get }
  /// The current server time, or one a moment ago. Each call returns a different time.
  func newTime(at now: Instant) -> UInt32

  func atom(_ name: String) -> UInt32
  /// The names of those atoms that can be types, in order.
  func names(of atoms: [UInt32]) -> [String]

  /// Creates a window of the bridge that is never shown.
  func makeWindow() -> UInt32
  /// The common ID base of the windows of one connection.
  func connection(of window: UInt32) -> UInt32
  /// The process that created a window; nil if the X server does not know it.
  func process(of window: UInt32) -> Int32?
  /// The size of a window and the location of its corner on the screen, in pixels; nil if the window does not exist.
  func frame(of window: UInt32) -> Rect?
  /// Reports the end of a window of another program from now on.
  func watchDestruction(of window: UInt32)

  /// A property's 32-bit values, at most `most`.
  func words(_ window: UInt32, _ property: String, most: Int) -> [UInt32]
  /// A property's bytes; nil if it is missing or longer than `most`.
  func bytes(_ window: UInt32, _ property: String, most: Int) -> [UInt8]?
  func setAtoms(_ atoms: [UInt32], _ property: String, of window: UInt32)
  /// Sets a text property. Text too long for one request is ignored.
  func setText(_ text: String, _ property: String, of window: UInt32)
  func delete(_ property: String, of window: UInt32)

  /// Sends an XDND message.
  ///
  /// - Parameters:
  ///   - window: The sender's.
  ///   - target: The window that the message is about.
  ///   - receiver: The window that receives the message: the target, or its proxy.
  func send(_ message: XdndMessage, from window: UInt32, to target: UInt32, at receiver: UInt32)

  /// Whether a mouse button is down.
  var hasButtonDown: Bool { get }
}

extension XDisplay {
  /// Whether two windows are of one program: of one connection, or of connections of one process.
  func areOfOneProgram(_ one: UInt32, _ other: UInt32) -> Bool {
    if connection(of: one) == connection(of: other) { return true }
    guard let process = process(of: one) else { return false }
    return self.process(of: other) == process
  }

  /// The types that an XdndEnter message announces: those of the source's property, or else those in the message.
  func typeNames(of enter: XdndMessage.Words) -> [String] {
    let list = enter.w1 & 1 == 0 ? [] : words(enter.w0, "XdndTypeList", most: ForeignTypes.maxLooked)
    return names(of: list.isEmpty ? [enter.w2, enter.w3, enter.w4] : list)
  }
}

/// What a lift out of another application asks besides: the pointer, its button, and the window that accepts the drag.
protocol LiftDisplay: XDisplay {
  /// The whole screen, in pixels.
  var screen: Rect { get }
  /// The pointer's location, in pixels of the screen.
  func pointer() -> Point?
  func point(to point: Point)
  /// Whether the pointer is in a window and in no window above it.
  func pointerIs(in window: UInt32) -> Bool
  /// Presses or releases the left button.
  func press(_ isPress: Bool)

  /// Reports new owners of the XDND selection to a window of the bridge from now on.
  func watchOwners(for window: UInt32)
  /// Creates an invisible window of the bridge that accepts drags.
  ///
  /// - Parameter side: Its width and height, in pixels.
  func makeDropWindow(side: Int) -> UInt32
  /// Shows a window above all others, centred at a point.
  func show(_ window: UInt32, around point: Point, side: Int)
  func hide(_ window: UInt32)
  func destroyWindow(_ window: UInt32)

  /// The desktop's scale.
  var scale: Double { get }
  /// The picture in a drag's window; nil if the window has none or cannot be read.
  func picture(of window: UInt32, scale: Double) -> SeenPicture?
  /// Makes a drag's window invisible.
  func cutAway(_ window: UInt32)
}
