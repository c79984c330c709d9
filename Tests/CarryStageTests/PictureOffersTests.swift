import CarryModel
import CarryStage
import Testing

@Suite struct PictureOffersTests {
  private let a = SessionID(1)

  @Test("P15, P16: what can be seen is asked for once, the rest when it is seen") func P15_P16_once() {
    var offers = PictureOffers()
    for item in 0..<3 { offers.offer(item, of: a) }
    #expect(offers.takeDue(a, seen: [1, 2], at: Scene.ms(0)) == [1, 2])
    #expect(offers.takeDue(a, seen: [1, 2], at: Scene.ms(100)).isEmpty)
    #expect(offers.takeDue(a, seen: [0, 1, 2], at: Scene.ms(200)) == [0])
    #expect(!offers.hasSome(of: a) && offers.due == nil)
  }

  @Test("P17: what is offered with every motion is asked for once a frame") func P17_onceAFrame() {
    var offers = PictureOffers()
    var asked = 0
    for t in 0..<160 {
      offers.offer(0, of: a)
      if offers.isDue(at: Scene.ms(t)) || t == 0 { asked += offers.takeDue(a, seen: [0], at: Scene.ms(t)).count }
      asked += offers.takeDue(a, seen: [0], at: Scene.ms(t)).count
    }
    #expect(asked == 10)
    // The last one is asked for as well, a frame after the one before.
    #expect(offers.due == Scene.ms(160) && offers.isDue(at: Scene.ms(160)))
    #expect(offers.takeDue(a, seen: [0], at: Scene.ms(160)) == [0])
    offers.forget(a)
    #expect(offers.due == nil && offers.sessions.isEmpty)
  }
}
