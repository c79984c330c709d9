import CarryModel
import Testing

@testable import CarryWireClient

/// How long the kernel may pass no descriptors on.
@Suite struct PassingPauseTests {
  private static let half = 500_000

  /// Looks twice a second, from one second to another, and says whether it was too long at any time.
  private func isTooLong(
    _ pause: inout PassingPause, _ seconds: Range<Int>, isPaused: Bool = true, passed: (Int) -> Int = { _ in 0 }
  ) -> Bool {
    var isTooLong = false
    for i in (seconds.lowerBound * 2)..<(seconds.upperBound * 2) {
      let now = Instant(microseconds: Int64(i * Self.half))
      if pause.isTooLong(isPaused: isPaused, passed: passed(i), at: now) { isTooLong = true }
    }
    return isTooLong
  }

  @Test("after 30 seconds without one that is passed on whoever waits is told") func tooLong() {
    var pause = PassingPause()
    #expect(!isTooLong(&pause, 0..<30))
    #expect(isTooLong(&pause, 30..<32))
  }

  @Test("each that is passed on, or a moment without a refusal, begins the time anew") func anew() {
    var pause = PassingPause()
    #expect(!isTooLong(&pause, 0..<100, passed: { $0 }))
    #expect(!isTooLong(&pause, 100..<129, passed: { _ in 200 }))
    #expect(!isTooLong(&pause, 129..<130, isPaused: false, passed: { _ in 200 }))
    #expect(!isTooLong(&pause, 130..<160, passed: { _ in 200 }))
    #expect(isTooLong(&pause, 160..<162, passed: { _ in 200 }))
  }

  @Test("while nobody looked, as in a program that stood still, nothing is known") func standing() {
    var pause = PassingPause()
    #expect(!isTooLong(&pause, 0..<5))
    #expect(!isTooLong(&pause, 100..<110))
  }
}
