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

    private func fact(_ name: String, _ line: String?) -> String? {
      guard let line, let start = line.range(of: "\"\(name)\": ") else { return nil }
      return String(line[start.upperBound...].prefix { $0 != "," && $0 != "}" })
    }

    @Test("DM1, K7, A14, G12, S4: the film: two hands, three drags, one letter")
    func DM1_K7_A14_G12_S4_theFilm() throws {
      let film = try Film()
      let d = film.desk
      let began = try #require(d.step("lift-began", seconds: 60))
      film.camera?.lifted(began)

      // The link flies.
      d.step("began")
      #expect(d.shows { white($0, 560..<720, 505..<535) > 300 })
      film.moment(1)
      // It hovers over the dock's icon, and Notes starts.
      #expect(film.dock.said("spring-possible", "\"name\": \"Notes\"") != nil)
      #expect(d.shows { $0[640, 698].green > $0[718, 698].green + 20 })
      film.moment(2)
      #expect(film.dock.said("launched", "\"name\": \"Notes\", \"by\": \"spring\"") != nil)
      #expect(film.dock.said("connected", "New note") != nil)
      #expect(d.step("dropped")?.contains("\"operation\": \"copy\"") == true)
      let opened = try #require(film.dock.said("link-opened"))
      #expect(opened.contains("\"tabs\": [\"New note\", \"example.org\"], \"current\": 1"))
      #expect(opened.contains("\"link\": \"https://www.example.org/lake/boats\""))
      #expect(d.shows { $0[335, 377].distance(to: .init(0xEB, 0xAF, 0x36)) < 30 })
      film.moment(3)
      // Words are lifted, and left.
      #expect(d.step("cancelled") != nil)
      #expect(film.reader.said("drag-cancelled") != nil)
      // Words again; and four photos beside.
      let words = fact("session", d.step("began"))
      #expect(d.shows { white($0, 560..<720, 455..<490) > 300 })
      let photos = fact("session", d.step("began"))
      #expect(words != nil && photos != nil && words != photos)
      for n in 2...4 { #expect(d.step("items-added")?.contains("\"items\": \(n)") == true) }
      film.moment(4)
      let handed = d.step("handed-off")
      #expect(fact("session", handed) == photos && handed?.contains("\"items\": 4") == true)
      film.moment(5)
      #expect(film.dock.said("launched", "\"name\": \"Letter\", \"by\": \"spring\"") != nil)
      let text = try #require(film.dock.said("text-dropped"))
      #expect(text.contains("\"text\": \"Dear Jonas,\\n\(Film.words)\""))
      let all = try #require(film.dock.said("pictures-dropped"))
      print(all)
      film.moment(6)
      _ = Wait.until(seconds: 1) { false }
      #expect(d.engine?.waitForExit(seconds: 20) == 0)
      film.camera?.finish()
    }
  }
}
