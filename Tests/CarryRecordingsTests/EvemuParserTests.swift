import CarryContacts
import CarryModel
import CarryRecordings
import CarryTesting
import Testing

private let small = """
  # EVEMU 1.3
  # Kernel: 6.1
  N: Small panel
  I: 0018 1234 abcd 0100
  P: 02 00 00 00 00 00 00 00
  B: 00 0b 00 00 00 00 00 00 00
  B: 01 00 00 00 00 00 00 00 00
  A: 2f 0 9 0 0 0
  A: 35 0 0799 0 0 10
  A: 36 -5 479 1 2 10
  L: 00 0
  S: 00 0
  E: 0.000001 0003 0039 0082\t# EV_ABS / ABS_MT_TRACKING_ID   82
  E: 0.000001 0003 0035 0010
  E: 0.000001 0003 0036 -001
  E: 0.000001 0000 0000 0000\t# ------------ SYN_REPORT (0) ---------- +0ms
  E: 1.5 0003 0039 4294967295
  E: 1.500000 0000 0000 0

  """

private func parse(_ text: String) throws -> Recording { try EvemuParser.parse(Array(text.utf8), file: "x.events") }

private func failure(_ bytes: [UInt8]) -> FileProblem? {
  do {
    _ = try EvemuParser.parse(bytes, file: "x.events")
    return nil
  } catch { return error }
}

@Suite struct EvemuParserTests {
  @Test func aRecordingIsReadWithItsDescription() throws {
    let recording = try parse(small)
    let d = try #require(recording.description)
    #expect(d.name == "Small panel")
    #expect([d.bus, d.vendor, d.product, d.version] == [0x18, 0x1234, 0xABCD, 0x100])
    #expect(d.hasProperty(Evdev.propDirect))
    #expect(d.axes[0x35] == AxisRange(0, 799, resolution: 10))
    #expect(d.axes[0x36] == AxisRange(-5, 479, fuzz: 1, flat: 2, resolution: 10))
    #expect(d.protocol == .slotted)
    #expect(d.slotCount == 10)
    #expect(recording.problems.isEmpty)
    #expect(recording.events.count == 6)
    #expect(recording.events[0] == EvdevEvent(time: Instant(microseconds: 1), type: 3, code: 0x39, value: 82))
    #expect(recording.events[1].value == 10)
    #expect(recording.events[2].value == -1)
    // The part behind the dot counts microseconds, as evemu's scanf reads it.
    #expect(recording.events[4].time == Instant(microseconds: 1_000_005))
    #expect(recording.events[4].value == -1)
  }

  @Test func oldVersionsForeignLineEndsAndOddNamesAreTaken() throws {
    var bytes = Array("N: caf\u{E9} ".unicodeScalars.map { UInt8($0.value) })
    bytes += Array("\r\nA: 35 0 1000 0 0\r\nE: 1352020794.138597 0003 0035 -0012\r\n".utf8)
    let recording = try EvemuParser.parse(bytes, file: "x")
    #expect(recording.description?.name == "caf\u{FFFD}")
    #expect(recording.description?.axes[0x35] == AxisRange(0, 1000))
    #expect(recording.events.first?.value == -12)
    #expect(recording.events.first?.time == Instant(microseconds: 1_352_020_794_138_597))
    let noDescription = try parse("E: 5.000000 0000 0000 0")
    #expect(noDescription.description == nil)
    #expect(noDescription.events.count == 1)
  }

  @Test("broken lines are left out and counted with their place")
  func brokenLinesAreLeftOutAndCountedWithTheirPlace() throws {
    let recording = try parse(
      small + """
        E: 2.0 0003
        E: 99999999999999999999.0 0003 0039 1
        E: 2.0 0003 00039 1
        E: 2.0 0003 0039 99999999999
        E: 2.0 0003 0039 12junk
        nonsense
        A: 35 1
        E: 3.000000 0000 0000 0
        E: 3.000000 0003 00
        """)
    #expect(recording.events.count == 7)
    #expect(recording.problems.count(of: .brokenEventLine) == 6)
    #expect(recording.problems.count(of: .unknownLine) == 1)
    #expect(recording.problems.count(of: .brokenDescriptionLine) == 1)
    #expect(recording.problems.lines(file: "x.events").first?.hasPrefix("x.events:19: ") == true)
    #expect(recording.description?.axes[0x35]?.maximum == 799)
  }

