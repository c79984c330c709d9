import CX11
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DemoTests {
  @Suite(.serialized) struct FilmTests {
    /// How many pixels of a part of the screen are nearly white.
    private func white(_ s: Screenshot, _ xs: Range<Int>, _ ys: Range<Int>) -> Int {
      var n = 0
      for y in ys { for x in xs where s[x, y].distance(to: .init(255, 255, 255)) < 25 { n += 1 } }
      return n
    }

    /// How many pixels of where the words rest have the colour of a selection, above the desk.
    private func marked(_ s: Screenshot) -> Int {
      var n = 0
      for y in 450..<466 { for x in 590..<720 where s[x, y].distance(to: .init(225, 210, 172)) < 40 { n += 1 } }
      return n
    }

    private func fact(_ name: String, _ line: String?) -> String? {
      guard let line, let start = line.range(of: "\"\(name)\": ") else { return nil }
      return String(line[start.upperBound...].prefix { $0 != "," && $0 != "}" })
    }

    @Test("DM1, K7, A14, G12: the film: two hands, three drags, one letter")
    func DM1_K7_A14_G12_theFilm() throws {
      let film = try Film()
      let d = film.desk
      let began = try #require(d.step("lift-began", seconds: 60))
      film.lifted(began)

      // The link flies.
      d.step("began")
      try film.moment(1) { white($0, 560..<720, 505..<535) > 300 }
      // It hovers over the dock's icon, and Notes starts.
      #expect(film.dock.said("spring-possible", "\"name\": \"Notes\"") != nil)
      try film.moment(2) { $0[640, 698].green > $0[718, 698].green + 20 && white($0, 560..<720, 730..<754) > 200 }
      #expect(film.dock.said("launched", "\"name\": \"Notes\", \"by\": \"spring\"") != nil)
      #expect(film.dock.said("connected", "New note") != nil)
      #expect(d.step("dropped")?.contains("\"operation\": \"copy\"") == true)
      let opened = try #require(film.dock.said("link-opened"))
      #expect(opened.contains("\"tabs\": [\"New note\", \"example.org\"], \"current\": 1"))
      #expect(opened.contains("\"link\": \"https://www.example.org/lake/boats\""))
      d.step("ended")
      try film.moment(3) { $0[335, 377].distance(to: .init(0xEB, 0xAF, 0x36)) < 30 }
      // Words are lifted, and left.
      #expect(d.step("cancelled") != nil)
      #expect(film.reader.said("drag-cancelled") != nil)
      // Words again; and four photos beside.
      let words = fact("session", d.step("began"))
      let photos = fact("session", d.step("began"))
      #expect(words != nil && photos != nil && words != photos)
      for n in 2...4 { #expect(d.step("items-added")?.contains("\"items\": \(n)") == true) }
      // The words are still there; the badge beside the stack is red; and what has joined hangs dimmed.
      try film.moment(4) {
        marked($0) > 300 && red($0, 985..<1180, 200..<345) > 150
          && $0[1050, 615].distance(to: .init(255, 255, 255)) > 40
      }
      // The other hand has them.
      let handed = d.step("handed-off")
      #expect(fact("session", handed) == photos && handed?.contains("\"items\": 4") == true)
      try film.moment(5) { marked($0) > 300 && red($0, 655..<880, 200..<345) > 150 }
      // The hand that gathered them has them back.
      let back = d.step("handed-off")
      #expect(fact("session", back) == photos && back?.contains("\"items\": 4") == true)
      // A letter opens, and takes both.
      #expect(film.dock.said("launched", "\"name\": \"Letter\", \"by\": \"spring\"") != nil)
      let text = try #require(film.dock.said("text-dropped"))
      #expect(text.contains("\"text\": \"Dear Jonas,\\n\(Film.words)\""))
      let arrived = try #require(film.dock.said("pictures-dropped"))
      #expect(arrived.contains("\"text\": \"Dear Jonas,\\n\(Film.words)\\n\u{FFFC}\u{FFFC}\u{FFFC}\u{FFFC}\\n\""))
      #expect(
        arrived.contains(
          "\"pictures\": [" + (try film.photos.map { "\"\(try summary($0))\"" }.joined(separator: ", ")) + "]"))
      // Nothing flies any more.
      var rest: [String] = []
      func all(_ event: String) -> [String] { rest.filter { $0.contains("\"event\": \"\(event)\"") } }
      while all("ended").count < 2, let line = d.monitor.readLine(seconds: 20) { rest.append(line) }
      try film.moment(6) { _ in true }
      try film.finish()
      #expect(all("dropped").compactMap { fact("session", $0) } == [words, photos])
      #expect(all("dropped").allSatisfy { $0.contains("\"operation\": \"copy\"") } && all("cancelled").isEmpty)
      #expect(d.engine.waitForExit(seconds: 20) == 0)
    }

    private func red(_ s: Screenshot, _ xs: Range<Int>, _ ys: Range<Int>) -> Int {
      var n = 0
      for y in ys { for x in xs where s[x, y].red > 200 && s[x, y].green < 80 && s[x, y].blue < 80 { n += 1 } }
      return n
    }

    /// What Notes says of a picture that arrived as it is in the file.
    private func summary(_ path: String) throws -> String {
      let bytes = try Files.read(path, limit: 1 << 24)
      let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      return "\(name) image/png \(bytes.count) \(String(sum, radix: 16))"
    }
  }
}
