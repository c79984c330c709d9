import CLinux
import Carry
import CarryModel
import CarrySystem

/// `carry monitor`: every step of every session, as it happens.
enum MonitorCommand: Command {
  static let name = "monitor"
  static let summary = "print the steps of all drags"
  static let options: [Arguments.Option] = [
    .flag("json"), .flag("verbose", letter: "v"), .flag("with-engine"), .value("socket"),
  ]
  static let help = """
    Usage: carry monitor [--verbose] [--json] [--with-engine] [--socket PATH]

    Prints the steps of every drag on the display until Ctrl-C. Types are shown, data never. A drag that is
    released beside the drop regions names the nearest one.

      --verbose, -v    print each motion over a target, too ("updated")
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
        var line = EventLine(step.kind, time: step.time)
        line.add(session: step.session)
        line.add(items: step.items, types: step.types)
        line.add(step.point)
        if let operation = step.operation { line.add(operation) }
        line.add("source", SafeText.displayable(step.source), label: "from")
        if let target = step.target { line.add("target", SafeText.displayable(target), label: "over") }
        if !step.device.isEmpty { line.add("device", SafeText.displayable(step.device), label: "by") }
        if let nearest = step.nearest { add(nearest, to: &line) }
        line.print(asJSON: json, printer)
      }
      monitor.onAnnouncement = { time, text in
        var line = EventLine("announcement", time: time)
        line.add("text", SafeText.displayable(text))
        line.print(asJSON: json, printer)
      }
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

  /// Where a drag was released beside the drop regions: which one may have been meant.
  private static func add(_ nearest: Monitor.Nearest, to line: inout EventLine) {
    let label = nearest.label.map { SafeText.displayable($0) }
    var fields = JSONLine()
    fields.add("target", SafeText.displayable(nearest.target))
    if let label { fields.add("label", label) }
    fields.add("x", nearest.offset.x)
    fields.add("y", nearest.offset.y)
    func pixels(_ offset: Double, _ less: String, _ more: String) -> String? {
      offset == 0 ? nil : "\(Int(abs(offset).rounded(.up))) px \(offset < 0 ? less : more)"
    }
    let way = [pixels(nearest.offset.x, "to the left", "to the right"), pixels(nearest.offset.y, "up", "down")]
      .compactMap { $0 }.joined(separator: ", ")
    let name = SafeText.displayable(nearest.target) + (label.map { " '\($0)'" } ?? "")
    line.add(
      "nearest", fields,
      words: way.isEmpty
        ? "released over \(name), which does not take this, or is covered"
        : "released where no drop region is; nearest: \(name), \(way)")
  }
}
