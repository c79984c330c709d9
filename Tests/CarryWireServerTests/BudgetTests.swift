import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// What one client, or one process, may make the engine hold; and that it ends where that says.
@Suite(.serialized) struct BudgetTests {
  private typealias R = RawClient

  @Test("monitors, managers and objects have an end") func objectsHaveAnEnd() throws {
    let b = try Bench()
    let watcher = try b.client()
    for i in 0..<UInt32(Limits.monitorsPerClient) { watcher.send(R.message(3, 4, R.words([4 + i]))) }
    #expect(b.settle(watcher, sync: 12))
    #expect(b.delegate.monitors == Limits.monitorsPerClient)
    watcher.send(R.message(3, 4, R.words([12])))
    #expect(b.ends(watcher))
    #expect(b.turn { b.delegate.monitors == 0 })

    let binder = try b.client()
    for i in 0..<UInt32(Limits.managersPerClient) {
      binder.send(R.message(2, 0, R.words([1]) + R.string("carry_manager") + R.words([1, 4 + i])))
    }
    #expect(b.ends(binder))

    // Registered and withdrawn again and again, and never destroyed.
    let hoarder = try b.client()
    var number: UInt32 = 4
    #expect(
      b.turn {
        let some = (0..<64).flatMap { i in
          R.message(3, 2, R.words([number + UInt32(i), 7])) + R.message(number + UInt32(i), 1, R.words([1]))
        }
        number += 64
        return !hoarder.send(some) || hoarder.hasEnded
      })
    #expect(number > 4096 && number < UInt32(Limits.objectsPerClient) + 3000, "\(number)")

