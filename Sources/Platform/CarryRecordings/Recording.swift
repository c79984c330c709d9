package import CarryContacts
package import CarryModel

/// A recording of a device: its description and its events.
package struct Recording: Equatable, Sendable {
  /// Nil if the description is in another file.
  package var description: DeviceDescription?
  package var events: [EvdevEvent]
  /// The names of other devices that were recorded along with this one, and are not played.
  package var others: [String] = []
  /// The problems of the recording, such as lines that were left out.
  package var problems: ProblemList

  package init(
    description: DeviceDescription? = nil, events: [EvdevEvent] = [], others: [String] = [],
    problems: ProblemList = ProblemList()
  ) {
    self.others = others
    self.description = description
    self.events = events
    self.problems = problems
  }

  /// A recording of several devices. A touchscreen with events comes before a trackpad, and a trackpad before any other.
  ///
  /// - Parameter devices: one at least.
  init(of devices: [(description: DeviceDescription, events: [EvdevEvent])], _ problems: ProblemList) {
    let withEvents = devices.indices.filter { !devices[$0].events.isEmpty }
    let touched = [DeviceDescription.Kind.touchscreen, .trackpad].lazy
      .compactMap { kind in withEvents.first { devices[$0].description.kind == kind } }.first
    let chosen = touched ?? withEvents.first ?? 0
    self.init(
      description: devices[chosen].description, events: devices[chosen].events,
      others: devices.indices.filter { $0 != chosen }.map { devices[$0].description.name }, problems: problems)
  }

  /// The longest gap between two events that counts as a pause; a longer gap means that the clock was set.
  package static let longestPause = Interval.seconds(3600)
  /// The largest step back that counts as jitter between two time stamps; a larger step means that the clock was set.
  package static let deepestJitter = Interval.seconds(1)

  /// The same events with times that start at zero and never decrease. No time passes where the clock was set during
  /// the recording, forwards or back; later events keep their distances.
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
        result.problems.record(.timeJumped, at: i + 1)
        zero = time + Interval(microseconds: -last.microseconds)
        since = last
      } else if step.partialValue < 0 {
        result.problems.record(.timeWentBackwards, at: i + 1)
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
