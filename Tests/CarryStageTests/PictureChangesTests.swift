import CarryModel
import CarryStage
import Testing

@Suite struct PictureChangesTests {
  private let a = SessionID(1)

  private func ms(_ n: Int) -> Instant { Scene.ms(n) }

  private func all(_ changes: inout PictureChanges, at now: Instant, pixels: Int) -> [UInt32] {
    changes.beginTurn(at: now)
    var list: [UInt32] = []
    while let next = changes.next(at: now, pixels: { _ in pixels }) { list.append(next.preview.raw) }
    return list
  }

  @Test("of an item's pictures the newest is made, and each once") func theNewestIsMade() {
    var changes = PictureChanges()
    #expect(changes.due == nil)
    for i in 1...1000 { changes.want(PreviewID(UInt32(i)), for: 0, of: a, at: ms(0)) }
    changes.want(PreviewID(2000), for: 1, of: a, at: ms(0))
    #expect(changes.due == ms(0))
    let made = all(&changes, at: ms(0), pixels: 100)
    #expect(made == [1000, 2000] && changes.due == nil)
    // A screen shows no more than so many.
    changes.want(PreviewID(3000), for: 0, of: a, at: ms(5))
    #expect(changes.due == ms(16))
    let early = all(&changes, at: ms(6), pixels: 100)
    #expect(early == [] && changes.due == ms(16))
    let later = all(&changes, at: ms(16), pixels: 100)
    #expect(later == [3000])
  }

  @Test("a turn makes pictures for so long and no longer; the others have the next one")
  func aTurnIsShort() {
    var changes = PictureChanges()
    for i in 0..<64 { changes.want(PreviewID(UInt32(i)), for: i, of: a, at: ms(0)) }
    var now = ms(0)
    var turns = 0
    var made = 0
    while let due = changes.due {
      #expect(due <= now)
      turns += 1
      changes.beginTurn(at: now)
      while changes.next(at: now, pixels: { _ in 100 }) != nil {
        made += 1
        // Each takes its time.
        now = now + .milliseconds(3)
      }
    }
    #expect(made == 64 && turns == 32)
  }

  @Test("a session makes no more pixels than it has earned, and nobody else waits for it")
  func pixelsAreEarned() {
    var changes = PictureChanges()
    let large = 4 << 20
    for i in 0..<8 { changes.want(PreviewID(UInt32(i)), for: i, of: a, at: ms(0)) }
    let first = all(&changes, at: ms(0), pixels: large)
    #expect(first == [0, 1, 2, 3])
    #expect(changes.due.map { $0 > ms(0) && $0 <= ms(260) } == true)
    changes.want(PreviewID(100), for: 0, of: SessionID(2), at: ms(1))
    let others = all(&changes, at: ms(1), pixels: large)
    #expect(others == [100])
    let second = all(&changes, at: ms(260), pixels: large)
    #expect(second == [4])
    let third = all(&changes, at: ms(1300), pixels: large)
    #expect(third == [5, 6, 7] && changes.due == nil)
  }

  @Test("what a session waits for goes with it") func forgotten() {
    var changes = PictureChanges()
    changes.want(PreviewID(1), for: 0, of: a, at: ms(0))
    changes.forget(a)
    #expect(changes.due == nil)
    let made = all(&changes, at: ms(0), pixels: 1)
    #expect(made == [])
  }
}
