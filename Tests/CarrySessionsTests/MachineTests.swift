import CarryModel
import Testing

@testable import CarrySessions

/// The small machines that a session is made of, each alone.
@Suite struct MachineTests {
  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  @Test("D8: one is under way at a time, and the newest follows") func D8_oneAtATime() {
    var flow = OneAtATime()
    var answers: [Bool?] = [flow.mayTell(), flow.taken(1)]
    flow.told(1)
    answers += [flow.taken(2), flow.taken(1)]
    #expect(answers == [true, nil, nil, false] && flow.outstanding == nil)
    flow.told(2)
    #expect(flow.outstanding != nil)
    answers = [flow.mayTell(), flow.mayTell(), flow.taken(2), flow.taken(2)]
    #expect(answers == [false, false, true, nil])
    // What is told anew is up to date.
    flow.told(3)
    answers = [flow.mayTell()]
    flow.told(4)
    answers += [flow.taken(4)]
    #expect(answers == [false, false])
  }

  @Test("Z11: a dwell in the edge zone scrolls, and leaving it stops that") func Z11_edgeDwell() {
    let (list, other) = (RegionID(1), RegionID(2))
    let dwell = Interval.milliseconds(200)
    let half = Point(x: 0, y: 0.5)
    var edge = EdgeDwell()
    edge.moved(to: half, in: list, at: at(0), dwell: dwell)
    #expect(edge.speed == .zero && edge.deadline(dwell) == at(200))
    edge.moved(to: Point(x: 0, y: 0.2), in: list, at: at(199), dwell: dwell)
    #expect(edge.speed == .zero && edge.deadline(dwell) == at(200))
    edge.moved(to: half, in: list, at: at(200), dwell: dwell)
    #expect(edge.speed == half && edge.deadline(dwell) == nil)
    edge.moved(to: Point(x: 0, y: 1), in: list, at: at(201), dwell: dwell)
    #expect(edge.speed == Point(x: 0, y: 1))
    edge.moved(to: .zero, in: list, at: at(202), dwell: dwell)
    #expect(edge.speed == .zero && edge.deadline(dwell) == nil)
    // Not where it began, until it has been outside; elsewhere at once.
    edge.begin(in: list)
    edge.moved(to: half, in: list, at: at(300), dwell: dwell)
    #expect(edge.deadline(dwell) == nil)
    edge.moved(to: half, in: other, at: at(310), dwell: dwell)
    #expect(edge.deadline(dwell) == at(510))
    edge.moved(to: half, in: list, at: at(330), dwell: dwell)
    #expect(edge.deadline(dwell) == at(530))
    edge.begin(in: list)
    edge.leave()
    edge.moved(to: half, in: list, at: at(530), dwell: dwell)
    #expect(edge.deadline(dwell) == at(730))
  }

  @Test("what has slid under the finger a moment ago was not aimed at") func aim() {
    let settling = Interval.milliseconds(300)
    var aim = Aim()
    #expect(!aim.isTooFresh(at: at(0), settling: settling))
    aim.targetSlidUnder(at: at(100))
    #expect(aim.isTooFresh(at: at(399), settling: settling) && !aim.isTooFresh(at: at(400), settling: settling))
    aim.fingerChanged()
    #expect(!aim.isTooFresh(at: at(101), settling: settling))
    // While no target is looked for, any other window counts from then on.
    aim.fingerIs(over: WindowID(1))
    aim.windowsChanged(under: WindowID(1), at: at(500))
    aim.startLooking()
    #expect(!aim.isTooFresh(at: at(501), settling: settling))
    aim.windowsChanged(under: WindowID(2), at: at(600))
    aim.startLooking()
    #expect(aim.isTooFresh(at: at(601), settling: settling))
    // After the release what changes there is another world; so is what changed a moment before.
    #expect(!aim.hasChangedSinceRelease(settling: settling))
    aim.release(at: at(899), over: WindowID(2))
    #expect(aim.hasChangedSinceRelease(settling: settling))
    aim.release(at: at(900), over: WindowID(2))
    #expect(!aim.hasChangedSinceRelease(settling: settling))
    aim.windowsChanged(under: nil, at: at(950))
    #expect(aim.hasChangedSinceRelease(settling: settling))
  }
}
