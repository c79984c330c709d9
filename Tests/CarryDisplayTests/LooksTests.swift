import CarryDisplay
import CarryModel
import CarryStage
import CarrySystem
import CarryTesting
import Testing

extension DisplayTests {
  /// Pictures for people: `CARRY_LOOKS=/tmp/looks CARRY_LOOKS_BACKGROUND=photo.png swift test --filter Looks`.
  @Suite struct Looks {
    private struct Shoot: ~Copyable {
      let desk: Desk
      let directory: String
      var stage: Stage
      var list = DrawList()
      var n = 0

      mutating func frame(_ t: Int, _ name: String) {
        stage.frame(at: ms(t), into: &list)
        desk.display.apply(list)
        #expect(desk.settleOnScreen())
        n += 1
        let number = n < 10 ? "0\(n)" : "\(n)"
        desk.client.screenshot()?.write(to: "\(directory)/\(number)-\(name).png")
      }

      mutating func skip(_ t: Int) {
        stage.frame(at: ms(t), into: &list)
        desk.display.apply(list)
      }
    }

    @Test(.enabled(if: environment("CARRY_LOOKS") != nil), arguments: [nil, Compositor.Kind.picom, .xcompmgr])
    func everyStageOfADrag(_ kind: Compositor.Kind?) throws {
      let directory = try #require(environment("CARRY_LOOKS")) + "/" + (kind?.rawValue ?? "none")
      _ = try ChildProcess(["mkdir", "-p", directory]).waitForExit(seconds: 5)
      let desk = try Desk(width: 1000, height: 640)
      let desktop = desk.client.makeWindow(Rect(x: 0, y: 0, width: 1000, height: 640), color: 0x607080)
      if let file = environment("CARRY_LOOKS_BACKGROUND") { desk.client.setBackground(desktop, png: file) }
      let compositor = try kind.map { try Compositor($0, on: desk.server) }
      let photo = desk.client.makeWindow(Rect(x: 60, y: 80, width: 220, height: 150), color: 0x3366AA)
      let note = desk.client.makeWindow(Rect(x: 60, y: 300, width: 180, height: 120), color: 0xFFFFFF)
      let icon = desk.client.makeWindow(Rect(x: 320, y: 330, width: 96, height: 96), color: 0xE08030)
      let text = desk.client.makeWindow(Rect(x: 60, y: 470, width: 420, height: 130), color: 0xFAFAFA)
      for (name, id) in [("PHOTO", photo), ("NOTE", note), ("ICON", icon), ("TEXT", text)] {
        if let file = environment("CARRY_LOOKS_\(name)") { desk.client.setBackground(id, png: file) }
      }
      desk.settle()
      #expect(desk.wait { desk.display.isComposited == (kind != nil) })
      var s = Shoot(desk: desk, directory: directory, stage: Stage(settings: Settings()))
      let a = SessionID(1)
      func shot(_ id: WindowID, _ size: Size) throws -> ImageID {
        try #require(desk.display.snapshot(id, Rect(origin: .zero, size: size)))
      }
      let photoRect = Rect(x: 60, y: 80, width: 220, height: 150)
      let noteRect = Rect(x: 60, y: 300, width: 180, height: 120)
      let iconRect = Rect(x: 320, y: 330, width: 96, height: 96)
      let image = try shot(photo, photoRect.size)
      let touch = Point(x: 200, y: 170)
      s.stage.lift(a, images: [image], source: photoRect, touch: touch, at: .zero, duration: .milliseconds(350))
      s.frame(0, "lift-0")
      s.frame(120, "lift-120")
      s.frame(220, "lift-220")
      s.frame(350, "lifted")
      s.stage.beginDrag(a, touch: touch, at: ms(400))
      s.stage.move(a, to: Point(x: 560, y: 250), at: ms(410))
      s.skip(420)
      s.frame(900, "carried")
      s.stage.add(a, images: [try shot(note, noteRect.size)], source: noteRect, at: ms(1000))
      s.frame(1060, "fly-60")
      s.frame(1190, "fly-190")
      s.frame(1300, "fly-300")
      s.frame(1390, "landed")
      s.stage.add(a, images: [try shot(icon, iconRect.size)], source: iconRect, at: ms(1500))
      s.frame(1700, "fly-2")
      s.frame(2000, "three")
      s.stage.setBadge(a, .copy(3), at: ms(2100))
      s.frame(2140, "badge-pop")
      s.frame(2600, "copy-3")
      s.stage.move(a, to: Point(x: 700, y: 420), at: ms(2700))
      s.frame(2700, "moved")
      s.stage.setBadge(a, .forbidden, at: ms(2800))
      s.frame(3200, "forbidden")
      s.stage.setBadge(a, .count(3), at: ms(3200))
      s.skip(3600)
      s.stage.cancel(a, at: ms(3700))
      s.frame(3780, "cancel-80")
      s.frame(3860, "cancel-160")
      s.frame(3940, "cancel-240")
      s.frame(4040, "cancel-340")
      s.frame(5000, "cancelled")
      // Three copies from one press, and a drop.
      let b = SessionID(2)
      s.stage.lift(
        b, images: [image, image, image], source: photoRect, touch: touch, at: ms(6000), duration: .milliseconds(350))
      s.frame(6400, "three-lifted")
      s.stage.beginDrag(b, touch: touch, at: ms(6400))
      s.stage.move(b, to: Point(x: 640, y: 200), at: ms(6400))
      s.stage.setBadge(b, .copy(3), at: ms(6420))
      s.skip(6500)
      s.frame(7000, "three-carried")
      s.stage.drop(b, into: Rect(x: 560, y: 120, width: 200, height: 200), at: Point(x: 640, y: 200), at: ms(7100))
      s.frame(7160, "drop-60")
      s.frame(7230, "drop-130")
      s.frame(7300, "drop-200")
      s.frame(8000, "dropped")
      // A wide text, a missing picture, two sessions at once.
      let c = SessionID(3)
      let textRect = Rect(x: 60, y: 470, width: 420, height: 130)
      s.stage.lift(
        c, images: [try shot(text, textRect.size)], source: textRect, touch: Point(x: 300, y: 520), at: ms(9000),
        duration: .milliseconds(350))
      s.frame(9400, "text-lifted")
      s.stage.beginDrag(c, touch: Point(x: 300, y: 520), at: ms(9400))
      s.stage.move(c, to: Point(x: 430, y: 250), at: ms(9410))
      s.stage.lift(
        a, images: [ImageID(0)], source: noteRect, touch: Point(x: 100, y: 350), at: ms(9500),
        duration: .milliseconds(350))
      s.skip(9500)
      s.skip(9900)
      s.stage.beginDrag(a, touch: Point(x: 100, y: 350), at: ms(9900))
      s.stage.move(a, to: Point(x: 720, y: 420), at: ms(9900))
      s.stage.setBadge(a, .copy(1), at: ms(9900))
      s.skip(9950)
      s.frame(10500, "text-and-missing")
      compositor?.process.stop()
    }
  }
}
