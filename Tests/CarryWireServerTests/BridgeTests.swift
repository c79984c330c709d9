import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer
import Testing

/// T13, Z1: what only the engine's own bridge may do.
@Suite(.serialized) struct BridgeTests {
  private typealias R = RawClient

  /// The bridge, played by the test; its process is a child that does nothing.
  private func bridge(_ b: Bench) throws -> (RawClient, ChildProcess) {
    var pair: [CInt] = [-1, -1]
    #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
    let process = try ChildProcess(["sleep", "1000"])
    try b.server.add(.bridge, at: Descriptor(owning: pair[0]), process: process.pid)
    let raw = RawClient(on: Descriptor(owning: pair[1]))
    raw.greet()
    return (raw, process)
  }

  /// Whether the bridge has been told in the end that these windows have drop regions.
  private func told(_ b: Bench, _ windows: Set<WindowID>) -> Bool {
    Wait.until {
      b.server.advance(to: MonotonicClock.now())
      b.server.flush()
      return b.server.bridge.dropWindows == windows
    }
  }

  @Test("Z1: windows that come and go by thousands end no bridge that does not read for a while")
  func Z1_manyDropWindows() throws {
    let b = try Bench()
    let (raw, process) = try bridge(b)
    defer { process.stop(SIGKILL) }
    raw.send(R.message(3, 8, R.words([4])))
    #expect(b.settle(raw, sync: 5))
    var hasEnded = false
    b.server.bridge.onEnded = { hasEnded = true }
    let many = Set((UInt32(1000)..<5096).map { WindowID($0) })
    for _ in 0..<30 {
      for windows in [many, []] {
        b.server.setDropWindows(windows)
        b.server.flush()
      }
    }
    b.server.setDropWindows([WindowID(7)])
    #expect(told(b, [WindowID(7)]) && !hasEnded)
  }

  @Test("Z1: a client that the engine has not started as its bridge is disconnected when it wants to be it")
  func Z1_notEverybody() throws {
    let b = try Bench()
    let raw = try b.client()
    raw.send(R.message(3, 8, R.words([4])))
    #expect(b.ends(raw))
  }

  @Test("Z1: the bridge makes regions in windows of others, which get no touch at once; and it is the bridge once")
  func Z1_rights() throws {
    let b = try Bench()
    let (raw, process) = try bridge(b)
    defer { process.stop(SIGKILL) }
    raw.send(R.message(3, 8, R.words([4])) + R.message(4, 1, R.words([5, 7])))
    #expect(b.settle(raw, sync: 6) && b.delegate.regions.count == 1 && b.delegate.standIns == 1)
    var hasEnded = false
    b.server.bridge.onEnded = { hasEnded = true }
    // Z23: it may lift.
    raw.send(R.message(5, 3, R.words([1])))
    #expect(b.settle(raw, sync: 7))
    raw.send(R.message(4, 3, R.words([77])) + R.message(4, 4, R.words([77])))
    #expect(b.settle(raw, sync: 8) && b.delegate.bridgeSteps == ["arrived", "took 77", "tried 77"])
    // A cooperative role.
    raw.send(R.message(5, 3, R.words([8])))
    #expect(b.ends(raw) && hasEnded)

    let (second, another) = try bridge(b)
    defer { another.stop(SIGKILL) }
    second.send(R.message(3, 8, R.words([4])) + R.message(3, 8, R.words([5])))
    #expect(b.ends(second))
  }

  @Test("Z1: the bridge asks where a window takes drops; numbers that are none of a screen's do no harm")
  func Z1_dropPlaces() throws {
    let b = try Bench()
    let (raw, process) = try bridge(b)
    defer { process.stop(SIGKILL) }
    raw.send(R.message(3, 8, R.words([4])) + R.message(4, 8, R.words([77])))
    #expect(b.settle(raw, sync: 6))
    #expect(raw.event(of: 4, 3)?.words == [77, 16, UInt32(bitPattern: -1), 2, 30, UInt32(Int32.max)])
  }

  @Test("Z23: the bridge is told out of which applications touches lift, at first and when that changes")
  func Z23_applications() throws {
    let b = try Bench()
    b.server.liftApplications = ["Thunar", "xterm"]
    let (raw, process) = try bridge(b)
    defer { process.stop(SIGKILL) }
    raw.send(R.message(3, 8, R.words([4])))
    func names() -> String? {
      var turns = 0
      _ = b.turn {
        turns += 1
        return turns > 3
      }
      guard let words = raw.event(of: 4, 0, within: 1)?.words else { return nil }
      let bytes = words.dropFirst().flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #expect(names() == "Thunar\nxterm")
    b.server.liftApplications = ["Thunar", "xterm"]
    b.server.liftApplications = []
    #expect(names() == "")
    // As long as it can be, it fits in one message.
    b.server.liftApplications = Array(
      repeating: String(repeating: "a", count: Limits.applicationNameBytes), count: Limits.liftApplications)
    #expect(names()?.utf8.count == Limits.liftApplications * (Limits.applicationNameBytes + 1) - 1)
  }

  @Test("Z1: the bridge is told the windows with drop regions, and drags for another application")
  func Z1_foreignDrags() throws {
    let b = try Bench()
    let (raw, process) = try bridge(b)
    defer { process.stop(SIGKILL) }
    raw.send(R.message(3, 8, R.words([4])))
    #expect(b.settle(raw, sync: 5) && b.delegate.bridgeSteps == ["arrived"])
    b.server.setDropWindows([WindowID(70), WindowID(71)])
    b.server.setDropWindows([WindowID(71)])
    #expect(told(b, [WindowID(71)]))
    // create_drag, begin without items: it ends at once, and nothing further is heeded.
    raw.send(
      R.message(4, 2, R.words([6])) + R.message(6, 2, R.words([1, 1, 71, 5, 6])) + R.message(6, 3, R.words([9, 9])))
    #expect(b.settle(raw, sync: 7))
    #expect(b.delegate.bridgeSteps == ["arrived", "began by button with 0 of 1 at 5,6"])
    // A second begin is an offence.
    raw.send(R.message(6, 2, R.words([1, 1, 71, 5, 6])))
    #expect(b.ends(raw))
  }

  @Test("Z1, K6: a process without a connection is known by its manifest, and one that is connected is the same")
  func Z1_K6_programs() throws {
    let b = try Bench()
    let process = try ChildProcess(["sleep", "1000"])
    defer { process.stop(SIGKILL) }
    b.server.findProgram = { _, process, _ in (ProgramIdentity(process: process, program: "org.example.a"), nil) }
    let one = b.server.program(ofProcess: process.pid)
    #expect(one.program == "org.example.a" && one == b.server.program(ofProcess: process.pid))
    let raw = try b.client()
    let own = b.server.program(ofProcess: ProcessID.own)
    #expect(!own.isSameProcess(as: one) && own == b.server.program(ofProcess: ProcessID.own))
    // What the X server cannot tell is nobody's.
    let unknown = b.server.program(ofProcess: nil)
    #expect(!unknown.isSameProcess(as: b.server.program(ofProcess: nil)))
    _ = raw
  }
}
