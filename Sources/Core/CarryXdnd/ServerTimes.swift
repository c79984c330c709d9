/// Timestamps of the X server's clock, each returned once, so that they can identify drags.
///
/// The clock counts milliseconds in 32 bits, usually from the start of the machine, and wraps after 49.7 days: of two
/// timestamps the later one is less than half that period ahead. 0 is not a valid timestamp.
package struct ServerTimes: Sendable {
  private var last: UInt32?

  package init() {}

  /// - Parameter shown: The clock's value; nil if unknown.
  /// - Returns: That value, or the one after the last timestamp if that is later.
  package mutating func next(shown: UInt32?) -> UInt32 {
    var time = shown ?? last.map { $0 &+ 1 } ?? 1
    if let last, Int32(bitPattern: time &- last) <= 0 { time = last &+ 1 }
    if time == 0 { time = 1 }
    last = time
    return time
  }
}
