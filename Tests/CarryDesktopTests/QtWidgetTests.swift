import CLinux
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// Widgets of Qt 6 as sources, drop areas and springs, by libcarry-qt6: a real program, moved by a recording.
  @Suite struct QtWidgets {
    /// Compiles a peer with the folders of the library that it needs.
    ///
    /// - Parameters:
    ///   - name: the peer's file.
    ///   - folders: of Toolkits.
    ///   - modules: of Qt, for pkg-config.
    private static func program(_ name: String, with folders: String..., modules: String) throws -> String {
      let folders = folders.map { "\(Checkout.root)/Toolkits/\($0)" }
      return try PeerProgram.build(
        name,
        "for h in \(folders.map { "'\($0)'/*.h" }.joined(separator: " ")); do "
          + "$(pkg-config --variable=libexecdir Qt6Core)/moc \"$h\" -o \"$1.${h##*/}.cpp\" || exit; done && "
          + "g++ -std=c++17 -fPIC -Wall -Wextra -Werror -O1 -I'\(Checkout.headers)' "
          + folders.map { "-I'\($0)' '\($0)'/*.cpp " }.joined()
          + "'\(Checkout.peers)/\(name).cpp' \"$1\".*.h.cpp $(pkg-config --cflags --libs \(modules)) "
          + "'\(try Checkout.program("libcarryabi.so"))'")
    }

    private static func widgets() throws -> String {
      try program("qt6-widgets", with: "qt", modules: "Qt6Widgets")
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
      // The program looks for the name that the installed library has.
      symlink(try Checkout.program("libcarryabi.so"), desktop.folder + "/libcarry.so.0")
      let program = try ChildProcess(
        [try program ?? widgets(), file],
        environment: [
          "DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket, "QT_QPA_PLATFORM": "xcb",
          "QT_SCALE_FACTOR": scale, "QT_FATAL_CRITICALS": "1", "QT_QUICK_BACKEND": "software",
          "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
          "LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": desktop.folder,
        ], output: .pipe)
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

    @Test("Z26: Qt decides which widget is meant: a button in a source keeps its press, one above an area is no area")
    func Z26_pick() throws {
      let lines = try Self.lines(
        Self.carrying(((60, 290), (650, 40)), ((180, 290), (650, 40)), ((100, 50), (750, 80))))
      #expect(lines.filter { $0.hasPrefix("items") } == ["items box at 160,30", "items text at 80,30"], "\(lines)")
      #expect(lines.filter { $0.hasPrefix("value") } == ["value texts: box"])
      #expect(lines.filter { $0.hasPrefix("finished") } == ["finished box 1", "finished text 0"])
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

    @Test("Z26: a tab springs open under a drag and its page accepts the drop; a button is clicked")
    func Z26_springs() throws {
      var script = FingerScript(width: 1280, height: 800)
      script.carry(
        from: (100, 50), at: 0, .to(320, 370, 700...900), .to(820, 358, 3500...3700), .to(700, 450, 6000...6200),
        upAt: 6700)
      let lines = try Self.lines(script)
      #expect(lines.contains("sprung") && lines.contains("page 1") && lines.contains("value page: Grüße"), "\(lines)")
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

    private static let hasQuick = ["x86_64", "aarch64"].contains {
      Files.exists("/usr/include/\($0)-linux-gnu/qt6/QtQuick/QQuickItem")
        && Files.exists("/usr/lib/\($0)-linux-gnu/qt6/qml/QtQuick/Window/qmldir")
    }

    @Test(
      "Z26: in QML, a delegate of a scrolled list lifts, an area accepts it, and what takes presses is neither",
      .enabled(if: hasQuick, "LEFT OUT: needs qt6-declarative-dev and qml6-module-qtquick-window"))
    func Z26_quick() throws {
      let program = try Self.program("qt6-quick", with: "qt", "qt/qml", modules: "Qt6Quick Qt6Widgets")
      let lines = try Self.lines(
        Self.carrying(((190, 40), (650, 60)), ((60, 110), (750, 170)), ((60, 70), (650, 60))), before: program)
      #expect(
        lines.filter { $0.hasPrefix("started") || $0.hasPrefix("finished") } == [
          "started 52", "finished 0", "started 51", "finished 1",
        ],
        "\(lines)")
      #expect(lines.contains("text row 51") && lines.contains("bytes 6"), "\(lines)")
    }
  }
}
