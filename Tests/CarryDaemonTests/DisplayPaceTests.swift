import CarryModel
import Testing

@testable import CarryDaemon

@Suite struct DisplayPaceTests {
  @Test("reports of a server that draws are read together, at the latest when the next frame is due")
  func reportsWaitForEachOther() {
    var pace = DisplayPace()
    #expect(pace.mayRead(at: ms(0)))
    pace.turnEnded(at: ms(0), isBusy: true, nextFrame: ms(16))
    #expect(pace.due == ms(4))
    #expect(!pace.mayRead(at: ms(3)))
    // Other turns do not put it off.
    pace.turnEnded(at: ms(3), isBusy: true, nextFrame: ms(16))
    #expect(pace.due == ms(4))
    #expect(pace.mayRead(at: ms(4)))
    pace.turnEnded(at: ms(14), isBusy: true, nextFrame: ms(16))
    #expect(pace.due == ms(16))
  }

  @Test("nothing waits for a frame that is overdue, nor once the server is done or nothing moves")
  func nothingWaitsInVain() {
    var pace = DisplayPace()
    pace.turnEnded(at: ms(16), isBusy: true, nextFrame: ms(16))
    #expect(pace.due == nil)
    pace.turnEnded(at: ms(0), isBusy: true, nextFrame: nil)
    #expect(pace.due == nil)
    pace.turnEnded(at: ms(0), isBusy: true, nextFrame: ms(16))
    pace.turnEnded(at: ms(1), isBusy: false, nextFrame: ms(16))
    #expect(pace.due == nil)
    #expect(pace.mayRead(at: ms(1)))
  }
}
