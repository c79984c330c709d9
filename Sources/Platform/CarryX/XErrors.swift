import CX11
import CarrySystem
import Synchronization

/// The process-wide handler of X errors: Xlib knows no other kind of handler.
///
/// Windows of other clients vanish at any moment, so errors are ordinary: each distinct one is logged once and none
/// ends the process. Any thread may call this: a handler runs on the thread that reads the connection.
package enum XErrors {
  private struct Kind: Hashable {
    var code: UInt8
    var request: UInt8
    var minor: UInt8
  }

  private struct State {
    var seen: Set<Kind> = []
    /// The number of the request that failed last, and its connection as a number.
    var lastSerial: UInt = 0
    var lastDisplay: UInt = 0
    /// Errors that only mean that a foreign window or one of its parts is gone.
    var vanished: Set<UInt8> = [UInt8(BadWindow), UInt8(BadDrawable), UInt8(BadMatch), UInt8(BadPixmap)]

    /// Whether an error of this kind occurs for the first time.
    mutating func isNew(_ e: XErrorEvent) -> Bool {
      seen.count < 256
        && seen.insert(Kind(code: e.error_code, request: e.request_code, minor: e.minor_code)).inserted
    }
  }

  private static let state = Mutex(State())

  /// `X_GrabKey` of Xproto.h.
  private static let grabKey: UInt8 = 33

  /// Adds an extension's error to those that mean that a foreign window is gone.
  package static func expect(_ code: CInt) {
    guard let code = UInt8(exactly: code) else { return }
    state.withLock { _ = $0.vanished.insert(code) }
  }

  private static let installed: Void = {
    _ = XSetErrorHandler { display, event in
      guard let event else { return 0 }
      let e = event.pointee
      let connection = UInt(bitPattern: display)
      let (isNew, isVanished) = state.withLock {
        $0.lastSerial = e.serial
        $0.lastDisplay = connection
        return ($0.isNew(e), $0.vanished.contains(e.error_code))
      }
      guard isNew else { return 0 }
      if e.error_code == BadAccess, e.request_code == grabKey {
        Log.warning(
          "another program holds a key that is wanted during drags, Esc or those of the [keyboard] settings: there it does "
            + "what that program makes of it")
        return 0
      }
      var text = [CChar](repeating: 0, count: 128)
      XGetErrorText(display, CInt(e.error_code), &text, CInt(text.count))
      let line =
        "X error \(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)) "
        + "from request \(e.request_code).\(e.minor_code) on resource \(e.resourceid); said once"
      if isVanished { Log.debug(line) } else { Log.warning(line) }
      return 0
    }
    // Silent: the display reports the loss itself, because it knows what the loss means.
    _ = XSetIOErrorHandler { _ in 0 }
  }()

  package static func install() { _ = installed }

  /// Whether a request from `serial` on has failed. The answer is reliable only after a round trip.
  package static func happened(on display: OpaquePointer, since serial: UInt) -> Bool {
    let connection = UInt(bitPattern: display)
    return state.withLock { $0.lastDisplay == connection && $0.lastSerial >= serial }
  }

  package static func forget(_ display: OpaquePointer) {
    let connection = UInt(bitPattern: display)
    state.withLock { if $0.lastDisplay == connection { $0.lastDisplay = 0 } }
  }
}
