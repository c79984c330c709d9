import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DemoTests {
  /// Customers at 500,100 of the screen, 420×560: its rows are at 199, 273, 347 from the top, the next would be at 421.
  @Suite(.serialized) struct CustomersTests {
    private static let geometry = "420x560+500+100"

    private static func base64(_ photo: [UInt8]) -> String {
      let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
      var text = ""
      for at in stride(from: 0, to: photo.count, by: 3) {
        let part = photo[at..<min(at + 3, photo.count)]
        let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
        for i in 0..<4 { text.append(i > part.count ? "=" : alphabet[bits >> (18 - 6 * i) & 63]) }
      }
      return text
    }

    private static func card(_ photo: [UInt8]) -> [UInt8] {
      Array(
        ("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Edsger Dijkstra\r\nTEL:+31 20 555 0133\r\nPHOTO:data:image/png;base64,\(base64(photo))\r\n"
          + "END:VCARD\r\n").utf8)
    }

    @Test("DM16, DM17, I4, I10, I11, I20, DA14: a name becomes a row, and a card a row with number and photo")
    func DM16_DM17_I4_I10_I11_I20_DA14_namesAndCards() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (80, 200), at: t, .to(700, 395, (t + 700)...(t + 1100)), upAt: t + 1600)
      s.carry(from: (80, 500), at: t + 3000, .to(700, 460, (t + 3700)...(t + 4100)), upAt: t + 4600)
      let d = try Desktop(demo: s, apps: 3)
      let app = try d.start("carry-customers", "--json", "--geometry", Self.geometry)
      let path = try d.makePicture("photo.png", width: 64, height: 64, isRed: true)
      let photo = try Files.read(path, limit: 1 << 20)
      let card = path.replacing("photo.png", with: "edsger.vcf")
      try Files.write(Self.card(photo), to: card)
      let name = try d.start(
        "carry", "drag", "--json", "--text", "Grace Hopper", "--geometry", "150x200+0+100")
      let file = try d.start(
        "carry", "drag", "--json", "--type", "text/vcard", "--data", card, "--geometry", "150x200+0+400")
      #expect(app.said("customer", "\"name\": \"Grace Hopper\", \"phone\": \"\", \"photo\": 0, \"row\": 3") != nil)
      #expect(
        app.said("customer", "\"name\": \"Edsger Dijkstra\", \"phone\": \"+31 20 555 0133\", \"photo\": 1, \"row\": 4")
          != nil)
      let red = Screenshot.Color(230, 51, 26)
      #expect(d.shows { $0[544, 495].distance(to: red) < 30 })
      d.shoot("customers")
      withExtendedLifetime((name, file)) {}
    }

    @Test("DM18, I9: a row is carried away as a card with all its fields") func DM18_I9_aRowIsACard() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (640, 199), at: t, .to(1100, 300, (t + 700)...(t + 1100)), upAt: t + 1600)
      let d = try Desktop(demo: s, apps: 2)
      let app = try d.start("carry-customers", "--json", "--geometry", Self.geometry)
      let target = try d.receiver("250x400+1000+100")
      #expect(target.said("received", "\"type\": \"text/vcard\"") != nil)
      let bytes = try Files.read(d.received + "/Ada Lindqvist.vcf", limit: 1 << 20)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("FN:Ada Lindqvist") && text.contains("+46 70 555 01 20"), "\(text)")
      #expect(app.said("carried-away") != nil)
    }

    @Test("DM17, DM18, I9: a card that came with a photo goes out with it") func DM17_DM18_I9_aPhoto() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (80, 200), at: t, .to(700, 395, (t + 700)...(t + 1100)), upAt: t + 1600)
      s.carry(from: (640, 421), at: t + 4000, .to(1100, 300, (t + 4700)...(t + 5100)), upAt: t + 5600)
      let d = try Desktop(demo: s, apps: 3)
      let app = try d.start("carry-customers", "--json", "--geometry", Self.geometry)
      let photo = try Files.read(try d.makePicture("photo.png", width: 64, height: 64, isRed: true), limit: 1 << 20)
      let card = d.folder + "/edsger.vcf"
      try Files.write(Self.card(photo), to: card)
      let file = try d.start(
        "carry", "drag", "--json", "--type", "text/vcard", "--data", card, "--geometry", "150x200+0+100")
      let target = try d.receiver("250x400+1000+100")
      #expect(app.said("customer", "\"photo\": 1, \"row\": 3") != nil)
      #expect(target.said("received", "\"type\": \"text/vcard\"") != nil)
      let bytes = try Files.read(d.received + "/Edsger Dijkstra.vcf", limit: 1 << 20)
      let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: "")
      #expect(text.contains("FN:Edsger Dijkstra") && text.contains(Self.base64(photo)), "\(text)")
      withExtendedLifetime(file) {}
    }

    @Test("DM18: a target that accepts plain text only gets the row's name and number") func DM18_aRowIsText() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (640, 199), at: t, .to(1100, 300, (t + 700)...(t + 1100)), upAt: t + 1600)
      let d = try Desktop(demo: s, apps: 2)
      let app = try d.start("carry-customers", "--json", "--geometry", Self.geometry)
      let target = try d.start(
        "carry", "drop", "--json", "--accept", "text/plain;charset=utf-8", "--geometry", "250x400+1000+100")
      let line = try #require(target.said("received"))
      #expect(line.contains("\"text\": \"Ada Lindqvist\\n+46 70 555 01 20"), "\(line)")
      #expect(app.said("carried-away") != nil)
    }
  }
}
