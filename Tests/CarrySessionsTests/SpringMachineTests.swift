import CarryModel
import Testing

@testable import CarrySessions

/// What springs open under a drag, and what hovering brings to the front, each without an engine.
@Suite struct SpringMachineTests {
  private let settings = Settings().spring

  private func at(_ ms: Int) -> Instant { Instant(microseconds: Int64(ms) * 1000) }

  private func region(_ id: UInt32, of client: UInt32 = 1) -> Region {
    Region(
      id: RegionID(id), client: ClientID(client), window: WindowID(1), rect: Rect(x: 0, y: 0, width: 9, height: 9),
      roles: .spring)
  }

  private func moved(
    _ spring: inout Spring, to x: Double = 0, over region: Region?, mayBegin: Bool = true, ms: Int = 0
  ) -> Bool {
    spring.moved(to: Point(x: x, y: 0), over: region, slop: 10, mayBegin: mayBegin, at: at(ms))
  }

  /// Lets it spring open; says what it became.
  private func open(_ spring: inout Spring, from ms: Int) -> [SpringState] {
    var states: [SpringState] = []
    while let state = spring.advance(to: at(ms + 60_000), at: .zero, settings) { states.append(state) }
    return states
  }

  @Test("a drag that dwells springs a region open; leaving ends that") func dwelling() {
    var spring = Spring()
    #expect(!moved(&spring, over: nil) && spring.deadline(settings) == nil && spring.leave() == nil)
    #expect(!moved(&spring, over: region(1), mayBegin: false))
    #expect(moved(&spring, over: region(1)) && !moved(&spring, over: region(1)))
    #expect(spring.place?.region == RegionID(1) && spring.deadline(settings) == at(0) + settings.delay)
    #expect(open(&spring, from: 0) == [.activating, .activated])
    #expect(spring.leave()?.client == ClientID(1) && spring.place == nil && spring.deadline(settings) == nil)
  }

  @Test("a region that refuses is asked again when the drag moves on or comes back") func refusing() {
    var spring = Spring()
    #expect(moved(&spring, over: region(1)))
    #expect(!spring.refuse(RegionID(2), by: ClientID(1)) && !spring.refuse(RegionID(1), by: ClientID(2)))
    #expect(spring.refuse(RegionID(1), by: ClientID(1)) == true)
    _ = spring.leave()
    #expect(!moved(&spring, over: region(1)) && spring.place == nil)
    #expect(!moved(&spring, to: 10, over: region(1)))
    #expect(moved(&spring, to: 11, over: region(1)))
    #expect(spring.refuse(RegionID(1), by: ClientID(1)) == true)
    _ = spring.leave()
    #expect(moved(&spring, over: region(2)))
    _ = spring.leave()
    #expect(moved(&spring, over: region(1)))
  }

  @Test("regions that open one another under a finger at rest come to an end") func anEnd() {
    var spring = Spring()
    for n in 0..<Limits.springDepth {
      #expect(moved(&spring, over: region(UInt32(n + 1))))
      #expect(open(&spring, from: 0).last == .activated)
      _ = spring.leave()
    }
    #expect(!moved(&spring, to: 10, over: region(90)))
    #expect(moved(&spring, to: 11, over: region(90)))
  }

  @Test("a region that is gone springs nothing") func gone() {
    var spring = Spring()
    #expect(moved(&spring, over: region(1)))
    spring.forget(RegionID(2))
    spring.forget(of: ClientID(2))
    #expect(spring.place != nil)
    spring.forget(RegionID(1))
    #expect(spring.place == nil && moved(&spring, over: region(1)))
    spring.forget(of: ClientID(1))
    #expect(spring.place == nil)
  }

  @Test("Z10: a stack that is held still looks once, and raises each window once") func Z10_hover() {
    let delay = Interval.milliseconds(500)
    var hover = Hover()
    func move(_ x: Double, _ ms: Int, isSpringing: Bool = false) {
      hover.moved(to: Point(x: x, y: 0), slop: 10, isSpringing: isSpringing, at: at(ms))
    }
    #expect(hover.deadline(delay) == nil && !hover.hasLeftSource)
    move(100, 0)
    move(110, 400)
    #expect(hover.deadline(delay) == at(500))
    move(111, 450)
    #expect(hover.deadline(delay) == at(950))
    // What springs open by itself is what the user waits for.
    move(111, 500, isSpringing: true)
    #expect(hover.deadline(delay) == at(1000))
    hover.spend()
    move(112, 1100)
    #expect(hover.deadline(delay) == nil)
    let choice = DesktopView.Choice(window: WindowID(7), area: Rect(x: 100, y: 0, width: 50, height: 50))
    #expect(hover.raise(choice) && !hover.raise(choice))
    move(149, 1200)
    #expect(hover.raise(choice) == false)
    move(150, 1300)
    #expect(hover.raise(choice) == true)
    hover.leaveSource()
    #expect(hover.hasLeftSource)
  }
}
