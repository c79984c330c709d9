package import CarryModel

/// When frames are due: at the refresh rate of an output, and in step with it.
package struct FramePace: Equatable, Sendable {
  /// The time between two refreshes of the output.
  package var interval: Interval
  /// A moment at which a refresh began, if the display knows one. Other refreshes are whole intervals away.
  package var blank: Instant?

  package init(interval: Interval, blank: Instant? = nil) {
    self.interval = interval
    self.blank = blank
  }

  /// When the frame after a frame at `last` is due: one interval later, moved by at most half an interval to the
  /// beginning of a refresh. The first frame of a motion may thus come at any time, and the second is in step.
  package func next(after last: Instant) -> Instant {
    let whole = last + interval
    guard let blank, interval > .zero else { return whole }
    let (length, past) = (interval.microseconds, (whole - blank).microseconds)
    let rest = past % length
    // Rounded to the nearest; the result of `%` has the sign of the dividend.
    let late = rest < 0 ? rest + length : rest
    return late >= length - late ? whole + Interval(microseconds: length - late) : whole + Interval(microseconds: -late)
  }
}
