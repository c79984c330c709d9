import CX11
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// The demos; each app's tests one at a time, on X servers of their own.
@Suite enum DemoTests {
  @Suite(.serialized) struct PinboardTests {
    /// Where a photo hangs, from a line of the board's.
    private func place(of photo: String, in line: String?) -> (x: Int, y: Int)? {
      guard let line, let name = line.range(of: "\"\(photo) shown ") else { return nil }
      let numbers = line[name.upperBound...].prefix { $0 != "\"" }.split(separator: ",").compactMap { Int($0) }
      return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }

    @Test("DM8, G9, E7: a photo comes in where it is dropped, and its bytes go out again as they came")
    func DM8_G9_aPhotoComesInWhereItIsDroppedAndGoesOutAgain() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (100, 200), at: t, .to(500, 300, (t + 700)...(t + 1200)), upAt: t + 1400)
      // The photo that hangs there now.
      s.carry(from: (500, 300), at: t + 3000, .to(1100, 300, (t + 3700)...(t + 4200)), upAt: t + 4400)
      let d = try Desktop(demo: s, apps: 3)
      let picture = try d.makePicture("Blue.png")
      let board = try d.start("carry-pinboard", "--json", "--geometry", "600x500+300+100")
      let target = try d.receiver("250x400+1000+100")
      let source = try d.start("carry", "drag", "--json", "--geometry", "200x200+0+100", picture)

      let dropped = try #require(board.said("dropped"))
      // A copy: its place is there before its data.
      #expect(dropped.contains("Blue.png coming 200,200"))
      let arrived = board.said("arrived")
      let hangs = try #require(place(of: "Blue.png", in: arrived))
      #expect(abs(hangs.x - 200) <= 2 && abs(hangs.y - 200) <= 2)
      #expect(source.said("dropped", "\"operation\": \"copy\"") != nil)
      // The picture itself is there, not only its place.
      #expect(d.shows { $0[500, 290].distance(to: .init(26, 102, 230)) < 8 })
      d.shoot("pinboard-copied")

