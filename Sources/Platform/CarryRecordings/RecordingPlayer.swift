package import CarryContacts
import CarryEvdev
package import CarryModel

/// Plays a recording on the caller's clock, as if its device were touched now.
///
/// Event times are relative to the first event (`Recording.rebased`), which happens at the start instant. After
/// SYN_DROPPED the player has no device to query for its state; `ContactTracker` documents what happens to the
/// fingers.
package final class RecordingPlayer {
  private let events: [EvdevEvent]
  private let tracker: ContactTracker
  private let start: Instant
  private var index = 0
  /// The event that ends the frame that `index` is in.
  private var frameEnd = 0
  private var frame = ContactFrame()

  /// Describes the positions in the frames. For an anonymous recording this is the converted, slotted description.
  package let description: DeviceDescription
  /// The problems in the file, and in the events played so far.
  package var problems: ProblemList {
    var all = fileProblems
    all.merge(tracker.problems)
    all.merge(ending)
    return all
  }
  private let fileProblems: ProblemList
  private var ending = ProblemList()

  /// `file` is the name to use in errors.
  package init(
    _ recording: Recording, startingAt start: Instant, file: String = "recording",
    identifiers: ContactIDSource = ContactIDSource()
  ) throws(FileProblem) {
    guard let original = recording.description else {
      throw FileProblem(file: file, line: 0, message: "there is no device description")
    }
    let rebased = recording.rebased()
    switch original.protocol {
    case .none:
      throw FileProblem(
        file: file, line: 0,
        message: "the recorded device \(original.reasonForNoTouch); record a touchscreen or a trackpad")
    case .anonymous:
      guard let converter = ProtocolAConverter(original) else {
        throw FileProblem(file: file, line: 0, message: "there is no memory to convert the recording")
      }
      var converted: [EvdevEvent] = []
      converted.reserveCapacity(rebased.events.count)
      for event in rebased.events { converter.convert(event) { converted.append($0) } }
      // The recording keeps its end, even if its last events changed nothing.
      if let last = rebased.events.last {
        converted.append(EvdevEvent(time: last.time, type: Evdev.syn, code: Evdev.synReport, value: 0))
      }
      events = converted
      description = converter.description
    case .slotted, .singleTouch:
      events = rebased.events
      description = original
    }
    if let axis = description.axisWithoutRange {
      throw FileProblem(
        file: file, line: 0, message: "the device's axis \(axis) has no range, so that touches have no place")
    }
    fileProblems = rebased.problems
    tracker = ContactTracker(description, identifiers: identifiers)
    self.start = start
    seekFrameEnd()
  }

  /// The time from the first event to the last.
  package var duration: Interval { (events.last?.time ?? .zero) - .zero }

  package var isFinished: Bool { index >= events.count }

  /// When the next frame is due; nil if the recording is over.
  package var nextTime: Instant? { isFinished ? nil : due(events[frameEnd]) }

  private func due(_ event: EvdevEvent) -> Instant { start + (event.time - .zero) }

  private func seekFrameEnd() {
    frameEnd = index
    while frameEnd < events.count - 1, !isReport(events[frameEnd]) { frameEnd += 1 }
  }

  private func isReport(_ event: EvdevEvent) -> Bool { event.type == Evdev.syn && event.code == Evdev.synReport }

  /// The ordinal of the first event behind the last report, from 1.
  private var firstUnreported: Int { (events.lastIndex(where: isReport) ?? -1) + 2 }
  /// Calls `body` with each frame that is due at `now`. After the last frame, the contacts that the recording left
  /// down end in one more frame.
  package func advance(to now: Instant, _ body: (ContactFrame) -> Void) {
    // Moved out of the object for the loop: the buffer keeps one owner, and no access needs checking.
    var current = ContactFrame()
    swap(&current, &frame)
    defer { swap(&current, &frame) }
    while !isFinished, due(events[frameEnd]) <= now {
      let time = due(events[frameEnd])
      let end = frameEnd
      for i in index...end {
        var event = events[i]
        event.time = time
        if tracker.handle(event, into: &current) { body(current) }
      }
      index = end + 1
      if isFinished {
        if !isReport(events[end]) { ending.record(.afterLastReport, at: firstUnreported) }
        if tracker.endAll(.ended, time: time, into: &current) {
          if !current.contacts.isEmpty { ending.record(.endsWhileDown, at: events.count) }
          body(current)
        }
      } else {
        seekFrameEnd()
      }
    }
  }

  /// Plays the rest at once. Its frames have the times at which they would have been due.
  package func playAll(_ body: (ContactFrame) -> Void) { advance(to: .distantFuture, body) }
}
