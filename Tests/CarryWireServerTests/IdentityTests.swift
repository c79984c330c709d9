import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Synchronization
import Testing

/// Who clients are, and what items say about who may see them, as it comes over the wire.
@Suite(.serialized) struct IdentityTests {
  private typealias R = RawClient

  /// An item of three types, one for each visibility, that is lifted in session 1.
  private func lift(_ b: Bench, _ raw: RawClient, _ teamData: [UInt8] = []) -> ItemDescription? {
    raw.send(R.message(3, 2, R.words([4, 7])))
    raw.send(R.message(3, 3, R.words([5])))
    for (i, type) in ["a/all", "a/team", "a/own"].enumerated() {
      raw.send(R.message(5, 3, R.string(type) + R.words([UInt32(i)])))
    }
    for at in stride(from: 0, to: teamData.count, by: Limits.teamDataPiece) {
      raw.send(
        R.message(5, 6, R.words([UInt32(at)]) + Self.array(Array(teamData[at..<min(at + 2048, teamData.count)]))))
    }
    _ = b.settle(raw, sync: 6)
    b.server.send(
      .itemsForBeginning(b.delegate.regions[b.delegate.regions.count - 1], serial: 1, .zero), to: SessionID(1))
    b.server.flush()
    // The engine's first object is the session.
    raw.send(R.message(0xFF00_0000, 1, R.words([5])) + R.message(0xFF00_0000, 2, R.words([1])))
    _ = b.turn { !b.delegate.answers.isEmpty || raw.hasEnded }
    return b.delegate.answers.last?.first
  }

  /// Lets the engine read before more is sent than the kernel keeps: both are in this thread.
  private func letRead(_ b: Bench) {
    var turns = 0
    _ = b.turn {
      turns += 1
      return turns > 4
    }
  }

  private static func array(_ bytes: [UInt8]) -> [UInt8] {
    R.words([UInt32(bytes.count)]) + bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
  }

  private final class Flag: Sendable {
    let isSet = Atomic<Bool>(false)
  }

  @Test("a client whose process cannot be read may be in a sandbox, and so may a program that the bridge names")
  func cannotBeRead() throws {
    let b = try Bench()
    let mayEnd = Flag()
    defer { mayEnd.isSet.store(true, ordering: .relaxed) }
    b.server.programs = ProgramReading { _ in
      _ = Wait.until(seconds: 60) { mayEnd.isSet.load(ordering: .relaxed) }
      return ProgramFacts()
    }
    let client = try b.client()
    #expect(b.delegate.programs[b.delegate.last]?.sandbox == .unknown)
    #expect(b.server.program(ofProcess: getppid()).sandbox == .unknown)
    // It is known by then, and asked again.
    #expect(b.server.program(ofProcess: getppid()).sandbox == .unknown)
    withExtendedLifetime(client) {}
  }

  @Test("K6: two connections of one process are one process, and another process is another")
  func K6_connectionsOfOneProcess() throws {
    let b = try Bench()
    let one = try b.client()
    let first = b.delegate.programs[b.delegate.last]
    let kept = try b.client()
    let second = b.delegate.programs[b.delegate.last]
    #expect(first?.process != nil && first?.process == second?.process)
    let before = b.delegate.arrived
    let other = try ChildProcess(
      ["python3", Checkout.peers + "/crowd.py", b.path, "1", "fork", "hello"], output: .pipe)
    #expect(b.turn { b.delegate.arrived > before })
    #expect(b.delegate.programs[b.delegate.last]?.process != first?.process)
    _ = (one, kept, other)
  }

  @Test("K6: the kernel's facts of a process are matched once, and again when the manifests change")
  func K6_manifestsChange() throws {
    let b = try Bench()
    var team: String?
    var asked: [ProgramFacts] = []
    b.server.findProgram = { facts, process, _ in
      asked.append(facts)
      return (ProgramIdentity(process: process, program: "p", team: team), nil)
    }
    let raw = try b.client()
    let id = b.delegate.last
    #expect(asked.count == 1 && asked[0].seesOurFiles && asked[0].executable?.isReplaced == false)
    #expect(asked.first?.executable?.mark == FileMark(ofPath: "/proc/self/exe"))
    #expect(b.delegate.programs[id]?.team == nil)
    team = "example"
    b.server.identifyAgain()
    #expect(b.delegate.programs[id]?.team == "example")
    _ = raw
  }

  @Test(
    "Z14, I15: monitors in sandboxes hear the words that are meant for them", arguments: [nil, Sandbox.flatpak("a.b")])
  func Z14_I15_monitorsInSandboxes(sandbox: Sandbox?) throws {
    let b = try Bench()
    b.server.findProgram = { _, process, _ in (ProgramIdentity(process: process, sandbox: sandbox), nil) }
    let raw = try b.client()
    raw.send(R.message(3, 4, R.words([4])))
    #expect(b.settle(raw, sync: 5))
    b.server.announce("a label", inSandboxes: "no name", at: MonotonicClock.now())
    b.server.flush()
    #expect(b.turn { raw.hasReceived(4, 1) })
    let text = String(decoding: raw.received, as: UTF8.self)
    #expect(text.contains("a label") == (sandbox == nil) && text.contains("no name") == (sandbox != nil))
  }

