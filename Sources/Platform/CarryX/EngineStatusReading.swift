package import CarryModel
package import CX11

extension EngineStatus {
  /// Reads the status that an engine publishes on its window; nil if there is none. One round trip; at most 64 KiB.
  package init?(of window: CX11.Window, on display: OpaquePointer) {
    var type: Atom = 0
    var format: CInt = 0
    var (count, rest): (UInt, UInt) = (0, 0)
    var bytes: UnsafeMutablePointer<UInt8>?
    let property = XInternAtom(display, Self.property, 0)
    let result = XGetWindowProperty(
      display, window, property, 0, 1 << 14, 0, UInt(AnyPropertyType), &type, &format, &count, &rest, &bytes)
    guard result == Success, let bytes else { return nil }
    defer { XFree(bytes) }
    guard format == 8 else { return nil }
    self.init(text: String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self))
  }
}
