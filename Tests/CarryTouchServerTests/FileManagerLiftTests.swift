import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Z23: a finger lifts files out of real file managers, under a window manager.
extension ForeignLiftTests {
  /// A file manager that shows a folder with one file, without a frame, at the left of the screen.
  final class FileManager {
    let process: ChildProcess
    private let windowManager: ChildProcess
    private let bus: ChildProcess
    let file: String

    private static let place =
      "<position force='yes'><x>20</x><y>100</y></position><size><width>700</width><height>500</height></size>"

    /// - Parameter command: of the file manager; the folder comes after it.
    init(_ s: Scene, _ command: [String]) throws {
      let home = s.server.folder + "/home"
      let shown = s.server.folder + "/shown"
      for folder in [home, shown] { mkdir(folder, 0o700) }
      file = shown + "/lake.txt"
      let fd = try Descriptor.open(file, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
      Output.write("on the lake", to: fd.raw)
      let rules = s.server.folder + "/rc.xml"
      let rc = try Descriptor.open(rules, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
      Output.write(
        """
        <openbox_config xmlns='http://openbox.org/3.4/rc'><applications>
        <application class='Thunar'>\(Self.place)</application><application class='Pcmanfm'>\(Self.place)</application>
        </applications></openbox_config>
        """, to: rc.raw)
      let environment: [String: String?] = [
        "DISPLAY": s.server.display, "HOME": home, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
        "XDG_RUNTIME_DIR": home, "QT_QPA_PLATFORM": "xcb", "GSETTINGS_BACKEND": "memory",
      ]
      windowManager = try ChildProcess(["openbox", "--config-file", rules], environment: environment)
      bus = try ChildProcess(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], environment: environment, output: .pipe)
      let address = try #require(bus.readLine(), "dbus-daemon did not start")
      process = try ChildProcess(
        command + [shown], environment: environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 })
    }

    deinit {
      process.stop(SIGKILL)
      windowManager.stop(SIGKILL)
      bus.stop(SIGKILL)
    }
  }

  /// Whether the programs are there.
  private static let hasFileManagers = ["thunar", "pcmanfm", "openbox", "dbus-daemon"].allSatisfy {
    Files.exists("/usr/bin/" + $0)
  }

  /// How wide the part is that is not white, in pixels.
  private static func width(_ s: Scene, in xs: Range<Int>, _ ys: Range<Int>) -> Int {
    guard let picture = XClient(s.server.display)?.screenshot() else { return 0 }
    let seen = xs.filter { x in ys.contains { y in picture[x, y].green < 250 } }
    return (seen.last ?? 0) - (seen.first ?? 1) + 1
  }

  @Test(
    "Z23: what an application shows as a small icon is carried as a card that a fingertip does not hide",
    arguments: [ForeignPeer.Toolkit.gtk3, .gtk4])
  func Z23_smallIcons(toolkit: ForeignPeer.Toolkit) throws {
    let s = try Scene("liftable-\(toolkit.rawValue)")
    let file = s.server.folder + "/holiday-photos-of-the-lake-0231.jpg"
    try Files.write("on the lake", to: file)
    let peer = try ForeignPeer(s.server, ["files", file], toolkit)
    let paper = try Application(s.server, Rect(x: 700, y: 100, width: 400, height: 400))
    #expect(s.isGuarded())
    #expect(s.lift(1, 200, 400))
    s.server.move(1, 900, 300)
    let isSeen = Wait.until(seconds: 10) { (110...140).contains(Self.width(s, in: 750..<1050, 290..<300)) }
    #expect(isSeen, "\(Self.width(s, in: 750..<1050, 290..<300)) px")
    s.server.up(1, 900, 300)
    withExtendedLifetime((peer, paper)) {}
  }

  @Test(
    "Z23: a finger lifts a file out of a file manager, with its picture or its name",
    .enabled(if: hasFileManagers, "needs thunar, pcmanfm, openbox and dbus-daemon"),
    arguments: ["thunar", "pcmanfm"])
  func Z23_fileManagers(command: String) throws {
    let s = try Scene("Thunar, Pcmanfm")
    let target = try s.target()
    let manager = try FileManager(s, [command])
    #expect(s.isGuarded())
    // The middle of its only file, once it shows it.
    let place = command == "thunar" ? Point(x: 232, y: 250) : Point(x: 228, y: 216)
    var touch: UInt32 = 0
    let isLifted = Wait.until(seconds: 30) {
      if touch > 0 { s.server.up(touch, place.x, place.y) }
      touch += 1
      s.server.down(touch, place.x, place.y)
      return s.step("lifted", seconds: 2) != nil
    }
    #expect(isLifted, "nothing was lifted")
    // Over a white part of the window: the icon is seen in its whole size, or the card.
    s.server.move(touch, 500, 300)
    let least = command == "thunar" ? 60 : 110
    let isSeen = Wait.until(seconds: 10) { Self.width(s, in: 400..<600, 290..<300) >= least }
    #expect(isSeen, "no picture is carried, or a small one: \(Self.width(s, in: 400..<600, 290..<300)) px")
    // Let go of there, it flies home: a file manager would copy it.
    s.server.up(touch, 500, 300)
    #expect(s.step("ended")?.contains("\"operation\": \"cancel\"") == true)
    #expect(s.lift(90, place.x, place.y))
    touch = 90
    s.server.move(touch, 500, 300)
    s.server.move(touch, 1000, 400)
    #expect(s.step("entered") != nil)
    s.server.up(touch, 1000, 400)
    let line = target.readLine(seconds: 20) { $0.contains("\"event\": \"received\"") || $0.contains("failed") }
    #expect(line?.contains("on the lake") == true && line?.contains("lake.txt") == true, "\(line ?? "nothing")")
    #expect(Files.list(s.server.folder + "/shown") == ["lake.txt"])
    withExtendedLifetime(manager) {}
    // Beside the file there is nothing to lift.
    s.server.down(100, 500, 500)
    #expect(s.engine.readLine { $0.contains("lift out of window") && $0.contains("0 items") } != nil)
    s.server.up(100, 500, 500)
    #expect(try !s.buttonIsDown())
  }
}
