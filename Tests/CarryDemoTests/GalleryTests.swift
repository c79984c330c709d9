import CarryModel
import CarryTesting
import Testing

extension DemoTests {
  /// Drop Destination, 600 pixels wide at 660,40 of the screen, as it is seen while things move.
  @Suite(.serialized) struct GalleryTests {
    @Test("DA16: the place of an image is empty while its preview still flies there, though its data has come")
    func DA16_thePlaceIsEmptyWhileThePreviewFlies() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(from: (100, 300), at: t, .to(1190, 540, (t + 700)...(t + 1200)), upAt: t + 1700)
      // Long enough for a picture of the screen on a busy machine.
      let d = try Desktop(demo: s, apps: 2, settings: "[animation]\ndrop-ms = 1500\n")
      let app = try d.start("carry-drop-destination", "--json", "--geometry", "600x720+660+40")
      let picture = try d.makePicture("A.png")
      let source = try d.start("carry", "drag", "--json", "--geometry", "200x200+0+200", picture)
      // The first place's left border: rows within it, where what comes flying from the right covers it last.
      let (inside, outside) = (689, 678)
      let rows = [145, 165, 185, 205, 225]
      func isEmpty(_ shot: Screenshot) -> Bool {
        rows.allSatisfy { shot[inside, $0].distance(to: shot[outside, $0]) < 4 }
      }
      func isBlue(_ shot: Screenshot) -> Bool {
        rows.contains { shot[inside, $0].blue > shot[inside, $0].red + 20 && shot[outside, $0].red > 180 }
      }
      try #require(app.said("dropped", "A.png landing") != nil)
      var hasArrived = false
      var hasLanded = false
      var (empty, early) = (0, 0)
      let isOver = Wait.until(seconds: 10) {
        let shot = d.client.screenshot()
        let hadArrived = hasArrived
        // What it says comes before what it draws: a shot from before it said that is from before it drew.
        while let line = app.readLine(seconds: 0.002) {
          if line.contains("\"event\": \"arrived\"") {
            #expect(line.contains("A.png landing"), "it came after the flight")
            hasArrived = true
          }
          if line.contains("\"event\": \"landed\"") { hasLanded = true }
        }
        if !hasLanded, let shot {
          if hadArrived, isEmpty(shot) { empty += 1 }
          if isBlue(shot) { early += 1 }
        }
        return hasLanded
      }
      #expect(isOver && hasArrived)
      #expect(empty > 0, "it is never seen empty")
      #expect(early == 0, "it is seen beneath its preview, in \(early) pictures of the screen")
      #expect(d.shows { isBlue($0) && !isEmpty($0) })
      withExtendedLifetime(source) {}
    }

    @Test("Z11: the gallery scrolls while a drag rests at its lower or upper edge, and not elsewhere")
    func Z11_theGalleryScrolls() throws {
      var s = FingerScript(width: 1280, height: 800)
      let t = DemoTests.start
      s.carry(
        from: (100, 300), at: t, .to(1000, 205, (t + 700)...(t + 1000)), .to(1000, 298, (t + 1400)...(t + 1500)),
        .to(1000, 122, (t + 2700)...(t + 2800)), upAt: 60_000)
      let d = try Desktop(demo: s, apps: 2)
      let app = try d.start("carry-drop-destination", "--json", "--samples", "--geometry", "600x420+660+40")
      let source = try d.start(
        "carry", "drag", "--json", "--geometry", "200x200+0+200", try d.makePicture("A.png"))
      // Between the two rows of images there is nothing, all the way across; what is carried is not looked at.
      let columns = Array(stride(from: 690, to: 860, by: 10)) + Array(stride(from: 1130, to: 1230, by: 10))
      func gap(_ shot: Screenshot) -> Int? {
        (125..<295).first { y in
          (0..<5).allSatisfy { dy in
            columns.allSatisfy { shot[$0, y + dy].distance(to: shot[columns[0], y + dy]) < 12 }
          }
        }
      }
      #expect(d.shows { (245...270).contains(gap($0) ?? 0) })
      #expect(app.said("entered") != nil)
      var places: [Int] = []
      let isBack = Wait.until(seconds: 20) {
        guard let y = d.client.screenshot().flatMap(gap) else { return false }
        if places.last != y { places.append(y) }
        return places.contains { $0 < 170 } && y >= 245
      }
      d.shoot("gallery-scrolled")
      #expect(isBack, "\(places)")
      // Down and up again, once.
      let lowest = places.firstIndex(of: places.min() ?? 0) ?? 0
      #expect(Array(places[...lowest]) == places[...lowest].sorted(by: >), "\(places)")
      #expect(Array(places[lowest...]) == places[lowest...].sorted(), "\(places)")
      withExtendedLifetime(source) {}
    }
  }
}
