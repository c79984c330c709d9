import Testing

@testable import CarryGate

@Suite struct GateOutboxTests {
  /// An engine that reads, or does not.
  private final class Engine {
    var reads = true
    var got: [GateMessage] = []
    func take(_ m: GateMessage) -> Bool {
      if reads { got.append(m) }
      return reads
    }
  }

  @Test("Z4: an engine that did not read for long learns every end that concerns it, and the newest position")
  func Z4_anEngineThatDidNotRead() {
    var box = GateOutbox()
    let e = Engine()
    _ = box.send(GateMessage(kind: .rawBegan, id: 1), e.take)
    let isSpokenOf = box.send(GateMessage(kind: .began, id: 1), e.take)
    #expect(isSpokenOf && box.isEmpty)
    e.reads = false
    for i in 0..<100_000 {
      _ = box.send(GateMessage(kind: .rawMoved, id: 1, x: Int32(i)), e.take)
      _ = box.send(GateMessage(kind: .moved, id: 1, x: Int32(i)), e.take)
    }
    for id in UInt32(2)..<1000 {
      _ = box.send(GateMessage(kind: .rawBegan, id: id), e.take)
      let isTaken = box.send(GateMessage(kind: .began, id: id), e.take)
      #expect(!isTaken)
      _ = box.send(GateMessage(kind: .rawEnded, id: id), e.take)
    }
    _ = box.send(GateMessage(kind: .rawEnded, id: 1), e.take)
    _ = box.send(GateMessage(kind: .ended, id: 1), e.take)
    #expect(box.count == 4)
    e.reads = true
    box.flush(e.take)
    #expect(box.isEmpty)
    #expect(e.got.map(\.kind) == [.rawBegan, .began, .rawMoved, .moved, .rawEnded, .ended])
    #expect(e.got[3].x == 99_999)
    _ = box.send(GateMessage(kind: .rawBegan, id: 1000), e.take)
    #expect(e.got.last?.id == 1000)
  }

  @Test("what waits keeps its order") func whatWaitsKeepsItsOrder() {
    var box = GateOutbox()
    let e = Engine()
    e.reads = false
    for id in UInt32(1)...3 { _ = box.send(GateMessage(kind: .expired, id: id), e.take) }
    e.reads = true
    _ = box.send(GateMessage(kind: .expired, id: 4), e.take)
    #expect(e.got.isEmpty)
    box.flush(e.take)
    #expect(e.got.map(\.id) == [1, 2, 3, 4])
  }

  @Test("Z6, Z4: an engine that does not read hears of no new click, and learns what became of one that it knows")
  func Z6_Z4_clicks() {
    var box = GateOutbox()
    let e = Engine()
    _ = box.send(GateMessage(kind: .clicked, id: 1), e.take)
    e.reads = false
    let isHeard = box.send(GateMessage(kind: .clicked, id: 2), e.take)
    _ = box.send(GateMessage(kind: .clickExpired, id: 1), e.take)
    #expect(!isHeard && box.count == 1)
    e.reads = true
    box.flush(e.take)
    #expect(e.got.map(\.kind) == [.clicked, .clickExpired])
  }

  @Test("Z31: of a click that is followed an engine that does not read learns the newest place and the end")
  func Z31_aFollowedClick() {
    var box = GateOutbox()
    let e = Engine()
    e.reads = false
    for i in 0..<100_000 {
      _ = box.send(GateMessage(kind: .clickMoved, id: 1, x: Int32(i)), e.take)
      _ = box.send(GateMessage(kind: .otherPressed, id: 1), e.take)
    }
    _ = box.send(GateMessage(kind: .clickReleased, id: 1), e.take)
    #expect(box.count == 2)
    e.reads = true
    box.flush(e.take)
    #expect(e.got.map(\.kind) == [.clickMoved, .clickReleased] && e.got[0].x == 99_999)
  }
}
