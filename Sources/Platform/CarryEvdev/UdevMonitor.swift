import CEvdev
import CLinux
import CarrySystem

/// udevd's messages about input devices, and its database. The C functions are those of libudev.
final class UdevMonitor {
  private let udev: OpaquePointer
  private let monitor: OpaquePointer

  /// Nil without netlink, as in some containers.
  init?() {
    guard let udev = udev_new() else { return nil }
    guard let monitor = udev_monitor_new_from_netlink(udev, "udev"),
      // The kernel filters: events of other subsystems cause no wake-ups.
      udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil) >= 0,
      udev_monitor_enable_receiving(monitor) >= 0
    else {
      udev_unref(udev)
      return nil
    }
    self.udev = udev
    self.monitor = monitor
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(udev)
  }

  var fd: CInt { udev_monitor_get_fd(monitor) }

  /// Whether udevd runs, checked the way systemd's own programs check it.
  var isRunning: Bool { Files.exists("/run/udev/control") }

  /// Calls `body` with the action and the name below /dev/input of each event, and `lost` if messages were lost.
  func read(_ body: (_ action: String, _ name: String) -> Void, lost: () -> Void) {
    for _ in 0..<256 {
      guard let device = udev_monitor_receive_device(monitor) else {
        if clinux_errno() == ENOBUFS { lost() }
        return
      }
      defer { udev_device_unref(device) }
      // Nodes only: their parent devices send events as well.
      guard udev_device_get_devnode(device) != nil, let action = udev_device_get_action(device),
        let name = udev_device_get_sysname(device)
      else { continue }
      body(String(cString: action), String(cString: name))
    }
  }

  /// Whether udevd has applied its rules to a device.
  func isInitialized(_ name: String) -> Bool {
    withDevice(name) { udev_device_get_is_initialized($0) > 0 } ?? false
  }

  func verdict(_ name: String) -> DeviceMonitor.Verdict {
    withDevice(name) { device in
      func says(_ key: String) -> Bool {
        udev_device_get_property_value(device, key).map { String(cString: $0) == "1" } ?? false
      }
      return DeviceMonitor.Verdict(
        isTouchscreen: says("ID_INPUT_TOUCHSCREEN"), isTrackpad: says("ID_INPUT_TOUCHPAD"),
        isIgnored: says("LIBINPUT_IGNORE_DEVICE"),
        calibration: DeviceMonitor.calibration(
          udev_device_get_property_value(device, "LIBINPUT_CALIBRATION_MATRIX").map { String(cString: $0) } ?? ""))
    } ?? DeviceMonitor.Verdict()
  }

  private func withDevice<T>(_ name: String, _ body: (OpaquePointer) -> T) -> T? {
    guard let device = udev_device_new_from_subsystem_sysname(udev, "input", name) else { return nil }
    defer { udev_device_unref(device) }
    return body(device)
  }
}