    // Numbers are used again: one beyond all that there can be is no honest one.
    let waster = try b.client()
    waster.send(R.message(3, 3, R.words([4])))
    #expect(b.settle(waster, sync: 5))
    #expect(!waster.hasEnded)
  }

  @Test("numbers of objects that are gone are used again, or the client goes") func numbersAreUsedAgain()
    throws
  {
    let b = try Bench()
    let raw = try b.client()
    var number: UInt32 = 4
    // An item that is made and destroyed at once, each with a number of its own.
    #expect(
      b.turn {
        let some = (0..<64).flatMap { i in
          R.message(3, 3, R.words([number + UInt32(i)])) + R.message(number + UInt32(i), 0)
        }
        number += 64
        return !raw.send(some) || raw.hasEnded
      })
    #expect(number > UInt32(Limits.objectNumber) - 200 && number < UInt32(Limits.objectNumber) + 3000, "\(number)")
  }

  // MARK: Descriptors

  private func null() throws -> Descriptor { try Descriptor.open("/dev/null", O_RDONLY) }

  /// How many descriptors of a file are open in this process. Other tests open and close others meanwhile.
  private func openDescriptors(like fd: CInt) -> Int {
    var wanted = stat()
    guard fstat(fd, &wanted) == 0 else { return 0 }
    return Files.list("/proc/self/fd").count { name in
      var found = stat()
      guard let number = CInt(name), fstat(number, &found) == 0 else { return false }
      return found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino
    }
  }

  @Test("of one client 64 descriptors wait for messages that take them")
  func waitingDescriptors() throws {
    try Bench.withManyDescriptors { b in
      let fd = Descriptor(owning: clinux_memfd_create("waiting"))
      let raw = try b.client()
      for i in 0..<3 {
        raw.send(R.message(1, 0, R.words([UInt32(4 + i)])), descriptors: .init(repeating: fd.raw, count: 20))
      }
      #expect(b.settle(raw, sync: 7))
      #expect(!raw.hasEnded)
      #expect(openDescriptors(like: fd.raw) == 61)
      raw.send(R.message(1, 0, R.words([8])), descriptors: .init(repeating: fd.raw, count: 5))
      #expect(b.ends(raw))
      #expect(b.turn { openDescriptors(like: fd.raw) == 1 }, "those that waited are closed")
    }
  }

  @Test("descriptors that no message takes wait for 30 s") func notForEver() throws {
    let b = try Bench()
    let fd = try null()
    let raw = try b.client()
    raw.send(R.message(1, 0, R.words([4])), descriptors: [fd.raw])
    #expect(b.settle(raw, sync: 5))
    let honest = try b.client()
    #expect(!raw.hasEnded)
    #expect(b.ends(raw, later: .seconds(Limits.transferSeconds + 1)))
    #expect(!honest.hasEnded)
  }

  @Test("of all clients 512 wait, and whoever sent most gives way") func whoeverSentMost() throws {
    try Bench.withManyDescriptors { b in
      let fd = try null()
      let honest = try b.client()
      honest.send(R.message(1, 0, R.words([4])), descriptors: [fd.raw, fd.raw])
      #expect(b.settle(honest, sync: 5))
      let crowd = try (0..<10).map { _ in try b.client() }
      for (c, raw) in crowd.enumerated() {
        for i in 0..<3 {
          raw.send(R.message(1, 0, R.words([UInt32(4 + i)])), descriptors: .init(repeating: fd.raw, count: 18))
        }
        #expect(b.settle(raw, sync: 7) || c == 9)
      }
      #expect(b.turn { crowd.contains { $0.hasEnded } })
      #expect(crowd.count { $0.hasEnded } == 1)
      #expect(!honest.hasEnded)
    }
  }

  @Test("descriptors that messages take do not count, however many there are") func takenOnesDoNotCount() throws {
    let b = try Bench()
    let raw = try b.client()
    raw.send(R.message(3, 5, R.words([4])))
    let memory = Descriptor(owning: try check("memfd_create") { clinux_memfd_create("picture") })
    _ = try check("ftruncate") { ftruncate(memory.raw, 16) }
    _ = clinux_add_seals(memory.raw, CInt(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_WRITE))
    for _ in 0..<200 { raw.send(R.message(4, 2, R.words([2, 2, 256])), descriptors: [memory.raw]) }
    #expect(b.settle(raw, sync: 5))
    #expect(!raw.hasEnded)
    #expect(b.delegate.images == 200)
  }

  // MARK: Processes

  @Test("a process has a share of the connections") func shares() throws {
    let b = try Bench()
    let silent = try (0..<Limits.unauthenticatedClientsPerProcess + 4).map { _ in try RawClient(b.path) }
    #expect(b.turn { silent.suffix(4).allSatisfy(\.hasEnded) })
    #expect(silent.prefix(Limits.unauthenticatedClientsPerProcess).allSatisfy { !$0.hasEnded })
    // Another process comes in at once.
    let other = try ChildProcess(
      ["python3", Checkout.peers + "/speaker.py", b.path, "honest"], output: .pipe)
    let before = b.delegate.arrived
    #expect(b.turn { b.delegate.arrived > before })
    other.stop(SIGKILL)
  }

  @Test("a process that has all its connections gets no more, and room when it closes some")
  func allConnectionsOfAProcess() throws {
    let b = try Bench()
    var crowd = try (0..<Limits.clientsPerProcess).map { _ in try b.client() }
    #expect(crowd.allSatisfy { !$0.hasEnded })
    let surplus = try RawClient(b.path)
    surplus.greet()
    #expect(b.ends(surplus))
    #expect(String(decoding: surplus.received, as: UTF8.self).contains("128 connections"))
    crowd.removeLast(2)
    #expect(b.turn { b.delegate.gone.count >= 2 })
    #expect(try !b.client().hasEnded)
  }

  @Test("a process that has exited owns nothing, though a child keeps its connection")
  func theProcessThatIsThereNow() throws {
    let b = try Bench()
    let parent = try ChildProcess(
      ["python3", Checkout.peers + "/speaker.py", b.path, "parent", "fork"], output: .pipe)
    #expect(b.turn { b.delegate.arrived == 1 })
    let client = b.delegate.last
    #expect(b.turn { b.server.runningProcess(of: client) == nil })
    #expect(b.delegate.gone.isEmpty)
    if let line = parent.readLine(), let child = Int32(line) { kill(child, SIGKILL) }
    _ = parent.waitForExit(seconds: 10)
    #expect(b.turn { b.delegate.gone == [client] })
    // This process is there, and stays.
    _ = try b.client()
    #expect(b.server.runningProcess(of: b.delegate.last) == getpid())
  }
}
