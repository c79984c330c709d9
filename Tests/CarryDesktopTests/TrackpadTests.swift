import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension Traces {
  /// A pad of 100 × 60 mm: with the usual speed its units are the screen's pixels. The pointer starts in the middle.
  static func pad(_ surface: FingerScript.Surface) -> FingerScript { FingerScript(width: 1000, height: 600, surface) }

  /// A finger takes the pointer to the source, clicks and holds until it lifts; another one taps while the pointer is
  /// over the source still; the first lets go on the way, to reach further, and then for good.
  static var clickpadDrag: FingerScript {
    var s = pad(.clickpad)
    let a = s.down(600, 300, at: 0)
    s.move(a, to: 160, 300, from: 30, until: 230)
    s.button(true, at: 300)
    s.move(a, to: 200, 260, from: 850, until: 950)
    s.tap(600, 400, at: 1000)
    s.move(a, to: 400, 260, from: 1300, until: 1450)
    s.button(false, at: 1500)
    s.up(a, at: 1520)
    // It grips again within the grace time, without a click.
    s.carry(from: (300, 300), at: 1800, .to(860, 340, 1830...2150), upAt: 2250)
    return s
  }

  /// Tap, touch again and hold; a tap of another finger; let go.
  static func tapAndHold(_ surface: FingerScript.Surface) -> FingerScript {
    var s = pad(surface)
    s.carry(from: (600, 300), at: 0, .to(160, 300, 30...230), upAt: 300)
    s.tap(160, 300, at: 500)
    s.carry(
      from: (160, 300), at: 700, .to(200, 260, 1250...1350), .tap(600, 400, at: 1450), .to(960, 300, 1750...2100),
      upAt: 2150)
    return s
  }
}

@Suite struct TrackpadRecordingTests {
  /// Set CARRY_WRITE_TRACES=1 to write the files of Tests/Fixtures/traces instead of comparing them.
  @Test(arguments: ["clickpad-drag", "tap-and-hold"]) func theFilesAreWhatTheScriptsWrite(name: String) throws {
    let script = name == "tap-and-hold" ? Traces.tapAndHold(.plainPad) : Traces.clickpadDrag
    let path = Checkout.fixtures + "/traces/\(name).events"
    if environment("CARRY_WRITE_TRACES") != nil { try Files.write(script.text, to: path) }
    #expect(try Files.read(path, limit: 1 << 20) == script.text)
  }
}

extension DesktopTests {
  /// Z6: trackpads, from recordings that the engine plays with a pointer of its own.
  @Suite(.serialized) struct Trackpads {
    private func texts(_ target: ChildProcess) -> [String] {
      target.remainingLines().filter { $0.contains("\"received\"") && $0.contains("\"text\": \"hello\"") }
    }

    @Test("Z6, A1: click and hold, another finger's tap, a re-grip and the drop, up to the data")
    func Z6_A1_clickHoldTapRegripAndDrop() throws {
      let d = try Desktop(Traces.clickpadDrag, clients: 2)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      #expect(d.playToTheEnd() == 0)
      #expect(texts(target).count == 2)
      let steps = d.monitor.remainingLines()
      #expect(
        events(steps).collapsed.filter { $0 != "updated" } == [
          "lift-began", "lifted", "began", "items-added", "entered", "dropped", "received", "data-delivered", "ended",
        ])
      #expect(steps.contains { $0.contains("\"device\": \"Carry test clickpad\"") }, "\(steps)")
      withExtendedLifetime(source) {}
    }

    @Test("Z6: the keys of [trackpad] are read, and refused with what they take") func Z6_keys() throws {
      let folder = try TestFolder("pad")
      for (key, complaint) in [
        ("enabled = maybe", "'enabled' takes yes or no, not 'maybe'"), ("regrip-ms = -1", "from 0 to 5000"),
        ("tap-again-ms = x", "from 0 to 2000"), ("replay-px-per-mm = 0", "from 1 to 200"),
        ("enabled = yes\nregrip-ms = 0\ntap-again-ms = 300\nreplay-px-per-mm = 4.5", ":4711"),
      ] {
        let settings = try folder.write("[trackpad]\n\(key)\n", to: "carry.conf")
        let p = try ChildProcess(
          [
            try Checkout.program("carryd"), "--config", settings, "--display", ":4711", "--socket", folder.path + "/s",
          ], output: .pipe)
        let text = p.remainingLines().joined(separator: "\n")
        #expect(text.contains(complaint), "\(text)")
      }
    }

    @Test("Z6, A1: tap and hold on a pad that only counts its fingers")
    func Z6_A1_tapAndHoldOnAPadThatOnlyCounts() throws {
      let d = try Desktop(Traces.tapAndHold(.semiMultitouchPad), clients: 2)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      #expect(d.playToTheEnd() == 0)
      #expect(texts(target).count == 2)
      #expect(events(d.monitor.remainingLines()).contains("items-added"))
      withExtendedLifetime(source) {}
    }
  }
}
