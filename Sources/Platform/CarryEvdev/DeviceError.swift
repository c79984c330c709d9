package import CarryContacts
import CarryModel
import CarrySystem
import CLinux

/// Why a device cannot be used: a sentence to show to a person, with what to do about it.
package struct DeviceError: Explained, Equatable, Sendable {
  package enum Reason: Sendable {
    case noPermission
    case missing
    case notEvdev
    case noTouch
    /// The device was unplugged, or access to it was revoked.
    case gone
    case failed
  }

  package var node: String
  package var reason: Reason
  /// Without the node's name.
  package var explanation: String
  /// What to do; empty if nothing can be done.
  package var advice: String

  package init(node: String, reason: Reason, explanation: String, advice: String = "") {
    self.node = node
    self.reason = reason
    self.explanation = explanation
    self.advice = advice
  }

  /// One line: node, why, what to do.
  package var sentence: String { "\(node): \(explanation)" + (advice.isEmpty ? "" : "; \(advice)") }

  /// The same error with advice for this kind of device: the udev rule for touchscreens does nothing for trackpads.
  package func of(_ kind: DeviceDescription.Kind) -> DeviceError {
    guard kind == .trackpad, reason == .noPermission else { return self }
    var error = self
    error.advice =
      "for trackpads, which are off by default, see carryd(1), or run: sudo setfacl -m u:$USER:r \(node)"
    return error
  }

  /// Converts an errno of a node's operation.
  static func from(_ code: CInt, node: String) -> DeviceError {
    switch code {
    case EACCES, EPERM:
      DeviceError(
        node: node, reason: .noPermission, explanation: "no permission to read it",
        advice: "install udev/70-carry.rules or run: sudo setfacl -m u:$USER:r \(node)")
    case ENOENT, ENXIO:
      DeviceError(
        node: node, reason: .missing, explanation: "there is no such device",
        advice: "run 'carry devices' to see what there is")
    case ENODEV:
      DeviceError(node: node, reason: .gone, explanation: "the device is gone", advice: "plug it in again")
    case ENOTTY, EINVAL, EISDIR: notEvdev(node)
    default:
      DeviceError(
        node: node, reason: .failed, explanation: SystemError(code: code, call: "open").reason)
    }
  }

  static func notEvdev(_ node: String) -> DeviceError {
    DeviceError(
      node: node, reason: .notEvdev, explanation: "this is no evdev device node",
      advice: "give one of /dev/input/event*, as 'carry devices' lists them")
  }

  static func noTouch(_ node: String, _ description: DeviceDescription) -> DeviceError {
    DeviceError(
      node: node, reason: .noTouch,
      explanation: "\(description.name.isEmpty ? "the device" : description.name) \(description.reasonForNoTouch)",
      advice: "run 'carry devices' to see which devices have")
  }
}
