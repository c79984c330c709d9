import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

@testable import CarryRecordings

/// Recordings as people paste them into mails and reports.
@Suite struct PastedRecordingTests {
  private static let evemu = try? Checkout.text("Tests/Fixtures/traces/drag.events")

  private func load(_ bytes: [UInt8], _ ending: String = "events") throws -> Recording {
    let folder = try TestFolder("pasted")
    return try RecordingFile.load(try folder.write(bytes, to: "recording." + ending))
  }

  @Test("Z22: a recording is found within a terminal's output, a mail or a Markdown fence", arguments: [false, true])
  func Z22_aroundIt(isYAML: Bool) throws {
    let text = try #require(Self.evemu)
    let plain = try load(Array(text.utf8))
    let description = try #require(plain.description)
    let good =
      isYAML
      ? String(
        decoding: LibinputRecordWriter.text(description, events: plain.events, node: "/dev/input/event0"), as: UTF8.self
      )
      : text
    let wanted = try load(Array(good.utf8)).events
    let terminal = "$ sudo record\nAvailable devices:\n/dev/input/event3:\tA touchscreen\nRecording to 'stdout'.\n"
    let forms =
      [
        terminal + good, "\u{FEFF}" + good, "Hello,\n\n```yaml\n" + good + "```\nThanks\n",
        "On Monday:\n" + good.split(separator: "\n").map { "> \($0)\n" }.joined(),
        good.split(separator: "\n").joined(separator: "\r\n"),
        "version: 0.3 of Carry\n\n" + good.split(separator: "\n").map { "> \($0)\n" }.joined() + "\nbye\n-- \nAda\n",
      ] + (isYAML ? [good + "-- \nAda\n", good + "```\n", good + "\nThat is all.\n"] : [])
    for form in forms { #expect(try load(Array(form.utf8)).events == wanted, "\(form.prefix(60))") }
    for mark in [[UInt8](arrayLiteral: 0xFF, 0xFE), [0xFE, 0xFF]] {
      let wide = good.utf16.flatMap { unit in
        let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
        return mark[0] == 0xFF ? [low, high] : [high, low]
      }
      #expect(try load(mark + wide).events == wanted)
    }
    // Lines keep their numbers.
    let broken = try load(Array((terminal + good + "E: broken\n").utf8))
    if !isYAML {
      let line = (terminal + good).split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(broken.problems.lines(file: "f").contains { $0.hasPrefix("f:\(line): ") }, "\(broken.problems)")
    }
  }

  @Test(
    "Z22: what getevent prints plays as the same recording, with names and without, of one device and of several",
    arguments: [true, false], [true, false])
  func Z22_getevent(hasNames: Bool, isAlone: Bool) throws {
    let plain = try load(Array(try #require(Self.evemu).utf8))
    let device = try #require(plain.description)
    func hex<T: FixedWidthInteger & UnsignedInteger>(_ value: T) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: MemoryLayout<T>.size * 2 - text.count) + text
    }
    func name(_ code: UInt16) -> String { hasNames ? EvdevNames.axis(code) : hex(code) }
    var lines =
      isAlone ? [] : ["add device 1: /dev/input/event2", "  name:     \"keys\"", "  events:", "    KEY (0001): 0074"]
    lines += [
      "add device 2: /dev/input/event4", "  bus:      0003", "  vendor    0eef", "  product   0001",
      "  version   0100", "  name:     \"A panel\"", "  location: \"usb-1\"", "  version:  1.0.1", "  events:",
      "    KEY (0001): \(hasNames ? "BTN_TOUCH" : "014a")",
    ]
    for (i, code) in (device.codes[Evdev.abs]?.codes ?? []).enumerated() {
      let axis = try #require(device.axes[code])
      lines.append(
        (i == 0 ? "    ABS (0003): " : "                ")
          + "\(name(code))  : value 0, min \(axis.minimum), max \(axis.maximum), fuzz \(axis.fuzz), flat \(axis.flat), "
          + "resolution \(axis.resolution)")
    }
    lines += ["  input props:", "    \(hasNames ? "INPUT_PROP_DIRECT" : "0001")"]
    for event in plain.events {
      let t = event.time.microseconds
      let time = "[    \(1699 + t / 1_000_000).\(String(t % 1_000_000 + 1_000_000).dropFirst())]"
      let words: [String]
      switch (event.type, hasNames) {
      case (Evdev.syn, true): words = ["EV_SYN", "SYN_REPORT", "00000000"]
      case (Evdev.key, true): words = ["EV_KEY", "BTN_TOUCH", event.value == 0 ? "UP" : "DOWN"]
      case (Evdev.abs, true): words = ["EV_ABS", name(event.code), hex(UInt32(bitPattern: event.value))]
      default: words = [hex(event.type), hex(event.code), hex(UInt32(bitPattern: event.value))]
      }
      lines.append("\(time) \(isAlone ? "" : "/dev/input/event4: ")\(words.joined(separator: " "))")
    }
    let read = try load(Array(lines.map { $0 + "\n" }.joined().utf8))
    #expect(read.description?.axes == device.axes && read.description?.kind == .touchscreen)
    #expect(read.description?.name == "A panel" && read.others == (isAlone ? [] : ["keys"]))
    #expect(read.events == plain.events)
    // An evemu recording with such lines behind it stays one.
    let behind = String(decoding: try #require(Self.evemu).utf8, as: UTF8.self) + "[    1.2] EDAC MC: Ver:3.0.0\n"
    #expect(try load(Array((behind + lines[0] + "\n").utf8)).events == plain.events)
    let quoted = try load(Array(lines.map { "> " + $0 + "\n" }.joined().utf8))
    #expect(quoted.events == plain.events)
  }

  @Test("Z22: events of getevent without times cannot be played, and the option that prints them is named")
  func Z22_noTimes() throws {
    #expect {
      try load(Array("/dev/input/event4: 0003 0039 00000001\n".utf8))
    } throws: {
      ($0 as? FileProblem)?.sentence.hasSuffix(":1: the events have no times; getevent -t prints them") == true
    }
  }

  @Test("Z22: what evtest prints plays as the same recording, also quoted in a mail", arguments: ["", "> "])
  func Z22_evtest(quote: String) throws {
    let plain = try load(Array(try #require(Self.evemu).utf8))
    let device = try #require(plain.description)
    var lines = [
      "No device specified, trying to scan all of /dev/input/event*", "Input driver version is 1.0.1",
      "Input device ID: bus 0x3 vendor 0x0 product 0x0 version 0x0", "Input device name: \"A touchscreen\"",
      "Supported events:",
    ]
    for (type, codes) in device.codes.sorted(by: { $0.key < $1.key }) {
      lines.append("  Event type \(type) (SOME)")
      for code in codes.codes {
        lines.append("    Event code \(code) (SOME)")
        guard type == Evdev.abs, let axis = device.axes[code] else { continue }
        lines += ["      Value      0", "      Min        \(axis.minimum)", "      Max     \(axis.maximum)"]
      }
    }
    lines += ["Properties:", "  Property type 1 (INPUT_PROP_DIRECT)", "Testing ... (interrupt to exit)"]
    for event in plain.events {
      let t = event.time.microseconds
      let time = "Event: time \(1699 + t / 1_000_000).\(String(t % 1_000_000 + 1_000_000).dropFirst())"
      lines.append(
        event.type == Evdev.syn
          ? "\(time), -------------- SYN_REPORT ------------"
          : "\(time), type \(event.type) (EV_ABS), code \(event.code) (ABS_SOME), value \(event.value)")
    }
    let read = try load(Array(lines.map { quote + $0 + "\n" }.joined().utf8))
    #expect(read.description?.axes == device.axes && read.description?.kind == .touchscreen)
    #expect(read.events == plain.events)
    let cut = try load(Array(lines.map { $0.replacing(", value", with: "") + "\n" }.joined().utf8))
    #expect(cut.problems.lines(file: "a").first?.hasPrefix("a:") == true)
  }

  @Test("Z22: of several devices the touchscreen is played, with its calibration, and the others are named")
  func Z22_severalDevices() throws {
    let plain = try load(Array(try #require(Self.evemu).utf8))
    func device(_ name: String, _ properties: [UInt16], _ calibration: Transform = .identity) throws -> String {
      var description = try #require(plain.description)
      (description.name, description.properties, description.calibration) = (name, CodeSet(properties), calibration)
      let text = String(
        decoding: LibinputRecordWriter.text(description, events: plain.events, node: "/dev/input/event1"), as: UTF8.self
      )
      return String(text[try #require(text.range(of: "- node:")).lowerBound...])
    }
    let turned = Transform([0, 1, 0, -1, 0, 1])
    let devices = try [device("Pad", [0, 2]), device("Panel", [1], turned), device("Second panel", [1])]
    let recording = try load(Array(("version: 1\nndevices: 3\ndevices:\n" + devices.joined()).utf8), "yml")
    #expect(recording.description?.name == "Panel" && recording.others == ["Pad", "Second panel"])
    let description = try #require(recording.description)
    #expect(description.calibration == turned)
    let screen = Rect(x: 0, y: 0, width: 100, height: 100)
    let corner = ScreenMapping(description, screen: screen).point(x: 0, y: 0)
    #expect(corner == Point(x: 0, y: 100))
  }

  @Test("Z22: a recording whose axes have no range, or that is of no touch device, is refused with the reason")
  func Z22_noPlace() throws {
    let text = try #require(Self.evemu)
    func refusal(_ form: String) throws -> String {
      let recording = try load(Array(form.utf8))
      do { _ = try RecordingPlayer(recording, startingAt: .zero, file: "f") } catch { return error.sentence }
      return ""
    }
    let flat = text.split(separator: "\n").map { $0.hasPrefix("A: 35") ? "A: 35 0 0 0 0 0" : String($0) }
    #expect(try refusal(flat.joined(separator: "\n") + "\n").contains("ABS_MT_POSITION_X has no range"))
    let none = String(repeating: "B: 01 00 00 00 00 00 00 00 00\n", count: 4)
    let mouse =
      "N: m\nI: 0003 0001 0001 0001\n\(none)B: 01 00 00 01 00 00 00 00 00\n"
      + "A: 00 0 1279 0 0 0\nA: 01 0 799 0 0 0\nE: 0.0 0001 0110 1\nE: 0.0 0000 0000 0\n"
    #expect(try refusal(mouse).contains("has ABS_X and ABS_Y, but no BTN_TOUCH: it reports touches as BTN_LEFT"))
  }
}

extension String {
  fileprivate func range(of part: String) -> Range<Index>? {
    indices.first { self[$0...].hasPrefix(part) }.map { $0..<index($0, offsetBy: part.count) }
  }
}
