import CarryModel
import CarryRecordings
import CarryTesting
import Testing

/// Faults of drags that were mended, each with the session in which it was last seen: what real programs, windows and
/// fingers told the engine. Its actions may change in detail; the steps of the drags may not. They were recorded by
/// `CARRY_SESSIONS=DIR make test`.
@Suite struct SessionFixtureTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    let name: String
    let was: String
    let steps: String
    var testDescription: String { name }
  }

  static let faults = [
    Fault(
      name: "mouse-source-gone", was: "a release was missed when the window of the press had gone, and the grab stayed",
      steps: "lift-began lifted began entered dropped ended"),
    Fault(
      name: "busy-target", was: "a target was told of a second session while the first was over it",
      steps: "lift-began lift-began lifted lifted began began entered exited entered cancelled ended dropped received "
        + "data-delivered ended"),
    Fault(
      name: "region-gone-in-drop", was: "a region that goes as it performs a drop lost the data",
      steps: "lift-began lifted began entered dropped received data-delivered ended"),
    Fault(
      name: "added-after-drop", was: "a source that answered a tap after the drop was told that its items were added",
      steps: "lift-began lifted began entered dropped ended"),
    Fault(
      name: "late-window", was: "regions made before their window were stacked in the order of the windows",
      steps: "lift-began lifted began entered dropped"),
    Fault(
      name: "own-items-only", was: "a drag with nothing for other applications was shown to them",
      steps: "lift-began lifted began cancelled ended"),
    Fault(
      name: "policy", was: "a target that the policy forbids was told of the drag",
      steps: "lift-began lifted began cancelled ended"),
    Fault(
      name: "progress-cancelled", was: "cancelling a drop's progress cancelled the load that had finished, too",
      steps: "lift-began lifted began entered dropped received data-delivered ended"),
    Fault(
      name: "source-killed", was: "the items of a file provider were lost when their application was killed",
      steps: "lift-began lifted began entered dropped received data-delivered"),
    Fault(
      name: "spring-moves", was: "a spring whose region moved as it opened never sprang again",
      steps: "lift-began lifted began entered exited entered spring-activated dropped ended lift-began lifted began "
        + "entered spring-activated dropped ended"),
  ]

  @Test("Z36: a mended fault does not come back", arguments: faults) func Z36_mended(fault: Fault) throws {
    var replay = SessionReplay()
    var steps: [String] = []
    try SessionRecording.read("\(Checkout.root)/Tests/Fixtures/sessions/\(fault.name).session") { record, _ in
      _ = replay.play(record) { if $0.kind != .updated { steps.append($0.kind.rawValue) } }
    }
    #expect(steps.joined(separator: " ") == fault.steps, "\(fault.was)")
  }
}