      #expect(board.said("copied-out", "Blue.png shown") != nil)
      #expect(target.said("received", "\"name\": \"Blue.png\"") != nil)
      #expect(try Files.read(d.received + "/Blue.png", limit: 1 << 20) == Files.read(picture, limit: 1 << 20))
      // A copy went: it hangs as before, and is not dimmed any more.
      #expect(d.shows { $0[500, 290].distance(to: .init(26, 102, 230)) < 8 })
    }

    @Test(
      "DM8, Z9, PC3, PC4: a photo is copied to the clipboard and pasted from it, on a board that takes drops by itself"
    )
    func DM8_Z9_PC3_PC4_copyAndPaste() throws {
      let d = try Desktop(demo: FingerScript(width: 1280, height: 800), apps: 1)
      let picture = try d.makePicture("Blue.png")
      let board = try d.start("carry-pinboard", "--json", "--geometry", "600x500+300+100", picture)
      #expect(board.said("ready") != nil)
      let window = try #require(d.window(titled: "Pinboard"))
      d.press(XK_Tab, in: window)
      #expect(board.said("selected") != nil)
      d.press(XK_c, in: window, control: true)
      #expect(board.said("copied") != nil)
      d.press(XK_v, in: window, control: true)
      #expect(board.said("pasted", "coming 300,250") != nil)
      #expect(board.said("arrived", "shown 300,250") != nil)
      d.press(XK_z, in: window, control: true)
      #expect(board.said("undone") != nil)
    }

    @Test("DM8, LO1, LO2, O4, A11: photos move on their own board, several together, and hang dimmed meanwhile")
    func DM8_LO1_LO2_O4_A11_photosMoveOnTheirOwnBoard() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      // Two photos hang side by side at 300 and 900 of 1200.
      let f = s.down(340, 440, at: t)
      s.move(f, to: 620, 250, from: t + 700, until: t + 1100)
      s.tap(940, 420, at: t + 7400)
      // Once more on the same one adds nothing.
      s.tap(940, 420, at: t + 7900)
      s.move(f, to: 640, 650, from: t + 8400, until: t + 8900)
      s.up(f, at: t + 9100)
      let d = try Desktop(demo: s)
      let a = try d.makePicture("A.png")
      let b = try d.makePicture("B.png")
      let board = try d.start("carry-pinboard", "--json", "--geometry", "1200x760+40+20", a, b)
      let before = try #require(board.said("ready"))
      let start = try #require(place(of: "A.png", in: before))
      #expect(abs(start.x - 300) < 20 && abs(start.y - 380) < 20)
      #expect(d.step("began") != nil)
      // 0.4 of its blue over the cork.
      #expect(d.shows { $0[360, 400].blue < 200 && $0[360, 400].red > 60 && $0[960, 400].blue > 220 })
      // What is carried is not.
      #expect(d.shows { $0[600, 250].blue > 205 && $0[600, 250].red < 90 })
      d.shoot("pinboard-carried")
      #expect(d.step("items-added")?.contains("\"items\": 2") == true)
      #expect(d.shows { $0[960, 400].blue < 200 })
      d.shoot("pinboard-two")
      let dropped = try #require(d.step("dropped"))
      #expect(dropped.contains("\"items\": 2"))
      #expect(dropped.contains("\"operation\": \"move\""))
      let after = board.said("rearranged")
      let (pa, pb) = (try #require(place(of: "A.png", in: after)), try #require(place(of: "B.png", in: after)))
      // Fanned out about the place where the finger let go.
      #expect(abs(pa.x - 600) < 30 && abs(pa.y - 630) < 30)
      #expect(abs(pb.x - 600) < 30 && abs(pb.y - 630) < 30 && pa != pb)
      #expect(board.said("moved-by-drag") != nil)
      #expect(d.shows { $0[640, 640].blue > 220 })
      // Nothing was copied to get there.
      #expect(d.engine.waitForExit(seconds: 20) == 0)
      var rest: [String] = []
      while let line = d.monitor.readLine(seconds: 5) { rest.append(line) }
      #expect(!rest.contains { $0.contains("data-delivered") })
      d.shoot("pinboard-moved")

      // And back again, with the keyboard.
      let window = try #require(d.window(titled: "Pinboard"))
      d.press(XK_z, in: window, control: true)
      let undone = board.said("undone")
      #expect(try #require(place(of: "A.png", in: undone)) == start)
    }

    @Test("DM8, P1: a photo lifts alone, without what hangs over it") func DM8_P1_aCoveredPhotoLiftsAlone() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      // The right one goes over half of the left one, which then lifts.
      s.carry(from: (940, 400), at: t, .to(540, 400, (t + 700)...(t + 1100)), upAt: t + 1300)
      let g = s.down(260, 400, at: t + 2600)
      s.up(g, at: t + 60_000)
      let d = try Desktop(demo: s)
      let (a, b) = (try d.makePicture("A.png"), try d.makePicture("B.png", isRed: true))
      let board = try d.start("carry-pinboard", "--json", "--geometry", "1200x760+40+20", a, b)
      #expect(board.said("rearranged") != nil)
      #expect(d.shows { $0[450, 400].red > 200 && $0[450, 400].blue < 90 })
      #expect(d.step("lifted") != nil)
      #expect(d.step("lifted") != nil)
      d.shoot("pinboard-covered")
      #expect(d.shows { $0[450, 400].red < 90 && $0[450, 400].blue > 200 })
    }

    @Test("DM8, LO2, G7: at twice the resolution a photo lands as it was held; what is no picture does not stay")
    func DM8_LO2_G7_onePhotoLandsAsItWasHeldAndWhatIsNoPictureDoesNotStay() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (660, 380), at: t, .to(860, 480, (t + 700)...(t + 1200)), upAt: t + 1400)
      // At the same time, in another hand: something that only says that it is a picture.
      s.carry(from: (100, 300), at: t + 50, .to(600, 640, (t + 750)...(t + 1250)), upAt: t + 1900)
      s.carry(from: (100, 700), at: t + 2600, .to(600, 600, (t + 3300)...(t + 3700)), upAt: t + 3900)
      let d = try Desktop(demo: s, apps: 3)
      d.setResolution(192)
      let board = try d.start("carry-pinboard", "--json", "--geometry", "1000x600+240+100", try d.makePicture("A.png"))
      try Files.write("no picture", to: d.folder + "/Fake.png")
      let fake = try d.start("carry", "drag", "--geometry", "200x150+0+250", d.folder + "/Fake.png")
      let text = try d.start("carry", "drag", "--json", "--text", "words", "--geometry", "200x150+0+640")
      let start = try #require(place(of: "A.png", in: board.said("ready")))
      let end = try #require(place(of: "A.png", in: board.said("rearranged")))
      #expect(abs(end.x - start.x - 100) <= 1 && abs(end.y - start.y - 50) <= 1)
      #expect(board.said("failed", "Fake.png failed") != nil)
      d.shoot("pinboard-192")
      #expect(board.said("removed")?.contains("Fake.png") == false)
      withExtendedLifetime(fake) {}
      #expect(text.said("cancelled") != nil)
      #expect(d.engine.waitForExit(seconds: 20) == 0)
      let rest = board.linesToTheEnd()
      #expect(!rest.contains { $0.contains("\"dropped\"") }, "\(rest)")
    }

    @Test("DM8: without an engine the board works, with keys too; the engine may come and go")
    func DM8_withoutAnEngineTheBoardWorks() throws {
      let d = try Desktop()
      d.engine.stop()
      let board = try d.start("carry-pinboard", "--json", "--samples")
      let ready = try #require(board.said("ready"))
      #expect(ready.contains("The lake.png shown"))
      #expect(Wait.until { d.window(titled: "Pinboard") != nil })
      let window = try #require(d.window(titled: "Pinboard"))
      d.press(XK_Tab, in: window)
      #expect(board.said("selected") != nil)
      let before = try #require(place(of: "Morning mist.png", in: ready))
      d.press(XK_Right, in: window)
      let moved = try #require(place(of: "Morning mist.png", in: board.said("moved")))
      #expect(moved.x == before.x + 10 && moved.y == before.y)
      d.press(XK_Delete, in: window)
      #expect(board.said("removed")?.contains("Morning mist.png") == false)
      d.press(XK_z, in: window, control: true)
      #expect(board.said("undone", "Morning mist.png") != nil)
      try d.startEngine()
      #expect(board.said("connected") != nil)
      d.engine.stop()
      #expect(board.said("disconnected") != nil)
      try d.startEngine()
      #expect(board.said("connected") != nil)
    }
  }
}

extension String {
  /// The first place of another string; the standard library's own search needs Foundation or regular expressions.
  func range(of other: String) -> Range<Index>? {
    var i = startIndex
    while i < endIndex {
      if self[i...].hasPrefix(other) { return i..<index(i, offsetBy: other.count) }
      i = index(after: i)
    }
    return nil
  }
}
