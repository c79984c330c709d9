import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireClient
import CLinux
import Testing

extension DesktopTests {
  /// What clients may do to the engine, and what it must answer: that client is closed, nobody else notices.
  @Suite(.serialized) struct Hostile {
    private typealias R = RawClient

    /// A drag of others goes through from beginning to end: nothing is broken.
    private func stillWorks(_ d: Desktop) -> Bool {
      guard d.engine.isRunning, let client = try? Client(name: "honest", socket: d.socket) else { return false }
      return (try? client.synchronize()) != nil
    }

    @Test("messages that are none") func messagesThatAreNone() throws {
      let d = try Desktop(compositor: nil)
      let bad: [(String, [UInt8])] = [
        ("size 0", R.words([1, 0])),
        ("size 0 for the manager", R.words([3, 1])),
        ("size 4", R.words([1, 4 << 16])),
        ("size 65535", R.words([1, 0xFFFF_0000]) + [UInt8](repeating: 7, count: 70_000)),
        ("unknown object", R.message(4711, 0)),
        ("unknown opcode", R.message(3, 99)),
        ("a string longer than its message", R.message(3, 1, R.words([0xFFFF_FFFF]) + R.words([0]))),
        ("a string of 2^31 bytes", R.message(3, 1, R.words([0x8000_0000]) + R.words([0]))),
        ("a string without its end", R.message(3, 1, R.words([4]) + Array("abcd".utf8))),
        ("an empty string", R.message(3, 1, R.words([0]))),
        ("arguments missing", R.message(3, 2, R.words([9]))),
        ("an id that is taken", R.message(3, 3, R.words([3]))),
        ("an id of the server's", R.message(3, 3, R.words([0xFF00_0001]))),
        ("noise", (0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }),
      ]
      for (what, bytes) in bad {
        let raw = try R(d.socket)
        raw.greet()
        raw.send(bytes)
        // Whatever it is taken for, it does not hold up the engine, and not the others.
        shutdown(raw.socket.raw, CInt(SHUT_WR))
        #expect(raw.isClosed(), "\(what): not closed")
        #expect(stillWorks(d), "\(what): the engine suffers")
      }
      // Nothing at all, and a hang-up.
      for _ in 0..<50 { _ = try R(d.socket) }
      #expect(stillWorks(d))
    }

    @Test("random messages never hurt") func randomMessagesNeverHurt() throws {
      let d = try Desktop(compositor: nil)
      var random = SeededRandom(seed: 20_261_121)
      for _ in 0..<60 {
        let raw = try R(d.socket)
        raw.greet()
        for _ in 0..<40 {
          let object = UInt32.random(in: 1...12, using: &random)
          let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            Bool.random(using: &random)
              ? UInt32.random(in: 0...16, using: &random) : UInt32.random(in: 0 ... .max, using: &random)
          }
          raw.send(R.message(object, UInt16.random(in: 0...6, using: &random), R.words(words)))
        }
      }
      #expect(stillWorks(d))
    }

    @Test("text that is too long or no text closes the client") func textThatIsTooLongOrNoTextClosesTheClient()
      throws
    {
      let d = try Desktop(compositor: nil)
      let item = R.message(3, 3, R.words([4]))
      for (what, bytes) in [
        ("name not UTF-8", item + R.message(4, 2, R.string([0xC3, 0x28]))),
        ("name too long", item + R.message(4, 2, R.string([UInt8](repeating: 65, count: 256)))),
        ("type no type", item + R.message(4, 3, R.string("plain") + R.words([0]))),
        ("type with a newline", item + R.message(4, 3, R.string("text/plain\nX") + R.words([0]))),
        ("type too long", item + R.message(4, 3, R.string("a/" + String(repeating: "b", count: 126)) + R.words([0]))),
        ("visibility unknown", item + R.message(4, 3, R.string("a/b") + R.words([4]))),
        ("team data that begins in the middle", item + R.message(4, 5, R.words([1, 0]))),
        ("hello twice", R.message(3, 1, R.string("again"))),
        ("roles unknown", R.message(3, 2, R.words([5, 1])) + R.message(5, 3, R.words([1 << 20]))),
        (
          "rectangle out of range",
          R.message(3, 2, R.words([5, 1])) + R.message(5, 2, R.words([0, 0, 0x7FFF_FFFF, 1]))
        ),
        ("rectangle negative", R.message(3, 2, R.words([5, 1])) + R.message(5, 2, R.words([0, 0, 0xFFFF_FFFF, 1]))),
      ] {
        let raw = try R(d.socket)
        raw.greet()
        raw.send(bytes)
        #expect(raw.isClosed(), "\(what): not closed")
      }
      // Too many types, too many items.
      let types = try R(d.socket)
      types.greet()
      types.send(item)
      for i in 0...Limits.typesPerItem { types.send(R.message(4, 3, R.string("a/b\(i)") + R.words([0]))) }
      #expect(types.isClosed())
      let items = try R(d.socket)
      items.greet()
      for i in 0...Limits.itemsPerClient { items.send(R.message(3, 3, R.words([UInt32(4 + i)]))) }
      #expect(items.isClosed())
      // Regions of windows that there are not: each is a question to the X server.
      let regions = try R(d.socket)
      regions.greet()
      for i in 0..<200 { regions.send(R.message(3, 2, R.words([UInt32(4 + i), 0x7FFF_FF00 + UInt32(i)]))) }
      #expect(regions.isClosed())
      #expect(stillWorks(d))
    }

