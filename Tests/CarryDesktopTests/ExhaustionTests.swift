import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireClient
import CLinux
import Testing

extension DesktopTests {
  /// Clients that use up what there is, and those that do not read: nobody else notices.
  @Suite(.serialized) struct Exhaustion {
    private typealias R = RawClient

    /// A drag of others goes through from beginning to end: nothing is broken.
    private func stillWorks(_ d: Desktop) -> Bool {
      guard d.engine.isRunning, let client = try? Client(name: "honest", socket: d.socket) else { return false }
      return (try? client.synchronize()) != nil
    }

    private func descriptorCount(_ d: Desktop) -> Int { Files.list("/proc/\(d.engine.pid)/fd").count }

    @Test("while hardly any descriptors are left, those that come wait, and nobody is held up")
    func aFullTable() throws {
      let d = try Desktop(compositor: nil)
      let raw = try R(d.socket)
      raw.greet()
      raw.send(R.message(1, 0, R.words([4])))
      #expect(raw.event(of: 4, 0) != nil)
      let honest = try Client(name: "honest", socket: d.socket)
      func limit(_ arguments: String...) throws {
        let p = try ChildProcess(["prlimit", "--pid", "\(d.engine.pid)"] + arguments)
        #expect(p.waitForExit(seconds: 10) == 0)
      }
      try limit("--nofile=100:")
      Wait.forTick()
      let lingering = try Lingering()
      // Behind bytes that bring none: both are there when the engine reads.
      d.engine.signal(SIGSTOP)
      raw.send(R.message(1, 0, R.words([5])))
      lingering.give(to: raw, object: 6)
      d.engine.signal(SIGCONT)
      #expect(d.engine.readLine { $0.contains("clients that send some wait") } != nil)
      for _ in 0..<20 { try honest.synchronize() }
      #expect(raw.event(of: 6, 0, within: 0) == nil)
      try limit("--nofile=1000:")
      #expect(raw.event(of: 6, 0) != nil)
      #expect(d.engine.readLine { $0.contains("are taken again") } != nil)
      #expect(stillWorks(d))
      lingering.end()
    }

    @Test("descriptors that nobody asked for are gone with the client")
    func descriptorsThatNobodyAskedForAreGoneWithTheClient() throws {
      let d = try Desktop(compositor: nil)
      #expect(stillWorks(d))
      let before = descriptorCount(d)
      let null = try Descriptor.open("/dev/null", O_RDONLY)
      for _ in 0..<4 {
        let raw = try R(d.socket)
        raw.greet()
        // Its own connection, in a circle.
        raw.send(R.message(1, 0, R.words([4])), descriptors: [raw.socket.raw])
        for i in 0..<60 {
          guard
            raw.send(R.message(1, 0, R.words([UInt32(5 + i)])), descriptors: [CInt](repeating: null.raw, count: 20))
          else { break }
        }
        #expect(raw.isClosed())
        // 253 is the most the kernel takes in one message; the library takes 28, and the kernel closes the rest.
        let packet = try R(d.socket)
        packet.greet()
        for i in 0..<3 {
          packet.send(
            R.message(1, 0, R.words([UInt32(4 + i)])), descriptors: [CInt](repeating: null.raw, count: 253))
        }
        #expect(packet.isClosed())
      }
      #expect(stillWorks(d))
      #expect(Wait.until { descriptorCount(d) <= before }, "\(descriptorCount(d)) descriptors, \(before) before")
    }

    @Test("whoever says nothing is closed after two seconds") func whoeverSaysNothingIsClosedAfterTwoSeconds()
      throws
    {
      let d = try Desktop(compositor: nil)
      let silent = try R(d.socket)
      let slow = try R(d.socket)
      slow.greet(hello: false)
      let before = MonotonicClock.now().seconds
      #expect(silent.isClosed(within: 6))
      #expect(slow.isClosed(within: 6))
      #expect(MonotonicClock.now().seconds - before > 1)
      // More than the limit at once: the surplus is closed at once, and the others go on working.
      var crowd: [RawClient] = []
      for _ in 0..<(Limits.unauthenticatedClients + 20) { crowd.append(try R(d.socket)) }
      #expect(crowd.suffix(10).allSatisfy { $0.isClosed(within: 3) })
      #expect(Wait.until(seconds: 6) { stillWorks(d) })
      // A request before hello is an offence.
      let rude = try R(d.socket)
      rude.greet(hello: false)
      rude.send(R.message(3, 3, R.words([4])))
      #expect(rude.isClosed(within: 1.5))
    }

    @Test("a client that never reads is closed and costs nobody anything")
    func aClientThatNeverReadsIsClosedAndCostsNobodyAnything() throws {
      let d = try Desktop(compositor: nil)
      let deaf = try R(d.socket)
      deaf.greet()
      // Each sync is answered; nobody reads the answers.
      var id: UInt32 = 10
      var isOpen = true
      for _ in 0..<4000 where isOpen {
        var bytes: [UInt8] = []
        for _ in 0..<100 {
          bytes += R.message(1, 0, R.words([id]))
          id += 1
        }
        var p = pollfd(fd: deaf.socket.raw, events: Int16(POLLOUT), revents: 0)
        guard poll(&p, 1, 200) > 0 else { break }
        isOpen = deaf.send(bytes)
      }
      #expect(stillWorks(d))
      #expect(deaf.isClosed())
    }

    @Test("a flood of messages does not hold up the others") func aFloodOfMessagesDoesNotHoldUpTheOthers()
      throws
    {
      let d = try Desktop(compositor: nil)
      let flood = try R(d.socket)
      flood.greet()
      flood.send(R.message(3, 3, R.words([4])))
      let name = R.message(4, 2, R.string("x"))
      let many = Array((0..<200).map { _ in name }.joined())
      for _ in 0..<200 {
        guard flood.send(many) else { break }
      }
      #expect(stillWorks(d))
    }

