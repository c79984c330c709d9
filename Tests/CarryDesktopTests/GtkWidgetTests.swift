import CLinux
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// Widgets of GTK 4 as sources, targets and springs, by libcarry-gtk4: a real program, moved by a recording.
  @Suite struct GtkWidgets {
    private static func program() throws -> String {
      let root = Checkout.root
      return try PeerProgram.build(
        "gtk4-widgets",
        "gcc -std=gnu11 -Wall -Werror -O1 -I'\(Checkout.headers)' -I'\(root)/Sources/Library/CCarry/glib' "
          + "-I'\(root)/Toolkits/gtk' '\(Checkout.peers)/gtk4-widgets.c' '\(root)'/Toolkits/gtk/*.c "
          + "$(pkg-config --cflags --libs gtk4 gtk4-x11) -lm '\(try Checkout.program("libcarryabi.so"))'")
    }

    /// Plays a script before the program.
    ///
    /// - Returns: what the program says.
    private static func lines(_ script: FingerScript) throws -> [String] {
      let desktop = try Desktop(script, compositor: nil)
      let file = try desktop.engine.folder.write("Inhalt", to: "letter.txt")
      // The program looks for the name that the installed library has.
      symlink(try Checkout.program("libcarryabi.so"), desktop.folder + "/libcarry.so.0")
      let program = try ChildProcess(
        [try program(), file],
        environment: [
          "DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket, "GDK_BACKEND": "x11",
          "GSK_RENDERER": "cairo", "G_DEBUG": "fatal-criticals", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
          "LD_LIBRARY_PATH": desktop.folder,
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

    @Test("Z25: a text, a file and a picture go from widget to widget as GTK's own values") func Z25_values() throws {
      let lines = try Self.lines(
        Self.carrying(
          ((100, 50), (650, 40)), ((100, 130), (700, 260)), ((100, 210), (700, 180)), ((100, 50), (700, 180))))
      #expect(
        lines.filter { $0.hasPrefix("value") } == [
          "value texts: Grüße", "value files: Inhalt", "value textures: 64x48",
        ],
        "\(lines)")
      #expect(lines.contains("transferred texture"))
      // The last one was refused: a text is no picture.
      let ends = lines.filter { $0.hasPrefix("drag-end text ") }
      #expect(ends == ["drag-end text 2 of 1", "drag-end text 0 of 1"])
    }

    @Test("Z25: GTK's pick decides: a button in a source keeps its press, one above a target is not the target")
    func Z25_pick() throws {
      let lines = try Self.lines(
        Self.carrying(((60, 290), (650, 40)), ((180, 290), (650, 40)), ((100, 50), (750, 80))))
      #expect(
        lines.filter { $0.hasPrefix("prepare") } == ["prepare box at 160,30", "prepare text at 80,30"], "\(lines)")
      #expect(lines.filter { $0.hasPrefix("value") } == ["value texts: box"])
      #expect(lines.filter { $0.hasPrefix("drag-end") } == ["drag-end box 2 of 1", "drag-end text 0 of 1"])
    }

    @Test("Z25: rows that were scrolled lift where they are seen, and a drag that rests at an edge scrolls on")
    func Z25_scrolling() throws {
      var script = Self.carrying(((100, 345), (650, 40)))
      script.carry(from: (100, 50), at: 2500, .to(120, 532, 3200...3400), .to(700, 560, 5200...5300), upAt: 5400)
      let lines = try Self.lines(script)
      #expect(lines.contains("prepare row 20 at 80,5") && lines.contains("value texts: row 20"), "\(lines)")
      // By then it was scrolled to row 20, which is 400 pixels down.
      #expect(lines.compactMap { $0.hasPrefix("at ") ? Int($0.dropFirst(3)) : nil }.contains { $0 > 450 }, "\(lines)")
      #expect(lines.last { $0.hasPrefix("enter") || $0.hasPrefix("leave") } == "leave row")
    }

    @Test("Z25: a tab springs open under a drag, and its page loads what is dropped later") func Z25_springs() throws {
      var script = FingerScript(width: 1280, height: 800)
      script.carry(from: (100, 50), at: 0, .to(760, 355, 700...900), .to(700, 450, 3500...3700), upAt: 4200)
      let lines = try Self.lines(script)
      #expect(lines.contains("page 1") && lines.contains("value page: Grüße"), "\(lines)")
    }
  }
}
