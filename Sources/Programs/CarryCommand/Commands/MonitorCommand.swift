import CLinux
import Carry
import CarryModel
import CarrySystem

/// `carry monitor`: every step of every session, as it happens.
enum MonitorCommand: Command {
  static let name = "monitor"
  static let summary = "print the steps of all drags"
  static let options: [Arguments.Option] = [
    .flag("json"), .flag("verbose", letter: "v"), .flag("details"), .flag("with-engine"), .value("socket"),
  ]
  static let help = """
    Usage: carry monitor [--verbose] [--details] [--json] [--with-engine] [--socket PATH]

    Prints the steps of every drag on the display until Ctrl-C. Types are shown, data never. A drag that is
    released beside the drop regions names the nearest one.

      --verbose, -v    print each motion over a target, too ("updated")
      --details        print what the engine does between the steps, too: each contact and its gesture, the
                       questions that programs are asked, and loads
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
      let isVerbose = arguments.has("verbose")
      let monitor = Monitor(client: client) { step in
        if step.kind == "updated", !isVerbose { return }
        StepLine.print(step, asJSON: json, printer)
      }
      monitor.onAnnouncement = { time, text in
        var line = EventLine("announcement", time: time)
        line.add("text", SafeText.displayable(text))
        line.print(asJSON: json, printer)
      }
      if arguments.has("details") { monitor.onDetail = { DetailLine.print($1, time: $0, asJSON: json, printer) } }
      defer { withExtendedLifetime(monitor) {} }
      // A script has its own ways to know.
      if !json, isatty(STDERR_FILENO) != 0 {
        printer.error(
          "watching the display of carryd \(client.engineVersion); nothing is dragged yet. Ctrl-C ends this")
      }
      let hadEngine = ToolLoop.run(
        client, display: nil, withEngine: arguments.has("with-engine"), printer,
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
