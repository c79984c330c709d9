import CLinux
import Carry
import CarryModel
import CarryRecordings
import CarrySystem

/// Plays a gesture script into an engine that was started for tests, and compares what comes of it with what the script
/// expects.
final class ScriptPlayer {
  /// How an expectation was met, or not.
  struct Outcome {
    let line: Int
    let words: String
    /// Why it was not met; nil if it was.
    let failure: String?
  }

  /// How long a region is looked for.
  private static let regionPatience = Interval.seconds(10)
  /// How long drags may take to end after the script: a load may rest for 30 seconds.
  private static let endPatience = Interval.seconds(35)
  /// How much later than it should something may lift: on a busy machine its program answers late.
  private static let liftPatience = Interval.seconds(2)
  private static let lookAgain = Interval.milliseconds(100)

  private let client: Client
  private let screen: Size
  private let player: TouchPlayer
  private let interruption: Interruption?
  private var monitor: Monitor?
  /// All steps so far, and whether an expectation was met by them.
  private var steps: [(step: Monitor.Step, isMatched: Bool)] = []
  private var openSessions: Set<UInt32> = []
  private var fingers: Set<Int> = []
  private var listing: [ListedRegion]?
  private var begin = MonotonicClock.now()
  /// Of the expectations so far, in the order of the script.
  private(set) var outcomes: [Outcome] = []
  /// Called with each step of each drag.
  var onStep: (Monitor.Step) -> Void = { _ in }

  /// - Parameters:
  ///   - screen: pixels.
  ///   - interruption: ends each wait; nil where a signal ends the process.
  init(_ client: Client, screen: Size, interruption: Interruption? = nil) throws(Problem) {
    guard let player = client.makePlayer() else { throw Problem("there is no engine", status: 3) }
    (self.client, self.screen, self.player, self.interruption) = (client, screen, player, interruption)
    monitor = Monitor(client: client) { [unowned self] step in
      steps.append((step, false))
      if step.kind == "ended" || step.kind == "lift-reversed" {
        openSessions.remove(step.session)
      } else {
        openSessions.insert(step.session)
      }
      onStep(step)
    }
    // An engine that is not for tests refuses the player now.
    try synchronize()
  }

  /// Plays the script to the end of its drags.
  ///
  /// - Throws: if the script cannot be played on. Expectations that are not met are in `outcomes`.
  func play(_ script: GestureScript, file: String) throws {
    var playback = GesturePlayback(script, file: file)
    var firstStepOfPress = 0
    begin = MonotonicClock.now()
    defer { player.stop() }
    while true {
      let event = try playback.next(
        now: { MonotonicClock.now() - begin }, resolve: { place throws(Problem) in try resolve(place, script) })
      switch event {
      case .touch(let time, let finger, let phase, let point):
        try wait(until: begin + time) { false }
        switch phase {
        case .began:
          firstStepOfPress = steps.count
          fingers.insert(finger)
        case .moved: break
        case .ended, .cancelled: fingers.remove(finger)
        }
        player.touch(finger: finger - 1, phase, point)
      case .lift(let time):
        try wait(until: begin + time) { false }
        try wait(until: begin + time + Self.liftPatience) {
          steps[firstStepOfPress...].contains { $0.step.kind == "lifted" }
        }
        playback.resume(at: MonotonicClock.now() - begin)
      case .expectation(let expectation, let patience, let line):
        try check(expectation, within: patience, line: line)
        playback.resume(at: MonotonicClock.now() - begin)
      case .end(let time):
        try wait(until: begin + time) { false }
        // Fingers that are still down go with it.
        player.stop()
        try wait(until: MonotonicClock.now() + Self.endPatience) { openSessions.isEmpty }
        return
      }
    }
  }

  // MARK: Places

  private func resolve(_ place: GestureScript.Place, _ script: GestureScript) throws(Problem) -> CarryModel.Point {
    switch place {
    case .pixels(let point):
      return CarryModel.Point(
        x: point.x * screen.width / script.screen.width, y: point.y * screen.height / script.screen.height)
    case .fraction(let part): return CarryModel.Point(x: part.x * screen.width, y: part.y * screen.height)
    case .region(let label, let part):
      let rect = try region(label)
      return CarryModel.Point(x: rect.x + rect.width * part.x, y: rect.y + rect.height * part.y)
    }
  }

  /// The region of this label, or the one of the program of this name, once it rests on the screen.
  private func region(_ label: String) throws(Problem) -> CarryModel.Rect {
    let deadline = MonotonicClock.now() + Self.regionPatience
    var last: CarryModel.Rect?
    var others: [String] = []
    while MonotonicClock.now() < deadline {
      let list = try list()
      var found = list.filter { $0.label == label }
      if found.isEmpty { found = list.filter { $0.client == label } }
      let visible = found.compactMap(\.rect)
      if visible.count > 1 {
        let places = visible.prefix(4).map { "\(Int($0.x)),\(Int($0.y))" }.joined(separator: " and ")
        throw Problem(
          "\(visible.count) regions on the screen are called \"\(label)\", at \(places); carry regions lists them, and "
            + "carry_region_set_label names them")
      }
      if let rect = visible.first, rect == last { return rect }
      last = visible.first
      others = list.filter { $0.rect != nil }.map { $0.label ?? $0.client }
      try wait(until: MonotonicClock.now() + Self.lookAgain) { false }
    }
    let there = Set(others).sorted().prefix(12).map { "\"\($0)\"" }.joined(separator: ", ")
    throw Problem(
      last != nil
        ? "the region \"\(label)\" does not come to rest"
        : "no region on the screen is called \"\(label)\"; there \(there.isEmpty ? "is none" : "are \(there)")")
  }

