import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  @Suite(.serialized) struct Looks {
    /// Lifts, carries to a place between a white and a black window, and holds there for long.
    private static func hold(_ x: Int, _ y: Int) -> FingerScript {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(x, y, 650...1000), upAt: 60_000)
      return s
    }

    @Test("B2: the preview is translucent over a window and gone afterwards", arguments: Compositor.Kind.allCases)
    func B2_thePreviewIsTranslucentOverAWindowAndGoneAfterwards(_ kind: Compositor.Kind) throws {
      let d = try Desktop(Self.hold(640, 400), compositor: kind)
      d.client.makeWindow(Rect(x: 440, y: 200, width: 200, height: 400), color: 0xFFFFFF)
      d.client.makeWindow(Rect(x: 640, y: 200, width: 200, height: 400), color: 0x000000)
      d.client.sync()
      let source = try d.source("--text", "hello")
      #expect(d.step("began") != nil)
      // Over white and over black the same card looks different: what lies below shines through. Its own colour is
      // there as well: neither half is what it was.
      let seen = d.shows { shot in
        let (left, right) = (shot[610, 470], shot[670, 470])
        let through = left.distance(to: right) > 12
        let card = left.blue - left.red > 40 && right.blue - right.red > 40
        return through && card
      }
      #expect(seen, "not translucent: \(d.color(610, 470)) over white, \(d.color(670, 470)) over black")
      // T31: the engine dies with the stack in the air; the X server frees its windows.
      d.engine.stop(SIGKILL)
      #expect(d.shows { $0[610, 470] == .init(255, 255, 255) && $0[670, 470] == .init(0, 0, 0) })
      withExtendedLifetime(source) {}
    }

    @Test("B2: what rests in the air stays in sight when the compositing manager goes, and when one comes")
    func B2_aRestingPreviewOutlastsTheCompositingManager() throws {
      // A second stack flies back, and after it nothing moves.
      var script = Self.hold(640, 400)
      script.carry(from: (100, 300), at: 1200, .to(200, 650, 1850...2000), upAt: 2400)
      let d = try Desktop(script)
      d.client.makeWindow(Rect(x: 440, y: 200, width: 400, height: 400), color: 0xFFFFFF)
      d.client.sync()
      let source = try d.source("--text", "hello")
      #expect(d.step("began") != nil)
      // Within the white window, and away from the finger.
      func isThere() -> Bool { d.shows { $0[640, 470].blue - $0[640, 470].red > 40 } }
      #expect(isThere())
      #expect(d.step("ended") != nil)
      d.compositor?.process.stop(SIGKILL)
      #expect(d.engine.readLine { $0.contains("no compositing manager runs") } != nil)
      #expect(isThere(), "\(d.color(640, 470))")
      let another = try Compositor(.picom, on: d.server)
      #expect(d.engine.readLine { $0.contains("a compositing manager runs") } != nil)
      #expect(isThere(), "\(d.color(640, 470))")
      withExtendedLifetime((source, another)) {}
    }

    @Test("a dead source leaves no preview") func aDeadSourceLeavesNoPreview() throws {
      let d = try Desktop(Self.hold(640, 400))
      d.client.makeWindow(Rect(x: 440, y: 200, width: 400, height: 400), color: 0xFFFFFF)
      d.client.sync()
      let source = try d.source("--text", "hello")
      #expect(d.step("began") != nil)
      #expect(d.shows { $0[640, 470] != .init(255, 255, 255) })
      source.stop(SIGKILL)
      #expect(d.step("cancelled") != nil)
      #expect(d.step("ended") != nil)
      #expect(d.shows { $0[640, 470] == .init(255, 255, 255) })
      #expect(d.engine.isRunning)
    }

    @Test("O3, L7: badges are green over a target that copies and red with a count")
    func O3_L7_badgesAreGreenOverATargetThatCopiesAndRedWithACount() throws {
      var script = Traces.screen
      script.carry(
        from: (200, 400), at: 0, .to(600, 400, 650...1000), .tap(180, 480, at: 1200), .to(1000, 400, 8000...8300),
        upAt: 60_000)
      let d = try Desktop(script, clients: 2)
      let source = try d.source("--text", "hello")
      let target = try d.target()
      func has(_ shot: Screenshot, _ wanted: (Screenshot.Color) -> Bool) -> Bool {
        var n = 0
        for y in stride(from: 150, to: 500, by: 2) {
          for x in stride(from: 450, to: 1200, by: 2) where wanted(shot[x, y]) { n += 1 }
        }
        return n > 20
      }
      #expect(d.step("items-added") != nil)
      #expect(d.shows { has($0) { $0.red > 200 && $0.green < 90 && $0.blue < 90 } }, "no red badge")
      #expect(d.step("entered") != nil)
      #expect(d.shows { has($0) { $0.green > 150 && $0.red < 90 && $0.blue < 110 } }, "no green badge")
      withExtendedLifetime((source, target)) {}
    }
  }
}
