import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem

/// `carry devices`: what is there, whether it can be read, and what to do if not.
enum DevicesCommand: Command {
  static let name = "devices"
  static let summary = "list touch devices, and whether they can be read"
  static let options: [Arguments.Option] = [.flag("json"), .flag("all")]
  static let help = """
    Usage: carry devices [--all] [--json]

    Lists the touchscreens and trackpads, and whether they can be read. If not, says what to do.

      --all   list other input devices, too
      --json  one JSON object a line: node, name, kind, readable, and reason and advice if not

    Exit status: 0 when a touch device can be read, 1 when none can, 2 wrong usage.
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    if let extra = arguments.operands.first { throw UsageError("unexpected argument \(extra)") }
    let found = DeviceScanner.list().filter { arguments.has("all") || $0.kind != .other }
    report(found, json: arguments.has("json"), printer)
    return found.contains { $0.problem == nil && $0.kind != .other } ? .done : .nothing
  }

  private static func advice(_ device: DeviceScanner.Found) -> String? {
    guard let problem = device.problem else { return nil }
    if problem.reason == .noPermission { return DeviceAccess.advice(for: device.node) }
    return problem.advice.isEmpty ? nil : problem.advice
  }

  static func report(_ found: [DeviceScanner.Found], json: Bool, _ printer: Printer) {
    if json {
      for device in found {
        var line = JSONLine()
        line.add("node", device.node)
        line.add("name", device.name)
        line.add("kind", device.kind.rawValue)
        line.add("readable", device.problem == nil)
        if let problem = device.problem {
          line.add("reason", problem.explanation)
          if let advice = advice(device) { line.add("advice", advice) }
        }
        printer.line(line.text)
      }
      return
    }
    if found.isEmpty {
      printer.error("no touch device under /dev/input; 'carry replay' plays a recording without one")
      return
    }
    var table = Table(["NODE", "KIND", "NAME", "STATE"])
    for device in found {
      table.add([
        device.node, device.kind.rawValue, SafeText.displayable(device.name),
        device.problem.map { $0.explanation } ?? "ready",
      ])
    }
    printer.line(String(table.text.dropLast()))
    for device in found {
      if let advice = advice(device), device.problem?.reason != .noTouch {
        printer.line("\(device.node): \(advice)")
      }
    }
  }
}
