import Carry
import CarryModel
import CarryRecordings
import CarrySessions
import CarrySystem

/// What `carry replay` prints of a session recording: the steps of its drags, and on request why each target was the
/// target.
struct SessionReport: ~Copyable {
  private let printer: Printer
  private let json: Bool
  private let explains: Bool
  private var replay = SessionReplay()
  private var start: Instant?
  /// What was explained last of each drag.
  private var explained: [SessionID: [TargetExplanation.Place]] = [:]
  private var inputs = 0

  init(json: Bool, explains: Bool, _ printer: Printer) {
    (self.json, self.explains, self.printer) = (json, explains, printer)
  }

  /// Plays a file.
  ///
  /// - Throws: at the first line that the engine does not do again.
  mutating func play(_ file: String) throws(FileProblem) {
    try SessionRecording.read(file) { record, line throws(FileProblem) in try play(record, file: file, line: line) }
    guard !json else { return }
    let name = SafeText.displayable(file, limit: 4096)
    let seconds = Decimal.fixed((replay.now - (start ?? replay.now)).seconds, places: 1)
    printer.line("\(name): \(inputs) inputs in \(seconds) s; this engine does the same")
    printer.flush()
  }

  private mutating func play(_ record: SessionRecording.Record, file: String, line: Int) throws(FileProblem) {
    var steps: [MonitorEvent] = []
    let difference = replay.play(record) { steps.append($0) }
    inputs += 1
    // The first input with a time: what comes before sets the engine up.
    if start == nil { start = record.at }
    for step in steps where step.kind != .updated { print(step) }
    if explains { explain() }
    guard let difference else { return }
    throw FileProblem(
      file: file, line: line,
      message: "the recorded engine did \(difference.recorded), this one does \(difference.played)")
  }

  private func print(_ step: MonitorEvent) {
    var line = event(step.kind.rawValue, of: step.session)
    line.add(items: step.items, types: step.types)
    line.add(Carry.Point(x: step.point.x, y: step.point.y))
    if let operation = step.operation { line.add("operation", operation.name) }
    line.add("source", name(step.source, step.sourceRegion), label: "from")
    if let target = step.target { line.add("target", name(target, step.targetRegion), label: "over") }
    if let nearest = step.nearest {
      line.add(
        "reason",
        StepLine.reason(
          name(replay.engine.identity(of: nearest.client), nil), replay.engine.label(of: nearest.region),
          Carry.Point(x: nearest.offset.x, y: nearest.offset.y)))
    }
    print(line)
  }

  private mutating func explain() {
    for explanation in replay.explainTargets() where explained[explanation.session] != explanation.places {
      explained[explanation.session] = explanation.places
      if explanation.places.isEmpty {
        var line = event("region", of: explanation.session)
        line.add(Carry.Point(x: explanation.point.x, y: explanation.point.y))
        line.add("verdict", "no region lies here")
        print(line)
      }
      for (i, place) in explanation.places.enumerated() {
        var line = event("region", of: explanation.session)
        line.add(Carry.Point(x: explanation.point.x, y: explanation.point.y))
        line.add("depth", i + 1, unit: "from the top")
        line.add("program", name(place.program, place.label))
        line.add("verdict", Self.words(place.verdict))
        print(line)
      }
    }
  }

  private static func words(_ verdict: TargetExplanation.Verdict) -> String {
    switch verdict {
    case .target(let operation?): "is the target, and proposes \(operation.name)"
    case .target(nil): "is the target, and has proposed nothing yet"
    case .asked: "is asked whether it can handle the items"
    case .refused: "has refused the items, or did not answer in time"
    case .isNoTarget: "accepts no drops"
    case .hidden(let rule?): "may not know of the drag, by \(SafeText.displayable(rule, limit: 4096))"
    case .hidden(nil): "may not know of the drag: the source keeps it to itself, or no type is for it"
    case .busy: "handles another drag"
    case .beneath: "lies beneath"
    case .covered(let window?): "is covered by the window 0x\(String(window.raw, radix: 16))"
    case .covered(nil): "is covered"
    }
  }

  // MARK: Lines

  private func event(_ kind: String, of session: SessionID) -> EventLine {
    var line = EventLine(kind, time: (replay.now - (start ?? .zero)).seconds)
    line.add(session: session.raw)
    return line
  }

  private func print(_ line: EventLine) {
    let time = Decimal.fixed((replay.now - (start ?? .zero)).seconds, places: 3)
    line.print(asJSON: json, prefix: String(repeating: " ", count: max(0, 8 - time.count)) + time + " s  ", printer)
  }

  private func name(_ client: ClientID, _ region: RegionID?) -> String {
    name(replay.engine.identity(of: client), region.flatMap { replay.engine.label(of: $0) })
  }

  private func name(_ program: ProgramIdentity, _ label: String?) -> String {
    let name = [program.name, program.clientName, program.fileName].first { !$0.isEmpty } ?? "an unknown program"
    return SafeText.displayable(name) + (label.map { " '\(SafeText.displayable($0))'" } ?? "")
  }
}
