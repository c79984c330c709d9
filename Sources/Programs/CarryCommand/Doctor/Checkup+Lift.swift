import CarryModel

/// Whether touches lift out of applications unaware of Carry.
extension Checkup {
  func lift(_ display: DisplayFacts) -> Finding {
    let names = settings.lift.applications.map { SafeText.displayable($0) }.joined(separator: ", ")
    guard settings.bridge.isEnabled, settings.lift.isEnabled, !names.isEmpty else {
      return Finding("lift", .ok, "nothing lifts out of other applications, by the settings")
    }
    guard display.canPress else {
      return Finding(
        "lift", .warning, "the X server has no XTEST: nothing lifts out of \(names)",
        advice: "enable the extension XTEST in the X server's settings or options")
    }
    guard display.hasTouchscreen, display.inputVersion?.canHoldTouches == true else {
      return Finding(
        "lift", .ok,
        "not possible with a finger: the X server has no touchscreen; a mouse drags out of \(names) as usual")
    }
    return Finding("lift", .ok, "long presses lift out of \(names)")
  }
}
