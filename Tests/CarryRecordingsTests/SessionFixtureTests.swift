import CarryModel
import CarryRecordings
import CarryTesting
import Testing

/// Faults of drags that were mended, each with the session in which it was last seen: what real programs, windows and
/// fingers told the engine, and what it did. Where the engine acts otherwise on purpose, record the sessions anew: the
/// smallest file that `CARRY_SESSIONS=DIR` keeps of the test.
@Suite struct SessionFixtureTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    let name: String
    /// The function in CarryDesktopTests whose engine was recorded.
    let test: String
    let was: String
    let steps: String
    var testDescription: String { name }
  }

  static let faults = [
    Fault(
      name: "mouse-source-gone", test: "Z31_theWindowGoes",
      was: "a release was missed when the window of the press had gone, and the grab stayed",
      steps: "lift-began lifted began entered dropped ended"),
    Fault(
      name: "busy-target", test: "D2_D16_oneSessionAtATime",
      was: "a target was told of a second session while the first was over it",
      steps: "lift-began lift-began lifted lifted began began entered exited entered cancelled ended dropped received "
        + "data-delivered ended"),
    Fault(
      name: "region-gone-in-drop", test: "D12_X8_goesWhileItPerforms",
      was: "a region that goes as it performs a drop lost the data",
      steps: "lift-began lifted began entered dropped received data-delivered ended"),
    Fault(
      name: "added-after-drop", test: "A3_B9_addsAfterTheDrop",
      was: "a source that answered a tap after the drop was told that its items were added",
      steps: "lift-began lifted began entered dropped ended"),
    Fault(
      name: "late-window", test: "aWindowThatComesLater",
      was: "regions made before their window were stacked in the order of the windows",
      steps: "lift-began lifted began entered dropped"),
    Fault(
      name: "own-items-only", test: "nothingForOthers",
      was: "a drag with nothing for other applications was shown to them",
      steps: "lift-began lifted began cancelled ended"),
    Fault(
      name: "policy", test: "G6_strangersAreNamed", was: "a target that the policy forbids was told of the drag",
      steps: "lift-began lifted began cancelled ended"),
    Fault(
      name: "progress-cancelled", test: "R4_cancelsWhatRemains",
      was: "cancelling a drop's progress cancelled the load that had finished, too",
      steps: "lift-began lifted began entered dropped received data-delivered ended"),
    Fault(
      name: "source-killed", test: "F1_F2_M1_M6_killedInMidDrag",
      was: "the items of a file provider were lost when their application was killed",
      steps: "lift-began lifted began entered dropped received data-delivered"),
    Fault(
      name: "spring-moves", test: "movesAsItSprings",
      was: "a spring whose region moved as it opened never sprang again",
      steps: "lift-began lifted began entered exited entered spring-activated dropped ended lift-began lifted began "
        + "entered spring-activated dropped ended"),
  ]

  @Test("Z36: a mended fault does not come back", arguments: faults) func Z36_mended(fault: Fault) throws {
    var replay = SessionReplay()
    var steps: [String] = []
    var differing: [Int] = []
    try SessionRecording.read("\(Checkout.root)/Tests/Fixtures/sessions/\(fault.name).session") { record, line in
      let difference = replay.play(record) { if $0.kind != .updated { steps.append($0.kind.rawValue) } }
      if difference != nil { differing.append(line) }
    }
    #expect(steps.joined(separator: " ") == fault.steps, "\(fault.was)")
    #expect(differing.isEmpty, "\(fault.was)")
  }
}
