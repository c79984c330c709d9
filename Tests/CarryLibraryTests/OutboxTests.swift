import CarryModel
import CLinux
import CWayland
import CWaylandClient
import CarrySystem
import CarryTesting
import Testing

@testable import CarryWireClient

/// Requests to an engine that does not read for a while.
@Suite struct OutboxTests {
  @Test("what the engine does not take waits, in order, and nothing is lost") func whatDoesNotFitWaits()
    throws
  {
    let line = try WireLine()
    var order: [Int] = []
    for i in 0..<50_000 {
      line.outbox.send(12) {
        order.append(i)
        line.ask()
      }
    }
    line.outbox.flush()
    #expect(wl_display_get_error(line.display) == 0)
    #expect(line.outbox.isBehind && order.count < 50_000)
    var bytes = 0
    while line.outbox.isBehind {
      bytes += line.read()
      line.outbox.flush()
    }
    bytes += line.read()
    #expect(bytes == 50_000 * 12)
    #expect(order == Array(0..<50_000))
    #expect(line.outbox.failure == nil && wl_display_get_error(line.display) == 0)
  }

  /// Fills the socket until something waits.
  private func stall(_ line: WireLine) {
    while !line.outbox.isBehind { line.outbox.send(12) { line.ask() } }
  }

  @Test("of what has a newest value only the newest waits") func onlyTheNewestWaits() throws {
    let line = try WireLine()
    stall(line)
    let (a, b) = (
      Outbox.Slot(object: ObjectIdentifier(line), request: .rectangle),
      Outbox.Slot(
        object: ObjectIdentifier(line), request: .roles)
    )
    let before = line.outbox.count
    var said: [String] = []
    for i in 1...1000 {
      line.outbox.send(12, newest: a) {
        said.append("a\(i)"); line.ask()
      }
      line.outbox.send(12, newest: b) {
        said.append("b\(i)"); line.ask()
      }
    }
    #expect(line.outbox.count == before + 2)
    while line.outbox.isBehind {
      _ = line.read()
      line.outbox.flush()
    }
    #expect(said == ["a1000", "b1000"])
  }

  @Test("what is raised last comes to the top last") func whatIsRaisedLast() throws {
    let (line, other) = (try WireLine(), try WireLine())
    stall(line)
    let first = Outbox.Slot(object: ObjectIdentifier(line), request: .raise)
    let second = Outbox.Slot(object: ObjectIdentifier(other), request: .raise)
    var said: [String] = []
    for (slot, name) in [(first, "1"), (second, "2"), (first, "1")] {
      line.outbox.send(8, newest: slot) {
        said.append(name); line.ask()
      }
    }
    while line.outbox.isBehind {
      _ = line.read()
      line.outbox.flush()
    }
    #expect(said == ["2", "1"])
  }

  @Test("descriptors wait with their requests, to a limit") func descriptorsWait() throws {
    let line = try WireLine()
    stall(line)
    let provision = try #require(wl_proxy_create(line.display, cwayland_provision()))
    defer { wl_proxy_destroy(provision) }
    let id = wl_proxy_get_id(provision)
    func passes() throws -> Bool {
      // Of its own: the caller's is closed by the time it is sent.
      let own = try unnamedFile([1])
      return line.outbox.pass(PassingRequest(CARRY_PROVISION_FILE), with: [own.raw]) { id }
    }
    for _ in 0..<Limits.outboxDescriptors { #expect(try passes()) }
    #expect(try !passes())
    _ = line.read()
    var seen = 0
    while line.outbox.isBehind {
      line.outbox.flush()
      seen += line.engine.receive()
    }
    while seen < Limits.outboxDescriptors, case let count = line.engine.receive(), count > 0 { seen += count }
    #expect(seen == Limits.outboxDescriptors)
  }

  @Test("a file that has waited with its request is closed where nobody waits, also one that cannot be")
  func closedAside() throws {
    guard let file = try StuckFile() else { return print("SKIPPED: no FUSE here, so no file that cannot be closed") }
    let line = try WireLine()
    stall(line)
    #expect(line.outbox.pass(PassingRequest(CARRY_PROVISION_FILE), with: [file.fd]) { 5 })
    line.outbox.end()
    #expect(
      Wait.until(seconds: 20) {
        file.look()
        return file.flushes == 1
      })
    #expect(!file.cameTooLate)
    file.answer()
  }

  @Test("what waits takes no descriptors where few are left") func scarce() async {
    // In a process of its own, because the limit is a process's.
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 120, rlim_max: 120)
      try check("setrlimit") { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
      let line = try WireLine()
      while !line.outbox.isBehind { line.outbox.send(12) { line.ask() } }
      var count = 0
      while line.outbox.pass(PassingRequest(CARRY_PROVISION_FILE), with: [0], object: { 5 }) { count += 1 }
      #expect(count >= Limits.fewOutboxDescriptors && count < 61, "\(count)")
      // A few wait also in a program that has many open for itself.
      let busy = try WireLine()
      while !busy.outbox.isBehind { busy.outbox.send(12) { busy.ask() } }
      #expect(DescriptorRoom.isScarce)
      #expect(busy.outbox.pass(PassingRequest(CARRY_PROVISION_FILE), with: [0]) { 5 })
    }
  }

  @Test("a descriptor that is none, or cannot be duplicated, is not sent, and the connection goes on")
  func noMoreDescriptors() throws {
    let line = try WireLine()
    #expect(!line.outbox.pass(PassingRequest(CARRY_PROVISION_FILE), with: [-1]) { 5 })
    line.outbox.flush()
    #expect(line.outbox.failure == nil)
    stall(line)
    #expect(!line.outbox.pass(PassingRequest(CARRY_PROVISION_FILE), with: [-1]) { 5 })
    #expect(line.outbox.failure == nil)
  }

  @Test("what is asked for after the connection's end is not sent, and touches nothing of it")
  func afterTheEnd()
    throws
  {
    let line = try WireLine()
    stall(line)
    let objects = WireObjects(line.outbox)
    let load = WireLoad(objects, 0) { wl_proxy_create(line.display, cwayland_load()) }
    objects.close(telling: false)
    #expect(line.outbox.failure == EPIPE && !line.outbox.isBehind)
    line.outbox.flush()
    load.flush()
    line.outbox.send(8) { Issue.record("it is sent") }
    #expect(line.outbox.count == 0 && load.proxy == nil)
  }

  @Test("more than the budget is the end, and so is an engine that has gone") func theEnd() throws {
    let line = try WireLine()
    stall(line)
    for _ in 0...(Limits.outboxBytes / 4000) { line.outbox.send(4000) { line.ask() } }
    #expect(line.outbox.isOverfull)
    let gone = try WireLine()
    shutdown(gone.engine.socket.raw, CInt(SHUT_RDWR))
    for _ in 0..<1000 { gone.outbox.send(12) { gone.ask() } }
    gone.outbox.flush()
    #expect(gone.outbox.failure == EPIPE)
    #expect(!gone.outbox.isBehind)
  }
}

extension WireLine {
  /// A request of 12 bytes.
  func ask() { _ = wl_display_sync(display) }

  /// Reads all that is there.
  func read() -> Int {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var all = 0
    while true {
      let n = recv(engine.socket.raw, &bytes, bytes.count, CInt(MSG_DONTWAIT))
      if n <= 0 { return all }
      all += n
    }
  }
}
