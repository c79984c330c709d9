import CarryRecordings
import CLinux
import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem
import CarryTesting
import Testing

private let header = """
  N: panel
  A: 2f 0 4 0 0
  A: 35 0 999 0 0
  A: 36 0 499 0 0

  """

/// Two taps, a tenth of a second each, with a pause of a second; the second never ends.
private let taps = """
  E: 100.000000 0003 0039 1
  E: 100.000010 0003 0035 10
  E: 100.000020 0003 0036 20
  E: 100.000030 0000 0000 0
  E: 100.100000 0003 0039 -1
  E: 100.100000 0000 0000 0
  E: 101.100000 0003 0039 2
  E: 101.100000 0000 0000 0

  """

private func failure(_ path: String) -> String {
  do {
    _ = try RecordingFile.load(path)
    return ""
  } catch { return error.sentence }
}

@Suite struct RecordingTests {
  @Test func theDescriptionIsFoundBesideTheEvents() throws {
    for name in ["elan.1-finger.desc", "elan.1-finger.prop", "elan.desc", "elan.prop"] {
      let directory = try TestFolder("recording")
      let events = try directory.write(taps, to: "elan.1-finger.events")
      #expect(
        failure(events)
          == "\(events): holds events but no device description; no elan.1-finger.desc, elan.1-finger.prop, "
          + "elan.desc, elan.prop beside it either")
      try directory.write(header, to: name)
      let recording = try RecordingFile.load(events)
      #expect(recording.description?.name == "panel")
      #expect(recording.events.first?.time == .zero)
    }
  }

  @Test("what is no file is refused in words") func whatIsNoFileIsRefusedInWords() throws {
    let directory = try TestFolder("recording")
    #expect(failure(directory.path) == "\(directory.path): cannot be read: Is a directory")
    #expect(
      failure(directory.path + "/none.events").hasSuffix("none.events: cannot be read: No such file or directory"))
    let fifo = directory.path + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    #expect(failure(fifo) == "\(fifo): is no regular file")
    let real = try directory.write(header + taps, to: "real.events")
    #expect(symlink(real, directory.path + "/link.events") == 0)
    #expect(failure(directory.path + "/link.events").isEmpty)
    // 10 GiB of nothing are refused before they are read.
    let huge = try directory.write("", to: "huge.events")
    #expect(truncate(huge, 10 << 30) == 0)
    #expect(failure(huge) == "\(huge): is larger than 256 MiB")
  }

  @Test func aPlayerFollowsTheClockAndEndsWhatIsLeft() throws {
    let recording = try EvemuParser.parse(Array((header + taps).utf8), file: "x")
    let start = Instant(microseconds: 7_000_000)
    let player = try RecordingPlayer(recording, startingAt: start)
    var log: [String] = []
    func play(_ milliseconds: Int) {
      player.advance(to: start + .milliseconds(milliseconds)) { frame in
        for c in frame.contacts { log.append("\((frame.time - start).microseconds) \(c.phase) \(c.id.raw)") }
      }
    }
    // A frame is due when it is complete, not when its first event was.
    #expect(player.nextTime == start + Interval(microseconds: 30))
    play(0)
    #expect(log.isEmpty)
    play(1)
    #expect(log == ["30 began 1"])
    #expect(player.nextTime == start + .milliseconds(100))
    play(100)
    #expect(log == ["30 began 1", "100000 ended 1"])
    play(1099)
    #expect(log.count == 2 && !player.isFinished)
    play(1100)
    #expect(log.dropFirst(2) == ["1100000 began 2", "1100000 ended 2"])
    #expect(player.isFinished && player.nextTime == nil)
  }

  @Test func aRecordingWithoutTouchAxesOrEventsIsHandled() throws {
    let mouse = try EvemuParser.parse(Array("N: mouse\nE: 0.0 0002 0000 1\n".utf8), file: "x")
    #expect(throws: FileProblem.self) { try RecordingPlayer(mouse, startingAt: .zero, file: "m.events") }
    let empty = try RecordingPlayer(
      EvemuParser.parse(Array(header.utf8), file: "x"), startingAt: .zero)
    #expect(empty.isFinished && empty.nextTime == nil)
    empty.playAll { _ in #expect(Bool(false), "nothing to play") }
  }

  @Test func anonymousFingersGetAnIdentityAndAllLift() throws {
    func frame(_ t: String, _ points: [(Int, Int)]) -> String {
      var text = ""
      for (x, y) in points { text += "E: \(t) 0003 0035 \(x)\nE: \(t) 0003 0036 \(y)\nE: \(t) 0000 0002 0\n" }
      return text + "E: \(t) 0000 0000 0\n"
    }
    let text =
      "N: old\nA: 35 0 9600 0 0\nA: 36 0 7200 0 0\n" + frame("1.000000", [(100, 100)])
      + frame("1.010000", [(5000, 5000), (110, 100)]) + frame("1.020000", [(5010, 5000), (120, 100)])
      + "E: 1.025000 0000 0003 0\nE: 1.026000 0003 0035 9\nE: 1.027000 0000 0000 0\n"
      + frame("1.030000", [(130, 100)]) + frame("1.040000", [])
    let player = try RecordingPlayer(EvemuParser.parse(Array(text.utf8), file: "x"), startingAt: .zero)
    var log: [String] = []
    player.playAll { frame in
      for c in frame.contacts { log.append("\(frame.time.microseconds / 1000) \(c.phase) \(c.id.raw) \(c.x)") }
    }
    #expect(
      log == [
        "0 began 1 100", "10 moved 1 110", "10 began 2 5000", "20 moved 1 120", "20 moved 2 5010", "30 moved 1 130",
        "30 ended 2 5010", "40 ended 1 130",
      ])
  }

  @Test("no damage to an anonymous recording traps") func noDamageToAnAnonymousRecordingTraps() throws {
    var text = "N: old\nA: 30 0 9 0 0\nA: 35 0 9600 0 0\nA: 36 0 7200 0 0\n"
    for i in 0..<60 {
      for finger in 0..<40 {
        text += "E: 1.0\(10 + i) 0003 0035 \(finger * 200 + i)\nE: 1.0\(10 + i) 0003 0036 \(finger)\n"
        text += "E: 1.0\(10 + i) 0000 0002 0\n"
      }
      text += "E: 1.0\(10 + i) 0000 0000 0\n"
    }
    let bytes = Array(text.utf8)
    var state: UInt64 = 99
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for round in 0..<40 {
      var damaged = bytes
      for _ in 0..<(round * 20) { damaged[random(damaged.count)] = UInt8(random(256)) }
      guard let recording = try? EvemuParser.parse(damaged, file: "x"),
        let player = try? RecordingPlayer(recording, startingAt: .zero)
      else { continue }
      var down: Set<ContactID> = []
      player.playAll { frame in
        for c in frame.contacts {
          switch c.phase {
          case .began: down.insert(c.id)
          case .moved: break
          case .ended, .cancelled: down.remove(c.id)
          }
        }
      }
      #expect(down.isEmpty)
    }
  }

  @Test func devicesAreListedWithWhatSysfsKnows() throws {
    let directory = try TestFolder("recording")
    try directory.write("", to: "event10")
    try directory.write("", to: "event2")
    try directory.write("", to: "mouse0")
    let found = DeviceScanner.list(devices: directory.path, classes: directory.path)
    #expect(found.map(\.node) == [directory.path + "/event2", directory.path + "/event10"])
    #expect(found[0].problem?.reason == .notEvdev)
    #expect(found[0].kind == .other)
    #expect(DeviceScanner.list(devices: "/nonexistent").isEmpty)
  }
}
