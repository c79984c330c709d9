package import CX11
import Synchronization

/// XInput 2 on a connection.
///
/// libXi 1.8 keeps one list of the connections that use XInput, frees that list when the last of them closes, and does
/// not lock it: a thread that begins to use XInput on a connection of its own meanwhile ends the process. So every
/// beginning and every closing goes through here.
package struct XInput {
  /// The extension's major opcode: its events carry it.
  package let opcode: CInt

  /// Tells the server that this client knows XInput 2.2, and hears which version the server has. A connection may do so
  /// once.
  ///
  /// - Parameter minor: the least minor version of 2.x that is needed.
  /// - Returns: nil where the server has less.
  package init?(on display: OpaquePointer, atLeast minor: CInt = 2) {
    var (opcode, event, error): (CInt, CInt, CInt) = (0, 0, 0)
    var version: (major: CInt, minor: CInt) = (2, 2)
    // This waits for a server that is slow, and keeps no other thread waiting meanwhile.
    guard XQueryExtension(display, "XInputExtension", &opcode, &event, &error) != 0 else { return nil }
    let status = Self.users.withLock { _ in XIQueryVersion(display, &version.major, &version.minor) }
    guard status == Success, version >= (2, minor) else { return nil }
    self.opcode = opcode
  }

  /// Closes a connection that may have used XInput. Any thread may call it.
  package static func close(_ display: OpaquePointer) {
    // As above.
    XSync(display, 0)
    users.withLock { _ in _ = XCloseDisplay(display) }
  }

  /// Held while libXi changes its list of connections.
  private static let users = Mutex(())

  /// Calls `body` with the mask of some kinds of events, such as `XI_RawMotion`, of a device or of
  /// `XIAllMasterDevices`.
  package static func withMask<T>(
    of kinds: [CInt], device: CInt = XIAllMasterDevices, _ body: (inout XIEventMask) -> T
  ) -> T {
    var bytes: [UInt8] = [0, 0, 0, 0]
    for kind in kinds { cx11_set_xi_mask(&bytes, kind) }
    return bytes.withUnsafeMutableBufferPointer {
      var mask = XIEventMask(deviceid: device, mask_len: CInt($0.count), mask: $0.baseAddress)
      return body(&mask)
    }
  }

  /// Selects which kinds of a device's events are reported on a window. No other kinds of that device's events are.
  package static func select(
    _ kinds: [CInt], device: CInt = XIAllMasterDevices, on window: CX11.Window, _ display: OpaquePointer
  ) {
    withMask(of: kinds, device: device) { _ = XISelectEvents(display, window, &$0, 1) }
  }
}
