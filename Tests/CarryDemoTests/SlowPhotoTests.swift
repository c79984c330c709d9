import CX11
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DemoTests {
  /// Drag Source at 0,40 of the screen, 480×720: its far images are at 92, 240 and 388 from the left, 670 from the top.
  /// Mail at 500,40, 760×720: its letter is right of 819.
  @Suite(.serialized) struct SlowPhotoTests {
    private static let source = ["--json", "--geometry", "480x720+0+40"]
    private static let mail = ["--json", "--geometry", "760x720+500+40"]
    /// In the transfer window's paper, for a drop at 1000,400.
    private static let paper = (x: 826, y: 470)
    private static let button = (x: 1132, y: 461)

    /// Whether the bar is blue at its beginning, and not yet further on.
    private static func isUnderWay(_ shot: Screenshot) -> Bool {
      let blue = Screenshot.Color(40, 115, 220)
      func has(_ x: Int) -> Bool { (458..<470).contains { shot[x, $0].distance(to: blue) < 40 } }
      return has(838) && !has(1050)
    }

    @Test("DM7, R5: a far photo comes into a letter while the engine's window shows how far it is")
    func DM7_R5_theWindowShowsHowFarItIs() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (92, 670), at: t, .to(1000, 400, (t + 800)...(t + 1300)), upAt: t + 1800)
      s.tap(5, 790, at: t + 20_000)
      let d = try Desktop(demo: s, apps: 2)
      let mail = try d.start("carry-mail", Self.mail)
      let source = try d.start("carry-drag-source", Self.source + ["--delay", "5"])
      #expect(mail.said("room", "image 1") != nil)
      #expect(d.shows { $0[Self.paper.x, Self.paper.y].distance(to: .init(255, 255, 255)) < 8 && Self.isUnderWay($0) })
      d.shoot("slow-photo")
      #expect(mail.said("image-arrived", "Far morning mist.png") != nil)
      #expect(source.said("transferred", "\"representations\": 1") != nil)
      // Nothing but the letter is there now.
      #expect(d.shows { $0[850, 480].distance(to: .init(255, 255, 255)) > 8 })
    }

    @Test("DM7, R5: Cancel in the engine's window ends it for the letter and for the far photo")
    func DM7_R5_cancel() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (240, 670), at: t, .to(1000, 400, (t + 800)...(t + 1300)), upAt: t + 1800)
      s.tap(Self.button.x, Self.button.y, at: t + 4500)
      s.tap(5, 790, at: t + 20_000)
      let d = try Desktop(demo: s, apps: 2)
      let mail = try d.start("carry-mail", Self.mail)
      let source = try d.start("carry-drag-source", Self.source + ["--delay", "20"])
      #expect(mail.said("room", "image 1") != nil)
      #expect(d.shows { $0[Self.paper.x, Self.paper.y].distance(to: .init(255, 255, 255)) < 8 })
      // Long before the fifty seconds that it would take.
      #expect(mail.said("image-failed", "Far northern lights.png") != nil)
      d.shoot("slow-photo-cancelled")
      #expect(source.said("transferred") != nil)
    }
  }
}
