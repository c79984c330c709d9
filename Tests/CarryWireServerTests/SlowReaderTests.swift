import CarryLoop
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// Clients that do not read, for a while or for ever.
@Suite(.serialized) struct SlowReaderTests {
  private typealias R = RawClient

  private func offer(_ b: Bench, _ session: UInt32, bytes: Int) -> Int {
    // As much as a session may have to tell: 64 items of 32 types, with the longest names that fit.
    let ancestors = [String(repeating: "a", count: 60) + "/x"]
    let types = (0..<32).map {
      OfferedType(name: "text/x-\($0)-" + String(repeating: "y", count: 16), ancestors: ancestors)
    }
    let items = (0..<64).map {
      ItemDescription(id: ItemID(UInt32($0)), name: String(repeating: "n", count: bytes), types: types)
    }
    b.offer(session, items)
    return items.count * (types.count + 1)
  }

  @Test("a busy client gets the longest description whole, when it reads again")
  func theLongestDescription() throws {
    let b = try Bench()
    let raw = try b.client()
    raw.send(R.message(3, 2, R.words([4, 7])))
    #expect(b.settle(raw, sync: 5))
    raw.received = []
    let count = offer(b, 1, bytes: 255)
    b.server.send(.canHandle(serial: 77, .zero), to: b.delegate.regions[0], of: SessionID(1))
    b.server.flush()
    #expect(b.delegate.behind == [b.delegate.last])
    #expect(b.delegate.caughtUp.isEmpty)
    // It reads, and the rest comes, in order.
    #expect(b.turn { raw.hasEnded || !b.delegate.caughtUp.isEmpty })
    #expect(b.delegate.gone.isEmpty)
    raw.send(R.message(1, 0, R.words([6])))
    #expect(b.turn { raw.hasReceived(6) })
    let events = raw.events(before: 6)
    // Items and types are events 1 and 2 of the session's object, which is the first of the engine's own numbers.
    let described = events.filter { $0.object == 0xFF00_0000 && ($0.opcode == 1 || $0.opcode == 2) }
    #expect(described.count == count)
    #expect(events.last { $0.object == 0xFF00_0000 }?.words.first == 77)
  }

  @Test("whoever leaves too much unread goes, and nobody else") func whoeverNeverReads() throws {
    let b = try Bench()
    let honest = try b.client()
    let raw = try b.client()
    raw.send(R.message(3, 2, R.words([4, 7])))
    #expect(b.settle(raw, sync: 5))
    for session in 1...UInt32(8) {
      _ = offer(b, session, bytes: 255)
      b.server.flush()
    }
    #expect(b.turn { b.delegate.gone.count == 1 })
    #expect(b.ends(raw))
    #expect(!honest.hasEnded)
    #expect(b.settle(honest, sync: 4))
    #expect(honest.hasReceived(4))
  }

  @Test("what waits goes out in order, with its descriptors") func descriptorsWaitToo() throws {
    let b = try Bench()
    let destination = try b.client()
    let target = b.delegate.last
    b.makeRegion(destination)
    let source = try b.source()
    _ = offer(b, 1, bytes: 255)
    destination.send(R.message(0xFF00_0000, 3, R.words([6, 0]) + R.string("text/plain") + R.words([0])))
    #expect(b.turn { b.delegate.destination == target })
    #expect(b.server.load(TransferID(1), ItemID(1), of: SessionID(1), in: SessionID(1), type: "text/plain", as: .data))
    let file = try Descriptor.open("/etc/hostname", O_RDONLY)
    #expect(b.turn { source.hasReceived(4) })
    source.send(R.message(0xFF00_0000, 1), descriptors: [file.raw])
    #expect(b.turn { b.delegate.transfers == ["provided"] })
    #expect(b.delegate.behind == [target])
    var descriptors = 0
    #expect(
      b.turn {
        // recvmsg, to see the descriptor come.
        descriptors += destination.receive()
        return descriptors > 0 && !b.delegate.caughtUp.isEmpty
      })
    #expect(destination.hasReceived(6))
  }

  @Test("64 descriptors wait for a client that does not read; with more it goes")
  func descriptorsThatWait() throws {
    let b = try Bench()
    let destination = try b.client()
    let target = b.delegate.last
    b.makeRegion(destination)
    let source = try b.source()
    _ = offer(b, 1, bytes: 255)
    let file = try Descriptor.open("/etc/hostname", O_RDONLY)
    for n in 1...UInt32(Limits.queuedDescriptors + 1) {
      #expect(b.delegate.gone.isEmpty, "\(n)")
      destination.send(R.message(0xFF00_0000, 3, R.words([5 + n, 0]) + R.string("text/plain") + R.words([0])))
      #expect(b.turn { b.delegate.loads == n })
      let id = SessionID(1)
      #expect(b.server.load(TransferID(n), ItemID(1), of: id, in: id, type: "text/plain", as: .data))
      source.send(R.message(0xFF00_0000 + n - 1, 1), descriptors: [file.raw])
      #expect(b.turn { b.delegate.transfers.count == Int(n) })
    }
    #expect(b.turn { b.delegate.gone == [target] })
    #expect(!source.hasEnded)
  }

  @Test("what nobody handed over is not delivered, only cancelled") func notDeliveredUnprovided() throws {
    let b = try Bench()
    let destination = try b.client()
    b.makeRegion(destination)
    let source = try b.source()
    b.offer()
    destination.send(R.message(0xFF00_0000, 3, R.words([6, 0]) + R.string("text/plain") + R.words([0])))
    #expect(b.turn { b.delegate.destination != nil })
    #expect(b.server.load(TransferID(1), ItemID(1), of: SessionID(1), in: SessionID(1), type: "text/plain", as: .data))
    #expect(b.turn { source.hasReceived(4) })
    source.received = []
    destination.send(R.message(6, 2, R.words([1])))
    #expect(b.turn { !b.delegate.transfers.isEmpty })
    #expect(b.delegate.transfers == ["given up"])
    #expect(b.settle(source, sync: 5))
    #expect(!source.hasReceived(0xFF00_0000))
  }

  @Test("what cannot be watched at once is watched as soon as it can be") func watchedLater() throws {
    let b = try Bench()
    let pipe = try Pipe()
    let number = clinux_dup_above(pipe.read.raw, 200)
    close(number)
    var calls = 0
    let source = b.server.loop.watch(number) { calls += 1 }
    #expect(b.server.loop.refusedCount == 1)
    // The number stands for an open pipe from now on.
    let again = clinux_dup_above(pipe.read.raw, number)
    #expect(again == number)
    _ = "x".withCString { write(pipe.write.raw, $0, 1) }
    #expect(b.turn { calls > 0 })
    #expect(b.server.loop.refusedCount == 0)
    source.cancel()
    close(again)
  }
}
