package import CarryModel
package import CarrySessions

/// Plays a session recording through an engine of its own, and compares what it does.
package struct SessionReplay: ~Copyable {
  package private(set) var engine: SessionEngine
  /// The time of the newest record.
  package private(set) var now = Instant.zero
  private var actions: [SessionAction] = []

  package init() {
    engine = SessionEngine(settings: Settings(), tree: WindowTree(root: WindowID(0), size: .zero))
    engine.isMonitored = true
  }

  /// Explains the target of each drag that is under way.
  package mutating func explainTargets() -> [TargetExplanation] { engine.explainTargets() }

  /// Tells the engine one input.
  ///
  /// - Returns: what it did otherwise than the recorded engine; nil if it did the same.
  package mutating func play(
    _ record: SessionRecording.Record, steps: (MonitorEvent) -> Void = { _ in }
  ) -> (recorded: String, played: String)? {
    now = record.at ?? now
    // The replay has a monitor of its own, and what monitors are told changes nothing else.
    if case .monitorsChanged = record.input { return nil }
    actions.removeAll(keepingCapacity: true)
    engine.handle(record.input, at: now, into: &actions)
    for case .monitor(let event) in actions { steps(event) }
    let played = ActionDigest.text(actions[...])
    guard played != record.actions else { return nil }
    let words = actions.map { "\($0)" }.joined(separator: "\n")
    return (record.actions ?? "nothing", played.map { "\($0): \(words)" } ?? "nothing")
  }
}
