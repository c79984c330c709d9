import CarryTesting
import CLinux
import CarryCommand
import CarrySystem
import Testing

private let fixtures = Checkout.fixtures + "/devices"

private func carry(_ words: String...) -> (status: CommandStatus, out: String, err: String) {
  let printer = Printer(capturing: true)
  let status = CarryTool.run(words, printer)
  return (status, printer.output, printer.errors)
}

@Suite struct CommandTests {
  @Test func optionsAndOperandsAreTakenApart() throws {
    let options: [Arguments.Option] = [.flag("fast"), .value("screen"), .value("device")]
    let a = try Arguments(
      ["--device", "a", "x", "--fast", "--device=b=c", "--screen=800x480", "-", "--", "--fast", "-h"], options: options)
    #expect(a.operands == ["x", "-", "--fast", "-h"])
    #expect(a.has("fast") && !a.has("help"))
    #expect(a.values("device") == ["a", "b=c"])
    #expect(try a.size("screen")?.height == 480)
    #expect(try Arguments(["-h"], options: []).has("help"))
    for (words, message) in [
      (["--slow"], "unknown option --slow"), (["-f"], "unknown option -f"),
      (["--fast=1"], "option --fast takes no value"), (["--screen"], "option --screen needs a value"),
    ] {
      #expect(throws: UsageError(message)) { try Arguments(words, options: options) }
    }
    for bad in ["", "x", "0x5", "800", "800x", "-1x4", "1x2x3", "999999999999999999999x1"] {
      #expect(throws: UsageError.self) { try Arguments(["--screen", bad], options: options).size("screen") }
    }
  }

  @Test("Z22: carry record keeps every event, and writes no script") func Z22_noScript() {
    let refused = carry("record", "a.gestures")
    #expect(refused.status == .usage && refused.err.contains("carry convert makes a script"), "\(refused.err)")
  }