    @Test("whose window it is the X server is asked once, however often regions come and go")
    func regionsThatComeAndGo() throws {
      let d = try Desktop(compositor: nil)
      let window = d.client.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 10, height: 10))
      let other = d.client.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 10, height: 10))
      d.client.sync()
      let raw = try R(d.socket)
      raw.greet()
      func churn(_ window: UInt32) {
        raw.send(R.message(3, 2, R.words([4, window])) + R.message(4, 1, R.words([7])) + R.message(4, 0))
        raw.send(R.message(1, 0, R.words([5])))
      }
      churn(window.raw)
      #expect(raw.event(of: 5, 0) != nil)
      // An X server that does not answer holds up nobody who does not need it.
      d.server.process.signal(SIGSTOP)
      churn(window.raw)
      let isAnswered = raw.event(of: 5, 0, within: 3) != nil
      d.server.process.signal(SIGCONT)
      #expect(isAnswered)
      // A window that is gone is nobody's.
      d.client.destroy(window)
      d.client.sync()
      churn(other.raw)
      #expect(raw.event(of: 5, 0) != nil)
      raw.send(R.message(3, 2, R.words([4, window.raw])))
      // It could be one that is being made, and is waited for.
      #expect(raw.event(of: 4, 0, within: Limits.awaitedSeconds + 10)?.words.first == 2)
    }

    /// The engine's own words reach whoever wrote the client.
    @Test("a process that has all its connections is told so, and others come in")
    func aFullProcessIsToldSo() throws {
      let d = try Desktop(compositor: nil)
      var crowd: [RawClient] = []
      for _ in 0..<Limits.clientsPerProcess {
        let raw = try R(d.socket)
        raw.greet()
        crowd.append(raw)
        // Each greeting is taken before the next comes, or the silent ones would be too many.
        var p = pollfd(fd: raw.socket.raw, events: Int16(POLLIN), revents: 0)
        poll(&p, 1, 2000)
      }
      var sentence = ""
      let isFull = Wait.until {
        do throws(ClientError) { _ = try Client(name: "one too many", socket: d.socket) } catch {
          sentence = error.description
        }
        return sentence.contains("\(Limits.clientsPerProcess) connections")
      }
      #expect(isFull, "\(sentence)")
      let other = try d.tool("monitor", "--verbose", "--with-engine", "--json")
      #expect(d.engine.readLine { $0.contains("is carry monitor") } != nil)
      crowd = []
      #expect(Wait.until { stillWorks(d) })
      withExtendedLifetime(other) {}
    }

    @Test("ten thousand monitors are too many, and nobody waits for them to go") func tenThousandMonitors()
      throws
    {
      let d = try Desktop(compositor: nil)
      let raw = try R(d.socket)
      raw.greet()
      raw.send((0..<UInt32(10_000)).flatMap { R.message(3, 4, R.words([4 + $0])) })
      #expect(raw.isClosed())
      #expect(stillWorks(d))
    }

    @Test("an engine without descriptors keeps new clients waiting until it has some")
    func descriptorsComeBack() throws {
      let d = try Desktop(compositor: nil)
      let there = try R(d.socket)
      there.greet()
      #expect(there.event(of: 3, 0) != nil)
      func limit(_ count: String) throws {
        let tool = try ChildProcess(["prlimit", "--pid", "\(d.engine.pid)", "--nofile=\(count):"])
        #expect(tool.waitForExit(seconds: 10) == 0)
      }
      try limit("\(descriptorCount(d) + 2)")
      let late = try R(d.socket)
      late.greet()
      #expect(d.engine.readLine { $0.contains("hardly any file descriptors") } != nil)
      // Who is there goes on.
      there.send(R.message(1, 0, R.words([4])))
      #expect(there.event(of: 4, 0) != nil)
      try limit("4096")
      #expect(late.event(of: 3, 0) != nil)
      #expect(stillWorks(d))
    }

    @Test("nobody waits for a log that is not read") func aLogThatNobodyReads() throws {
      let d = try Desktop(compositor: nil)
      // Each says two lines, and the pipe has room for some hundreds.
      for i in 0..<1500 { try WireConnection(path: d.socket, name: "client number \(i)").close() }
      #expect(stillWorks(d))
      #expect(
        d.engine.readLine { line in
          _ = stillWorks(d)
          return line.contains("lines could not be written")
        } != nil)
    }

    @Test("a target that is stopped holds up nobody") func aTargetThatIsStoppedHoldsUpNobody() throws {
      let d = try Desktop(Traces.twoAtOnce, clients: 4, compositor: nil)
      let sources = [
        try d.source("--text", "upper", geometry: "300x200+50+100"),
        try d.source("--text", "lower", geometry: "300x200+50+500"),
      ]
      let stuck = try d.target(geometry: "300x200+850+100")
      let fine = try d.target(geometry: "300x200+850+500")
      // Long before a finger is over it.
      #expect(d.step("lift-began") != nil)
      stuck.signal(SIGSTOP)
      #expect(d.playToTheEnd() == 0)
      let received = fine.remainingLines().filter { $0.contains("\"received\"") }
      #expect(received.count == 2)
      let steps = d.monitor.remainingLines()
      #expect(events(steps).contains("cancelled"))
      #expect(steps.count { $0.contains("\"ended\"") } == 2)
      stuck.signal(SIGCONT)
      #expect(!stuck.remainingLines().contains { $0.contains("\"received\"") })
      withExtendedLifetime(sources) {}
    }
  }
}
