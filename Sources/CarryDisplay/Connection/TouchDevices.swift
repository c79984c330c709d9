import CX11

extension Display {
  /// Whether the X server has a touchscreen whose touches can be held: XInput 2.2 or later, and a direct touch device.
  ///
  /// Two round trips.
  package func hasTouchscreen() -> Bool {
    guard isAlive else { return false }
    var (opcode, event, error): (CInt, CInt, CInt) = (0, 0, 0)
    var (major, minor): (CInt, CInt) = (2, 2)
    guard XQueryExtension(connection, "XInputExtension", &opcode, &event, &error) != 0,
      XIQueryVersion(connection, &major, &minor) == Success, major > 2 || (major == 2 && minor >= 2)
    else { return false }
    var count: CInt = 0
    guard let devices = XIQueryDevice(connection, XIAllDevices, &count) else { return false }
    defer { XIFreeDeviceInfo(devices) }
    for i in 0..<Int(max(0, count)) where devices[i].use == XISlavePointer {
      for c in 0..<Int(max(0, devices[i].num_classes)) {
        guard let info = devices[i].classes[c], info.pointee.type == XITouchClass else { continue }
        let isDirect = info.withMemoryRebound(to: XITouchClassInfo.self, capacity: 1) {
          $0.pointee.mode == XIDirectTouch
        }
        if isDirect { return true }
      }
    }
    return false
  }
}
