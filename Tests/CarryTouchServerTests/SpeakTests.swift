import CInputTest
import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension GateTests {
  /// A session bus of its own; the accessibility bus comes with the first who asks for it.
  private final class Bus {
    let folder: TestFolder
    let daemon: ChildProcess
    let address: String

    init() throws {
      folder = try TestFolder("bus")
      daemon = try ChildProcess(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], environment: ["XDG_RUNTIME_DIR": folder.path],
        output: .pipe)
      address = try #require(daemon.readLine(), "no session bus")
    }

    var environment: [String: String?] {
      ["DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": folder.path, "AT_SPI_BUS_ADDRESS": nil]
    }

    /// A small screen reader.
    func reader() throws -> ChildProcess {
      let program = try PeerProgram.build(
        "reader",
        "gcc -std=c11 -Wall -Wextra -Werror '\(Checkout.peers)/reader.c' "
          + "$(pkg-config --cflags --libs atspi-2 gobject-2.0)")
      return try ChildProcess([program], environment: environment, output: .pipe)
    }

    deinit { daemon.stop() }
  }

  @Test("Z14: each step of a drag that keys drive is announced on the accessibility bus")
  func Z14_eachStepIsAnnouncedOnTheAccessibilityBus() throws {
    let s = try Scene(settings: "[keyboard]\npick-up = Ctrl+Shift+d\n")
    let bus = try Bus()
    var environment = bus.environment
    environment["DISPLAY"] = s.server.display
    let reader = try bus.reader()
    #expect(reader.readLine(seconds: 20) == "listening")
    let speak = try ChildProcess(
      [try Checkout.program("carry-speak"), "--socket", s.engine.socket], environment: environment,
      output: .pipe)
    #expect(speak.readLine(seconds: 20) { $0.contains("announcing for the engine") } != nil)
    #expect(s.engine.readLine { $0.contains("is carry-speak") } != nil)
    // The bridge hears of listeners in its own time: the first words may come before.
    var line: String?
    for _ in 0..<20 where line == nil {
      try s.server.press(32, with: 29, 42)
      s.rest(seconds: 0.4)
      try s.server.press(1)
      s.rest(seconds: 0.4)
      line = reader.readLine(seconds: 0.3) { $0.contains("Lifted from") }
    }
    #expect(line?.hasPrefix("Carry|object:announcement") == true, "\(line ?? "nothing was announced")")
    func hears(_ words: String) -> Bool {
      s.run(seconds: 10) { reader.readLine(seconds: 0.02) { $0.contains("|" + words) } != nil }
    }
    #expect(hears("Cancelled"))
    try s.server.press(32, with: 29, 42)
    #expect(hears("Lifted from"))
    try s.server.press(28)
    #expect(hears("Picked up 1 item"))
    // Tab finds no target.
    try s.server.press(15)
    #expect(hears("Nothing here takes it"))
    try s.server.press(1)
    #expect(hears("Cancelled"))
    speak.stop()
  }

  @Test("Z14: without an accessibility bus the program says what to do") func Z14_withoutAnAccessibilityBus() throws {
    let speak = try ChildProcess(
      [try Checkout.program("carry-speak")],
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "DISPLAY": nil, "AT_SPI_BUS_ADDRESS": nil,
        "XDG_RUNTIME_DIR": "/nonexistent",
      ], output: .pipe)
    #expect(speak.readLine { $0.contains("there is no accessibility bus") } != nil)
    #expect(speak.waitForExit(seconds: 10) == 3)
  }
}
