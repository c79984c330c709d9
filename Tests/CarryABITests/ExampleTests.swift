import CLinux
import CarrySystem
import CarryTesting
import Testing

/// The examples as people build and start them: with a C compiler or Python and the shared library, without any Swift.
@Suite(.serialized, .enabled(if: Paths.library != nil, "LEFT OUT: libcarryabi.so is not built; run 'swift build'"))
struct ExampleTests {
  private let folder: TestFolder
  private let library: String

  init() throws {
    folder = try TestFolder("abi")
    library = try #require(Paths.library)
    // As it is installed.
    symlink(library, folder.path + "/libcarry.so.0")
  }

  private func compile(_ name: String) throws -> String {
    try PeerProgram.build(
      name,
      "gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -I'\(Checkout.headers)' "
        + "'\(Paths.examples)/\(name).c' '\(library)' -lX11")
  }

  private func start(_ command: [String], _ desktop: Desktop, x: Int) throws -> ChildProcess {
    let clean = [
      "env", "-i", "-C", folder.path, "PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=\(folder.path)",
      "DISPLAY=\(desktop.server.display)", "CARRY_SOCKET=\(desktop.socket)",
      "PYTHONPATH=\(Checkout.root)/Toolkits/python/src", "PYTHONDONTWRITEBYTECODE=1",
    ]
    return try ChildProcess(clean + command + ["--once", "--geometry", "300x300+\(x)+250"], output: .pipe)
  }

  @Test("Z21, G16: text is dragged between the examples", arguments: [false, true])
  func Z21_G16_textIsDraggedBetweenTheExamples(python: Bool) throws {
    if python, !Files.exists("/usr/bin/python3") {
      print("CarryABITests: LEFT OUT: no /usr/bin/python3, the Python examples were not run")
      return
    }
    let source = python ? ["python3", Paths.examples + "/source.py"] : [try compile("source")]
    let target = python ? ["python3", Paths.examples + "/target.py"] : [try compile("target")]
    let desktop = try Desktop("press-drag-drop", clients: 2)
    let to = try start(target, desktop, x: 850)
    let from = try start(source + ["Grüße aus C"], desktop, x: 50)
    #expect(to.readLine(seconds: 20) { $0.hasPrefix("received") } == "received text: Grüße aus C")
    #expect(to.waitForExit(seconds: 10) == 0)
    #expect(from.waitForExit(seconds: 10) == 0)
  }

  @Test("Z21, G16: the smallest C target takes a text, without its control characters, and nothing else")
  func Z21_G16_theSmallestTarget() throws {
    let smallest = "'\(try compile("smallest"))'"
    let taken = try tryOut([smallest, "'\(try compile("source"))' --once 'Grüße\u{1b}[0m aus C'"])
    #expect(taken.lines.contains("received text: Grüße?[0m aus C") && taken.status == 0, "\(taken.lines)")
    let picture = folder.path + "/a.png"
    try append("no text", to: picture)
    let carry = try Checkout.program("carry")
    let refused = try tryOut([smallest, "'\(carry)' drag --once --geometry 300x300+50+50 '\(picture)'"])
    #expect(refused.lines.contains("try.sh: over; nothing was dropped") && refused.status == 1, "\(refused.lines)")
    #expect(refused.lines.contains { $0.hasPrefix("step: cancelled") })
  }

  @Test("Z21: the script ends where a program makes no region, and says which")
  func Z21_aProgramWithoutARegion() throws {
    let source = "'\(try compile("source"))' --once"
    let lost = try tryOut([source, "sleep 100"], options: ["--timeout", "12"])
    #expect(lost.status == 1 && lost.lines.contains { $0.contains("'sleep 100' has made no region") }, "\(lost.lines)")
    #expect(!lost.lines.contains { $0.contains("'\(source)' has made no region") })
    // One that needs none is not waited for; the end of the engine, which was asked for, is no news.
    let counted = try tryOut([source, "sleep 100"], options: ["--wait", "1"])
    #expect(counted.lines.contains { $0.hasPrefix("step: cancelled") }, "\(counted.lines)")
    #expect(!counted.lines.contains { $0.contains("was lost") || $0.contains("broken") }, "\(counted.lines)")
  }

