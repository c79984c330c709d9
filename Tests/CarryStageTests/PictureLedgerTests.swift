import CarryModel
import CarryStage
import CarryTesting
import Testing

/// Every picture that the stage was given is let go of once, whatever happens to the session: what it forgets stays in
/// the X server for ever.
@Suite struct PictureLedgerTests {
  /// Pictures that were given, and those that came back.
  private struct Ledger: ~Copyable {
    var scene = Scene()
    var given: Set<ImageID> = []
    var back: [ImageID] = []
    private var last: UInt32 = 0

    mutating func card(_ item: Int, at x: Double = 100, shaped: Bool = false) -> CardSource {
      last += 1
      given.insert(ImageID(last))
      let home = Rect(x: x, y: 200, width: 60, height: 60)
      return CardSource(item: item, image: ImageID(last), size: home.size, home: home, isShaped: shaped)
    }

    mutating func frame(_ t: Int) {
      scene.frame(t)
      back += scene.stage.takeUnusedImages()
      _ = scene.stage.takeFinished()
      _ = scene.stage.takeFlights()
    }

    /// What the stage still has, and what it gave back twice.
    var difference: (missing: Int, twice: Int) {
      (given.subtracting(back).count, back.count - Set(back).count)
    }
  }

  private func ms(_ n: Int) -> Instant { Scene.ms(n) }

  @Test("P19: a picture that changes faster than it becomes another gives each of them back")
  func P19_aPictureThatChangesAllTheTime() {
    var l = Ledger()
    let first = l.card(0)
    l.scene.stage.lift(
      l.scene.a, cards: [first], count: 1, touch: l.scene.touch, at: ms(0), duration: .milliseconds(350))
    l.frame(400)
    l.scene.stage.beginDrag(l.scene.a, touch: l.scene.touch, at: ms(410))
    var most = 0
    for i in 0..<100 {
      let next = l.card(0)
      l.scene.stage.setPicture(l.scene.a, next, at: ms(420 + 16 * i))
      l.frame(420 + 16 * i)
      most = max(most, l.difference.missing)
    }
    #expect(most <= 2)
    l.scene.stage.remove(l.scene.a)
    l.frame(3000)
    #expect(l.difference == (0, 0))
  }

  @Test("L9: of many items in many places none keeps its picture for ever") func L9_manyPlaces() {
    var l = Ledger()
    let cards = (0..<Limits.itemsPerSession).map { l.card($0, at: Double($0) * 70) }
    l.scene.stage.lift(
      l.scene.a, cards: cards, count: cards.count, touch: l.scene.touch, at: ms(0), duration: .milliseconds(350))
    l.frame(400)
    l.scene.stage.cancel(l.scene.a, at: ms(410))
    l.frame(3000)
    #expect(l.difference == (0, 0))
  }

  @Test("E3, DA6: endings for items that are not there, or told twice, keep no picture") func E3_oddEndings() {
    for drops in [false, true] {
      var l = Ledger()
      let cards = [l.card(0), l.card(1)]
      l.scene.stage.lift(l.scene.a, cards: cards, count: 2, touch: l.scene.touch, at: ms(0), duration: .zero)
      l.frame(10)
      l.scene.stage.beginDrag(l.scene.a, touch: l.scene.touch, at: ms(20))
      l.frame(600)
      let morphing = l.card(1)
      l.scene.stage.setPicture(l.scene.a, morphing, at: ms(610))
      let landings = [0, 1, 1, 7, -3, .max].map { item in
        Landing(item: item, way: .place(center: .init(x: 300, y: 300), scale: 1, turn: 0), picture: l.card(item))
      }
      if drops {
        l.scene.stage.drop(l.scene.a, into: nil, at: l.scene.touch, landings: landings, at: ms(620))
      } else {
        l.scene.stage.cancel(l.scene.a, landings: landings, at: ms(620))
      }
      l.frame(700)
      // It flies: a second ending, a picture, more items come too late.
      l.scene.stage.cancel(
        l.scene.a, landings: [Landing(item: 0, way: .fade, picture: l.card(0))], at: ms(710))
      let late = [l.card(0), l.card(9)]
      for card in late { l.scene.stage.setPicture(l.scene.a, card, at: ms(720)) }
      let more = [l.card(2)]
      l.scene.stage.add(l.scene.a, cards: more, count: 1, from: l.scene.source, at: ms(730))
      l.frame(4000)
      l.frame(4100)
      #expect(l.scene.stage.count == 0)
      #expect(l.difference == (0, 0), "\(drops)")
    }
  }

