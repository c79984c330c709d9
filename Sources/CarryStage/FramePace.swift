package import CarryModel

/// When pictures are due: as often as an output shows a new one, and as it begins to.
package struct FramePace: Equatable, Sendable {
  /// Between two pictures of the output.
  package var interval: Interval
  /// A moment at which the output began a picture, where the display tells; others lie whole intervals from it.
  package var blank: Instant?

  package init(interval: Interval, blank: Instant? = nil) {
    self.interval = interval
    self.blank = blank
  }

  /// When the picture after the one of `last` is due: one interval later, or as the output next begins one, which is
  /// half an interval earlier or later at the most. A picture that was drawn when something new had begun to move is so
  /// followed by one that is in step.
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
