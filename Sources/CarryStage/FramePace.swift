package import CarryModel

/// When frames are due: as often as an output shows a new picture, and at the moment when it begins one.
package struct FramePace: Equatable, Sendable {
  /// Between two pictures of the output.
  package var interval: Interval
  /// A moment at which the output began a picture, if the display knows it. Other such moments are whole intervals away.
  package var blank: Instant?

  package init(interval: Interval, blank: Instant? = nil) {
    self.interval = interval
    self.blank = blank
  }

  /// When the frame after a frame at `last` is due: one interval later, moved by at most half an interval to the moment when
  /// the output begins a picture. So the first frame of a motion may come at any time, and the second is in step.
  package func next(after last: Instant) -> Instant {
    let whole = last + interval
    guard let blank, interval > .zero else { return whole }
    let (length, past) = (interval.microseconds, (whole - blank).microseconds)
    let rest = past % length
    // Rounded to the nearest; `%` has the sign of what is divided.
    let late = rest < 0 ? rest + length : rest
    return late >= length - late ? whole + Interval(microseconds: length - late) : whole + Interval(microseconds: -late)
  }
}
