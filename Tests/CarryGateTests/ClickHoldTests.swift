import CarryGate
import CarryModel
import Testing

@Suite struct ClickHoldTests {
  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  @Test("Z6: a click waits a moment, and a kept one as long as a touch") func Z6_deadlines() {
    var hold = ClickHold(patience: .milliseconds(600))
    let mouse = hold.began(pointer: 2, time: at(0))
    #expect(hold.nextDeadline == at(50))
    #expect(hold.expire(at: at(49)).isEmpty)
    #expect(hold.expire(at: at(50)).map(\.id) == [mouse])
    #expect(hold.nextDeadline == nil && hold.decide(mouse) == nil)
    let pad = hold.began(pointer: 2, time: at(1000))
    #expect(pad != mouse)
    hold.keep(mouse)
    #expect(hold.nextDeadline == at(1050))
    hold.keep(pad)
    #expect(hold.nextDeadline == at(1600))
    #expect(hold.expire(at: at(1599)).isEmpty)
    #expect(hold.decide(pad)?.pointer == 2)
    #expect(hold.decide(pad) == nil && hold.nextDeadline == nil)
  }

  @Test("Z6: one click for each pointer") func Z6_oneForEachPointer() {
    var hold = ClickHold(patience: .milliseconds(600))
    let first = hold.began(pointer: 2, time: at(0))
    let other = hold.began(pointer: 14, time: at(10))
    let second = hold.began(pointer: 2, time: at(20))
    #expect(hold.decide(first) == nil)
    #expect(hold.expire(at: at(70)).map(\.id) == [other, second])
  }

  @Test("Z31: a followed click is known by its device while it is held, and by its pointer once it is taken")
  func Z31_followed() throws {
    var hold = ClickHold(patience: .milliseconds(600))
    let id = hold.began(pointer: 2, source: 9, at: Point(x: 1, y: 2), time: at(0))
    #expect(hold.followed(of: 9) == nil && !hold.followsHeldClick)
    #expect(hold.follow(id)?.point == Point(x: 1, y: 2) && hold.follow(id &+ 1) == nil)
    #expect(hold.followsHeldClick && hold.followed(of: 9)?.id == id && hold.followed(of: 8) == nil)
    #expect(hold.nextDeadline == at(600) && hold.taken(by: 2) == nil)
    #expect(hold.take(id)?.isFollowed == true)
    // What is taken has no deadline.
    #expect(hold.nextDeadline == nil && !hold.followsHeldClick && hold.followed(of: 9) == nil)
    #expect(hold.taken(by: 2)?.id == id && hold.taken(by: 9) == nil)
    hold.forgetTaken(id)
    #expect(hold.taken(by: 2) == nil)
  }

  @Test("Z31: the place of a release that the grab has not reported is asked for when all that came with it is handled")
  func Z31_unreported() {
    var clicks = ClickHold(patience: .seconds(1))
    let ids = (0..<2).map { clicks.began(pointer: 2 + $0, source: 5 + $0, at: .zero, time: .zero) }
    for id in ids {
      #expect(clicks.follow(id) != nil && clicks.take(id) != nil)
      clicks.deviceReleased(id)
    }
    #expect(clicks.nextDeadline == .zero && clicks.takeUnreported() == nil)
    // The grab's report of the first came with it.
    clicks.forgetTaken(ids[0])
    #expect(clicks.unlocated?.id == ids[1])
    clicks.deviceReleased(ids[1], at: Point(x: 7, y: 8))
    #expect(clicks.unlocated == nil && clicks.nextDeadline == .zero)
    let over = clicks.takeUnreported()
    #expect(over?.click.id == ids[1] && over?.place == Point(x: 7, y: 8))
    #expect(clicks.nextDeadline == nil && clicks.takeUnreported() == nil)
  }

  @Test("Z31: a click that has moved stays held for a moment after its release, until it is decided")
  func Z31_released() {
    var hold = ClickHold(patience: .milliseconds(600))
    let id = hold.began(pointer: 2, source: 9, at: Point(x: 10.5, y: 20), time: at(0))
    _ = hold.follow(id)
    hold.moved(id, to: Point(x: 15, y: 20))
    // Back where it was: the engine may have seen it elsewhere.
    hold.moved(id, to: Point(x: 10, y: 20))
    #expect(hold.released(id, time: at(100)) == nil)
    #expect(hold.followed(of: 9) == nil && hold.followsHeldClick)
    #expect(hold.nextDeadline == at(150) && hold.expire(at: at(149)).isEmpty)
    #expect(hold.decide(id)?.id == id && !hold.followsHeldClick)
    // Its own deadline stands.
    let late = hold.began(pointer: 2, source: 9, time: at(1000))
    _ = hold.follow(late)
    hold.moved(late, to: Point(x: 15, y: 20))
    #expect(hold.released(late, time: at(1590)) == nil && hold.nextDeadline == at(1600))
    #expect(hold.expire(at: at(1600)).map(\.id) == [late])
  }

  /// The X server loses the second press of a double click while the first click is held.
  @Test("Z31, Z4: a click that has not moved is the application's as soon as its button is up") func Z31_Z4_still() {
    var hold = ClickHold(patience: .milliseconds(600))
    let id = hold.began(pointer: 2, source: 9, at: Point(x: 10.5, y: 20.9), time: at(0))
    _ = hold.follow(id)
    hold.moved(id, to: Point(x: 10, y: 20))
    #expect(hold.released(id, time: at(80))?.id == id)
    #expect(hold.nextDeadline == nil && !hold.followsHeldClick && hold.decide(id) == nil && hold.take(id) == nil)
    #expect(hold.released(id, time: at(81)) == nil)
  }

  @Test("Z6: a taken click that is not followed is forgotten") func Z6_takenAndNotFollowed() {
    var hold = ClickHold(patience: .milliseconds(600))
    let id = hold.began(pointer: 2, source: 9, time: at(0))
    hold.keep(id)
    #expect(hold.take(id)?.isFollowed == false && hold.taken(by: 2) == nil)
  }
}
