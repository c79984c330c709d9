import CX11
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DemoTests {
  /// Mail at 160,80 of the screen, 960×640: its rows are at 179, 261, 343, … from the top, the list ends at 540; the
  /// letter's text begins at 570,214.
  @Suite(.serialized) struct MailTests {
    private static let geometry = "960x640+160+80"

    @Test("DM2, DM5, A10, P16: messages flock, once each, and are cards while they are outside of their list")
    func DM2_DM5_messagesFlockAndBecomeCards() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      let f = s.down(350, 179, at: t)
      s.move(f, to: 420, 600, from: t + 700, until: t + 1000)
      for (i, y) in [343, 425, 343].enumerated() { s.tap(300, y, at: t + 1400 + i * 400) }
      s.move(f, to: 820, 560, from: t + 2900, until: t + 3200)
      s.move(f, to: 420, 640, from: t + 3900, until: t + 4200)
      s.up(f, at: t + 4700)
      let d = try Desktop(demo: s)
      let app = try d.start("carry-mail", "--json", "--geometry", Self.geometry)
      #expect(app.said("lifting", "[\"Tickets for Saturday\"]") != nil)
      #expect(app.said("added", "[\"Tickets for Saturday\", \"Two books are due\"]") != nil)
      #expect(app.said("added", "\"The recipe, as promised\"") != nil)
      d.shoot("mail-flock")
      // Nothing is a card before it leaves the list, and each that is seen is then.
      var between: [String] = []
      while let line = app.readLine(seconds: 10), !line.contains("left-list") { between.append(line) }
      #expect(!between.contains { $0.contains("card") || $0.contains("\"added\"") }, "\(between)")
      var cards: Set<String> = []
      for _ in 0..<3 { if let line = app.said("card") { cards.insert(line) } }
      #expect(cards.count == 3)
      #expect(d.shows { shot in (780..<960).contains { shot[$0, 500].red > 240 && shot[$0, 590].red > 235 } })
      d.shoot("mail-cards")
      #expect(app.said("back-in-list") != nil)
      #expect(app.said("strip") != nil)
      #expect(app.said("drag-cancelled") != nil)
    }

    private let badge = Screenshot.Color(240, 60, 55)

    @Test("DM3, L18, P1: a thread lifts as its three messages, each with a preview of its own")
    func DM3_L18_aThreadLiftsAsItsMessages() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (350, 261), at: t, .to(1100, 300, (t + 4500)...(t + 5000)), upAt: t + 5600)
      let d = try Desktop(demo: s, apps: 2)
      let app = try d.start("carry-mail", "--json", "--geometry", "600x640+160+80")
      let target = try d.receiver("300x400+950+100")
      #expect(app.said("connected") != nil)
      // The list's paper, which the lowest strip's paper covers.
      #expect(d.shows { (235..<250).contains($0[180, 224].blue) })
      #expect(app.said("lifting", "[\"Boat trip\", \"Re: Boat trip\", \"Re: Boat trip\"]") != nil)
      // The thread's own number is hidden then, and the stack's is to be seen in its corner.
      #expect(
        d.shows { shot in
          (380..<412).contains { x in (236..<260).contains { shot[x, $0].distance(to: badge) < 12 } }
        })
      d.shoot("mail-thread")
      var cards: [String] = []
      for _ in 0..<3 { if let line = app.said("card") { cards.append(line) } }
      #expect(
        cards.count { $0.contains("\"Boat trip\"") } == 1 && cards.count { $0.contains("\"Re: Boat trip\"") } == 2)
      for _ in 0..<3 { #expect(target.said("received") != nil) }
      #expect(Set(Files.list(d.received)) == ["Boat trip.eml", "Re: Boat trip.eml", "Re: Boat trip (2).eml"])
      #expect(app.said("dropped") != nil)
    }

    @Test("DM4, DM6, O7: text goes to the caret, which stands above the finger; images have room before they come")
    func DM4_DM6_O7_textGoesToTheCaretAndImagesHaveRoom() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      let f = s.down(80, 200, at: t)
      // Below the last line, whose middle is at 317: the place that counts is on it.
      s.move(f, to: 1000, 338, from: t + 700, until: t + 1100)
      s.up(f, at: t + 1700)
      let g = s.down(80, 500, at: t + 2500)
      // On the middle line, in a word: it goes behind the paragraph.
      s.move(g, to: 920, 295, from: t + 3200, until: t + 3600)
      s.up(g, at: t + 4000)
      let d = try Desktop(demo: s, apps: 3)
      let app = try d.start("carry-mail", "--json", "--geometry", Self.geometry)
      let text = try d.start("carry", "drag", "--json", "--text", " Ten o'clock.", "--geometry", "150x200+0+100")
      let image = try d.start(
        "carry", "drag", "--json", "--geometry", "150x200+0+400", try d.makePicture("A.png", width: 400, height: 200))
      #expect(app.said("caret", "\"y\": 237") != nil)
      d.shoot("mail-caret")
      #expect(app.said("text-dropped", "See you at the jetty! Ten o'clock.") != nil)
      #expect(text.said("dropped", "\"operation\": \"copy\"") != nil)
      // 520 wide, which is all of it, and as high as the source says, before any data.
      #expect(app.said("room", "for the trip:\", \"image 1\", \"text: \\nSee") != nil)
      #expect(app.said("landing", "\"width\": 520, \"height\": 260") != nil)
      d.shoot("mail-landing")
      #expect(app.said("image-arrived", "A.png") != nil)
      #expect(image.said("dropped", "\"operation\": \"copy\"") != nil)
      let blue = Screenshot.Color(26, 102, 230)
      #expect(
        d.shows { shot in [575, 1085].allSatisfy { x in (345..<700).contains { shot[x, $0].distance(to: blue) < 8 } } })
      d.shoot("mail-image")
    }

    @Test("DM4, I18: a photo of the board gets its room in the letter before it comes, whatever its shape")
    func DM4_I18_aPhotoOfTheBoard() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (150, 500), at: t, .to(1000, 338, (t + 700)...(t + 1100)), upAt: t + 1700)
      let d = try Desktop(demo: s, apps: 2)
      let mail = try d.start("carry-mail", "--json", "--geometry", "960x640+320+80")
      let wide = try d.makePicture("Wide.png", width: 600, height: 120)
      let board = try d.start("carry-pinboard", "--json", "--geometry", "300x240+0+380", wide)
      #expect(mail.said("landing", "\"width\": 520, \"height\": 104") != nil)
      #expect(mail.said("image-arrived", "Wide.png") != nil)
      #expect(board.said("copied-out") != nil)
    }
  }
}
