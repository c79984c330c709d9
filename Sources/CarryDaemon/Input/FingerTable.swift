import CarryModel

/// The fingers that are down, and those that went up not long ago: what each is on, and what became of it. Pure.
///
/// A session may speak of its finger's device when the finger is long up. And a device that goes takes its fingers
/// along, those included that went up just now: a carrying one is waited for to come back before it has dropped.
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
    /// The device is gone, and kept for its fingers that are remembered.
    var isGone = false
  }

  /// How long a finger that is up is remembered: a session may wait long for its data.
  static let memory = Interval.seconds(600)

  /// In the order in which they came down; `Touch.most` at the most.
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

  /// The device is gone.
  ///
  /// - Returns: its fingers that are to be cancelled.
  mutating func removeDevice(_ device: DeviceID) -> [ContactID] {
    for i in devices.indices where devices[i].id == device { devices[i].isGone = true }
    let lost = fingers.filter { $0.device == device && $0.phase != .cancelled }.map(\.id)
    forgetDevices()
    return lost
  }

  /// The name of what the finger is on, or was; empty where nobody knows it.
  func deviceName(of contact: ContactID) -> String {
    guard let finger = fingers.last(where: { $0.id == contact }) else { return "" }
    return devices.first { $0.id == finger.device }?.name ?? ""
  }

  // MARK: Fingers

  mutating func note(_ touch: Touch) {
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
