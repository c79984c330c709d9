import CarryContacts
import CarryModel
import CarrySystem
import CarryTesting
import Testing

@testable import CarryRecordings

/// Fingers as text.
@Suite struct GestureScriptTests {
  private func script(_ text: String) throws -> GestureScript {
    try GestureScriptParser.parse(Array(text.utf8), file: "a.gestures")
  }

  @Test("Z34: every step of a script") func Z34_steps() throws {
    let script = try script(
      """
      # A comment.
      screen 1000x500

      press "photo 1"   # and another
      tap 2 "a \\"b\\"" 25%,50%
      1.5s move to 50%,20% in 400ms
      move 2 to 10,20
      hover 600ms
      handoff 1 2
      cancel 1
      up 2
      expect lift of "photo 1"
      expect drop on "Holidays" as move within 2s
      expect "Holidays" received image/*
      expect spring
      expect cancel
      expect cancel because "25 px"
      expect no drop
      """)
    #expect(script.screen == Size(width: 1000, height: 500))
    let middle = Point(x: 0.5, y: 0.5)
    #expect(
      script.steps.map(\.action) == [
        .press(finger: 1, .region("photo 1", fraction: middle)),
        .tap(finger: 2, .region("a \"b\"", fraction: Point(x: 0.25, y: 0.5))),
        .move(finger: 1, .fraction(Point(x: 0.5, y: 0.2)), duration: .milliseconds(400)),
        .move(finger: 2, .pixels(Point(x: 10, y: 20)), duration: GestureScript.moveDuration),
        .wait(.milliseconds(600)), .handOff(from: 1, to: 2), .cancel(finger: 1), .up(finger: 2),
        .expect(.step(.lifted, source: "photo 1"), within: nil),
        .expect(.step(.dropped, target: "Holidays", .move), within: .seconds(2)),
        .expect(.step(.received, target: "Holidays", type: "image/*"), within: nil),
        .expect(.step(.springActivated), within: nil), .expect(.step(.cancelled), within: nil),
        .expect(.step(.cancelled, because: "25 px"), within: nil),
        .expect(.noDrop, within: nil),
      ])
    #expect(script.steps.compactMap(\.start) == [.milliseconds(1500)] && script.steps[0].line == 4)
  }

  @Test(
    "Z34: a mistake is told with its line and column",
    arguments: [
      ("press", "1: column 6: a place: 320,200"), ("\n  jump 1", "2: column 3: a step begins with"),
      ("press 200;300", "1: column 7: a place is written as"), ("press \"a", "1: column 7: the quotation does not end"),
      ("move 1 too 2,3", "1: column 8: 'to' and a place"), ("up 11", "1: column 4: fingers have the numbers 1 to 10"),
      ("tap 1,2 3", "1: column 9: '3' is not expected here"), ("wait 5", "1: column 6: a time is written as"),
      ("wait 3601s", "1: column 6: a time is written as"),
      ("handoff 1 1", "1: column 11: a finger hands over"), ("up\nscreen 1x1", "2: column 1: screen is the first line"),
      ("expect rain", "1: column 8: what is expected"), ("expect \"a\" got b", "1: column 12: 'received' and a type"),
      ("press \"\"", "1: column 7: the label is empty"), ("expect lift of \"\"", "1: column 16: a label is a text"),
      ("expect cancel because", "1: column 22: a reason in quotation marks is missing"),
      ("expect cancel because rain", "1: column 23: a reason is a text in quotation marks: \"rain\""),
      ("expect cancel within 2s because \"a\"", "1: column 25: 'because' is not expected"),
      ("screen 0x5", "1: column 8: a screen's size"),
    ])
  func Z34_mistakes(text: String, expected: String) throws {
    let error = try #require(throws: FileProblem.self) { try script(text) }
    #expect(error.sentence.hasPrefix("a.gestures:\(expected)"), "\(error.sentence)")
  }

  /// What the fingers do, as words.
  private func play(_ text: String, late: Int = 0) throws -> [String] {
    var playback = GesturePlayback(try script(text), file: "a.gestures")
    var words: [String] = []
    while true {
      let event = try playback.next { place throws(Problem) in
        guard case .pixels(let point) = place else { throw Problem("nowhere") }
        return point
      }
      switch event {
      case .touch(let time, let finger, let phase, let point):
        words.append("\(time.microseconds / 1000) \(finger) \(phase) \(Int(point.x)),\(Int(point.y))")
      case .lift(let time):
        words.append("lift \(time.microseconds / 1000)")
        playback.resume(at: time + .milliseconds(late))
      case .expectation(_, _, let line):
        words.append("expect \(line)")
        playback.resume(at: .seconds(9))
      case .end(let time): return words + ["end \(time.microseconds / 1000)"]
      }
    }
  }

  @Test("Z34: steps follow one another, and begin at a time where they name one; fingers move at the same time")
  func Z34_order() throws {
    #expect(
      try play("press 10,10\nmove to 40,10 in 50ms\nup")
        == ["0 1 began 10,10", "lift 700", "725 1 moved 25,10", "750 1 moved 40,10", "750 1 ended 40,10", "end 750"])
    // What lifts late delays the steps behind it, but none with a time of its own.
    #expect(
      try play("press 1,1\nup", late: 50) == ["0 1 began 1,1", "lift 700", "750 1 ended 1,1", "end 750"])
    #expect(
      try play("press 1 1,1\n0.1s tap 2 5,5\n1s up 1", late: 50)
        == ["0 1 began 1,1", "100 2 began 5,5", "160 2 ended 5,5", "1000 1 ended 1,1", "end 1000"])
    #expect(
      try play(
        "down 1 0,0\ndown 2 5,5\n0.1s move 1 to 10,0 in 40ms\n0.1s move 2 to 5,9 in 40ms\nup 1\nexpect lift\nup 2")
        == [
          "0 1 began 0,0", "0 2 began 5,5", "120 1 moved 5,0", "120 2 moved 5,7", "140 1 moved 10,0", "140 2 moved 5,9",
          "140 1 ended 10,0", "expect 6", "9000 2 ended 5,9", "end 9000",
        ])
    #expect(
      try play("down 1,1\nhandoff 1 2\ntap 3 7,7")
        == [
          "0 1 began 1,1", "0 2 began 1,1", "300 1 ended 1,1", "300 3 began 7,7", "360 3 ended 7,7", "end 460",
        ])
    // A finger does one thing at a time.
    #expect(
      try play("down 0,0\nmove to 40,0 in 50ms\n10ms move to 40,40 in 25ms\n20ms up")
        == ["0 1 began 0,0", "25 1 moved 20,0", "50 1 moved 40,0", "75 1 moved 40,40", "75 1 ended 40,40", "end 75"])
    // As exact as it is written.
    #expect(try play("4.1s tap 3,3") == ["4100 1 began 3,3", "4160 1 ended 3,3", "end 4260"])
    for (text, why) in [("up", "finger 1 is not down"), ("down 1,1\ndown 2,2", "finger 1 is down already")] {
      let error = try #require(throws: FileProblem.self) { try play(text) }
      #expect(error.sentence.hasSuffix(why))
    }
  }

  @Test("Z22, Z34: a script plays as a recording; labels and expectations need an engine") func Z22_Z34_asRecording()
    throws
  {
    let recording = try script("screen 400x300\npress 50%,50%\nmove 1 to 300,10 in 100ms\nup").recording(file: "a")
    let player = try RecordingPlayer(recording, startingAt: .zero, file: "a")
    var contacts: [String] = []
    player.advance(to: .distantFuture) { frame in
      for c in frame.contacts where c.phase != .moved { contacts.append("\(frame.time.microseconds) \(c.x),\(c.y)") }
    }
    #expect(contacts == ["0 200,150", "800000 300,10"] && player.problems.lines(file: "a").isEmpty)
    for text in ["press \"photo\"", "tap 1,1\nexpect lift"] {
      let error = try #require(throws: FileProblem.self) { try script(text).recording(file: "a") }
      #expect(error.sentence.contains("carry play and carry test only"))
    }
  }

  @Test("Z22, Z34: a script that plays for days is refused as a recording") func Z22_Z34_tooLong() throws {
    let moves = (0..<30).map { "move to \($0 % 2 * 100),1 in 3600s\n" }.joined()
    let error = try #require(throws: FileProblem.self) { try script("down 1,1\n" + moves).recording(file: "a") }
    #expect(error.sentence.contains("plays for too long"))
  }

  @Test("Z22, Z34: a recording of more fingers than a script has becomes none") func Z22_Z34_tooManyFingers() throws {
    var recording = try script("down 1,1").recording(file: "a")
    recording.description?.axes[Evdev.absMtSlot] = AxisRange(0, 15)
    recording.events = (0..<11).flatMap { i in
      [
        (Evdev.abs, Evdev.absMtSlot, Int32(i)), (Evdev.abs, Evdev.absMtTrackingID, Int32(i)),
        (Evdev.abs, Evdev.absMtPositionX, 5), (Evdev.abs, Evdev.absMtPositionY, 5), (Evdev.syn, Evdev.synReport, 0),
      ].map { EvdevEvent(time: .zero, type: $0.0, code: $0.1, value: $0.2) }
    }
    let error = try #require(throws: FileProblem.self) { try GestureScriptWriter.text(recording, file: "a") }
    #expect(error.sentence == "a: has more than 10 contacts at once")
  }

  @Test("Z22, Z34: a recording becomes a script of straight moves, which plays the same to a pixel or two")
  func Z22_Z34_fromRecording() throws {
    var fingers = FingerScript(width: 1280, height: 800)
    fingers.carry(
      from: (200, 400), at: 0, .to(600, 300, 650...1000), .tap(180, 480, at: 1200), .to(1000, 400, 1700...2100),
      upAt: 2300)
    let recorded = Recording(description: fingers.device, events: fingers.events)
    let text = try GestureScriptWriter.text(recorded, file: "a")
    #expect(text.split(separator: "\n").count < 12, "\(text)")
    let played = try script(text).recording(file: "a")
    func paths(_ recording: Recording) throws -> [[(Double, Double, Double)]] {
      var paths: [ContactID: [(Double, Double, Double)]] = [:]
      try RecordingPlayer(recording, startingAt: .zero, file: "a").advance(to: .distantFuture) { frame in
        for c in frame.contacts { paths[c.id, default: []].append((frame.time.seconds, Double(c.x), Double(c.y))) }
      }
      return paths.sorted { $0.key.raw < $1.key.raw }.map(\.value)
    }
    let (a, b) = (try paths(recorded), try paths(played))
    #expect(a.count == b.count)
    for (recorded, played) in zip(a, b) {
      for (t, x, y) in recorded {
        // Where the played finger is then.
        let now = try #require(played.last { $0.0 <= t + 0.001 })
        let next = played.first { $0.0 > t } ?? now
        let between = { (v: Double, p: Double, q: Double) in (min(p, q) - 4...max(p, q) + 4).contains(v) }
        #expect(between(x, now.1, next.1) && between(y, now.2, next.2), "at \(t): \(x),\(y) is not \(now)")
      }
    }
  }
}
