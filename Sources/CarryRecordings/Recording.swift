package import CarryContacts
package import CarryModel

/// What a recording of a device holds.
package struct Recording: Equatable, Sendable {
  /// Nil when the description is in another file.
  package var description: DeviceDescription?
  package var events: [EvdevEvent]
  /// What was left out while reading, by line.
  package var problems: ProblemList

  package init(description: DeviceDescription? = nil, events: [EvdevEvent] = [], problems: ProblemList = ProblemList())
  {
    self.description = description
    self.events = events
    self.problems = problems
  }

  /// The longest pause that is taken for one; a longer one is a clock that was set.
  package static let longestPause = Interval.seconds(3600)
  /// The deepest step back that is jitter between two stamps; a deeper one is a clock that was set.
  package static let deepestJitter = Interval.seconds(1)

  /// The same events at times that start at zero and never decrease. A clock that was set in between, either way,
  /// costs no time; later events keep their distances.
  package func rebased() -> Recording {
    var result = self
    guard let first = events.first else { return result }
    var zero = first.time
    var last = Interval.zero
    for i in result.events.indices {
      let time = result.events[i].time
      var since = time - zero
      let step = since.microseconds.subtractingReportingOverflow(last.microseconds)
      if step.overflow || step.partialValue > Self.longestPause.microseconds {
        result.problems.note(.timeJumped, at: i + 1)
        zero = time + Interval(microseconds: -last.microseconds)
        since = last
      } else if step.partialValue < 0 {
        result.problems.note(.timeWentBackwards, at: i + 1)
        if step.partialValue < -Self.deepestJitter.microseconds {
          zero = time + Interval(microseconds: -last.microseconds)
        }
        since = last
      }
      last = since
      result.events[i].time = Instant.zero + since
    }
    return result
  }
}
