import CX11
import CarryModel
import CarryTesting
import Glibc
import Testing

/// A mouse and a keyboard that the X server's test extension plays.
final class FakeMouse {
  private typealias Motion = @convention(c) (OpaquePointer, CInt, CInt, CInt, UInt) -> CInt
  private typealias Key = @convention(c) (OpaquePointer, UInt32, CInt, UInt) -> CInt
  private let client: XClient
  private let motion: Motion
  private let fakeButton: Key
  private let fakeKey: Key

  init(_ display: String) throws {
    client = try #require(XClient(display))
    let library = try #require(dlopen("libXtst.so.6", RTLD_NOW), "libXtst is not there")
    motion = unsafeBitCast(try #require(dlsym(library, "XTestFakeMotionEvent")), to: Motion.self)
    fakeButton = unsafeBitCast(try #require(dlsym(library, "XTestFakeButtonEvent")), to: Key.self)
    fakeKey = unsafeBitCast(try #require(dlsym(library, "XTestFakeKeyEvent")), to: Key.self)
  }

  func move(to x: Int, _ y: Int) {
    _ = motion(client.connection, 0, CInt(x), CInt(y), 0)
    client.sync()
  }

  /// Goes there in steps, as hands do.
  func glide(from: (x: Int, y: Int), to: (x: Int, y: Int)) {
    for i in 1...10 { move(to: from.x + (to.x - from.x) * i / 10, from.y + (to.y - from.y) * i / 10) }
  }

  func button(_ isPress: Bool, _ number: UInt32 = 1) {
    _ = fakeButton(client.connection, number, isPress ? 1 : 0, 0)
    client.sync()
  }

  /// Presses at a place, once the engine holds the clicks there, and rests until something of some applications lifts.
  func press(at x: Int, _ y: Int, _ d: Desktop, running apps: [DesktopTests.Player]) throws {
    move(to: x, y)
    #expect(d.engine.readLine { $0.contains("its clicks are held") } != nil)
    // A click that the engine does not ask for within 50 ms, as on a busy machine, is the application's.
    for _ in 0..<6 {
      button(true)
      if DesktopTests.Player.run(apps, seconds: 4, until: { d.step("lift-began", seconds: 0.02) != nil }) { return }
      button(false)
    }
    try #require(Bool(false), "nothing lifts at \(x), \(y)")
  }

  func click(_ number: UInt32 = 1) {
    button(true, number)
    button(false, number)
  }

  func key(_ symbol: CInt, _ isPress: Bool) {
    _ = fakeKey(client.connection, UInt32(XKeysymToKeycode(client.connection, KeySym(symbol))), isPress ? 1 : 0, 0)
    client.sync()
  }

  // MARK: Dragging

  /// Presses, and goes as far as it takes toolkits to begin a drag.
  func begin(at x: Int, _ y: Int) {
    move(to: x, y)
    button(true)
    for x in stride(from: x + 5, through: x + 60, by: 5) { move(to: x, y) }
  }

  /// Moves on about a place, until a drag that is there follows it; then it rests.
  ///
  /// - Returns: whether a target takes what is dragged where the mouse is.
  func rests(near x: Int, _ y: Int, on d: Desktop, seconds: Double = 20) -> Bool {
    var n = 0
    return Wait.until(seconds: seconds) {
      n += 1
      let place = x - n % 10
      move(to: place, y)
      var newest: String?
      while let line = d.step("updated", seconds: 0.1) { newest = line }
      // GTK 4 goes astray at its second motion over a window.
      return n > 3 && newest?.contains("\"x\": \(place),") == true && newest?.contains("\"copy\"") == true
    }
  }
}
