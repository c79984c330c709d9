/// Times of the X server's clock, each of which is given once, so that drags can be told apart by them.
///
/// The clock counts milliseconds in 32 bits, from the machine's start mostly, and begins again after 49.7 days: of two times
/// the later one is that which comes within the next half of these. 0 is no time.
package struct ServerTimes: Sendable {
  private var last: UInt32?

  package init() {}

  /// - Parameter shown: what the clock shows; nil where that is not known.
  /// - Returns: that, or the time after the last one if that is later.
  package mutating func next(shown: UInt32?) -> UInt32 {
    var time = shown ?? last.map { $0 &+ 1 } ?? 1
    if let last, Int32(bitPattern: time &- last) <= 0 { time = last &+ 1 }
    if time == 0 { time = 1 }
    last = time
    return time
  }
}