  @Test("sessions at random give back each picture once") func sessionsAtRandom() {
    var random = SeededRandom(seed: 4711)
    var l = Ledger()
    var t = 0
    for step in 0..<1000 {
      t += Int.random(in: 0...120, using: &random)
      let id = SessionID(UInt32.random(in: 1...25, using: &random))
      let item = Int.random(in: -1...70, using: &random)
      func x() -> Double { Double.random(in: -500...2000, using: &random) }
      let point = Point(x: x(), y: x())
      func landings() -> [Landing] {
        (0..<Int.random(in: 0...5, using: &random)).map { i in
          Landing(
            item: i, way: Bool.random(using: &random) ? .fade : .place(center: point, scale: 3, turn: 1),
            picture: Bool.random(using: &random) ? l.card(i) : nil)
        }
      }
      switch Int.random(in: 0...11, using: &random) {
      case 0, 1:
        let cards = (0..<Int.random(in: 0...70, using: &random)).map { l.card($0, at: Double($0 % 30) * 70) }
        l.scene.stage.lift(
          id, cards: cards, count: cards.count, touch: point, at: ms(t), duration: .milliseconds(300))
      case 2, 3: l.scene.stage.beginDrag(id, touch: point, at: ms(t))
      case 4:
        let cards = (0..<3).map { l.card(item + $0, at: x()) }
        l.scene.stage.add(id, cards: cards, count: 3, from: l.scene.source, at: ms(t))
      case 5, 6:
        let card = l.card(item, shaped: true)
        l.scene.stage.setPicture(id, card, at: ms(t))
      case 7:
        let cards = [l.card(-1), l.card(-2)]
        l.scene.stage.setHighlights(id, cards, at: ms(t))
      case 8:
        let ends = landings()
        l.scene.stage.cancel(id, landings: ends, at: ms(t))
      case 9:
        let ends = landings()
        l.scene.stage.drop(id, into: nil, at: point, landings: ends, at: ms(t))
      case 10: l.scene.stage.reverseLift(id, at: ms(t))
      default: l.scene.stage.remove(id)
      }
      if step % 3 == 0 { l.frame(t) }
    }
    for i in 1...25 { l.scene.stage.remove(SessionID(UInt32(i))) }
    l.frame(t + 5000)
    #expect(l.scene.stage.count == 0)
    #expect(l.difference == (0, 0))
  }

  /// Pixels of the windows that a scene needs.
  private func pixels(_ surfaces: [Surface]) -> Int { surfaces.reduce(0) { $0 + Int($1.width) * Int($1.height) } }

  @Test("however large pictures and landings are said to be, the windows for them stay bounded")
  func hugeLandingsStayBounded() {
    for drops in [false, true] {
      var s = Scene()
      let size = Size(width: 2048, height: 2048)
      let cards = (0..<64).map { i in
        let home = Rect(origin: Point(x: Double(i) * 50, y: 0), size: size)
        return CardSource(item: i, image: ImageID(0), size: size, home: home)
      }
      let small = cards[0..<4].map {
        CardSource(item: $0.item, image: $0.image, size: Size(width: 9, height: 9), home: $0.home)
      }
      s.stage.lift(
        s.a, cards: drops ? small : cards, count: drops ? 4 : 64, touch: s.touch, at: ms(0),
        duration: .milliseconds(350))
      var most = pixels(s.frame(100))
      for card in cards { s.stage.setPicture(s.a, card, at: ms(110)) }
      most = max(most, pixels(s.frame(120)))
      if drops {
        s.stage.add(s.a, cards: Array(cards[4...]), count: 60, from: s.source, at: ms(130))
        most = max(most, pixels(s.frame(140)))
        for card in cards { s.stage.setPicture(s.a, card, at: ms(150)) }
        most = max(most, pixels(s.frame(160)))
      }
      s.stage.beginDrag(s.a, touch: s.touch, at: ms(400))
      most = max(most, pixels(s.frame(410)), pixels(s.frame(1500)))
      let landings = (0..<64).map { item in
        Landing(
          item: item, way: .place(center: .init(x: 300, y: 300), scale: 20, turn: 0.5),
          picture: CardSource(item: item, image: ImageID(0), size: size, home: nil))
      }
      if drops {
        s.stage.drop(s.a, into: nil, at: s.touch, landings: landings, at: ms(1510))
      } else {
        s.stage.cancel(s.a, landings: landings, at: ms(1510))
      }
      for t in stride(from: 1520, through: 4000, by: 20) { most = max(most, pixels(s.frame(t))) }
      #expect(s.stage.count == 0)
      // 16 Mi for what flies, and as it begins to, the window under the finger and the room of their ways.
      #expect(most < 32 << 20, "\(most >> 20) Mi pixels")
    }
  }
}
