import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// What becomes of those who come when others have taken what there is: nothing bad.
@Suite(.serialized) struct SharesTests {
  private typealias R = RawClient

  @Test("where others have all the regions, one is refused, and nobody disconnected")
  func othersHaveAllRegions() throws {
    let b = try Bench()
    b.delegate.refusal = .tooMany
    let honest = try b.client()
    for i in 0..<UInt32(200) { honest.send(R.message(3, 2, R.words([4 + i, 7]))) }
    #expect(b.settle(honest, sync: 204))
    #expect(!honest.hasEnded)
    #expect(honest.hasReceived(203))
    // Regions of windows that are not there are its own fault, and cost the X server a question each.
    b.delegate.refusal = .noWindow
    let careless = try b.client()
    for i in 0..<UInt32(64) { careless.send(R.message(3, 2, R.words([4 + i, 7]))) }
    #expect(b.settle(careless, sync: 68))
    #expect(!careless.hasEnded)
    careless.send(R.message(3, 2, R.words([69, 7])))
    #expect(b.ends(careless))
  }

  @Test("a monitor beyond those of a process hears nothing, and nobody is disconnected")
  func monitorsBeyond() throws {
    let b = try Bench()
    let first = try (0..<Limits.monitorsPerProcess / Limits.monitorsPerClient).map { _ in try b.client() }
    for raw in first {
      for i in 0..<UInt32(Limits.monitorsPerClient) { raw.send(R.message(3, 4, R.words([4 + i]))) }
      #expect(b.settle(raw, sync: 12))
    }
    #expect(b.delegate.monitors == Limits.monitorsPerProcess)
    let beyond = try b.client()
    beyond.send(R.message(3, 4, R.words([4])))
    #expect(b.settle(beyond, sync: 5))
    #expect(b.delegate.monitors == Limits.monitorsPerProcess)
    b.server.announce("words", inSandboxes: "", at: MonotonicClock.now())
    b.server.flush()
    #expect(b.turn { first[0].hasReceived(4, 1) })
    #expect(b.settle(beyond, sync: 6))
    #expect(!beyond.hasReceived(4))
    #expect(!beyond.hasEnded)
  }

  @Test("whoever keeps most descriptors gives way, once they have had time to meet their messages")
  func whoKeepsMost() throws {
    try Bench.withManyDescriptors { b in
      let fd = try Descriptor.open("/dev/null", O_RDONLY)
      let now = MonotonicClock.now()
      func send(_ raw: RawClient, _ count: Int, sync: UInt32, at when: Instant) {
        raw.send(R.message(1, 0, R.words([sync])), descriptors: .init(repeating: fd.raw, count: count))
        #expect(b.turn(at: when) { raw.hasEnded || raw.hasReceived(sync) })
      }
      // Long there, and fewer each.
      let others = try (0..<9).map { _ in try b.client(at: now) }
      for raw in others { for i in 0..<2 { send(raw, 28, sync: UInt32(4 + i), at: now) } }
      let most = try b.client(at: now + .milliseconds(50))
      for i in 0..<3 { send(most, 20, sync: UInt32(4 + i), at: now + .milliseconds(50)) }
      // More than there may be in all; but these have only just come.
      let honest = try b.client(at: now + .milliseconds(110))
      #expect(b.turn(at: now + .milliseconds(110)) { honest.hasEnded || b.delegate.arrived == 11 })
      honest.send(R.message(1, 0, R.words([4])))
      #expect(b.turn(at: now + .milliseconds(110)) { honest.hasReceived(4) })
      #expect(b.delegate.gone.isEmpty)
      #expect(b.turn(at: now + .milliseconds(160)) { !b.delegate.gone.isEmpty })
      #expect(most.hasEnded)
      #expect(others.allSatisfy { !$0.hasEnded } && !honest.hasEnded)
    }
  }
}
