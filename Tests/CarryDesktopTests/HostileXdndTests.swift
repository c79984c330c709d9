import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension DesktopTests {
  /// T29: programs that speak XDND, and want to harm.
  @Suite(.serialized) struct HostileXdnd {
    /// The finger rests over the target for so long.
    private func restingFinger(until milliseconds: Int) -> FingerScript {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1400), upAt: milliseconds)
      return script
    }

    private func bridge(of d: Desktop) throws -> Int32 {
      let all = ProcessID.children(of: d.engine.pid).filter { ProcessID.arguments(of: $0).contains("--bridge") }
      return try #require(all.first)
    }

    @Test("a target that goes while a drag hovers leaves nothing behind: the selection is free again")
    func goesInMidHover() throws {
      let d = try Desktop(restingFinger(until: 9000), compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "secret")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      #expect(d.client.hasSelectionOwner("XdndSelection"))
      target.status(accepts: true)
      target.client.destroy(target.window)
      target.client.sync()
      // The finger still carries.
      let isFree = Wait.until(seconds: 4) { !d.client.hasSelectionOwner("XdndSelection") }
      #expect(isFree && kill(d.engine.pid, 0) == 0)
      #expect(d.playToTheEnd() == 0)
      #expect(events(source.remainingLines()).last == "cancelled")
    }

    @Test("Z3: a window that another program has named as a proxy hears nothing, and gets nothing")
    func Z3_aStrangersProxy() throws {
      let d = try Desktop(restingFinger(until: 3000), compositor: nil)
      let thief = try #require(RawXdndTarget(on: d, Rect(x: 0, y: 700, width: 10, height: 10)))
      let victim = try XdndPeer(.gtk3, on: d)
      let windows = d.client.children(of: d.client.root).filter { !d.client.property("XdndAware", of: $0).isEmpty }
      for window in windows + [thief.window] { thief.client.set("XdndProxy", of: window, [UInt(thief.window.raw)]) }
      thief.client.sync()
      #expect(windows.count >= 2)
      let source = try d.source("--text", "secret")
      #expect(victim.drop(seconds: 12)?.hasSuffix("secret") == true)
      #expect(d.playToTheEnd() == 0)
      #expect(thief.offerHasEnded() && thief.next(seconds: 0) == nil)
      _ = source
    }

    @Test(
      "Z1: a target that never says XdndFinished, or says it to the root window, ends the drop with its data",
      arguments: [false, true])
    func Z1_neverFinished(saysItToTheRoot: Bool) throws {
      let d = try Desktop(restingFinger(until: 2000), compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "words", "--once")
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      #expect(target.convert("UTF8_STRING") == Array("words".utf8))
      if saysItToTheRoot { target.finish(to: UInt(target.client.root.raw)) }
      // The engine plays to the end of the session, and fails it after 30 s.
      #expect(source.waitForExit(seconds: 20) == 0)
      #expect(d.playToTheEnd() == 0)
    }

    @Test("a target that asks for a file many times at once gets one file") func manyAskForAFile() throws {
      let d = try Desktop(restingFinger(until: 2000), compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let path = d.folder + "/data"
      try Files.write(Array(repeating: UInt8(ascii: "a"), count: 4 << 20), to: path)
      let source = try d.source("--type", "application/x-carry-test", "--data", path)
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      let answers = target.convertAtOnce("text/uri-list", times: 200)
      #expect(answers.count == 200 && Set(answers).count == 1, "\(answers.count) answers, \(Set(answers).count) files")
      target.finish()
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    /// What others make before the target comes: processes, connections of each, windows of each connection, and the version of
    /// XDND that these speak.
    enum Crowd: String, CaseIterable {
      case windows = "1 1 17000 0"
      case connections = "1 9 2048 0"
      case targetsOfConnections = "1 32 128 5"
    }

    /// Starts programs with many windows, and waits until all of these are there.
    private func start(_ crowd: Crowd, on d: Desktop) throws -> ChildProcess {
      let program = try PeerProgram.build("crowd", "gcc '\(Checkout.peers)/xdnd-crowd.c' -lX11")
      let process = try ChildProcess(
        [program] + crowd.rawValue.split(separator: " ").map(String.init), environment: ["DISPLAY": d.server.display],
        output: .pipe)
      try #require(process.readLine(seconds: 60) { $0 == "ready" } != nil)
      return process
    }

    @Test("programs with thousands of windows leave room for those of others", arguments: Crowd.allCases)
    func thousandsOfWindows(crowd: Crowd) throws {
      let d = try Desktop(restingFinger(until: 4000), compositor: nil)
      let greedy = try start(crowd, on: d)
      let target = try #require(RawXdndTarget(on: d))
      #expect(target.isFollowed())
      let source = try d.source("--text", "secret")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      target.status(accepts: true)
      // Windows that take drops and then do not, while the finger rests.
      let window = d.client.makeWindow(Rect(x: 0, y: 700, width: 10, height: 10))
      for i in 0..<4000 { d.client.set("XdndAware", of: window, [UInt(i % 2 == 0 ? 5 : 0)]) }
      d.client.sync()
      #expect(target.answer(until: .drop) != nil)
      #expect(target.convert("text/plain") == Array("secret".utf8))
      target.finish()
      #expect(d.playToTheEnd() == 0)
      withExtendedLifetime((source, greedy)) {}
    }

    @Test("a window that came while a program had thousands is found after that has ended")
    func afterThousandsOfWindows() throws {
      let d = try Desktop(restingFinger(until: 4000), compositor: nil)
      let greedy = try start(.targetsOfConnections, on: d)
      let target = try #require(RawXdndTarget(on: d))
      #expect(target.isFollowed())
      greedy.stop(SIGKILL)
      let areGone = Wait.until(seconds: 20) { d.client.children(of: d.client.root).count < 128 }
      #expect(areGone)
      // The X server gives the numbers of these windows to the next program. The engine has to know that they are gone.
      let fence = try Client(name: "fence", socket: d.socket)
      let window = d.client.makeWindow(Rect(x: 0, y: 740, width: 2, height: 2))
      d.client.sync()
      let region = Region(client: fence, window: window.raw, frame: Carry.Rect(x: 0, y: 0, width: 2, height: 2))
      _ = region.onDrop(of: ["text/plain"]) { _ in }
      try fence.synchronize()
      #expect(region.refusal == nil)
      let source = try d.source("--text", "secret")
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      #expect(target.convert("text/plain") == Array("secret".utf8))
      target.finish()
      #expect(d.playToTheEnd() == 0)
      withExtendedLifetime(source) {}
    }

    @Test("a program that begins hundreds of drags a second delays nobody's")
    func hundredsOfDrags() throws {
      let d = try Desktop(restingFinger(until: 6000), clients: 2, compositor: nil)
      let program = try PeerProgram.build("enters", "gcc '\(Checkout.peers)/xdnd-enters.c' -lX11")
      let letters = try d.target(geometry: "100x100+1100+600")
      let looker = try #require(RawXdndSource(on: d, owning: false))
      #expect(looker.serve { looker.findsDoor(at: 1150, 650) })
      let door = try #require(looker.properties().proxy)
      let source = try d.source("--text", "secret")
      let target = try #require(RawXdndTarget(on: d))
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      let bridge = try bridge(of: d)
      let flood = try ChildProcess(
        [program, "\(door)", "\(looker.targetWindow.raw)"], environment: ["DISPLAY": d.server.display], output: .pipe)
      let hasDropped = target.answer(until: .drop, seconds: 60) != nil
      flood.stop(SIGKILL)
      #expect(hasDropped && kill(bridge, 0) == 0)
      target.finish()
      #expect(d.playToTheEnd() == 0)
      _ = (source, letters)
    }

    @Test("a program that sends answers without end delays nobody") func endlessAnswers() throws {
      let d = try Desktop(restingFinger(until: 4000), compositor: nil)
      let program = try PeerProgram.build("flood", "gcc '\(Checkout.peers)/xdnd-flood.c' -lX11")
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "secret")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      let flood = try ChildProcess(
        [program, "\(target.source)", "\(target.window.raw)"], environment: ["DISPLAY": d.server.display], output: .pipe
      )
      let hasDropped = target.answer(until: .drop, seconds: 60) != nil
      flood.stop(SIGKILL)
      #expect(hasDropped)
      target.finish()
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    @Test("Z3: whoever asks in the target's name while a drag hovers, the target gets what is dropped on it")
    func Z3_manyAskBeforeTheDrop() throws {
      let d = try Desktop(restingFinger(until: 4000), compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "secret")
      #expect(target.answer(until: .position, seconds: 20) != nil)
      let answers = target.convertAtOnce("text/plain", times: 1100)
      #expect(!answers.contains(Array("secret".utf8)))
      target.status(accepts: true)
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      #expect(target.convert("text/plain") == Array("secret".utf8))
      target.finish()
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    @Test("a program that changes what its window is called half a million times delays nobody's drag")
    func manyNames() throws {
      let d = try Desktop(compositor: nil)
      // One that the bridge asks about once more, as it is called like a program on the list.
      let restless = try #require(XClient(d.server.display))
      let window = restless.makeWindow(Rect(x: 0, y: 750, width: 20, height: 20))
      restless.sync()
      let letters = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      source.answers = ["UTF8_STRING": .bytes(Array("a".utf8))]
      // By then the bridge watches all windows.
      #expect(source.serve { source.findsDoor(at: 1000, 400) })
      let bridge = try bridge(of: d)
      let name = Array("odd\0Thunar\0".utf8)
      for _ in 0..<500_000 {
        XChangeProperty(
          restless.connection, UInt(window.raw), Atom(XA_WM_CLASS), Atom(XA_STRING), 8, PropModeReplace, name,
          CInt(name.count))
      }
      restless.sync()
      // One answer of the X server for each change would take several times as long.
      source.enter(["UTF8_STRING"])
      source.position(1000, 400)
      #expect(source.isAnswered(accepts: true, seconds: 20) && kill(bridge, 0) == 0)
      source.drop()
      #expect(source.finished() == true)
      withExtendedLifetime(letters) {}
    }

    @Test("drops of a program that has no data push out its own, which hears it, and no other program's")
    func falseDrops() throws {
      let d = try Desktop(compositor: nil)
      let program = try PeerProgram.build("drops", "gcc '\(Checkout.peers)/xdnd-drops.c' -lX11")
      let letters = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      source.answers = ["UTF8_STRING": .bytes(Array("mine".utf8))]
      #expect(source.serve { source.findsDoor(at: 1000, 400) })
      let door = try #require(source.properties().proxy)
      source.enter(["UTF8_STRING"])
      source.position(1000, 400)
      #expect(source.isAnswered(accepts: true))
      source.drop()
      // The source is busy: it answers nobody while the other one drops, and so no drop is over.
      let greedy = try ChildProcess(
        [program, "\(door)", "\(source.targetWindow.raw)", "16", "1000", "400"],
        environment: ["DISPLAY": d.server.display], output: .pipe)
      for _ in 0..<16 { try #require(greedy.readLine(seconds: 20) { $0 == "dropped" } != nil) }
      #expect(greedy.readLine(seconds: 15) { $0 == "taken" || $0 == "refused" } == "refused")
      greedy.stop(SIGKILL)
      #expect(source.finished() == true)
      withExtendedLifetime(letters) {}
    }

    @Test("a bridge that stands still delays no drag between Carry's own", arguments: [false, true])
    func bridgeStandsStill(inTheDrop: Bool) throws {
      let d = try Desktop(Traces.twoAtOnce, clients: 3, compositor: nil)
      let above = try #require(RawXdndTarget(on: d, Rect(x: 850, y: 50, width: 300, height: 300)))
      let below = try d.target(geometry: "300x300+850+450")
      let sources = [
        try d.source("--text", "above", geometry: "300x300+50+50"),
        try d.source("--text", "below", geometry: "300x300+50+450"),
      ]
      if inTheDrop {
        #expect(above.answer(until: .drop, seconds: 20) != nil)
      } else {
        guard case .enter = above.next(seconds: 20) else { return #expect(Bool(false)) }
      }
      let bridge = try bridge(of: d)
      kill(bridge, SIGSTOP)
      defer { kill(bridge, SIGKILL) }
      #expect(below.readLine(seconds: 10) { $0.contains("\"received\"") } != nil)
      #expect(d.engine.waitForExit(seconds: 50) == 0)
      let seen = events(sources[0].remainingLines())
      #expect(["cancelled", "ended"].contains(seen.last), "\(seen)")
    }
  }
}