    @Test("K5: only the own windows take regions") func onlyTheOwnWindowsTakeRegions() throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      #expect(d.engine.readLine { $0.contains("is carry drop") } != nil)
      // The bridge has windows, too, which nobody sees.
      var window: CarryModel.WindowID?
      let isSeen = Wait.until {
        window = d.client.children(of: d.client.root).first { d.client.facts($0)?.isMapped == true }
        return window != nil
      }
      try #require(isSeen)
      let foreign = try #require(window)
      let client = try Client(name: "thief", socket: d.socket)
      let own = d.client.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 10, height: 10))
      d.client.sync()
      var refusals: [String] = []
      final class Quiet: DropInteractionDelegate {}
      let quiet = Quiet()
      var regions: [Region] = []
      for window in [foreign.raw, own.raw, d.client.root.raw, 0x7FFF_FFFF] {
        let region = Region(client: client, window: window, frame: Carry.Rect(x: 0, y: 0, width: 10, height: 10))
        region.onRefused = { refusals.append($0) }
        region.addInteraction(DropInteraction(delegate: quiet))
        regions.append(region)
      }
      try client.synchronize()
      #expect(refusals.count == 3)
      #expect(regions[1].refusal == nil)
      #expect(regions[0].refusal?.contains("does not belong") == true)
      #expect(regions[3].refusal?.contains("no such window") == true)
      // The window goes: the region with it.
      d.client.destroy(own)
      d.client.sync()
      #expect(Wait.until { (try? client.dispatch()) != nil && refusals.count == 4 })
      withExtendedLifetime(target) {}
    }

    @Test("the socket is for its owner alone") func theSocketIsForItsOwnerAlone() throws {
      let d = try Desktop(compositor: nil)
      var status = stat()
      #expect(stat(d.socket, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      // Another uid, which only root can take on.
      guard getuid() == 0 else {
        print("LEFT OUT: T15 with another uid needs root")
        return
      }
      chmod(d.folder, 0o755)
      chmod(d.socket, 0o666)
      let other = try ChildProcess(
        ["setpriv", "--reuid=65534", "--clear-groups", try Checkout.program("carry"), "monitor", "--socket", d.socket],
        output: .pipe)
      #expect(other.waitForExit(seconds: 10) == 3)
      #expect(d.engine.readLine { $0.contains("refused") && $0.contains("uid 65534") } != nil)
      #expect(stillWorks(d))
    }

    @Test func aProtocolErrorSaysWhatWasWrong() throws {
      let d = try Desktop(compositor: nil)
      let own = d.client.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 10, height: 10))
      d.client.sync()
      let connection = try WireConnection(path: d.socket, name: "careless")
      let region = try #require(connection.makeRegion(window: own.raw))
      region.setRoles(RegionRoles(rawValue: 1 << 31))
      do {
        try connection.roundTrip()
        Issue.record("not an error")
      } catch {
        #expect(error.sentence.contains("unknown role"), "\(error.sentence)")
      }
    }

    /// A drag that stays over the target for so long: a busy machine may take its time to see that it is there.
    private static func restsOverTarget(milliseconds: Int) -> FingerScript {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1400), upAt: 1600 + milliseconds)
      return s
    }

    @Test("whoever dies during a drop leaves nothing and the engine goes on")
    func whoeverDiesDuringADropLeavesNothingAndTheEngineGoesOn() throws {
      for victim in ["source", "target"] {
        let d = try Desktop(Self.restsOverTarget(milliseconds: 5000), clients: 2, compositor: nil)
        let source = try d.source("--text", "hello")
        let target = try d.target()
        #expect(d.step("updated") != nil)
        (victim == "source" ? source : target).stop(SIGKILL)
        #expect(d.step("cancelled") != nil, "\(victim)")
        #expect(d.step("ended") != nil, "\(victim)")
        #expect(d.playToTheEnd() == 0, "\(victim)")
        let survivor = victim == "source" ? target : source
        #expect(events(survivor.remainingLines()).last == (victim == "source" ? "ended" : "cancelled"))
      }
    }

    @Test("Z7: an engine that is stopped in the middle tells everybody")
    func Z7_anEngineThatIsStoppedInTheMiddleTellsEverybody() throws {
      let d = try Desktop(Self.restsOverTarget(milliseconds: 600_000), clients: 2, compositor: nil)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      #expect(d.step("updated") != nil)
      #expect(d.engine.stop(SIGTERM) == 0)
      #expect(events(source.remainingLines()).last == "cancelled")
      #expect(events(target.remainingLines()).last == "ended")
      #expect(!Files.exists(d.socket))
    }
  }
}