  @Test("Z20: flags have letters and second names, as scripts for dragon use them")
  func Z20_letters() throws {
    let options: [Arguments.Option] = [
      .flag("all", letter: "a"), .flag("once", letter: "x", alias: "and-exit"), .value("text"),
    ]
    for words in [["-ax"], ["-a", "-x"], ["--all", "--and-exit"], ["-xa", "--once"]] {
      let a = try Arguments(words + ["file"], options: options)
      #expect(a.has("all") && a.has("once") && a.operands == ["file"], "\(words)")
    }
    #expect(throws: UsageError("unknown option -z")) { try Arguments(["-az"], options: options) }
    #expect(throws: UsageError("unknown option -t")) { try Arguments(["-t"], options: options) }
    #expect(throws: UsageError("option --and-exit takes no value")) {
      try Arguments(["--and-exit=1"], options: options)
    }
  }

  @Test("Z20: options of carry drag and carry drop that do not go together are wrong usage")
  func Z20_togetherOrNot() {
    for (words, part) in [
      (["drag", "--stdin", "a"], "--stdin or files"), (["drag", "--add"], "--add goes with files"),
      (["drag", "--add", "-"], "--add goes with files"), (["drag", "--all", "--together", "a"], "--all"),
      (["drag", "--keep", "a"], "--keep goes with --target"), (["drag", "-p", "a"], "--print-path goes with --target"),
      (["drag", "-t", "a"], "nothing to drag"), (["drag", "-ta"], "--all does not go with --target"),
      (["drag", "--text", "a", "--move"], "--move goes with files"), (["drop", "-kx"], "--keep and --once"),
      (["drop", "--json", "-p"], "--print-path and --json"),
      (["drop", "-x", "--accept", "image/png"], "--to or --print"), (["copy", "--text", "a", "b"], "give one of"),
      (["copy", "--type", "a/b", "--text", "a"], "--type goes with"), (["copy", "--type", "a/*"], "media type"),
      (["paste", "a"], "no operands"), (["paste", "--type", "png"], "media type"),
    ] {
      let printer = Printer(capturing: true)
      #expect(CarryTool.run(words, printer) == .usage, "\(words)")
      #expect(printer.errors.contains(part), "\(words): \(printer.errors)")
    }
  }

  @Test("carry drag takes 64 files or texts, says so where there are more, and so do its help and carry(1)")
  func moreThan64() throws {
    let many = Array(repeating: "/nonexistent", count: 65)
    for words in [many, ["--all"] + many, ["--together"] + many, many.flatMap { ["--text", $0] }] {
      let printer = Printer(capturing: true)
      #expect(CarryTool.run(["drag"] + words, printer) == .usage)
      #expect(printer.errors.contains("at most 64 files or texts at once"), "\(printer.errors)")
    }
    let printer = Printer(capturing: true)
    #expect(CarryTool.run(["drag"] + many.dropLast(), printer) == .nothing)
    #expect(printer.errors.contains("No such file"), "\(printer.errors)")
    #expect(carry("drag", "--help").out.contains("At most 64 files or texts."))
    let page = String(decoding: try Files.read(Checkout.root + "/docs/man/carry.1", limit: 1 << 20), as: UTF8.self)
    #expect(page.contains("\nAt most 64 files, or texts, are taken.\n"))
  }

  @Test("help and carry(1) say that --data goes without --type") func aTypeMayBeLeftOut() throws {
    #expect(carry("drag", "--help").out.contains("carry drag --data FILE [--type MIME]"))
    let page = String(decoding: try Files.read(Checkout.root + "/docs/man/carry.1", limit: 1 << 20), as: UTF8.self)
    #expect(page.contains("Oo Fl -type Ar mime Oc Fl -data Ar file"))
  }

  @Test func wrongUsageIsOneLineThatSaysWhatToDo() {
    for result in [carry(), carry("fly"), carry("--fly"), carry("replay"), carry("describe", "--fly", "x")] {
      #expect(result.status == .usage)
      #expect(result.out.isEmpty)
      #expect(result.err.split(separator: "\n").count == 1)
      #expect(result.err.contains("--help"))
    }
    #expect(carry("--version").out == "carry 0.1.0\n")
    #expect(carry("--help").out.contains("carry replay"))
    for command in ["replay", "describe", "devices"] {
      let help = carry(command, "--help")
      #expect(help.status == .done)
      #expect(help.out.contains("Usage: carry \(command)"))
    }
  }

  @Test("a file that cannot be used is an error with its name")
  func aFileThatCannotBeUsedIsAnErrorWithItsName() {
    let result = carry("replay", "--fast", "/nonexistent/x.events")
    #expect(result.status == .nothing)
    #expect(result.err == "/nonexistent/x.events: cannot be read: No such file or directory\n")
  }

  @Test func numbersAreTheSameEverywhere() {
    for (value, text) in [
      (0.0, "0"), (-0.0, "0"), (1.5, "1.5"), (0.000001, "0.000001"), (0.0000001, "0"), (-2.25, "-2.25"),
      (1e9, "1000000000"), (.nan, "0"), (.infinity, "9000000000000"), (-1e300, "-9000000000000"), (0.1 + 0.2, "0.3"),
    ] { #expect(Decimal.text(value) == text) }
    #expect(Decimal.fixed(1, places: 3) == "1.000")
    #expect(Decimal.fixed(-0.0625, places: 3) == "-0.062")
    #expect(Decimal.fixed(12.6, places: 0) == "13")
  }

  @Test func jsonIsEscapedAndKeepsItsOrder() {
    var line = JSONLine()
    line.add("t", 0.5)
    line.add("name", "a\"b\\c\n\u{1}\u{9B}é")
    line.add("list", ["x", "y"])
    line.add("ok", true)
    line.add("n", -3)
    let expected =
      #"{"t": 0.5, "name": "a\"b\\c\n\u0001\u009bé", "list": ["x", "y"], "ok": true, "n": -3}"#
    #expect(line.text == expected)
    #expect(JSONLine().text == "{}")
  }

  @Test func replayPrintsContactsAndGesturesTheSameEveryRun() {
    let file = fixtures + "/atmel-maxtouch.2-fingers-touch-release.events"
    let first = carry("replay", "--fast", "--json", "--screen", "800x480", file)
    #expect(first.status == .done)
    let lines = first.out.split(separator: "\n").map(String.init)
    #expect(
      lines[0]
        == #"{"t": 0, "event": "contact-began", "contact": 1, "x": 539, "y": 167, "panel-x": 539, "panel-y": 167}"#)
    #expect(
      lines.contains(
        #"{"t": 0.824235, "event": "contact-ended", "contact": 1, "x": 538, "y": 176, "panel-x": 538, "panel-y": 176, "duration": 0.824235, "travel": 19.932607, "unit": "units"}"#
      ))
    #expect(lines.contains { $0.contains(#""event": "lift-began", "contact": 1"#) })
    #expect(carry("replay", "--fast", "--json", "--screen", "800x480", file).out == first.out)
    let table = carry("replay", "--fast", file)
    #expect(table.out.hasPrefix("   SECONDS  EVENT"))
    #expect(table.out.contains("contact-ended"))
  }

  @Test("Z22: replay takes settings, and says where they are wrong") func Z22_replayTakesSettings() throws {
    let file = fixtures + "/atmel-maxtouch.2-fingers-touch-release.events"
    let folder = try TestFolder("replay")
    func replay(_ text: String) throws -> (status: CommandStatus, out: String, err: String) {
      carry("replay", "--fast", "--json", "--config", try folder.write(text, to: "carry.conf"), file)
    }
    let few = try replay("[lift]\nbegins-ms = 700\ncompletes-ms = 900\n")
    #expect(few.status == .done && few.out.contains("contact-ended") && !few.out.contains("lift-began"))
    let wrong = try replay("[lift]\nbegins-ms = soon\n")
    #expect(wrong.status == .nothing && wrong.out.isEmpty && wrong.err.contains("\(folder.path)/carry.conf:2"))
  }

  @Test("Z22: convert writes the other format, through a link, and over nothing that is no file")
  func Z22_convertWritesTheOtherFormat() throws {
    let file = fixtures + "/atmel-maxtouch.2-fingers-touch-release.events"
    let folder = try TestFolder("convert")
    let (yaml, link, pipe) = (folder.path + "/a.yml", folder.path + "/link.yml", folder.path + "/pipe.yml")
    #expect(carry("convert", file, yaml).status == .done)
    let same = carry("replay", "--fast", "--json", yaml).out
    #expect(same == carry("replay", "--fast", "--json", file).out && same.contains("contact-ended"))
    #expect(carry("convert", file, yaml).err.contains("--force"))
    // What a link names is replaced, not the link.
    #expect(symlink(yaml, link) == 0)
    #expect(carry("convert", "--force", file, link).status == .done)
    var there = stat()
    #expect(lstat(link, &there) == 0 && there.st_mode & UInt32(S_IFMT) == UInt32(S_IFLNK))
    #expect(mkfifo(pipe, 0o600) == 0)
    let refused = carry("convert", "--force", file, pipe)
    #expect(refused.status == .nothing && refused.err.contains("no regular file"))
    #expect(lstat(pipe, &there) == 0 && there.st_mode & UInt32(S_IFMT) == UInt32(S_IFIFO))
  }

  @Test("Z6: replay shows what a trackpad's fingers do at the pointer")
  func Z6_replayShowsWhatATrackpadsFingersDoAtThePointer() {
    let file = fixtures + "/../traces/clickpad-drag.events"
    let result = carry("replay", "--fast", "--json", "--screen", "1280x800", file)
    #expect(result.status == .done && result.err.isEmpty)
    let lines = result.out.split(separator: "\n").map(String.init)
    for line in [
      #"{"t": 0.3, "event": "button-pressed"}"#,
      #"{"t": 0.8, "event": "lifted", "contact": 1001, "x": 200, "y": 400}"#,
      #"{"t": 1.08, "event": "tap", "contact": 1002, "x": 240, "y": 360}"#,
      #"{"t": 1.5, "event": "button-released"}"#,
      #"{"t": 2.75, "event": "drag-ended", "contact": 1001, "x": 1000, "y": 400}"#,
    ] { #expect(lines.contains(line), "\(line)\n\(result.out)") }
    // The fingers on the pad make no gestures of their own.
    #expect(!lines.contains { $0.contains("press-failed") || $0.contains(#""event": "tap", "contact": 2"#) })
    let text = carry("describe", file).out
    #expect(text.contains("the pad is the button") && text.contains("1 click"))
    #expect(carry("describe", "--json", file).out.contains(#""clickpad": true, "clicks": 1"#))
    let tap = carry("replay", "--fast", "--screen", "1280x800", fixtures + "/../traces/tap-and-hold.events")
    #expect(tap.out.contains("drag-ended") && !tap.out.contains("button"))
  }

  @Test("Z22: of a recording that cannot be replayed it is said why") func Z22_aRecordingWithoutAxes() throws {
    let folder = try TestFolder("mouse")
    let file = try folder.write(
      "N: mouse\nI: 0003 1234 abcd 0100\nE: 0.000000 0001 0110 0001\nE: 0.000000 0000 0000 0000\n",
      to: "mouse.events")
    let text = carry("describe", file)
    #expect(text.status == .done)
    #expect(text.out.contains("problem   \(file): the device has no touch axes, so it cannot be replayed"))
    #expect(carry("describe", "--json", file).out.contains("no touch axes"))
  }

  @Test func describeSaysWhatARecordingHolds() {
    let file = fixtures + "/atmel-maxtouch.2-fingers-touch-release.events"
    let text = carry("describe", file)
    #expect(text.status == .done)
    for part in [
      "Atmel maXTouch Touchscreen", "touchscreen, slotted", "events    64 in 0.824 s", "contacts  2, at most 2 at once",
      "ABS_MT_POSITION_X 0…799",
    ] { #expect(text.out.contains(part), "\(part)") }
    let json = carry("describe", "--json", file)
    #expect(json.out.contains(#""kind": "touchscreen", "protocol": "slotted", "slots": 10"#))
    #expect(json.out.contains(#""contacts": 2, "at-once": 2, "problems": []"#))
  }

  @Test("Z22: describe and replay fail, and say why, where events take no effect", arguments: ["describe", "replay"])
  func Z22_eventsWithoutEffect(command: String) throws {
    let good = try String(
      decoding: Files.read(Checkout.root + "/Tests/Fixtures/traces/drag.events", limit: 1 << 16), as: UTF8.self)
    let lines = good.split(separator: "\n")
    let head = lines.filter { !$0.hasPrefix("E:") }
    let events = lines.filter { $0.hasPrefix("E:") }
    let folder = try TestFolder("hand")
    func said(_ events: [Substring]) throws -> (status: CommandStatus, text: String) {
      let file = try folder.write((head + events).joined(separator: "\n") + "\n", to: "hand.events")
      let result = command == "describe" ? carry("describe", file) : carry("replay", "--fast", file)
      return (result.status, result.out + result.err)
    }
    #expect(try said(events).status == .done)
    // A finger without a closing report at the end.
    let open = try said(Array(events.dropLast()))
    #expect(open.status == .nothing && open.text.contains("event \(events.count - 1): no SYN_REPORT"), "\(open)")
    // No report at all.
    let none = try said(events.filter { !$0.hasSuffix("0000 0000 0000") })
    #expect(none.status == .nothing && none.text.contains("no contact: a finger needs"), "\(none)")
    // A second finger taps, and the slot of the first is not selected again.
    let place = try #require(events.firstIndex { $0.hasSuffix("0000 0000 0000") }) + 1
    let tap: [Substring] = [
      "E: 0.6 0003 002f 0001", "E: 0.6 0003 0039 0009", "E: 0.6 0003 0035 0300", "E: 0.6 0003 0036 0300",
      "E: 0.6 0000 0000 0000", "E: 0.65 0003 0039 -001", "E: 0.65 0000 0000 0000",
    ]
    let lost = try said(events[..<place] + tap + events[place...])
    #expect(lost.status == .nothing && lost.text.contains("an ABS_MT_SLOT event (2f) may be missing"), "\(lost)")
    let right = try said(events[..<place] + tap.dropLast() + ["E: 0.65 0003 002f 0000", tap[6]] + events[place...])
    #expect(right.status == .done, "\(right)")
  }

  @Test func describeSaysWhichAxisADeviceLacks() throws {
    let whole = try Files.read(fixtures + "/atmel-maxtouch.2-fingers-touch-release.events", limit: 1 << 20)
    let lines = String(decoding: whole, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let folder = try TestFolder("lacks")
    let file = try folder.write(
      lines.filter { !$0.hasPrefix("A: 35") }.joined(separator: "\n"), to: "lacks.events")
    #expect(carry("describe", file).out.contains("the device's description lacks ABS_MT_POSITION_X, which events have"))
  }
}
