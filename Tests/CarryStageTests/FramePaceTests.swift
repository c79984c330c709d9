import CarryModel
import CarryStage
import Testing

/// When frames are due.
@Suite struct FramePaceTests {
  private static func us(_ n: Int64) -> Instant { Instant(microseconds: n) }

  @Test("Without a moment to follow a frame is an interval after the last") func withoutAMoment() {
    #expect(FramePace(interval: .milliseconds(16)).next(after: Self.us(1000)) == Self.us(17_000))
    #expect(FramePace(interval: .zero, blank: .zero).next(after: Self.us(1000)) == Self.us(1000))
  }

  @Test(
    "Frames are due as the output begins a picture: the nearest to an interval after the last",
    arguments: [(100, 110), (104, 110), (105, 120), (109, 120), (110, 120), (93, 100)] as [(Int64, Int64)],
    [-1_000_000, 0, 20, 100, 7_000_000] as [Int64])
  func asTheOutputBegins(frames: (last: Int64, due: Int64), blank: Int64) {
    let (last, due) = frames
    let pace = FramePace(interval: Interval(microseconds: 10), blank: Self.us(blank))
    #expect(pace.next(after: Self.us(last)) == Self.us(due))
  }

  @Test("Of times that cannot be, too, a frame is due an interval after the last, give or take half an interval")
  func timesThatCannotBe() {
    for blank in [Int64.min, .max, 0] {
      for last in [Int64.min, .max, 0] {
        for interval in [Int64.min, -1, 0, 1, .max] {
          let pace = FramePace(interval: Interval(microseconds: interval), blank: Self.us(blank))
          let due = pace.next(after: Self.us(last))
          let whole = Self.us(last) + pace.interval
          let half = Interval(microseconds: max(0, interval) / 2)
          #expect(due - whole <= half && whole - due <= half, "\(interval) after \(last), from \(blank)")
        }
      }
    }
  }
}
