import CarryTesting
import CLinux
import CarryContacts
@testable import CarryRecordings
import CarryModel
import CarrySystem
import Testing

@Suite struct LibinputRecordTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder("libinput") }

  private func write(_ bytes: [UInt8], _ name: String = "x.yml") throws -> String {
    try folder.write(bytes, to: name)
  }

  /// As the manual page of libinput-record shows it.
  private static let example = """
    version: 1
    ndevices: 1
    libinput:
      version: 1.10.0
    system:
      os: "fedora:26"
    devices:
      - node: /dev/input/event9
        evdev:
          # Name: Synaptics TM2668-002
          name: Synaptics TM2668-002
          id: [29, 1739, 0, 0]
          codes:
            0: [0, 1, 2] # EV_SYN
            1: [272, 325, 330] # EV_KEY
            3: [0, 1, 47, 53, 54, 57] # EV_ABS
          absinfo:
            0: [0, 4089, 0, 0, 42]
            1: [0, 2811, 0, 0, 41]
            47: [0, 4, 0, 0, 0]
            53: [0, 4089, 0, 0, 42]
            54: [0, 2811, 0, 0, 41]
            57: [0, 65535, 0, 0, 0]
          properties: [0, 2]
        hid: [12, 23]
        udev:
          properties:
          - ID_INPUT_TOUCHPAD=1
        quirks:
          - AttrSizeHint=32x32
        events:
          - evdev:
            - [  0,      0,  3,  57,  1420] # EV_ABS / ABS_MT_TRACKING_ID
            - [  0,      0,  3,  53,  1218]
            - [  0,      0,  3,  54,  1922]
            - [  0,      0,  0,   0,     0] # ---- SYN_REPORT (0) ---- +0ms
          - libinput:
            - {time: 0.1, type: POINTER_MOTION}
          - evdev:
            - [  1,  11879,  3,  57,    -1]
            - [  1,  11879,  0,   0,     0]
    """

  @Test("Z22: what libinput record writes is read") func Z22_whatLibinputRecordWritesIsRead() throws {
    let r = try RecordingFile.load(try write(Array(Self.example.utf8)))
    let d = try #require(r.description)
    #expect(d.name == "Synaptics TM2668-002")
    #expect([d.bus, d.vendor] == [29, 1739])
    #expect(d.axes[Evdev.absMtPositionX] == AxisRange(0, 4089, resolution: 42))
    #expect(d.kind == .trackpad)
    #expect(r.events.count == 6)
    #expect(r.events.map(\.value).prefix(3) == [1420, 1218, 1922])
    #expect(r.events.last?.time.microseconds == 1_011_879)
  }

  @Test("Z22: both formats carry the same") func Z22_bothFormatsCarryTheSame() throws {
    let fixtures = Checkout.fixtures + "/devices"
    var seen = 0
    for name in Files.list(fixtures) where name.hasSuffix(".events") {
      let original = try RecordingFile.load(fixtures + "/" + name)
      let description = try #require(original.description)
      var r = original
      for (i, format) in [RecordingFile.Format.libinput, .evemu, .libinput].enumerated() {
        let bytes = try RecordingFile.encode(description, events: r.events, as: format, node: "/dev/input/event7")
        r = try RecordingFile.load(try write(bytes, "\(i)"))
        #expect(r.events == original.events, "\(name) as \(format)")
        #expect(r.description?.axes == description.axes)
        #expect(r.description?.properties.codes == description.properties.codes)
        #expect(r.description?.name == description.name)
        for (type, codes) in description.codes where !codes.codes.isEmpty {
          #expect(r.description?.codes[type]?.codes == codes.codes, "\(name): type \(type)")
        }
      }
      seen += 1
    }
    #expect(seen >= 2)
  }

  @Test("a damaged yaml recording is played as far as it goes, or is an error of one line that names the file")
  func aDamagedYamlRecording() throws {
    let bytes = Array(Self.example.utf8)
    let whole = try RecordingFile.load(try write(bytes))
    var (played, refused) = (0, 0)
    func load(_ bytes: [UInt8]) throws {
      do throws(FileProblem) {
        let recording = try RecordingFile.load(try! write(bytes))
        #expect(recording.events.count <= whole.events.count && recording.description != nil)
        played += 1
      } catch {
        #expect(error.sentence.contains("x.yml") && !error.sentence.contains("\n"), "\(error.sentence)")
        refused += 1
      }
    }
    for end in stride(from: 0, to: bytes.count, by: 7) { try load(Array(bytes[..<end])) }
    #expect(played > 10 && refused > 10)
    var state: UInt64 = 7
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        damaged[Int(state >> 33) % damaged.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      try load(damaged)
    }
  }

  @Test("hostile yaml is one error with its line") func hostileYamlIsOneErrorWithItsLine() throws {
    func message(_ text: String) throws -> String {
      do {
        _ = try RecordingFile.load(try write(Array(text.utf8)))
        return ""
      } catch let e as FileProblem {
        return e.sentence
      }
    }
    #expect(try message("version: 1\na: &x [1]\nb: *x\n").contains("x.yml:3:"))
    #expect(try message("version: 1\na: \(String(repeating: "[", count: 5000))\n").contains("too deeply"))
    #expect(try message("version: 9\ndevices:\n  - node: x\n").contains("version 9"))
    #expect(try message("version: 1\n").contains("no device"))
    #expect(try message("version: 1\nfoo: [1, 2\n").contains("x.yml:"))
  }

  @Test func aRecordingThatWasCutOffIsPlayedAsFarAsItGoes() throws {
    let text = Self.example.prefix(Self.example.count - 30) + "\n  - {"
    let r = try RecordingFile.load(try write(Array(text.utf8)))
    #expect(r.events.count >= 4)
    #expect(r.problems.count(of: .cutOff) == 1)
  }
}
