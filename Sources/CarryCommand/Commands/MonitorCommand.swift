import CLinux
import Carry
import CarryModel
import CarrySystem

/// `carry monitor`: every step of every session, as it happens.
enum MonitorCommand: Command {
  static let name = "monitor"
  static let summary = "every session event, as it happens"
  static let options: [Arguments.Option] = [.flag("json"), .flag("with-engine"), .value("socket")]
  static let help = """
    Usage: carry monitor [--json] [--with-engine] [--socket PATH]

    Prints each step of each drag session of the display until Ctrl-C: who drags what over whom. Types are shown, data
    never.

      --json           one JSON object a line; fields that do not apply are left out
      --with-engine    exit when the engine does, with status 3, instead of waiting for the next one
      --socket PATH    the engine's socket; $CARRY_SOCKET, or carry-0 in $XDG_RUNTIME_DIR, if left out

    \(CarryTool.exitStatuses)
    """

  static func run(_ arguments: Arguments, _ printer: Printer) throws(UsageError) -> CommandStatus {
    guard arguments.operands.isEmpty else { throw UsageError("carry monitor takes no operands") }
    let json = arguments.has("json")
    do {
      let client = try Client(name: "carry monitor", socket: arguments.value("socket"))
      let monitor = Monitor(client: client) { step in
        var line = EventLine(step.kind, time: step.time)
        line.add(session: step.session)
        line.add(items: step.items, types: step.types)
        line.add(step.point)
        if let operation = step.operation { line.add(operation) }
        line.add("source", SafeText.displayable(step.source), label: "from")
        if let target = step.target { line.add("target", SafeText.displayable(target), label: "over") }
        if !step.device.isEmpty { line.add("device", SafeText.displayable(step.device), label: "by") }
        line.print(asJSON: json, printer)
      }
      monitor.onAnnouncement = { time, text in
        var line = EventLine("announcement", time: time)
        line.add("text", SafeText.displayable(text))
        line.print(asJSON: json, printer)
      }
      defer { withExtendedLifetime(monitor) {} }
      let hadEngine = ToolLoop.run(
        client, window: nil, withEngine: arguments.has("with-engine"), printer,
        onEngine: { loss in
          // The next engine numbers its sessions from 1 again.
          EventLine(loss == nil ? "connected" : "lost").print(asJSON: json, printer)
        })
      return hadEngine ? .done : .noEngine
    } catch {
      printer.error(error.description)
      return .noEngine
    }
  }
}
