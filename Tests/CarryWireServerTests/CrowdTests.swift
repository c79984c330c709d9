import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// One program that has many processes, and those who come after it.
@Suite(.serialized) struct CrowdTests {
  private typealias R = RawClient

  /// Lets the loop go round until a crowd is there. On a busy machine some of hundreds of processes take long to say hello; at the
  /// time that it is for the engine none of them is late.
  private func gathers(_ b: Bench, until condition: () -> Bool) -> Bool {
    let now = MonotonicClock.now()
    return b.turn(at: now, until: condition)
  }

  @Test(
    "however a program multiplies, others find a seat",
    arguments: ["fork", "sessions", "daemons", "alone"])
  func aSeatForOthers(kind: String) throws {
    let b = try Bench()
    // Somebody of the same program, who was there before; the last time nobody is.
    let honest = try ChildProcess(
      ["python3", Checkout.peers + "/speaker.py", kind == "alone" ? "/dev/null" : b.path, "honest"])
    let others = kind == "alone" ? 0 : 1
    #expect(b.turn { b.delegate.arrived == others })
    let first = b.delegate.last
    let crowd = try ChildProcess(
      ["python3", Checkout.peers + "/crowd.py", b.path, "\(Limits.clients - others)", kind], output: .pipe)
    #expect(gathers(b) { b.delegate.arrived == Limits.clients })
    #expect(b.delegate.gone.isEmpty)
    var newcomers: [RawClient] = []
    for n in 1...3 {
      newcomers.append(try b.client())
      #expect(b.delegate.gone.count == n)
    }
    #expect(newcomers.allSatisfy { !$0.hasEnded })
    #expect(!b.delegate.gone.contains(first))
    crowd.stop(SIGKILL)
    honest.stop(SIGKILL)
  }

  @Test("those of a crowd that is complete do not come in for others") func noMoreOfThem() throws {
    let b = try Bench()
    let raw = try b.client()
    let crowd = try ChildProcess(
      ["python3", Checkout.peers + "/crowd.py", b.path, "\(Limits.clients + 20)", "fork"], output: .pipe)
    #expect(gathers(b) { b.delegate.arrived == Limits.clients })
    // All have knocked by now; those in excess are refused, and the one that was there stays.
    #expect(gathers(b) { crowd.hasLine })
    #expect(b.settle(raw, sync: 4))
    #expect(!raw.hasEnded)
    #expect(b.delegate.gone.isEmpty)
    crowd.stop(SIGKILL)
  }

  @Test("programs of one session lose no seats to many that have none in common")
  func aSessionAmongMany() throws {
    let b = try Bench()
    let session = try ChildProcess(["python3", Checkout.peers + "/crowd.py", b.path, "90", "fork"], output: .pipe)
    #expect(gathers(b) { b.delegate.arrived == 90 && session.hasLine })
    let others = try ChildProcess(
      ["python3", Checkout.peers + "/crowd.py", b.path, "\(Limits.clients - 90 + 20)", "daemons"], output: .pipe)
    #expect(gathers(b) { b.delegate.arrived == Limits.clients && others.hasLine })
    #expect(b.delegate.gone.isEmpty)
    others.stop(SIGKILL)
    session.stop(SIGKILL)
  }

  @Test("one who takes time to say hello is not thrown out for a crowd that says nothing")
  func aSilentCrowd() throws {
    let b = try Bench()
    let slow = try RawClient(b.path)
    slow.send(R.message(1, 0, R.words([2])))
    #expect(b.turn { slow.hasReceived(2) })
    let crowd = try ChildProcess(
      ["python3", Checkout.peers + "/crowd.py", b.path, "\(Limits.unauthenticatedClients + 20)", "fork", "silent"],
      output: .pipe)
    // At the time that it is for the engine, none of them is late.
    let now = MonotonicClock.now()
    #expect(b.turn(at: now) { crowd.hasLine })
    #expect(b.turn(at: now) { b.delegate.gone.count >= 20 })
    #expect(!slow.hasEnded)
    crowd.stop(SIGKILL)
  }

  @Test("a monitor hears something, though one program has made as many as there may be")
  func aMonitorForOthers() throws {
    let b = try Bench()
    let members = Limits.monitors / Limits.monitorsPerClient
    let crowd = try ChildProcess(
      ["python3", Checkout.peers + "/crowd.py", b.path, "\(members)", "fork", "monitors"], output: .pipe)
    #expect(gathers(b) { b.delegate.monitors == Limits.monitors })
    let raw = try b.client()
    raw.send(R.message(3, 4, R.words([4])))
    #expect(b.settle(raw, sync: 5))
    #expect(b.delegate.monitors == Limits.monitors)
    b.server.announce("words", inSandboxes: "", at: MonotonicClock.now())
    b.server.flush()
    #expect(b.turn { raw.hasReceived(4) })
    crowd.stop(SIGKILL)
  }

  @Test("what a process belongs to") func kin() throws {
    let own = ProcessKin(of: getpid())
    #expect(own.circles.count == 4)
    #expect(own.circles[1] == "\(getsid(0))")
    #expect(own.circles[2] == "\(getppid())")
    #expect(own.circles[3]?.contains("xctest") == true)
    #expect(ProcessKin(of: -1).circles.allSatisfy { $0 == nil })

    func kin(_ circles: String...) -> ProcessKin { ProcessKin(circles) }
    let some = [kin("a", "x"), kin("a", "x"), kin("a", "y"), kin("b", "x")]
    func crowd(_ newcomer: ProcessKin, _ few: Int, among holders: [ProcessKin]) -> [ProcessKin]? {
      guard let found = ProcessKin.crowd(among: holders, and: newcomer, moreThan: few, kin: { $0 }) else { return nil }
      #expect(found.makesRoom == !found.members.contains(newcomer))
      return found.members
    }
    #expect(crowd(kin("b", "x"), 1, among: some) == [some[0], some[1]])
    #expect(crowd(kin("a", "y"), 2, among: some) == Array(some[0..<3]))
    #expect(crowd(kin("b", "x"), 3, among: some) == nil)
    #expect(crowd(kin("b", "x"), 1, among: [some[0], some[1]]) == [some[0], some[1]])
    #expect(crowd(kin("a", "x"), 1, among: [some[0], some[1]]) == nil)
    #expect(crowd(kin("a", "x"), 0, among: []) == nil)
    // Those whom something connects make room for a stranger only where they have half of all.
    let loners = (0..<4).map { kin("\($0)", "\($0)") }
    #expect(ProcessKin.crowd(among: some + loners, and: kin("c", "z"), moreThan: 2, kin: { $0 })?.makesRoom == false)
    #expect(ProcessKin.crowd(among: some, and: kin("c", "z"), moreThan: 2, kin: { $0 })?.makesRoom == true)
  }
}
