import CarryDisplay
import CarryModel
import CarryStage
import CarrySystem
import CarryTesting
import Testing

extension DisplayTests {
  /// `CARRY_MEASURE=:9 swift test -c release --filter Measure` prints what a motion costs on that display.
  @Suite struct Measure {
    @Test(.enabled(if: environment("CARRY_MEASURE") != nil), arguments: [1, 10])
    func whatAMotionCosts(_ count: Int) throws {
      let display = try Display(name: environment("CARRY_MEASURE"))
      var stage = Stage(settings: Settings())
      var list = DrawList()
      let rect = Rect(x: 50, y: 50, width: 160, height: 160)
      for n in 1...count {
        let id = SessionID(UInt32(n))
        stage.lift(id, images: [ImageID(0)], source: rect, touch: rect.center, at: .zero, duration: .zero)
        stage.beginDrag(id, touch: rect.center, at: .zero)
      }
      for t in [0, 500, 1000] {
        stage.frame(at: ms(t), into: &list)
        display.apply(list)
      }
      display.settle()
      for _ in 0..<5 {
        let frames = 3000
        let start = MonotonicClock.now()
        for f in 0..<frames {
          for n in 0..<count {
            stage.move(
              SessionID(UInt32(n + 1)),
              to: Point(x: Double(130 + (f * 7 + n * 53) % 1500), y: Double(130 + (f * 5 + n * 31) % 700)),
              at: ms(2000 + f))
          }
          stage.frame(at: ms(2000 + f), into: &list)
          display.apply(list)
          display.flush()
          if f % 64 == 63 { display.dispatch { _ in } }
        }
        display.settle()
        let cost = MonotonicClock.now() - start
        print("carry.move.flush \(count): \(Double(cost.microseconds) / Double(frames)) us/frame")
      }
    }
  }
}
