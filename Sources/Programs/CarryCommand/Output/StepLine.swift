import Carry
import CarryModel

/// A step of a drag, as `carry monitor` prints it.
enum StepLine {
  static func print(_ step: Monitor.Step, asJSON json: Bool = false, _ printer: Printer) {
    var line = EventLine(step.kind, time: step.time)
    line.add(session: step.session)
    line.add(items: step.items, types: step.types)
    line.add(step.point)
    if let operation = step.operation { line.add(operation) }
    add("source", step.source, step.sourceLabel, label: "from", to: &line)
    if let target = step.target { add("target", target, step.targetLabel, label: "over", to: &line) }
    if !step.device.isEmpty { line.add("device", SafeText.displayable(step.device), label: "by") }
    if let nearest = step.nearest { add(nearest, to: &line) }
    line.print(asJSON: json, printer)
  }

  /// Adds a program with the label of its region.
  private static func add(_ key: String, _ program: String, _ region: String?, label: String, to line: inout EventLine)
  {
    line.add(key, SafeText.displayable(program), label: label)
    if let region { line.add("\(key)-label", quoted: SafeText.displayable(region)) }
  }

  private static func add(_ nearest: Monitor.Nearest, to line: inout EventLine) {
    var fields = JSONLine()
    fields.add("target", SafeText.displayable(nearest.target))
    if let label = nearest.label { fields.add("label", SafeText.displayable(label)) }
    fields.add("x", nearest.offset.x)
    fields.add("y", nearest.offset.y)
    line.add("nearest", fields, words: reason(nearest.target, nearest.label, nearest.offset))
  }

  /// Where a drag was released beside the drop regions: which one may have been meant.
  static func reason(_ target: String, _ label: String?, _ offset: Carry.Point) -> String {
    func pixels(_ offset: Double, _ less: String, _ more: String) -> String? {
      offset == 0 ? nil : "\(Int(abs(offset).rounded(.up))) px \(offset < 0 ? less : more)"
    }
    let way = [pixels(offset.x, "to the left", "to the right"), pixels(offset.y, "up", "down")]
      .compactMap { $0 }.joined(separator: ", ")
    let name = SafeText.displayable(target) + (label.map { " '\(SafeText.displayable($0))'" } ?? "")
    return way.isEmpty
      ? "released over \(name), which does not take this, or is covered"
      : "released where no drop region is; nearest: \(name), \(way)"
  }
}
