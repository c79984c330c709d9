import CLinux
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// Widgets of GTK as sources, targets and springs, by libcarry-gtk3 and libcarry-gtk4: a real program, moved by a
  /// recording.
  @Suite struct GtkWidgets {
    /// Compiles a program of one of the two versions.
    static func program(_ source: String, gtk version: Int, _ option: String = "") throws -> String {
      let root = Checkout.root
      let library = ["carry-gtk.c", "carry-gtk-*.c", "carry-gtk\(version)*.c"].map { "'\(root)'/Toolkits/gtk/\($0)" }
      return try PeerProgram.build(
        "gtk\(version)-" + source.split(separator: "/").last!.dropLast(2),
        "gcc \(option) -std=gnu11 -Wall -Werror -O1 -I'\(Checkout.headers)' -I'\(root)/Sources/Library/CCarry/glib' "
          + "-I'\(root)/Toolkits/gtk' '\(root)/\(source)' \(library.joined(separator: " ")) "
          + "$(pkg-config --cflags --libs \(version == 3 ? "gtk+-3.0 gtk+-x11-3.0" : "gtk4 gtk4-x11")) "
          + "-lm '\(try Checkout.program("libcarryabi.so"))'")
    }

    /// Compiles a program in Vala, by the library's introspection data.
    private static func vala(_ source: String) throws -> String {
      try PeerProgram.build(
        "gtk4-vala-" + source.split(separator: "/").last!.dropLast(5),
        """
        mkdir -p "$1.d" && ln -sf '\(try Checkout.program("libcarryabi.so"))' "$1.d/libcarry.so.0" \
          && LD_LIBRARY_PATH="$1.d" make -s -C '\(Checkout.root)/Toolkits/gtk' BUILD="$1.d" CFLAGS=-O1 \
          CARRY_CFLAGS="-I'\(Checkout.headers)' -I'\(Checkout.root)/Sources/Library/CCarry/glib'" \
          CARRY_LIBS="'$1.d/libcarry.so.0'" "$1.d/CarryGtk4-0.gir" \
          && valac --quiet --girdir "$1.d" --pkg gtk4 --pkg CarryGtk4-0 -X -I'\(Checkout.root)/Toolkits/gtk' -X -L"$1.d" \
          -X -lcarry-gtk4 -X -Wl,-rpath,"$1.d" -d "$1.d" '\(Checkout.root)/\(source)'
        """)
    }

    static let widgets = "Tests/Support/Peers/gtk-widgets.c"
    private static let lists = "Tests/Support/Peers/gtk-lists.c"

    /// Starts a program, on which a script begins to play.
    private static func start(
      _ source: String, gtk version: Int, before script: FingerScript, clients: Int = 1
    ) throws -> (Desktop, ChildProcess) {
      try start([program(source, gtk: version)], with: source == widgets, before: script, clients: clients)
    }

    private static func start(
      _ command: [String], with hasFile: Bool = false, before script: FingerScript, clients: Int = 1
    ) throws -> (Desktop, ChildProcess) {
      let desktop = try Desktop(script, clients: clients, compositor: nil)
      let file = try desktop.engine.folder.write("Inhalt", to: "letter.txt")
      // The program looks for the name that the installed library has.
      symlink(try Checkout.program("libcarryabi.so"), desktop.folder + "/libcarry.so.0")
      let program = try ChildProcess(
        command + (hasFile ? [file] : []),
        environment: [
          "DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket, "GDK_BACKEND": "x11",
          "GSK_RENDERER": "cairo", "G_DEBUG": "fatal-criticals", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
          "LD_LIBRARY_PATH": desktop.folder, "XDG_DATA_HOME": desktop.folder,
        ], output: .pipe)
      return (desktop, program)
    }

    /// Plays a script before a program.
    ///
    /// - Returns: what the program says.
    private static func lines(
      _ script: FingerScript, before source: String = widgets, gtk version: Int
    ) throws -> [String] {
      try lines(of: start(source, gtk: version, before: script))
    }

    private static func lines(of play: (Desktop, ChildProcess)) -> [String] {
      let (desktop, program) = play
      #expect(desktop.playToTheEnd() == 0)
      program.stop()
      return program.remainingLines()
    }

    /// A finger that carries things from place to place, one after the other.
    private static func carrying(_ drags: [(from: (x: Int, y: Int), to: (x: Int, y: Int))]) -> FingerScript {
      var script = FingerScript(width: 1280, height: 800)
      for (i, drag) in drags.enumerated() {
        let at = i * 2500
        script.carry(from: drag.from, at: at, .to(drag.to.x, drag.to.y, at + 700...at + 900), upAt: at + 1300)
      }
      return script
    }

    @Test("Z25: a text, a file and a picture go from widget to widget as GTK's own values", arguments: [3, 4])
    func Z25_values(gtk version: Int) throws {
      let lines = try Self.lines(
        Self.carrying([
          ((100, 50), (650, 40)), ((100, 130), (700, 260)), ((100, 210), (700, 180)), ((100, 50), (700, 180)),
        ]),
        gtk: version)
      #expect(
        lines.filter { $0.hasPrefix("value") } == [
          "value texts: Grüße", "value files: Inhalt", "value pictures: 64x48",
        ],
        "\(lines)")
      #expect(lines.contains("transferred picture"))
      // The last one was refused: a text is no picture.
      let ends = lines.filter { $0.hasPrefix("drag-end text ") }
      #expect(ends == ["drag-end text 2 of 1", "drag-end text 0 of 1"])
    }

    @Test(
      "Z25: rows that were scrolled lift where they are seen, and a drag that rests at an edge scrolls on",
      arguments: [3, 4])
    func Z25_scrolling(gtk version: Int) throws {
      var script = Self.carrying([((100, 345), (650, 40))])
      script.carry(from: (100, 50), at: 2500, .to(120, 532, 3200...3400), .to(700, 560, 5200...5300), upAt: 5400)
      let lines = try Self.lines(script, gtk: version)
      #expect(lines.contains("prepare row 20 at 80,5") && lines.contains("value texts: row 20"), "\(lines)")
      // By then it was scrolled to row 20, which is 400 pixels down.
      #expect(lines.compactMap { $0.hasPrefix("at ") ? Int($0.dropFirst(3)) : nil }.contains { $0 > 450 }, "\(lines)")
      #expect(lines.last { $0.hasPrefix("enter") || $0.hasPrefix("leave") } == "leave row")
    }

    @Test("Z25: bytes of a type are loaded with their progress, and a load can be cancelled", arguments: [3, 4])
    func Z25_loads(gtk version: Int) throws {
      let lines = try Self.lines(Self.carrying([((100, 50), (400, 130)), ((100, 50), (400, 210))]), gtk: version)
      let told = ["of text/plain;charset=utf-8", "all has arrived", "bytes: 7", "cancelled"]
      #expect(lines.filter(told.contains) == told, "\(lines)")
    }

    @Test("Z25: an item has an icon of its own beneath the finger, and a move can be undone", arguments: [3, 4])
    func Z25_looks(gtk version: Int) throws {
      var script = FingerScript(width: 1280, height: 800)
      script.carry(from: (100, 210), at: 0, .to(700, 600, 700...900), upAt: 5000)
      script.carry(from: (180, 290), at: 6000, .to(400, 50, 6700...6900), upAt: 7300)
      // Keeps the engine.
      script.tap(640, 790, at: 60_000)
      let (desktop, program) = try Self.start(Self.widgets, gtk: version, before: script)
      // The icon ends at the finger.
      #expect(desktop.shows { $0[690, 590].blue > $0[690, 590].red + 64 && $0[710, 590].blue < 250 })
      while let line = program.readLine(seconds: 20), line != "transferred box" {}
      let mouse = try FakeMouse(desktop.server.display)
      #expect(desktop.shows { $0[560, 85].distance(to: .init(255, 255, 255)) < 8 })
      mouse.move(to: 532, 111)
      mouse.click()
      #expect(program.readLine(seconds: 10) == "undo box")
    }

    @Test(
      "Z25: rows of every kind of list move between its other rows, one or all that are selected", arguments: [3, 4])
    func Z25_rows(gtk version: Int) throws {
      var drags: [(from: (x: Int, y: Int), to: (x: Int, y: Int))] = [
        ((100, 35), (100, 90)), ((389, 37), (625, 37)), ((700, 35), (700, 105)), ((700, 155), (700, 25)),
      ]
      if version == 4 {
        drags += [((100, 315), (100, 398)), ((389, 317), (625, 317)), ((700, 348), (700, 460))]
      }
      let lines = try Self.lines(Self.carrying(drags), before: Self.lists, gtk: version)
      let moved = [
        "box B a c d e f z z", "flow B c a d e f z z", "tree B c a d e f z z", "tree e B c a d f z z",
        "tree e f B c a d z z",
      ]
      let views = ["list B c a d e f z z", "grid B c a d e f z z", "columns B c a d e f z z"]
      #expect(lines.suffix(version == 4 ? 8 : 5) == moved + (version == 4 ? views : []))
    }

    @Test(
      "Z25: a row of another list comes between rows, or into one that accepts it, and edges scroll", arguments: [3, 4])
    func Z25_betweenRows(gtk version: Int) throws {
      var script = Self.carrying([((100, 35), (700, 52)), ((100, 105), (489, 37))])
      script.carry(from: (100, 35), at: 5000, .to(800, 250, 5700...5900), .to(800, 700, 7500...7700), upAt: 7900)
      let lines = try Self.lines(script, before: Self.lists, gtk: version)
      #expect(
        lines.suffix(4) == ["tree a a B c d e f z", "into flow 1: c", "flow a B c d e f z z", "tree scrolled"],
        "\(lines)")
    }

    @Test(
      "Z25: in each pixel of windows with targets that overlap, turn, clip and scroll, the widget that GTK picks is found",
      arguments: [3, 4], [1, 2])
    func Z25_pixels(gtk version: Int, scale: Int) throws {
      let server = try PrivateXServer()
      let folder = try TestFolder("gtk-pixels")
      symlink(try Checkout.program("libcarryabi.so"), folder.path + "/libcarry.so.0")
      let program = try ChildProcess(
        [try Self.program("Tests/Support/Peers/gtk-pixels.c", gtk: version)],
        environment: [
          "DISPLAY": server.display, "CARRY_SOCKET": "/nowhere", "GDK_SCALE": "\(scale)", "GDK_BACKEND": "x11",
          "GSK_RENDERER": "cairo", "G_DEBUG": "fatal-criticals", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
          "LD_LIBRARY_PATH": folder.path,
        ], output: .pipe)
      var scenes: [String] = []
      while let line = program.readLine(seconds: 30) { if line.contains(" uncovered") { scenes.append(line) } }
      #expect(scenes.count == (version == 4 ? 10 : 8))
      #expect(scenes.allSatisfy { $0.hasSuffix(": hit, 0 wrong, 0 uncovered") }, "\(scenes)")
    }

    @Test("Z25: a reading list in GTK 3 keeps the links that are dropped between its rows, and their order")
    func Z25_readingList() throws {
      // Three links, the second above the first, and then the first before the others.
      var script = Self.carrying([
        ((850, 150), (200, 200)), ((850, 450), (200, 60)), ((850, 150), (200, 200)), ((100, 130), (200, 60)),
      ])
      script.tap(640, 790, at: 60_000)
      let (desktop, program) = try Self.start(
        "Toolkits/gtk/examples/reading-list.c", gtk: 3, before: script, clients: 3)
      let links = try [("wayland", 50), ("swift", 350)].map { name, y in
        try desktop.source("https://\(name).example/a-page.html", geometry: "300x200+700+\(y)")
      }
      defer { for process in links + [program] { process.stop() } }
      let order = ["wayland", "swift", "wayland"].map { "https://\($0).example/a-page.html\n" }.joined()
      var kept = ""
      let isKept = Wait.until(seconds: 30) {
        let bytes = try? Files.read(desktop.folder + "/reading-list.txt", limit: 4096)
        kept = String(decoding: bytes ?? [], as: UTF8.self)
        return kept == order
      }
      #expect(isKept, "\(kept)")
    }

    @Test("Z25: a spring that is partly covered springs where it is seen, and nowhere else", arguments: [3, 4])
    func Z25_coveredSpring(gtk version: Int) throws {
      var script = FingerScript(width: 1280, height: 800)
      script.carry(from: (100, 50), at: 0, .to(340, 290, 700...900), upAt: 3500)
      script.carry(from: (100, 50), at: 4500, .to(340, 290, 5200...5400), .to(470, 290, 5800...6000), upAt: 8500)
      let lines = try Self.lines(script, gtk: version)
      #expect(
        lines.filter { $0 == "sprung" || $0.hasPrefix("drag-end") }
          == ["drag-end text 0 of 1", "sprung", "drag-end text 0 of 1"], "\(lines)")
    }

    @Test("Z25: an interface of GtkBuilder has sources and targets, as docs/gtk.md shows")
    func Z25_builder() throws {
      let page = try Checkout.text("docs/gtk.md")
      let start = try #require(page.firstRange(of: "```xml\n")).upperBound
      let interface = page[start..<(try #require(page[start...].firstRange(of: "```"))).lowerBound]
      let folder = try TestFolder("gtk-builder")
      let file = try folder.write(String(interface), to: "hello.ui")
      let program = try Self.program("Tests/Support/Peers/gtk-builder.c", gtk: 4, "-rdynamic")
      let play = try Self.start([program, file], before: Self.carrying([((175, 200), (525, 200))]))
      let lines = Self.lines(of: play)
      #expect(lines.contains("value Drag me"), "\(lines)")
    }

    @Test(
      "Z25: a program in Vala has a source and a target",
      .enabled(
        if: Files.exists("/usr/bin/valac") && Files.exists("/usr/bin/g-ir-scanner"),
        "LEFT OUT: needs valac and gobject-introspection"))
    func Z25_vala() throws {
      let program = try Self.vala("Toolkits/gtk/examples/hello.vala")
      let lines = Self.lines(of: try Self.start([program], before: Self.carrying([((175, 200), (525, 200))])))
      #expect(lines.contains("value Drag me"), "\(lines)")
    }

    /// Each handler, and what the program says.
    private static let removals: [(handler: String, says: [String])] = [
      ("enter", ["sprung", "enter"]), ("enter-destroy", ["sprung", "enter"]),
      ("leave", ["sprung", "enter", "drop of text/plain;charset=utf-8 text/plain", "leave", "value text"]),
      ("drop", ["sprung", "enter", "drop of text/plain;charset=utf-8 text/plain", "not active"]),
      ("drop-close", ["sprung", "enter", "drop of text/plain;charset=utf-8 text/plain"]),
      ("spring", ["sprung", "enter", "drop of text/plain;charset=utf-8 text/plain", "leave", "value text"]),
    ]

    private static func removing(_ handler: String, _ script: FingerScript) throws -> [String] {
      let program = try program("Tests/Support/Peers/gtk-removals.c", gtk: 4, "-fsanitize=address")
      let said = lines(of: try start([program, handler], before: script))
      return said.filter { !$0.isEmpty && !$0.contains("session bus") }
    }

    /// Over the spring, and on to the target.
    private static var bySpring: FingerScript {
      var script = FingerScript(width: 1280, height: 800)
      script.carry(
        from: (175, 200), at: 0, .to(175, 60, 700...800), .to(525, 60, 900...1000), .to(525, 250, 3000...3100),
        upAt: 3600)
      return script
    }

    @Test("Z25: a handler may remove its target or spring, or destroy its widget or window", arguments: removals)
    func Z25_removals(handler: String, says: [String]) throws {
      let lines = try Self.removing(handler, Self.bySpring)
      // A value comes when it has arrived, before or after the drag is over.
      #expect(lines.sorted() == says.sorted(), "\(lines)")
    }

    @Test("Z25: content of several types gives each of those that it promises; a save that was cancelled saves nothing")
    func Z25_contents() throws {
      let script = Self.carrying([((175, 200), (525, 250))])
      let both = try Self.removing("union", script)
      #expect(both.contains("value second"), "\(both)")
      let picture = try Self.removing("picture", script)
      #expect(picture.contains("drop of image/png application/x-own"), "\(picture)")
      let cancelled = try Self.removing("cancelled", script)
      #expect(cancelled.contains { $0.hasPrefix("saved: ") && $0.hasSuffix(", no file") }, "\(cancelled)")
    }

    @Test("Z25: a row that has left its list meanwhile is moved no more, and a list may close its window")
    func Z25_rowsGone() throws {
      let script = Self.carrying([((175, 180), (175, 330))])
      let row = try Self.removing("row", script)
      #expect(
        row.filter { $0.hasPrefix("move") || $0.hasPrefix("value") }.allSatisfy { $0.hasPrefix("value row 2") }
          && !row.isEmpty, "\(row)")
      let tree = try Self.removing("tree", script)
      #expect(tree == ["value row 2 at 0"], "\(tree)")
      let closed = try Self.removing("move-close", script)
      #expect(closed == ["move 2 3"], "\(closed)")
    }
  }
}
