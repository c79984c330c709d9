import CarryModel

/// The fingers that are down or went up recently: the device of each, and its state. Pure.
///
/// A session may need the name of its finger's device long after the finger went up. And when a device is removed,
/// its fingers have to be cancelled, including those that have just gone up: the gestures wait for a carrying finger
/// to come back before its session drops.
struct FingerTable {
  private struct Finger {
    let id: ContactID
    let device: DeviceID
    var phase: Touch.Phase
    var wentUp: Instant?
  }

  private struct Device {
    let id: DeviceID
    let name: String
    /// Whether the device is gone. Its entry stays for the remembered fingers.
    var isGone = false
  }

  /// How long the table remembers a finger that is up: a session may wait long for its data.
  static let memory = Interval.seconds(600)

  /// In the order in which they came down; at most `Touch.most`.
  private var fingers: [Finger] = []
  private var devices: [Device] = []
  private var numbers = IdentifierSource()

  var count: Int { fingers.count }
  var deviceCount: Int { devices.count }

  // MARK: Devices

  /// - Parameter name: safe to show.
  mutating func addDevice(_ name: String) -> DeviceID {
    let id = DeviceID(numbers.next())
    devices.append(Device(id: id, name: name))
    return id
  }

  /// Marks a device as gone.
  ///
  /// - Returns: the device's fingers, which are to be cancelled.
  mutating func removeDevice(_ device: DeviceID) -> [ContactID] {
    for i in devices.indices where devices[i].id == device { devices[i].isGone = true }
    let lost = fingers.filter { $0.device == device && $0.phase != .cancelled }.map(\.id)
    forgetDevices()
    return lost
  }

  /// The name of the finger's device; empty if the finger is forgotten.
  func deviceName(of contact: ContactID) -> String {
    guard let finger = fingers.last(where: { $0.id == contact }) else { return "" }
    return devices.first { $0.id == finger.device }?.name ?? ""
  }

  // MARK: Fingers

  mutating func update(with touch: Touch) {
    switch touch.phase {
    case .moved: break
    case .began:
      forget(before: touch.time)
      fingers.append(Finger(id: touch.id, device: touch.device, phase: .began))
    case .ended, .cancelled:
      guard let i = fingers.lastIndex(where: { $0.id == touch.id }) else { return }
      fingers[i].phase = touch.phase
      if fingers[i].wentUp == nil { fingers[i].wentUp = touch.time }
    }
  }

  private mutating func forget(before now: Instant) {
    fingers.removeAll { finger in finger.wentUp.map { now - $0 > Self.memory } ?? false }
    while fingers.count >= Touch.most { fingers.remove(at: fingers.firstIndex { $0.wentUp != nil } ?? 0) }
    forgetDevices()
  }

  private mutating func forgetDevices() {
    devices.removeAll { device in device.isGone && !fingers.contains { $0.device == device.id } }
  }
}
