import CLinux
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// Widgets of Qt 6 as sources, drop areas and springs, by libcarry-qt6: a real program, moved by a recording.
  @Suite struct QtWidgets {
    private static func program() throws -> String {
      let library = "\(Checkout.root)/Toolkits/qt"
      return try PeerProgram.build(
        "qt6-widgets",
        "$(pkg-config --variable=libexecdir Qt6Core)/moc '\(library)/CarryQt.h' -o \"$1.moc.cpp\" && "
          + "g++ -std=c++17 -fPIC -Wall -Wextra -Werror -O1 -I'\(Checkout.headers)' -I'\(library)' \"$1.moc.cpp\" "
          + "'\(Checkout.peers)/qt6-widgets.cpp' '\(library)'/*.cpp "
          + "$(pkg-config --cflags --libs Qt6Widgets) '\(try Checkout.program("libcarryabi.so"))'")
    }

    /// Plays a script before the program.
    ///
    /// - Parameter scale: how many pixels Qt's unit has.
    /// - Returns: what the program says.
    private static func lines(_ script: FingerScript, scale: String = "1") throws -> [String] {
      let desktop = try Desktop(script, compositor: nil)
      let file = try desktop.engine.folder.write("Inhalt", to: "letter.txt")
      // The program looks for the name that the installed library has.
      symlink(try Checkout.program("libcarryabi.so"), desktop.folder + "/libcarry.so.0")
      let program = try ChildProcess(
        [try program(), file],
        environment: [
          "DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket, "QT_QPA_PLATFORM": "xcb",
          "QT_SCALE_FACTOR": scale, "QT_FATAL_CRITICALS": "1", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
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
  }
}
