import CX11
import CarryModel
import CarryX

/// Queries the X server about the devices that click while it has stopped the pointer.
///
/// Each query waits for the X server, but only in the gate's process, and only for clicks in guarded windows.
struct ClickDevice {
  private let display: OpaquePointer
  private let root: CX11.Window
  private let hasCursor: Bool
  private let pressure: Atom

  init(_ display: OpaquePointer) {
    self.display = display
    root = XDefaultRootWindow(display)
    var (event, error): (CInt, CInt) = (0, 0)
    var version: (major: CInt, minor: CInt) = (5, 0)
    hasCursor =
      XFixesQueryExtension(display, &event, &error) != 0
      && XFixesQueryVersion(display, &version.major, &version.minor) != 0
    pressure = XInternAtom(display, "Abs Pressure", 0)
  }

  /// Selects the raw motion and the raw releases of every device.
  func listen(motion: Bool, releases: Bool) {
    let wanted = (motion ? [XI_RawMotion] : []) + (releases ? [XI_RawButtonRelease] : [])
    XInput.select(wanted, device: XIAllDevices, on: root, display)
  }

  /// The cursor's position on the screen, in pixels. Unlike the pointer's position, it is updated while the pointer
  /// is stopped.
  var cursor: Point? {
    guard hasCursor, let image = XFixesGetCursorImage(display) else { return nil }
    defer { XFree(image) }
    return Point(x: Double(image.pointee.x), y: Double(image.pointee.y))
  }

  /// The device's own number for a button of the pointer. People may have swapped their buttons, as left-handed
  /// people do, and raw events and the state of a device do not know of that.
  func deviceButton(_ button: CInt) -> CInt {
    var map = [UInt8](repeating: 0, count: 256)
    let count = min(Int(XGetPointerMapping(display, &map, CInt(map.count))), map.count)
    return map.prefix(max(0, count)).firstIndex { CInt($0) == button }.map { CInt($0 + 1) } ?? button
  }

  /// Whether a button of a device, by the device's own number, is down. True for a device that is gone, because the
  /// pointer reports the end of its click.
  func isDown(_ button: CInt, of device: CInt) -> Bool {
    find(in: device) { any in
      guard any.pointee.type == XIButtonClass else { return nil }
      return any.withMemoryRebound(to: XIButtonClassInfo.self, capacity: 1) { buttons in
        let state = buttons.pointee.state
        guard let mask = state.mask, button / 8 < state.mask_len else { return nil }
        return mask[Int(button / 8)] & (1 << UInt8(button % 8)) != 0
      }
    } ?? true
  }

  /// Whether a device is a tablet's pen, which reports pressure.
  func isPen(_ device: CInt) -> Bool {
    find(in: device) { any in
      guard any.pointee.type == XIValuatorClass else { return nil }
      return any.withMemoryRebound(to: XIValuatorClassInfo.self, capacity: 1) { axis in
        axis.pointee.label == pressure ? true : nil
      }
    } ?? false
  }

  /// The first non-nil result of `body` for the classes of a device.
  private func find(
    in device: CInt, _ body: (UnsafeMutablePointer<XIAnyClassInfo>) -> Bool?
  ) -> Bool? {
    var count: CInt = 0
    guard let info = XIQueryDevice(display, device, &count) else { return nil }
    defer { XIFreeDeviceInfo(info) }
    guard count == 1, let classes = info.pointee.classes else { return nil }
    for i in 0..<Int(info.pointee.num_classes) {
      if let any = classes[i], let answer = body(any) { return answer }
    }
    return nil
  }
}
