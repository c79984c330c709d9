import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// The film, `make film`: a test plays it with real touches, and checks what it shows.
@Suite(.serialized) struct FilmTests {
  /// How many pixels of a part of the screen have a colour.
  private func count(_ s: Screenshot, _ xs: Range<Int>, _ ys: Range<Int>, near color: Screenshot.Color) -> Int {
    ys.reduce(0) { n, y in n + xs.count { s[$0, y].distance(to: color) < 40 } }
  }

  /// Whether the words with the colour of a selection rest where the first hand keeps them.
  private func keepsWords(_ s: Screenshot) -> Bool {
    let n = (540..<590).reduce(0) { n, y in n + (262..<500).count { s[$0, y].red > s[$0, y].blue + 30 } }
    return n > 2000
  }

  private func fact(_ name: String, _ line: String?) -> String? {
    guard let line, let start = line.firstRange(of: "\"\(name)\": ") else { return nil }
    return String(line[start.upperBound...].prefix { $0 != "," && $0 != "}" })
  }

  @Test("DM1, K7, A14, G12, Z4: the film: two hands, three drags, a split, one letter")
  func DM1_K7_A14_G12_Z4_theFilm() throws {
    let film = try Film()
    film.rest(1)
    try aLinkOpens(film)
    let words = try wordsAreLifted(film)
    let photos = try photosAreGathered(film, besides: words)
    try bothGoIntoTheLetter(film, words, photos)
    film.rest(1.5)
    try film.moment(6) { _ in true }
    try film.finish()
  }

  /// A link leaves a result of Search; another finger swipes the dock up, where Notes opens under the link; there it is
  /// dropped on the "+".
  private func aLinkOpens(_ film: Film) throws {
    let link = try film.lift(600, 284)
    film.fingers.glide(link, to: 640, 520, over: 0.9)
    #expect(film.step("began") != nil)
    try film.swipeDockUp()
    try film.moment(1) { count($0, 560..<800, 492..<548, near: .init(236, 238, 241)) > 4000 }
    film.fingers.glide(link, to: 562, 750, over: 0.7)
    #expect(film.docked("launched", "\"name\": \"Notes\", \"by\": \"spring\""))
    #expect(film.docked("\"event\": \"connected\"", "A letter from Anna"))
    film.rest(0.4)
    film.fingers.glide(link, to: 520, 232, over: 0.9)
    film.rest(0.4)
    film.fingers.up(link)
    #expect(film.step("dropped")?.contains("\"operation\": \"copy\"") == true)
    let opened = try #require(film.line("link-opened"))
    #expect(opened.contains("\"tabs\": [\"A letter from Anna\", \"example.org\"], \"current\": 1"))
    #expect(opened.contains("\"link\": \"https://www.example.org/lake/boats\""))
    #expect(film.step("ended") != nil)
    try film.moment(2) { _ in true }
    try film.closeSearch()
  }

  /// Words are lifted, and left again; then they are lifted once more.
  ///
  /// - Returns: the finger that has them, and their session.
  private func wordsAreLifted(_ film: Film) throws -> Carried {
    film.fingers.tap(380, 227)
    #expect(film.docked("\"event\": \"shown\"", "\"current\": 0"))
    try film.selectWords()
    film.rest(0.6)
    var finger = try film.lift(450, 314)
    film.fingers.glide(finger, to: 1100, 600, over: 0.8)
    #expect(film.step("began") != nil)
    film.fingers.up(finger)
    #expect(film.step("cancelled") != nil)
    #expect(film.docked("drag-cancelled"))
    film.rest(0.6)
    finger = try film.lift(450, 314)
    film.fingers.glide(finger, to: 330, 560, over: 0.8)
    return Carried(finger: finger, session: try #require(fact("session", film.step("began"))))
  }

  /// A finger, and the session of what it carries.
  private struct Carried {
    let finger: FilmFingers.Finger
    let session: String
  }

  /// The other hand opens Pinboard beside Notes, and gathers four photos.
  private func photosAreGathered(_ film: Film, besides words: Carried) throws -> Carried {
    try film.split(iconAt: 640, "Pinboard") {
      // The half is lit.
      try film.moment(3) { $0[1200, 700].blue > $0[100, 700].blue + 15 && keepsWords($0) }
    }
    #expect(film.frame("Notes") == Rect(x: 14, y: 14, width: 619, height: 758))
    #expect(film.docked("\"event\": \"connected\""))
    let photo = try film.lift(807, 200)
    film.fingers.glide(photo, to: 930, 400, over: 0.6)
    let session = try #require(fact("session", film.step("began")))
    #expect(session != words.session)
    for (n, p) in [(1121.0, 190.0), (807, 560), (1121, 560)].enumerated() {
      film.fingers.tap(p.0, p.1)
      #expect(film.step("items-added")?.contains("\"items\": \(n + 2)") == true)
      film.rest(0.3)
    }
    // The badge beside the stack is red.
    try film.moment(4) { count($0, 1000..<1045, 255..<300, near: .init(230, 50, 45)) > 300 && keepsWords($0) }
    return Carried(finger: photo, session: session)
  }

  /// The first hand keeps the photos while the other opens a letter in place of Pinboard; then each drops what it has.
  private func bothGoIntoTheLetter(_ film: Film, _ words: Carried, _ photos: Carried) throws {
    film.fingers.glide(photos.finger, to: 520, 380, over: 0.7)
    var next = film.handOver(from: photos.finger, at: 490, 395)
    var handed = film.step("handed-off")
    #expect(fact("session", handed) == photos.session && handed?.contains("\"items\": 4") == true)
    try film.split(iconAt: 718, "Letter") {}
    // Above Notes, which accepts them, it is green.
    try film.moment(5) { count($0, 585..<640, 235..<280, near: .init(51, 186, 84)) > 400 && keepsWords($0) }
    next = film.handOver(from: next, at: 502, 403)
    handed = film.step("handed-off")
    #expect(fact("session", handed) == photos.session && handed?.contains("\"items\": 4") == true)
    film.fingers.glide([(words.finger, 800, 320), (next, 900, 460)], over: 1)
    film.rest(0.3)
    film.fingers.up(words.finger)
    let text = try #require(film.line("text-dropped"))
    #expect(text.contains("\"text\": \"Dear Jonas,\\n\(Film.words)\""))
    film.rest(0.5)
    film.fingers.up(next)
    let arrived = try #require(film.line("pictures-dropped"))
    #expect(arrived.contains("\"text\": \"Dear Jonas,\\n\(Film.words)\\n\u{FFFC}\u{FFFC}\u{FFFC}\u{FFFC}\\n\""))
    #expect(
      arrived.contains(
        "\"pictures\": [" + (try film.photos.map { "\"\(try summary($0))\"" }.joined(separator: ", ")) + "]"))
    var ended: [String] = []
    while ended.count < 2, let line = film.step("ended") { ended.append(line) }
    #expect(ended.allSatisfy { $0.contains("\"operation\": \"copy\"") })
    #expect(ended.compactMap { fact("session", $0) } == [words.session, photos.session])
  }

  /// What Notes says of a picture that arrived as it is in the file.
  private func summary(_ path: String) throws -> String {
    let bytes = try Files.read(path, limit: 1 << 24)
    let sum = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return "\(name) image/png \(bytes.count) \(String(sum, radix: 16))"
  }
}
