package import CarryModel

/// The order and times of what a script's fingers do. Pure: its owner has the clock, or plays without one.
package struct GesturePlayback {
  package enum Event: Equatable, Sendable {
    /// A finger comes down, moves or goes up, at a time since the beginning.
    case touch(Interval, finger: Int, Touch.Phase, Point)
    /// A finger has rested for long enough to lift, at this time. If it lifts later, `resume` delays the next step.
    case lift(Interval)
    /// The script waits. `resume` continues it.
    case expectation(GestureScript.Expectation, within: Interval?, line: Int)
    case end(Interval)
  }

  private struct Report {
    var time: Interval
    /// Of two reports with one time, the one that was made first comes first.
    var order: Int
    var finger: Int
    var phase: Touch.Phase
    var point: Point
  }

  private var steps: ArraySlice<GestureScript.Step>
  /// The reports of each finger, in the order of their times.
  private var reports: [Int: ArraySlice<Report>] = [:]
  private var reportCount = 0
  /// The end of the newest step.
  private var end = Interval.zero
  /// The fingers that are down once all reports are out.
  private var points: [Int: Point] = [:]
  /// When each finger ends what it does.
  private var ends: [Int: Interval] = [:]
  /// When the newest press should have lifted.
  private var liftDue: Interval?
  private let file: String

  package init(_ script: GestureScript, file: String) {
    steps = script.steps[...]
    self.file = file
  }

  /// - Parameters:
  ///   - now: how late it is, once places are known.
  ///   - resolve: where a place is on the screen.
  package mutating func next(
    now: () -> Interval = { .zero }, resolve: (GestureScript.Place) throws(Problem) -> Point
  ) throws(FileProblem) -> Event {
    while true {
      let due = steps.first.map { $0.start ?? end }
      let next = reports.values.compactMap(\.first).min { ($0.time, $0.order) < ($1.time, $1.order) }
      if let report = next, due.map({ report.time <= $0 }) ?? true {
        reports[report.finger]?.removeFirst()
        return .touch(report.time, finger: report.finger, report.phase, report.point)
      }
      if let liftDue {
        self.liftDue = nil
        // A step with a time of its own waits for nothing.
        if steps.first?.start == nil { return .lift(liftDue) }
      }
      guard let step = steps.popFirst(), let due else { return .end(end) }
      if case .expect(let expectation, let patience) = step.action {
        return .expectation(expectation, within: patience, line: step.line)
      }
      do throws(Problem) { try begin(step, due: due, now, resolve) } catch {
        throw FileProblem(file: file, line: step.line, message: error.sentence)
      }
    }
  }

  /// What was expected has come, or what was pressed has lifted.
  package mutating func resume(at time: Interval) { end = max(end, time) }

  private mutating func begin(
    _ step: GestureScript.Step, due: Interval, _ now: () -> Interval,
    _ resolve: (GestureScript.Place) throws(Problem) -> Point
  ) throws(Problem) {
    /// A step that is late begins then, and one whose finger is at the step before once that ends.
    func start(_ fingers: Int...) -> Interval { fingers.reduce(max(due, now())) { max($0, ends[$1] ?? .zero) } }
    switch step.action {
    case .down(let finger, let place), .press(let finger, let place), .tap(let finger, let place):
      guard points[finger] == nil else { throw Problem("finger \(finger) is down already") }
      let point = try resolve(place)
      let start = start(finger)
      add(start, finger, .began, point)
      switch step.action {
      case .press:
        end = start + GestureScript.pressDuration
        liftDue = end
      case .tap:
        add(start + GestureScript.tapDuration, finger, .ended, point)
        end = start + GestureScript.tapDuration + GestureScript.tapPause
      default: end = start
      }
    case .move(let finger, let place, let duration):
      let from = try position(finger)
      let to = try resolve(place)
      let start = start(finger)
      let count = max(1, Int(duration.microseconds / GestureScript.reportInterval.microseconds))
      for i in 1...count {
        let part = Double(i) / Double(count)
        add(
          start + Interval(microseconds: duration.microseconds * Int64(i) / Int64(count)), finger, .moved,
          Point(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part))
      }
      end = start + duration
    case .up(let finger), .cancel(let finger):
      let point = try position(finger)
      let start = start(finger)
      let isUp = if case .up = step.action { true } else { false }
      add(start, finger, isUp ? .ended : .cancelled, point)
      end = start
    case .wait(let duration): end = max(due, now()) + duration
    case .handOff(let first, let second):
      let point = try position(first)
      guard points[second] == nil else { throw Problem("finger \(second) is down already") }
      let start = start(first, second)
      add(start, second, .began, point)
      add(start + GestureScript.handOffDuration, first, .ended, point)
      end = start + GestureScript.handOffDuration
    case .expect: break
    }
  }

  private func position(_ finger: Int) throws(Problem) -> Point {
    guard let point = points[finger] else { throw Problem("finger \(finger) is not down") }
    return point
  }

  private mutating func add(_ time: Interval, _ finger: Int, _ phase: Touch.Phase, _ point: Point) {
    ends[finger] = time
    points[finger] = phase == .began || phase == .moved ? point : nil
    reports[finger, default: []].append(
      Report(time: time, order: reportCount, finger: finger, phase: phase, point: point))
    reportCount += 1
  }
}
