import CarryContacts
import CarryEvdev
import CarryModel

/// The devices that report fingers, and the permission to read them.
extension Checkup {
  /// Whether the X server reports fingers to the engine, so that no device node has to be read.
  var serverHasFingers: Bool {
    guard let display else { return false }
    return display.hasTouchscreen && display.inputVersion?.canHoldTouches == true
  }

  var deviceFindings: [Finding] {
    guard !devices.isEmpty else {
      if serverHasFingers { return [Finding("devices", .ok, "fingers come from the X server")] }
      return [
        settings.pointer.isEnabled
          ? Finding("devices", .ok, "no touchscreen; a mouse works too (carryd(1), MICE AND PENS)")
          : Finding(
            "devices", .warning, "there is no touchscreen, and [pointer] in carry.conf switches mice off",
            advice: "plug one in, switch mice on, or play a recording: carryd --replay FILE")
      ]
    }
    return devices.map { device in
      let found = device.found
      let name = "\(found.node) (\(found.kind.rawValue) \(SafeText.displayable(found.name)))"
      guard let problem = found.problem else { return Finding("devices", .ok, "\(name) can be read") }
      let advice =
        problem.reason == .noPermission
        ? DeviceAccess.advice(for: found.node, rule: rule, isTagged: device.isTagged) : problem.advice
      if serverHasFingers, found.kind == .touchscreen {
        return Finding(
          "devices", .warning,
          "\(name) cannot be read; its fingers come from the X server, but palms are not told apart from them",
          advice: advice)
      }
      return Finding(
        "devices", found.kind == .touchscreen ? .failed : .warning, "\(name): \(problem.explanation)", advice: advice)
    }
  }

  var ruleFinding: Finding {
    guard let rule else {
      if devices.isEmpty, !serverHasFingers, settings.pointer.isEnabled {
        return Finding("udev", .ok, "70-carry.rules is not installed; only a touchscreen would need it")
      }
      return Finding(
        "udev", .warning, "70-carry.rules is not installed: the user at the seat may not read touchscreens by it",
        advice: "\(DeviceAccess.installing), then run: \(DeviceAccess.reload)")
    }
    guard udevRuns else { return Finding("udev", .warning, "\(rule) is installed, but udevd does not run") }
    let untagged = devices.filter { $0.found.kind == .touchscreen && $0.isTagged == false }.map(\.found.node)
    return untagged.isEmpty
      ? Finding("udev", .ok, "\(rule) is installed" + (devices.isEmpty ? "" : " and active"))
      : Finding(
        "udev", .warning, "\(rule) has not been applied to \(untagged.joined(separator: ", "))",
        advice: "run: \(DeviceAccess.reload)")
  }

  /// Whether a mouse can lift, or why not.
  func mouse(_ display: DisplayFacts) -> Finding {
    guard settings.pointer.isEnabled else {
      return Finding("mouse", .ok, "lifts nothing, by [pointer] enabled = no in carry.conf")
    }
    return serverHasFingers
      ? Finding("mouse", .ok, "lifts nothing: the X server holds touches or clicks, and touches come first")
      : Finding("mouse", .ok, "a press lifts; clicks over drag regions are held until it is clear whether they do")
  }
}
