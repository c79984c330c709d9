import CarryModel
import CarryStage
import CarryTesting
import Testing

/// Whatever is called in whatever order and with whatever numbers: time gets on, every session that leaves is over once
/// and soon, every picture comes back once, and what rests is not drawn again.
@Suite struct RandomPlayTests {
  private struct Play: ~Copyable {
    var random: SeededRandom
    var stage: Stage
    var list = DrawList()
    var now = Instant(microseconds: 1_000_000)
    var alive: Set<SessionID> = []
    var finished: [SessionID] = []
    var given: Set<ImageID> = []
    var back: [ImageID] = []
    var nextSession: UInt32 = 0
    var nextImage: UInt32 = 0
    let isHostile: Bool

    init(seed: UInt64, isHostile: Bool) {
      random = SeededRandom(seed: seed)
      var settings = Settings()
      settings.animation.isReduced = seed % 5 == 0
      stage = Stage(settings: settings)
      self.isHostile = isHostile
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
      let odd: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, 0, -0.0, 1e-300, 1e9, -1e9]
      if isHostile, Int.random(in: 0..<6, using: &random) == 0 { return odd.randomElement(using: &random) ?? 0 }
      return Double.random(in: range, using: &random)
    }

    mutating func point() -> Point { Point(x: number(0...2000), y: number(0...1200)) }
    mutating func rect() -> Rect {
      Rect(x: number(0...2000), y: number(0...1200), width: number(0...900), height: number(0...900))
    }

    mutating func card(_ item: Int) -> CardSource {
      nextImage += 1
      let image = ImageID(Int.random(in: 0..<5, using: &random) == 0 ? 0 : nextImage)
      if image.raw != 0 { given.insert(image) }
      let home: Rect? = Bool.random(using: &random) ? rect() : nil
      return CardSource(
        item: item, image: image, size: Size(width: number(1...5000), height: number(1...5000)), home: home,
        isShaped: Bool.random(using: &random))
    }

    mutating func cards(from first: Int) -> [CardSource] {
      (0..<Int.random(in: 0..<8, using: &random)).map { card(first + $0) }
    }

    mutating func landings() -> [Landing] {
      (0..<Int.random(in: 0..<4, using: &random)).map { item in
        let way: Landing.Way =
          Bool.random(using: &random)
          ? .fade : .place(center: point(), scale: number(0.02...20), turn: number(-60...60))
        return Landing(item: item, way: way, picture: Bool.random(using: &random) ? card(item) : nil)
      }
    }

    mutating func session() -> SessionID? { alive.sorted { $0.raw < $1.raw }.randomElement(using: &random) }

    mutating func step() {
      if Int.random(in: 0..<6, using: &random) == 0 || alive.isEmpty {
        guard alive.count < 8 else { return }
        nextSession += 1
        let id = SessionID(nextSession)
        alive.insert(id)
        let cards = cards(from: 0)
        stage.lift(
          id, cards: cards, count: max(1, cards.count + Int.random(in: 0..<3, using: &random)), touch: point(),
          at: now, duration: .milliseconds(350))
        return
      }
      guard let s = session() else { return }
      switch Int.random(in: 0..<16, using: &random) {
      case 0: stage.reverseLift(s, at: now)
      case 1, 2, 3: stage.beginDrag(s, touch: point(), at: now, keepsFullSize: Bool.random(using: &random))
      case 4, 5: stage.move(s, to: point(), at: now)
      case 6:
        let new = cards(from: stage.itemCount(s))
        stage.add(s, cards: new, count: new.count, from: rect(), at: now)
      case 7: stage.cancel(s, landings: landings(), at: now)
      case 8:
        stage.drop(s, into: Bool.random(using: &random) ? rect() : nil, at: point(), landings: landings(), at: now)
      case 9: stage.handOff(s, to: point(), at: now)
      case 10: stage.setPicture(s, card(Int.random(in: 0..<5, using: &random)), at: now)
      case 11: stage.setHighlights(s, cards(from: -9), at: now)
      case 12:
        stage.setBadge(s, [.none, .count(3), .copy(2), .forbidden].randomElement(using: &random) ?? .none, at: now)
      case 13: stage.setReason(s, Bool.random(using: &random) ? "no" : nil, at: now)
      case 14:
        if Int.random(in: 0..<4, using: &random) == 0 {
          stage.remove(s)
          alive.remove(s)
        } else {
          stage.scaleDown(s, at: now)
        }
      default: stage.setHome(s, item: Int.random(in: 0..<5, using: &random), to: rect(), at: now)
      }
      _ = stage.session(at: point(), time: now)
      _ = stage.visibleItems(s)
    }

    mutating func draw() {
      stage.frame(at: now, into: &list)
      for id in stage.takeFinished() {
        finished.append(id)
        alive.remove(id)
      }
      back += stage.takeUnusedImages()
      _ = stage.takeFlights()
      for surface in list.surfaces {
        #expect((1...8192).contains(surface.width) && (1...8192).contains(surface.height))
        #expect(surface.opacity >= 0 && surface.opacity <= 1)
      }
    }

    /// Draws whenever it is due until nothing is; false when that never comes.
    mutating func rest(seconds: Double) -> Bool {
      let end = now + .seconds(seconds)
      while let due = stage.nextFrame {
        if due > end { return false }
        let before = now
        now = max(now, due)
        draw()
        if let next = stage.nextFrame, next <= before, next <= now { return false }
        if now > end { return false }
      }
      return true
    }
  }

  @Test("A2: in whatever order and with whatever numbers, everything ends", arguments: [false, true])
  func everythingEnds(isHostile: Bool) {
    for seed in UInt64(0)..<400 {
      var p = Play(seed: seed, isHostile: isHostile)
      for _ in 0..<60 {
        p.step()
        if Bool.random(using: &p.random) {
          p.now = p.now + .milliseconds(Int.random(in: 0..<120, using: &p.random))
          p.draw()
        }
      }
      let rests = p.rest(seconds: 10)
      #expect(rests, "seed \(seed): nothing comes to rest")
      for s in p.alive { p.stage.cancel(s, landings: p.landings(), at: p.now) }
      let ends = p.rest(seconds: 10)
      #expect(ends && p.alive.isEmpty && p.stage.count == 0, "seed \(seed): \(p.alive) still there")
      #expect(p.list.surfaces.isEmpty, "seed \(seed)")
      #expect(Set(p.finished).count == p.finished.count, "seed \(seed): over twice")
      p.back += p.stage.takeUnusedImages()
      #expect(Set(p.back) == p.given && p.back.count == p.given.count, "seed \(seed): pictures")
    }
  }
}
