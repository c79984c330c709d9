package import CX11
import Synchronization

/// XInput 2 on a connection.
///
/// libXi 1.8 keeps one list of the connections that use XInput, frees that list when the last of them closes, and
/// does not lock it: a thread that meanwhile begins to use XInput on a connection of its own crashes the process. All
/// such calls are therefore serialised here.
package struct XInput {
  /// The extension's major opcode, which its events carry.
  package let opcode: CInt

  /// Announces XInput 2.2 to the server, and receives the server's version. A connection may do so once.
  ///
  /// - Parameter minor: the minimum minor version of 2.x that is needed.
  /// - Returns: nil if the server's version is lower.
  package init?(on display: OpaquePointer, atLeast minor: CInt = 2) {
    var (opcode, event, error): (CInt, CInt, CInt) = (0, 0, 0)
    var version: (major: CInt, minor: CInt) = (2, 2)
    // Outside the lock: this may wait for a slow server, and must not block other threads.
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

  /// Selects which kinds of a device's events are reported on a window. This replaces the earlier selection for that
  /// device.
  package static func select(
    _ kinds: [CInt], device: CInt = XIAllMasterDevices, on window: CX11.Window, _ display: OpaquePointer
  ) {
    withMask(of: kinds, device: device) { _ = XISelectEvents(display, window, &$0, 1) }
  }
}