  @Test("I15, I16: an item's visibility and its team data arrive whole") func I15_I16_theyArrive() throws {
    let b = try Bench()
    let data = (0..<Limits.teamDataBytes).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let raw = try b.client()
    let item = try #require(lift(b, raw, data))
    #expect(item.types.map(\.visibility) == [.all, .team, .ownProcess])
    #expect(item.teamData == data)
  }

  @Test("I15, I16: a visibility that is none, and team data beyond its limits, end the connection")
  func I15_I16_limits() throws {
    let piece = [UInt8](repeating: 1, count: Limits.teamDataPiece)
    let whole = (0..<4).map { R.message(4, 6, R.words([UInt32($0 * piece.count)]) + Self.array(piece)) }
    for bytes in [
      [R.message(4, 3, R.string("a/b") + R.words([4]))],
      [R.message(4, 6, R.words([4]) + Self.array([1]))],
      [R.message(4, 6, R.words([0]) + Self.array([UInt8](repeating: 1, count: Limits.teamDataPiece + 1)))],
      whole + [R.message(4, 6, R.words([8192]) + Self.array([1]))],
    ] {
      let b = try Bench()
      let raw = try b.client()
      raw.send(R.message(3, 3, R.words([4])))
      #expect(b.settle(raw, sync: 5) && !raw.hasEnded)
      for message in bytes { raw.send(message) }
      #expect(b.ends(raw))
    }
    // Begun anew, it takes the place of what there was.
    let b = try Bench()
    let raw = try b.client()
    raw.send(R.message(3, 3, R.words([4])))
    for _ in 0..<2 * Limits.teamDataPerClient / Limits.teamDataBytes {
      for message in whole { raw.send(message) }
      letRead(b)
    }
    #expect(b.settle(raw, sync: 5) && !raw.hasEnded)
    // All that one process describes has an end, and is given back.
    var clients = try (0..<3).map { _ in try b.client() }
    for (number, one) in clients.enumerated() {
      for i in 0..<UInt32(Limits.itemsPerClient) where !one.hasEnded {
        one.send(R.message(3, 3, R.words([4 + i])))
        for n in 0..<4 {
          one.send(R.message(4 + i, 6, R.words([UInt32(n * piece.count)]) + Self.array(piece)))
        }
        letRead(b)
      }
      if number == 0 { #expect(b.settle(one, sync: 4 + UInt32(Limits.itemsPerClient)) && !one.hasEnded) }
    }
    #expect(b.ends(clients[1]) || b.ends(clients[2]))
    clients = []
    let next = try b.client()
    next.send(R.message(3, 3, R.words([4])))
    for message in whole { next.send(message) }
    #expect(b.settle(next, sync: 5) && !next.hasEnded)
  }

  @Test("I16: a client that does not read gets a session's team data as it reads, and stays connected")
  func I16_asTheClientReads() throws {
    let b = try Bench()
    let raw = try b.client()
    b.makeRegion(raw)
    var item = ItemDescription(id: ItemID(1), types: [OfferedType(name: "text/plain")])
    item.teamData = [UInt8](repeating: 9, count: Limits.teamDataBytes)
    b.offer(1, [ItemDescription](repeating: item, count: Limits.itemsPerSession))
    b.server.send(.canHandle(serial: 1, .zero), to: b.delegate.regions[0], of: SessionID(1))
    b.server.flush()
    #expect(b.delegate.gone.isEmpty)
    // Nothing was read until here.
    let total = Limits.itemsPerSession * Limits.teamDataBytes
    #expect(b.turn { !raw.hasEnded && raw.received.count { $0 == 9 } >= total })
    #expect(b.delegate.gone.isEmpty)
  }

  @Test("Z15: a region knows which items are of one process, and not of which") func Z15_owners() throws {
    let b = try Bench()
    let raw = try b.client()
    b.makeRegion(raw)
    // Two that have gone, and one process with two connections.
    let one = try b.client()
    let owners = [ClientID(70), ClientID(80), ClientID(70), b.delegate.last]
    let other = try b.client()
    let items = (owners + [b.delegate.last]).map { owner in
      var item = ItemDescription(id: ItemID(1), name: "name", types: [])
      item.owner = owner
      return item
    }
    b.offer(1, items)
    b.server.flush()
    let told = (0..<5).map { i in R.words([UInt32(i)]) + R.string("name") + R.words([[0, 1, 0, 2, 2][i]]) }
    #expect(b.turn { !raw.hasEnded && told.allSatisfy { raw.received.firstRange(of: $0) != nil } })
    withExtendedLifetime((one, other)) {}
  }

  @Test("LO5, I15: each monitor hears the types that its client may see") func LO5_I15_monitors() throws {
    let b = try Bench()
    let first = try b.client()
    first.send(R.message(3, 4, R.words([4])))
    let one = b.delegate.last
    let second = try b.client()
    second.send(R.message(3, 4, R.words([4])))
    #expect(b.turn { b.delegate.monitors == 2 })
    b.server.step(
      MonitorEvent(
        kind: .began, time: .zero, session: SessionID(1), contact: ContactID(1), items: 1, types: ["a/secret"],
        seen: [one: ["a/secret"]], point: .zero, operation: nil, source: one, target: nil, isPrivate: false),
      device: "d")
    b.server.flush()
    #expect(b.turn { first.hasReceived(4, 0) && second.hasReceived(4, 0) })
    func has(_ raw: RawClient) -> Bool { String(decoding: raw.received, as: UTF8.self).contains("a/secret") }
    #expect(has(first) && !has(second))
  }
}