  /// The regions of all applications.
  func list() throws(Problem) -> [ListedRegion] {
    listing = nil
    client.listRegions { [unowned self] list in listing = list.regions }
    try wait(until: MonotonicClock.now() + .seconds(5)) { listing != nil }
    guard let listing else { throw Problem("the engine does not answer") }
    return listing
  }

  // MARK: Expectations

  private func check(_ expectation: GestureScript.Expectation, within patience: Interval?, line: Int) throws(Problem) {
    let words = Self.words(expectation)
    let deadline = MonotonicClock.now() + (patience ?? GestureScript.patience)
    let isMet: Bool
    switch expectation {
    case .noDrop:
      try learnSteps()
      try wait(until: deadline) { openSessions.isEmpty }
      isMet = openSessions.isEmpty && !steps.contains { $0.step.kind == "dropped" && !$0.isMatched }
    case .step(let kind, let source, let target, let type, let operation, let reason):
      var match: Int?
      try learnSteps()
      try wait(until: deadline) {
        match = steps.firstIndex { step, isMatched in
          !isMatched && step.kind == kind.rawValue
            && (source.map { $0 == step.sourceLabel || $0 == step.source } ?? true)
            && (target.map { $0 == step.targetLabel || $0 == step.target } ?? true)
            && (type.map { Self.matches(step.types, $0) } ?? true)
            && (operation.map { Self.isSame(step.operation, $0) } ?? true)
            && (reason.map { sentence(step).contains($0) } ?? true)
        }
        // Without a finger and a drag nothing more comes; a script that names a time waits all the same.
        return match != nil || (patience == nil && fingers.isEmpty && openSessions.isEmpty)
      }
      if let match { steps[match].isMatched = true }
      isMet = match != nil
    }
    outcomes.append(Outcome(line: line, words: words, failure: isMet ? nil : story))
  }

  private static func isSame(_ a: Carry.DropOperation?, _ b: CarryModel.DropOperation) -> Bool {
    switch a {
    case .copy: b == .copy
    case .move: b == .move
    default: false
    }
  }

  /// `image/*` is any picture.
  private static func matches(_ types: [String], _ pattern: String) -> Bool {
    types.contains { $0 == pattern || (pattern.hasSuffix("/*") && $0.hasPrefix(pattern.dropLast())) }
  }

  static func words(_ expectation: GestureScript.Expectation) -> String {
    guard case .step(let kind, let source, let target, let type, let operation, let reason) = expectation else {
      return "no drop"
    }
    switch kind {
    case .received: return "\"\(target ?? "")\" received \(type ?? "")"
    case .lifted: return "lift" + (source.map { " of \"\($0)\"" } ?? "")
    case .springActivated: return "spring" + (target.map { " of \"\($0)\"" } ?? "")
    case .dropped:
      let word = operation == .copy ? " as copy" : operation == .move ? " as move" : ""
      return "drop" + (target.map { " on \"\($0)\"" } ?? "") + word
    default: return "cancel" + (reason.map { " because \"\($0)\"" } ?? "")
    }
  }

  /// What happened instead: the newest steps, the motions left out.
  private var story: String {
    let list = steps.map(\.step).filter { $0.kind != "updated" }.suffix(8).map(sentence)
    return list.isEmpty ? "nothing was lifted" : "what came: " + list.joined(separator: "; ")
  }

  /// What a failure tells of a step, with the reason where nothing was dropped.
  private func sentence(_ step: Monitor.Step) -> String {
    let source = "\"\(step.sourceLabel ?? step.source)\""
    let target = step.target.map { " over \"\(step.targetLabel ?? $0)\"" } ?? ""
    let reason: String
    if let nearest = step.nearest {
      reason = ", " + StepLine.reason(nearest.target, nearest.label, nearest.offset)
    } else if step.kind == "cancelled", step.target != nil, let answer = proposal(step.session),
      answer == .cancel || answer == .forbidden
    {
      reason = ", which proposed \(answer)"
    } else {
      reason = ""
    }
    let type = step.kind == "received" ? " " + step.types.joined() : ""
    let hasOperation = step.kind == "dropped" || step.operation == .forbidden
    let operation = hasOperation ? step.operation.map { " \($0)" } ?? "" : ""
    return "\(step.kind)\(type)\(operation) \(source)\(target)\(reason)"
  }

  /// What the newest target of a drag has proposed last.
  private func proposal(_ session: UInt32) -> Carry.DropOperation? {
    steps.last { $0.step.session == session && $0.step.kind == "updated" }?.step.operation
  }

  /// Whether anything was lifted.
  var hasDrags: Bool { !steps.isEmpty }

  // MARK: Waiting

  /// Learns the steps of what the fingers have done so far. The engine handles touches at the end of the turn in which
  /// they come, and answers the first question in it.
  private func learnSteps() throws(Problem) {
    try synchronize()
    try synchronize()
  }

  /// Waits until the engine has handled all that it was sent.
  private func synchronize() throws(Problem) {
    do throws(ClientError) { try client.synchronize() } catch {
      throw Problem(client.connectionProblem ?? error.description)
    }
  }

  /// Serves the engine until a time, or until something holds.
  private func wait(until deadline: Instant, _ condition: () -> Bool) throws(Problem) {
    do throws(ClientError) {
      try client.dispatch()
      while !condition() {
        let left = deadline - MonotonicClock.now()
        guard left > .zero else { return }
        var fds = [client.fileDescriptor, interruption?.descriptor ?? -1].map {
          pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        poll(&fds, nfds_t(fds.count), CInt(clamping: (left.microseconds + 999) / 1000))
        if fds[1].revents != 0 { break }
        try client.dispatch()
      }
    } catch {
      throw Problem("the engine has gone: \(client.connectionProblem ?? error.description)", status: 3)
    }
    try interruption?.check()
  }
}