  @Test("what is no recording is one error with its line") func whatIsNoRecordingIsOneErrorWithItsLine() throws {
    #expect(failure([])?.sentence.hasPrefix("x.events: no evemu recording") == true)
    #expect(failure(Array("# only a comment\n".utf8))?.line == 0)
    #expect(failure([0x7F, 0x45, 0x4C, 0x46, 0, 0, 1, 2])?.sentence.hasPrefix("x.events:1: ") == true)
    #expect(failure(Array("\n\nversion: 1\nndevices: 1\n".utf8))?.message.contains("libinput-record") == true)
    #expect(failure(Array("E: 1\nE: 2\n".utf8))?.line == 1)
    // struct input_event as another machine writes it.
    #expect(failure([UInt8](repeating: 0, count: 4096))?.line == 1)
    let long = Array("N: x\n".utf8) + [UInt8](repeating: UInt8(ascii: "E"), count: 70_000)
    let error = try #require(failure(long))
    #expect(error.line == 2)
    #expect(error.message.contains("64 KiB"))
  }

  @Test("no truncation and no damage traps") func noTruncationAndNoDamageTraps() {
    let bytes = Array(small.utf8)
    var readable = 0
    for end in 0...bytes.count where (try? EvemuParser.parse(Array(bytes[..<end]), file: "x")) != nil { readable += 1 }
    // From the first complete line on, every prefix is a recording.
    #expect(readable > bytes.count * 9 / 10)
    var random = SeededRandom(seed: 32)
    for _ in 0..<3000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let i = Int.random(in: 0..<damaged.count, using: &random)
        if Bool.random(using: &random) {
          damaged[i] = UInt8.random(in: 0...255, using: &random)
        } else {
          damaged.remove(at: i)
        }
      }
      guard let recording = try? EvemuParser.parse(damaged, file: "x") else { continue }
      let rebased = recording.rebased()
      let tracker = ContactTracker(recording.description ?? DeviceDescription())
      var frame = ContactFrame()
      for event in rebased.events { _ = tracker.handle(event, into: &frame) }
      let mapping = ScreenMapping(
        recording.description ?? DeviceDescription(), screen: Rect(x: 0, y: 0, width: 100, height: 100))
      #expect(mapping.point(x: .min, y: .max).x.isFinite)
    }
  }

  @Test("times are rebased and never decrease") func timesAreRebasedAndNeverDecrease() {
    func rebase(_ seconds: [Double]) -> (times: [Double], problems: ProblemList) {
      let events = seconds.map { EvdevEvent(time: .zero + .seconds($0), type: 0, code: 0, value: 0) }
      let result = Recording(events: events).rebased()
      return (result.events.map(\.time.seconds), result.problems)
    }
    #expect(rebase([1_352_020_794, 1_352_020_794.5, 1_352_020_796]).times == [0, 0.5, 2])
    #expect(rebase([10, 10.5, 10.4, 11]).times == [0, 0.5, 0.5, 1])
    let decade = 315_360_000.0
    let jumped = rebase([10, 11, decade, decade + 1, 12, 13])
    #expect(jumped.times == [0, 1, 1, 2, 2, 3])
    #expect(jumped.problems.count(of: .timeJumped) == 1)
    #expect(jumped.problems.count(of: .timeWentBackwards) == 1)
    var wild = Recording(events: [])
    for t in [Int64.max, .min, 0, .max, -1] {
      wild.events.append(EvdevEvent(time: Instant(microseconds: t), type: 0, code: 0, value: 0))
    }
    let times = wild.rebased().events.map(\.time)
    #expect(times == times.sorted() && times.allSatisfy { $0 >= .zero })
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let recording = try parse(small)
    let description = try #require(recording.description)
    let bytes = EvemuWriter.text(description, events: recording.events)
    let again = try EvemuParser.parse(bytes, file: "x")
    #expect(again.events == recording.events)
    #expect(again.description?.axes == description.axes)
    #expect(again.description?.name == description.name)
    #expect(again.problems.isEmpty)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("# EVEMU 1.3\nN: Small panel\nI: 0018 1234 abcd 0100\nP: 02 00 00 00 00 00 00 00\n"))
    #expect(text.contains("\nE: 0.000001 0003 0036 -001\n"))
  }
}
