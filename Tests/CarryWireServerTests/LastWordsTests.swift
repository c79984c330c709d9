import CLinux
import CPrivileges
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// What is said to clients that leave, and what cannot be passed on for a while.
@Suite(.serialized) struct LastWordsTests {
  private typealias R = RawClient

  /// A client with a region, whose connection is full: more waits for it in the engine.
  private func fullClient(_ b: Bench) throws -> RawClient {
    let raw = try b.client()
    raw.send(R.message(3, 2, R.words([4, 7])))
    #expect(b.settle(raw, sync: 5))
    let ancestors = [String(repeating: "a", count: 200) + "/x"]
    let types = (0..<16).map { OfferedType(name: "text/x-\($0)", ancestors: ancestors) }
    let items = (0..<64).map {
      ItemDescription(id: ItemID(UInt32($0)), name: String(repeating: "n", count: 200), types: types)
    }
    b.offer(1, items)
    b.server.flush()
    #expect(b.delegate.behind.count == 1)
    return raw
  }

  private func hasHungUp(_ raw: RawClient) -> Bool {
    var p = pollfd(fd: raw.socket.raw, events: 0, revents: 0)
    return poll(&p, 1, 0) == 1 && p.revents & Int16(POLLHUP) != 0
  }

  @Test("whoever is disconnected reads why, behind all that was said before") func lastWords() throws {
    let b = try Bench()
    let raw = try fullClient(b)
    // No such role.
    raw.send(R.message(4, 3, R.words([1 << 20])))
    #expect(b.turn { b.delegate.gone.count == 1 })
    #expect(!hasHungUp(raw))
    #expect(b.ends(raw))
    let events = raw.events(before: 0)
    #expect(events.count > 64 * 16)
    #expect(events.last?.object == 1 && events.last?.opcode == 0, "\(String(describing: events.last))")
  }

  @Test("whoever does not read its last words is left after 2 s") func lastWordsUnread() throws {
    let b = try Bench()
    let raw = try fullClient(b)
    raw.send(R.message(4, 3, R.words([1 << 20])))
    #expect(b.turn { b.delegate.gone.count == 1 })
    #expect(!hasHungUp(raw))
    #expect(b.turn(later: .seconds(Limits.answerSeconds + 1)) { hasHungUp(raw) })
  }

  // MARK: Descriptors under way

  @Test(
    "R6, Z20: a destination that says that all has arrived, and ends at once, is believed", arguments: [false, true])
  func R6_Z20_theLastWord(engineWritesFirst: Bool) throws {
    let b = try Bench()
    var destination: RawClient? = try b.client()
    let id = b.delegate.last
    b.makeRegion(destination!)
    let source = try b.source()
    b.offer()
    destination!.send(R.message(0xFF00_0000, 3, R.words([6, 0]) + R.string("text/plain") + R.words([0])))
    #expect(b.turn { b.delegate.destination == id })
    #expect(b.server.load(TransferID(1), ItemID(1), of: SessionID(1), in: SessionID(1), type: "text/plain", as: .data))
    #expect(b.turn { source.hasReceived(4) })
    let file = try Descriptor.open("/etc/hostname", O_RDONLY)
    source.send(R.message(0xFF00_0000, 1), descriptors: [file.raw])
    #expect(b.turn { destination!.hasReceived(6) })
    // The engine finds both at once: the word, and that the socket has hung up.
    destination!.send(R.message(6, 2, R.words([1])))
    destination = nil
    if engineWritesFirst {
      b.offer(2)
      b.server.flush()
    }
    #expect(b.turn { b.delegate.gone == [id] })
    #expect(b.delegate.transfers == ["provided", "delivered"])
    withExtendedLifetime(source) {}
  }

  /// A destination that waits for a file, which the source then hands over while others of this user have as many
  /// descriptors under way as there may be.
  private func handOver(_ b: Bench) throws
    -> (source: RawClient, destination: RawClient, id: ClientID, others: ChildProcess)
  {
    let destination = try b.client()
    let id = b.delegate.last
    b.makeRegion(destination)
    let source = try b.source()
    b.offer()
    destination.send(R.message(0xFF00_0000, 3, R.words([6, 0]) + R.string("text/plain") + R.words([0])))
    #expect(b.turn { b.delegate.destination == id })
    #expect(b.server.load(TransferID(1), ItemID(1), of: SessionID(1), in: SessionID(1), type: "text/plain", as: .data))
    #expect(b.turn { source.hasReceived(4) })
    let file = try Descriptor.open("/etc/hostname", O_RDONLY)
    source.send(R.message(0xFF00_0000, 1), descriptors: [file.raw])
    let others = try ChildProcess(["python3", Checkout.peers + "/underway.py"], output: .pipe)
    #expect(others.readLine(seconds: 30, where: { $0 == "full" }) != nil)
    #expect(b.turn { b.delegate.transfers == ["provided"] })
    #expect(b.delegate.behind == [id])
    return (source, destination, id, others)
  }

  @Test("where others have too many descriptors under way, a file comes later, and nobody is disconnected")
  func tooManyUnderWay() throws {
    cprivileges_beyond_limits(false)
    defer { cprivileges_beyond_limits(true) }
    let b = try Bench()
    let (source, destination, id, others) = try handOver(b)
    // Others are served, and it hears all else in its order once there is room.
    let honest = try b.client()
    for sync in 4..<UInt32(20) { #expect(b.settle(honest, sync: sync)) }
    #expect(b.delegate.gone.isEmpty)
    #expect(b.delegate.caughtUp.isEmpty)
    others.stop(SIGKILL)
    #expect(b.turn { b.delegate.caughtUp == [id] })
    var descriptors = 0
    #expect(
      b.turn {
        descriptors += destination.receive()
        return descriptors == 1
      })
    #expect(destination.hasReceived(6))
    #expect(!source.hasEnded)
  }

  @Test("it does not wait for ever") func underWayForEver() throws {
    cprivileges_beyond_limits(false)
    defer { cprivileges_beyond_limits(true) }
    let b = try Bench()
    let (source, destination, id, others) = try handOver(b)
    #expect(b.turn(later: .seconds(Limits.transferSeconds + 1)) { b.delegate.gone == [id] })
    #expect(b.turn(later: .seconds(Limits.transferSeconds + 1)) { destination.hasEnded })
    #expect(!source.hasEnded)
    others.stop(SIGKILL)
  }
}