  @Test("Z9, PC4: the C example copies a text and pastes one, and waits for nothing but the other program")
  func Z9_PC4_theClipboard() throws {
    let server = try PrivateXServer()
    let example = try compile("clipboard")
    func start(_ command: [String]) throws -> ChildProcess {
      try ChildProcess(
        [
          "env", "-i", "PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=\(folder.path)", "DISPLAY=\(server.display)",
          "CARRY_SOCKET=\(folder.path)/none",
        ] + command, output: .pipe)
    }
    let nothing = try start([example, "paste"])
    #expect(nothing.waitForExit(seconds: 20) == 1)
    let copy = try start([example, "copy", "Grüße aus C"])
    let looker = try #require(XClient(server.display))
    #expect(Wait.until(seconds: 20) { looker.selectionOwner("CLIPBOARD") != 0 })
    for command in [[example, "paste"], ["sh", "-c", "xclip -o -selection clipboard -t UTF8_STRING; echo"]] {
      let paste = try start(command)
      #expect(paste.readLine(seconds: 20) { !$0.isEmpty } == "Grüße aus C" && paste.waitForExit(seconds: 20) == 0)
    }
    withExtendedLifetime(copy) {}
  }

  @Test("R1: the C example saves a folder as it is, and says how far it is") func R1_aFolderInC() throws {
    let desktop = try Desktop("press-drag-drop", clients: 2)
    let album = folder.path + "/from/album"
    mkdir(folder.path + "/from", 0o700)
    mkdir(album, 0o700)
    let file = try Descriptor.open(album + "/one.txt", O_WRONLY | O_CREAT, mode: 0o600)
    Output.write("one", to: file.raw)
    let to = try start([try compile("target")], desktop, x: 850)
    let from = try start([try Checkout.program("carry"), "drag", album], desktop, x: 50)
    #expect(to.readLine(seconds: 20) { $0.hasPrefix("received") } == "received folder: ./album")
    #expect(Files.exists(folder.path + "/album/one.txt"))
    #expect(to.waitForExit(seconds: 10) == 0)
    #expect(from.waitForExit(seconds: 10) == 0)
  }

  @Test("Z21: a GTK program takes a drop in its own main loop")
  func Z21_aGTKProgramTakesADropInItsOwnLoop() throws {
    let flags = try run(["pkg-config", "--cflags", "--libs", "gtk+-3.0"])
    try #require(flags.status == 0, "GTK 3 is not there to build with")
    let program = try PeerProgram.build(
      "gtk",
      "gcc -std=c11 -Wall -Wextra -Werror -I'\(Checkout.headers)' "
        + "-I'\(Checkout.root)/Sources/Library/CCarry/glib' '\(Paths.examples)/gtk.c' '\(library)' -lX11 "
        + flags.lines.joined(separator: " "))
    var script = FingerScript(width: 1280, height: 800)
    script.carry(from: (1000, 400), at: 0, .to(350, 150, 700...1100), upAt: 1500)
    let desktop = try Desktop(script, clients: 2, compositor: nil)
    let to = try ChildProcess(
      [
        "env", "-i", "HOME=\(folder.path)", "PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=\(folder.path)", "NO_AT_BRIDGE=1",
        "LC_ALL=C.UTF-8",
        "DISPLAY=\(desktop.server.display)", "CARRY_SOCKET=\(desktop.socket)", program, "--once",
      ], output: .pipe)
    let from = try start([try compile("source"), "Grüße"], desktop, x: 850)
    #expect(to.readLine(seconds: 20) { $0.hasPrefix("received") } == "received: Grüße")
    #expect(to.waitForExit(seconds: 10) == 0)
    #expect(from.waitForExit(seconds: 10) == 0)
  }

