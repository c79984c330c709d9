import CLinux
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// Widgets of Qt 6 as sources, drop areas and springs, by libcarry-qt6: a real program, moved by a recording.
  @Suite struct QtWidgets {
    private static let toolkit = Checkout.root + "/Toolkits/qt"

    /// Compiles with the headers of Carry and Qt.
    private static func build(_ name: String, _ options: String, modules: String) throws -> String {
      try PeerProgram.build(
        name,
        "g++ -std=c++17 -fPIC -Wall -Wextra -Werror -I'\(Checkout.headers)' -I'\(toolkit)' -I'\(toolkit)/qml' \(options) "
          + "$(pkg-config --cflags --libs \(modules)) '\(try Checkout.program("libcarryabi.so"))'")
    }

    /// A folder of the toolkit as a library, once for all peers.
    private static func library(_ name: String, _ folder: String, _ more: String = "", modules: String) throws -> String
    {
      let moc = "$(pkg-config --variable=libexecdir Qt6Core)/moc"
      let made = "$(for h in '\(folder)'/Carry*.h; do \(moc) \"$h\" -o \"$1.${h##*/}.cpp\"; done; echo \"$1\".*.h.cpp)"
      return try build(name, "-shared '\(folder)'/*.cpp \(made) \(more)", modules: modules)
    }

    static func widgets(_ name: String = "qt6-widgets") throws -> String {
      let library = try library("libwidgets.so", toolkit, modules: "Qt6Widgets")
      return try build(name, "'\(Checkout.peers)/\(name).cpp' '\(library)'", modules: "Qt6Widgets")
    }

    static func quick(_ name: String = "qt6-quick") throws -> String {
      let modules = "Qt6Quick Qt6Widgets"
      let widgets = try library("libwidgets.so", toolkit, modules: "Qt6Widgets")
      let items = try library("libquick.so", toolkit + "/qml", "'\(widgets)'", modules: modules)
      return try build(name, "'\(Checkout.peers)/\(name).cpp' '\(items)' '\(widgets)'", modules: modules)
    }

    /// What a program of Qt needs of its surroundings.
    private static func environment(_ display: String, _ socket: String, _ folder: String, scale: String = "1") throws
      -> [String: String?]
    {
      // The program looks for the name that the installed library has.
      symlink(try Checkout.program("libcarryabi.so"), folder + "/libcarry.so.0")
      return [
        "DISPLAY": display, "CARRY_SOCKET": socket, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": scale,
        "QT_FATAL_CRITICALS": "1", "QT_QUICK_BACKEND": "software", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
        "LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": folder,
      ]
    }

    /// Plays a script before the program.
    ///
    /// - Parameters:
    ///   - program: nil for the one with widgets.
    ///   - scale: how many pixels Qt's unit has.
    /// - Returns: what the program says.
    private static func lines(
      _ script: FingerScript, before program: String? = nil, scale: String = "1"
    ) throws -> [String] {
      let desktop = try Desktop(script, compositor: nil)
      let file = try desktop.engine.folder.write("Inhalt", to: "letter.txt")
      let program = try ChildProcess(
        program.map { [$0] } ?? [widgets(), file],
        environment: environment(desktop.server.display, desktop.socket, desktop.folder, scale: scale), output: .pipe)
      #expect(desktop.playToTheEnd() == 0)
      program.stop()
      return program.remainingLines()
    }

    /// A finger that carries things from place to place, one after the other.
    private static func carrying(_ drags: (from: (x: Int, y: Int), to: (x: Int, y: Int))...) -> FingerScript {
      var script = FingerScript(width: 1280, height: 800)
      for (i, drag) in drags.enumerated() {
        let at = i * 2500
        script.carry(from: drag.from, at: at, .to(drag.to.x, drag.to.y, at + 700...at + 900), upAt: at + 1300)
      }
      return script
    }

    @Test("Z26: a text, a file and a picture go from widget to widget as QMimeData") func Z26_values() throws {
      let lines = try Self.lines(
        Self.carrying(
          ((100, 50), (650, 40)), ((100, 130), (700, 260)), ((100, 210), (700, 180)), ((100, 50), (700, 180))))
      #expect(
        lines.filter { $0.hasPrefix("value") } == [
          "value texts: Grüße", "value files: Inhalt", "value pictures: 64x48",
        ],
        "\(lines)")
      #expect(lines.contains("transferred picture"))
      // The last one was refused: a text is no picture.
      #expect(lines.filter { $0.hasPrefix("finished text ") } == ["finished text 1", "finished text 0"])
    }

    @Test("Z26: places follow a scale that is no whole number") func Z26_scale() throws {
      let lines = try Self.lines(Self.carrying(((125, 62), (812, 50)), ((125, 431), (812, 50))), scale: "1.25")
      #expect(
        lines.filter { $0.hasPrefix("items") } == ["items text at 80,29", "items row 20 at 80,4"], "\(lines)")
      #expect(lines.filter { $0.hasPrefix("value") } == ["value texts: Grüße", "value texts: row 20"])
    }

    @Test("Z26: rows that were scrolled lift where they are seen, and a drag that rests at an edge scrolls on")
    func Z26_scrolling() throws {
      var script = Self.carrying(((100, 345), (650, 40)))
      script.carry(from: (100, 50), at: 2500, .to(120, 532, 3200...3400), .to(700, 560, 5200...5300), upAt: 5400)
      let lines = try Self.lines(script)
      #expect(lines.contains("items row 20 at 80,5") && lines.contains("value texts: row 20"), "\(lines)")
      // By then it was scrolled to row 20, which is 400 pixels down.
      #expect(lines.compactMap { $0.hasPrefix("at ") ? Int($0.dropFirst(3)) : nil }.contains { $0 > 450 }, "\(lines)")
      #expect(lines.last { $0.hasPrefix("entered") || $0.hasPrefix("exited") } == "exited row")
    }

    @Test("Z26: a list's row, or its whole selection, moves into another list and within it, by their models")
    func Z26_views() throws {
      // From the list on the left: a row that is not selected, then two that are. From the one on the right: a row, to
      // its own end. A text is nothing for a list.
      let lines = try Self.lines(
        Self.carrying(((300, 30), (480, 42)), ((300, 30), (480, 82)), ((480, 30), (480, 200)), ((100, 50), (480, 42))))
      #expect(lines.last { $0.hasPrefix("left:") } == "left: c e", "\(lines)")
      #expect(lines.contains("right: x a y") && lines.contains("right: x a y b d"), "\(lines)")
      #expect(lines.last { $0.hasPrefix("right:") } == "right: a y b d x", "\(lines)")
      #expect(lines.filter { $0.hasPrefix("finished") } == ["finished text 0"])
    }

    @Test("Z26: the tap of another finger adds a row to those that are carried, once") func Z26_adding() throws {
      var script = FingerScript(width: 1280, height: 800)
      script.carry(
        from: (300, 30), at: 0, .to(340, 250, 700...900), .tap(300, 110, at: 1300), .tap(300, 110, at: 1900),
        .to(480, 200, 2500...2700), upAt: 3200)
      let lines = try Self.lines(script)
      #expect(lines.last { $0.hasPrefix("left:") } == "left: b c d", "\(lines)")
      #expect(lines.last { $0.hasPrefix("right:") } == "right: x y a e", "\(lines)")
    }

    @Test("Z26: a branch of a tree opens under a drag, and a row of it accepts the drop") func Z26_branches() throws {
      var script = FingerScript(width: 1280, height: 800)
      script.carry(from: (300, 30), at: 0, .to(300, 430, 700...900), .to(320, 450, 3000...3200), upAt: 3800)
      let lines = try Self.lines(script)
      #expect(lines.contains("open folder") && lines.contains("inside: a"), "\(lines)")
    }

    @Test("Z26: a mouse drags out of a popup, and a click beside the popup closes it") func Z26_popup() throws {
      let desktop = try Desktop(compositor: nil)
      let mouse = try FakeMouse(desktop.server.display)
      let program = try ChildProcess(
        [Self.widgets(), "--popup"],
        environment: Self.environment(desktop.server.display, desktop.socket, desktop.folder), output: .pipe)
      #expect(program.readLine(seconds: 20) { $0 == "shown" } != nil)
      try mouse.press(at: 150, 200, desktop, running: [])
      mouse.glide(from: (150, 200), to: (650, 40))
      #expect(program.readLine(seconds: 10) { $0 == "entered texts" } != nil)
      mouse.button(false)
      #expect(program.readLine(seconds: 10) { $0 == "value texts: popup" } != nil)
      for place in [(x: 150, y: 200), (x: 1100, y: 700)] { mouse.move(to: place.x, place.y) }
      for isPress in [true, false] { mouse.button(isPress) }
      #expect(program.readLine(seconds: 10) { $0 == "closed" } != nil)
    }

    /// - Returns: what a program says that compares the pixels of scenes, without an engine.
    private static func pixels(_ program: String, scale: String) throws -> String {
      let server = try PrivateXServer()
      let folder = try TestFolder("pixels")
      let program = try ChildProcess(
        [program], environment: environment(server.display, folder.path + "/none", folder.path, scale: scale),
        output: .pipe)
      var lines: [String] = []
      while let line = program.readLine(seconds: 120) { lines.append(line) }
      #expect(program.waitForExit(seconds: 10) == 0)
      return lines.joined(separator: "\n")
    }

    @Test("Z26: at each pixel, the widget that Qt finds is meant", arguments: ["1", "1.5", "2"])
    func Z26_pixels(scale: String) throws {
      let said = try Self.pixels(Self.widgets("qt6-pixels"), scale: scale)
      #expect(said.hasSuffix(", 0 wrong"), "\(said)")
    }

    static let hasQuick = ["x86_64", "aarch64"].contains {
      Files.exists("/usr/include/\($0)-linux-gnu/qt6/QtQuick/QQuickItem")
        && Files.exists("/usr/lib/\($0)-linux-gnu/qt6/qml/QtQuick/Window/qmldir")
    }

    @Test(
      "Z26: in QML, a delegate of a scrolled list lifts, an area accepts it, and what takes presses is neither",
      .enabled(if: hasQuick, "LEFT OUT: needs qt6-declarative-dev and qml6-module-qtquick-window"))
    func Z26_quick() throws {
      let lines = try Self.lines(
        Self.carrying(((190, 40), (650, 60)), ((60, 110), (750, 170)), ((60, 70), (650, 60))), before: Self.quick())
      #expect(
        lines.filter { $0.hasPrefix("started") || $0.hasPrefix("finished") } == [
          "started 52", "finished 0", "started 51", "finished 1",
        ],
        "\(lines)")
      #expect(lines.contains("text row 51") && lines.contains("bytes 6"), "\(lines)")
    }

    @Test(
      "Z26: in QML, two fingers carry two rows of one list, and each drop moves its own",
      .enabled(if: hasQuick, "LEFT OUT: needs qt6-declarative-dev and qml6-module-qtquick-window"))
    func Z26_quickTwoHands() throws {
      var script = FingerScript(width: 1280, height: 800)
      script.carry(from: (300, 30), at: 0, .to(320, 300, 700...900), .to(300, 200, 2800...3000), upAt: 3600)
      script.carry(from: (300, 70), at: 1200, .to(1100, 500, 1900...2100), upAt: 5000)
      let lines = try Self.lines(script, before: Self.quick())
      #expect(lines.filter { $0.hasPrefix("left: ") } == ["left: b c d e a"], "\(lines)")
    }

    @Test(
      "Z26: in QML, the rows of a list move in it and into another one, a text is inserted between rows, a spring springs",
      .enabled(if: hasQuick, "LEFT OUT: needs qt6-declarative-dev and qml6-module-qtquick-window"))
    func Z26_quickViews() throws {
      var script = Self.carrying(((300, 30), (300, 82)), ((300, 30), (480, 42)), ((60, 70), (300, 200)))
      script.carry(from: (60, 110), at: 7500, .to(320, 370, 8200...8400), .to(1100, 500, 10_800...11_000), upAt: 11_200)
      let lines = try Self.lines(script, before: Self.quick())
      #expect(
        lines.filter { $0.hasPrefix("left: ") } == ["left: b c a d e", "left: c a d e", "left: c a d e row 51"],
        "\(lines)")
      #expect(lines.filter { $0.hasPrefix("right: ") } == ["right: x b y"] && lines.contains("sprung"), "\(lines)")
    }

    @Test(
      "Z26: at each pixel, the item of QML is meant to which a press would be delivered",
      .enabled(if: hasQuick, "LEFT OUT: needs qt6-declarative-dev and qml6-module-qtquick-window"),
      arguments: ["1", "1.5", "2"])
    func Z26_quickPixels(scale: String) throws {
      let said = try Self.pixels(Self.quick("qt6-quick-pixels"), scale: scale)
      #expect(said.hasSuffix(", 0 wrong"), "\(said)")
    }

    @Test(
      "Z26: the palette keeps its colours in order, and exchanges them with other programs",
      .enabled(if: hasQuick, "LEFT OUT: needs qt6-declarative-dev and qml6-module-qtquick-window"))
    func Z26_palette() throws {
      // The first colour goes behind the fifth; a colour of another program before the first; what lies there then, and
      // at the fifth place, goes out as text.
      let script = Self.carrying(
        ((80, 110), (250, 250)), ((700, 500), (40, 110)), ((80, 110), (700, 100)), ((340, 230), (700, 100)))
      let desktop = try Desktop(script, clients: 3, compositor: nil)
      let palette = try ChildProcess(
        [try Self.quick(), Checkout.root + "/Toolkits/qt/examples/palette.qml"],
        environment: Self.environment(desktop.server.display, desktop.socket, desktop.folder), output: .pipe)
      let environment = ["DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket]
      let target = try ChildProcess(
        [try Checkout.program("carry"), "drop", "--geometry", "300x300+600+0"], environment: environment, output: .pipe)
      let source = try ChildProcess(
        [
          "/usr/bin/python3", "-c",
          """
          import array, tkinter, carry.tk
          root = tkinter.Tk()
          root.geometry("300x300+600+400")
          colour = array.array("H", [0x1212, 0x3434, 0x5656, 0xffff]).tobytes()
          carry.tk.widget(root).on_drag(lambda: [carry.Item(data={"application/x-color": colour})])
          root.mainloop()
          """,
        ],
        environment: environment.merging(
          [
            "PYTHONPATH": Checkout.root + "/Toolkits/python/src", "PYTHONDONTWRITEBYTECODE": "1",
            "CARRY_LIBRARY": try Checkout.program("libcarryabi.so"),
          ], uniquingKeysWith: { $1 }), output: .pipe)
      #expect(desktop.playToTheEnd() == 0)
      for child in [palette, target, source] { child.stop() }
      let lines = target.remainingLines()
      #expect(
        lines.filter { $0.hasPrefix("received") }.map { $0.suffix(7) } == ["#123456", "#e01b24"],
        "\(lines), \(palette.remainingLines())")
    }
  }
}
