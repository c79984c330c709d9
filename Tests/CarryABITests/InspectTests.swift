import CLinux
import CarrySystem
import CarryTesting
import Testing

/// `carry inspect` beside the C examples, whose fingers `carry play` plays.
@Suite(.serialized, .enabled(if: Paths.library != nil, "LEFT OUT: libcarryabi.so is not built; run 'swift build'"))
struct InspectTests {
  private static let place = Checkout.root + "/Toolkits/inspect"
  private let folder: TestFolder
  private let server: PrivateXServer
  private let engine: Engine
  private let examples: [ChildProcess]

  init() throws {
    folder = try TestFolder("inspect")
    // Without a window manager, the inspector's window is in the corner, where it may cover nothing.
    server = try PrivateXServer(width: 2400, height: 1000)
    engine = try Engine(on: server.display, options: ["--test"])
    let library = try #require(Paths.library)
    symlink(library, folder.path + "/libcarry.so.0")
    var examples: [ChildProcess] = []
    for (name, arguments) in [
      ("target", ["--geometry", "300x300+1700+50"]), ("source", ["Some text", "--geometry", "300x300+1300+50"]),
    ] {
      let program = try PeerProgram.build(
        name,
        "gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -I'\(Checkout.headers)' "
          + "'\(Paths.examples)/\(name).c' '\(library)' -lX11")
      examples.append(
        try ChildProcess(
          [
            "env", "-i", "-C", folder.path, "PATH=/usr/bin:/bin", "LD_LIBRARY_PATH=\(folder.path)",
            "DISPLAY=\(server.display)", "CARRY_SOCKET=\(engine.socket)", program,
          ] + arguments, output: .pipe))
    }
    self.examples = examples
  }

  /// Starts `carry inspect`, and waits until the engine has its monitor: later it would miss the beginning.
  ///
  /// - Returns: the inspector, and what the engine calls its monitor, such as "client 5".
  private func inspect(_ options: String...) throws -> (ChildProcess, monitor: String) {
    let inspector = try ChildProcess(
      [try Checkout.program("carry"), "inspect", "--socket", engine.socket] + options,
      environment: [
        "DISPLAY": server.display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
        "NO_AT_BRIDGE": "1", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
        "CARRY_INSPECT_DUMP": folder.path + "/state.json",
      ], output: .pipe)
    let line = try #require(engine.readLine(seconds: 30) { $0.contains("is carry monitor") })
    // Such as "carryd: client 5 is carry monitor (pid 812)".
    let words = line.split(separator: " ")
    let at = try #require(words.firstIndex(of: "client"))
    return (inspector, "client \(words[at + 1])")
  }

  private func play(_ script: String) throws {
    let played = try run(
      [try Checkout.program("carry"), "play", try folder.write(script, to: "drag.gestures")],
      environment: ["DISPLAY": server.display, "CARRY_SOCKET": engine.socket])
    try #require(played.status == 0, "\(played.lines)")
  }

  private func dump() -> String {
    (try? Files.read(folder.path + "/state.json", limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test("Z29: the inspector lists regions and drags with their steps, and says why nothing was dropped")
  func Z29_inspect() throws {
    let gtk = try run(["/usr/bin/python3", "-c", "import gi; gi.require_version('Gtk', '4.0')"])
    guard gtk.status == 0 else {
      return print("CarryABITests: LEFT OUT: no GTK 4 in Python, the window of carry inspect was not opened")
    }
    let (inspector, monitor) = try inspect()
    try play("press \"C source\"\nmove to \"C target\" in 200ms\nup\nexpect drop on \"C target\"")
    let isDropped = Wait.until(seconds: 20) { dump().contains("Dropped here as copy; received text/plain") }
    #expect(isDropped, "\(dump())")
    #expect(dump().contains(#""outcome": "dropped on C target as copy""#))
    #expect(dump().contains(#""name": "C source", "does": ["drag"], "place": [1300, 50, 300, 300], "reached": 100"#))
    #expect(dump().contains(#"["entered", "C source", "C target", "", ["#))
    // Contacts, questions and loads.
    #expect(Wait.until(seconds: 20) { dump().contains(#""up": true"#) })
    #expect(dump().contains(#"{"gestures": ["pressing", "lifting", "lifted", "dragging", "vanished"], "up": true}"#))
    for kind in ["items", "options", "can-handle", "perform"] {
      #expect(dump().contains("\"\(kind)\", 1, 0]"), "\(kind): \(dump())")
    }
    #expect(dump().contains(#""loads": [[1, "#))
    try play("screen 2400x1000\npress \"C source\"\nmove to 1675,700 in 200ms\nup\nexpect no drop")
    #expect(
      Wait.until(seconds: 20) { dump().contains("\"C target\": \"Not entered: released 351 px beside it.\"") },
      "\(dump())")
    #expect(dump().contains(#""outcome": "released where nothing accepts it""#))
    inspector.stop()
    #expect(inspector.remainingLines() == [])
    // Nothing asks the engine any more.
    #expect(engine.readLine(seconds: 20) { $0.contains("\(monitor) is gone") } != nil)
  }

  @Test("Z29: in a terminal the inspector says the same") func Z29_terminal() throws {
    let (inspector, _) = try inspect("--terminal")
    try play("press \"C source\"\nmove to \"C target\" in 200ms\nup\nexpect drop on \"C target\"")
    #expect(inspector.readLine(seconds: 20) { $0.contains("Dropped here as copy; received text/plain") } != nil)
    inspector.stop(SIGINT)
    #expect(inspector.remainingLines().filter { $0.contains("rror") } == [])
  }

  @Test("Z29: what the inspector says follows from the lines of regions and monitor") func Z29_model() throws {
    let result = try run(["/usr/bin/python3", "-B", "-W", "error", Self.place + "/tests/model_test.py"])
    #expect(result.status == 0, "\(result.lines)")
  }
}