  /// The drag of the examples in their own script, with their own recording.
  private func tryOut(_ programs: [String], options: [String] = []) throws -> (lines: [String], status: CInt?) {
    try run(
      [
        "env", "-i", "-C", folder.path, "PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=\(folder.path)",
        "CARRYD=\(try Checkout.program("carryd"))", "CARRY=\(try Checkout.program("carry"))",
        Paths.examples + "/try.sh",
      ] + options + [Paths.examples + "/drag.gestures"] + programs)
  }

  /// `carry test` with the C examples.
  private func test(_ script: String, _ programs: [String]) throws -> (lines: [String], status: CInt?) {
    let file = try folder.write(script, to: "drag.gestures")
    return try run(
      [
        "env", "-i", "-C", folder.path, "PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=\(folder.path)",
        try Checkout.program("carry"), "test", "--keep", folder.path + "/kept", file, "--",
      ] + programs)
  }

  private static let drag = """
    press "C source"
    move to "C target" in 200ms
    up
    expect lift of "C source"

    """

  @Test("Z34, G16: carry test plays a script before the examples, and what is expected comes")
  func Z34_G16_expected() throws {
    let programs = ["'\(try compile("target"))'", "'\(try compile("source"))' 'Some text'"]
    let passed = try test(
      Self.drag + "expect drop on \"C target\" as copy\nexpect \"C target\" received text/*", programs)
    #expect(passed.lines.filter { $0.hasPrefix("ok ") }.count == 3 && passed.status == 0, "\(passed.lines)")
    #expect(passed.lines.starts(with: ["TAP version 13", "1..3"]) && !Files.exists(folder.path + "/kept"))
  }

  @Test("Z34, Z36: what did not come is told with what came instead, and what explains it is kept")
  func Z34_Z36_notExpected() throws {
    let programs = ["'\(try compile("target"))'", "'\(try compile("source"))' 'Some text'"]
    let failed = try test(Self.drag + "expect drop as move", programs)
    #expect(failed.lines.contains { $0.hasPrefix("ok 1") } && failed.lines.contains { $0.hasPrefix("not ok 2") })
    #expect(failed.lines.contains { $0.contains("dropped copy \"C source\" over \"C target\"") }, "\(failed.lines)")
    #expect(failed.status == 1 && Files.exists(folder.path + "/kept/drag.log"))
    // The session comes back, without its programs, and says what was the target.
    let replay = try run([try Checkout.program("carry"), "replay", "--explain", folder.path + "/kept/drag.session"])
    #expect(replay.status == 0 && replay.lines.last?.hasSuffix("this engine does the same") == true)
    #expect(replay.lines.contains { $0.contains("C target  is the target, and proposes copy") }, "\(replay.lines)")
    // A region that is not there is told with those that are.
    let lost = try test("press \"C sauce\"\nexpect no drop", programs)
    #expect(lost.lines.contains { $0.contains("no region on the screen is called \"C sauce\"; there are") })
    #expect(lost.lines.contains { $0.contains("\"C source\", \"C target\"") } && lost.status == 1)
    // The finger that is still down goes with the script.
    let down = try test("press \"C source\"\nexpect lift", programs)
    #expect(down.status == 0, "\(down.lines)")
    // A script without expectations would always pass.
    let empty = try test("press \"C source\"", programs)
    #expect(empty.status == 2 && empty.lines.contains { $0.contains("expects nothing") })
  }

