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

  func click(_ number: UInt32 = 1) {
    button(true, number)
    button(false, number)
  }

  func key(_ symbol: CInt, _ isPress: Bool) {
    _ = fakeKey(client.connection, UInt32(XKeysymToKeycode(client.connection, KeySym(symbol))), isPress ? 1 : 0, 0)
    client.sync()
  }
}