  @Test("Z34: why a drag was cancelled can be expected, and is told") func Z34_because() throws {
    let programs = ["'\(try compile("target"))'", "'\(try compile("source"))' 'Some text'"]
    let beside = "press \"C source\"\nmove to 740,200 in 200ms\nup\nexpect cancel because "
    let reason = "released where no drop region is; nearest: C target, 40 px to the left"
    let told = try test(beside + "\"\(reason)\"\nexpect no drop", programs)
    #expect(told.status == 0 && told.lines.contains { $0.contains("cancel because \"\(reason)\"") }, "\(told.lines)")
    let other = try test(beside + "\"px up\"", programs)
    #expect(
      other.status == 1 && other.lines.contains { $0.contains("cancelled \"C source\", \(reason)") }, "\(other.lines)")
    let refusing = "'\(try Checkout.program("carry"))' drop --accept image/png --geometry 300x300+400+50"
    let refused = try test(
      "press \"C source\"\nmove to \"carry drop\" in 200ms\nup\nexpect cancel because \"which proposed cancel\"",
      [refusing, programs[1]])
    #expect(refused.status == 0, "\(refused.lines)")
  }

  @Test("Z34: what a script is called is no directive of TAP, and what is kept goes through no link") func Z34_kept()
    throws
  {
    let programs = ["'\(try compile("source"))' 'Some text'"]
    let precious = try folder.write("precious", to: "precious.txt")
    try folder.makeFolder("kept")
    symlink(precious, folder.path + "/kept/drag.output")
    let failed = try test("wait 1ms\nexpect lift of \"a # TODO\" within 0.1s", programs)
    #expect(failed.status == 1 && failed.lines.contains { $0.hasSuffix("lift of \"a \\# TODO\"") }, "\(failed.lines)")
    #expect(try Files.read(precious, limit: 100) == Array("precious".utf8))
    #expect(Files.exists(folder.path + "/kept/drag.session"))
  }

  @Test("Z34: carry test ends its programs when it is interrupted") func Z34_interrupted() throws {
    let source = try compile("source")
    let script = try folder.write("wait 3000s\nexpect lift", to: "wait.gestures")
    let test = try ChildProcess(
      [
        "env", "-i", "-C", folder.path, "PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=\(folder.path)",
        try Checkout.program("carry"), "test", script, "--", "sh -c 'echo $$ >pid.new; mv pid.new pid; exec \(source)'",
      ], output: .pipe)
    func pid() -> Int32? {
      (try? Files.read(folder.path + "/pid", limit: 100)).flatMap {
        Int32(String(decoding: $0, as: UTF8.self).dropLast())
      }
    }
    #expect(Wait.until(seconds: 30) { pid() != nil })
    let program = try #require(pid())
    kill(test.pid, SIGINT)
    #expect(test.remainingLines().contains("Bail out! interrupted") && test.waitForExit(seconds: 20) == 1)
    #expect(kill(program, 0) != 0 && clinux_errno() == ESRCH)
  }

  @Test("Z29: carry regions says where a region is, what it does, and what covers it") func Z29_regions() throws {
    let desktop = try Desktop("press-drag-drop", clients: 9)
    // Whichever maps its window last covers two thirds of the other.
    let target = try start([try compile("target")], desktop, x: 850)
    let other = try start([try compile("target")], desktop, x: 950)
    let list = ["env", "DISPLAY=\(desktop.server.display)", try Checkout.program("carry"), "regions", "--json"]
    var lines: [String] = []
    #expect(
      Wait.until(seconds: 20) {
        lines = (try? run(list + ["--socket", desktop.socket]).lines) ?? []
        return lines.count == 2 && lines.allSatisfy { $0.contains("\"reached\"") }
      }, "\(lines)")
    #expect(lines.allSatisfy { $0.contains("\"does\": [\"drop\"]") && $0.contains("\"width\": 300") }, "\(lines)")
    #expect(lines.count { $0.contains("\"reached\": 100") } == 1)
    #expect(lines.count { $0.contains("\"reached\": 33,") && $0.contains("\"cover\"") } == 1, "\(lines)")
    withExtendedLifetime((target, other)) {}
  }

  @Test("Z34: an engine that was not started for tests lets nobody play fingers") func Z34_refused() throws {
    let desktop = try Desktop("press-drag-drop", clients: 9)
    let script = try folder.write("tap 10,10", to: "tap.gestures")
    let refused = try run([
      "env", "DISPLAY=\(desktop.server.display)", try Checkout.program("carry"), "play", "--socket", desktop.socket,
      script,
    ])
    #expect(refused.status == 1 && refused.lines.contains { $0.contains("started with --test") }, "\(refused.lines)")
  }

  /// A text file in a folder of its own.
  private func writeNotes(_ text: String) throws -> String {
    mkdir(folder.path + "/from", 0o700)
    let path = folder.path + "/from/notes.txt"
    try append(text, to: path)
    return path
  }

  private func append(_ text: String, to path: String) throws {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    Output.write(text, to: file.raw)
  }

  @Test("I7, R2, F1: promises in C of an original, a stream with its length and a file provider's item, tried out")
  func I7_R2_F1_promisesInC() throws {
    let notes = try writeNotes("draft")
    let programs = ["'\(try compile("target"))' --once", "'\(try compile("promises"))' --once '\(notes)'"]
    let alone = try tryOut(programs)
    #expect(alone.status == 0)
    for line in ["received text: draft", "received text: Letter 7, from promises", "received file: ./numbers.csv"] {
      #expect(alone.lines.contains(line), "\(line) is not in \(alone.lines)")
    }
    #expect(alone.lines.contains { $0.hasPrefix("step: data-delivered") })
    var numbers = stat()
    #expect(stat(folder.path + "/numbers.csv", &numbers) == 0 && numbers.st_size == 8_000_000)

    let providers = [(try compile("provider"), ""), (Paths.examples + "/provider.py", " in Python")]
    for (provider, end) in providers where end.isEmpty || Files.exists("/usr/bin/python3") {
      let apps = try TestFolder("abi")
      try append(
        "executable = \(try compile("promises"))\nfile-provider = \(provider)\n",
        to: apps.path + "/org.example.Promises.conf")
      let served = try tryOut(programs, options: ["--manifests=\(apps.path)"])
      let letter = "received text: Letter 7, as text/plain;charset=utf-8, from its file provider\(end)"
      #expect(served.lines.contains(letter), "\(served.lines)")
      #expect(served.status == 0)
    }
  }

  @Test("F3, F5: the C example opens a file in place, and sees what others write into it")
  func F3_F5_inPlaceInC() throws {
    let notes = try writeNotes("draft\n")
    let desktop = try Desktop(recording: Paths.examples + "/drag.gestures", clients: 2)
    func start(_ command: [String]) throws -> ChildProcess {
      try ChildProcess(
        [
          "env", "-i", "PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=\(folder.path)", "DISPLAY=\(desktop.server.display)",
          "CARRY_SOCKET=\(desktop.socket)",
        ] + command, output: .pipe)
    }
    let to = try start([try compile("inplace")])
    let from = try start([try compile("promises"), notes])
    #expect(to.readLine(seconds: 20) { _ in true } == "opened \(notes)")
    #expect(to.readLine(seconds: 20) { _ in true } == "it says: draft")
    _ = try writeNotes("more\n")
    #expect(to.readLine(seconds: 20) { $0 == "more" } != nil)
    withExtendedLifetime(from) {}
  }

  @Test("Z21: the script that tries the examples out says what is wrong with its arguments")
  func Z21_tryOutRefuses() throws {
    #expect(try tryOut([]).status == 2)
    #expect(try tryOut(["true"], options: ["--shot"]).status == 2)
    #expect(try tryOut(["true"], options: ["--manifests"]).status == 2)
    #expect(try run([Paths.examples + "/try.sh", "/nonexistent.events", "true"]).status == 1)
    // What can never begin is not waited for.
    #expect(try tryOut([folder.path + "/no-such-program"]).status == 1)
    #expect(try tryOut(["true"], options: ["--no-such-option=1"]).status == 1)
  }

  @Test("Z21: without an engine the example says what to do") func Z21_withoutAnEngineTheExampleSaysWhatToDo() throws {
    let server = try PrivateXServer()
    let result = try run(
      [
        "env", "-i", "LD_LIBRARY_PATH=\(folder.path)", "DISPLAY=\(server.display)", "CARRY_SOCKET=/nonexistent",
        try compile("target"),
      ])
    #expect(result.status == 3)
    #expect(result.lines.contains { $0.contains("start carryd") })
  }
}
