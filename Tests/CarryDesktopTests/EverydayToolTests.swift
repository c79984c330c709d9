import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension DesktopTests {
  /// `carry drag` and `carry drop` as people use them every day.
  @Suite(.serialized) struct EverydayTools {
    /// A desktop with a directory for files, which is gone afterwards.
    static func withFiles(
      _ script: (any Playable)? = nil, clients: Int = 2, _ body: (Desktop, String) throws -> Void
    ) throws {
      let d = try Desktop(script, clients: clients, compositor: nil)
      let work = d.folder + "/files"
      for folder in ["saved", "run"] { try d.engine.folder.makeFolder("files/" + folder) }
      for name in ["a.txt", "b.txt", "c c.txt"] {
        try Files.write("this is \(name)\n", to: "\(work)/\(name)")
      }
      try body(d, work)
    }

    /// A shell in the directory of files, with `carry` in its path.
    static func shell(_ d: Desktop, _ work: String, _ script: String) throws -> ChildProcess {
      let programs = try Checkout.program("carry").split(separator: "/").dropLast().joined(separator: "/")
      return try ChildProcess(
        ["env", "-C", work, "sh", "-c", script],
        environment: [
          "DISPLAY": d.server.display, "CARRY_SOCKET": d.socket, "XDG_RUNTIME_DIR": work + "/run",
          "PATH": "/" + programs + ":" + (environment("PATH") ?? "/usr/bin:/bin"),
        ], output: .pipe)
    }

    @Test("Z14: keys announce the files of carry drag by their names, and never a text that is dragged")
    func Z14_filesAreAnnounced() throws {
      let d = try Desktop(compositor: nil, settings: "[keyboard]\npick-up = Ctrl+Shift+d\n")
      let file = try d.engine.folder.write("a", to: "sunset.png")
      let files = try d.source(file)
      let texts = try d.source("--text", "secret", geometry: "300x300+850+250")
      let keyboard = try FakeMouse(d.server.display)
      func press(_ keys: CInt...) { for isPress in [true, false] { for key in keys { keyboard.key(key, isPress) } } }
      func said(_ words: String) -> Bool {
        d.monitor.readLine(seconds: 5) { $0.contains("\"text\": \"\(words)\"") } != nil
      }
      // Until both windows are there.
      let isNamed = (0..<6).contains { _ in
        press(XK_Control_L, XK_Shift_L, XK_d)
        if said("Lifted from sunset.png in carry drag, 1 of 2") { return true }
        press(XK_Escape)
        return false
      }
      #expect(isNamed)
      press(XK_Right)
      #expect(said("Lifted from carry drag, 2 of 2"))
      press(XK_Escape)
      withExtendedLifetime((files, texts)) {}
    }

    @Test("Z20: carry drag -a takes all files in one stack, from paths on standard input, and -x ends both sides")
    func Z20_allAsOneStack() throws {
      try Self.withFiles(Traces.pressDragDrop) { d, work in
        let target = try d.target("-x", "--to", work + "/saved")
        let source = try Self.shell(
          d, work, "ls *.txt | carry drag -axI --json --with-engine --geometry 300x300+50+250; echo status $?")
        let lines = target.remainingLines()
        #expect(lines.count { $0.contains("\"event\": \"received\"") } == 3, "\(lines)")
        #expect(Files.list(work + "/saved") == ["a.txt", "b.txt", "c c.txt"])
        #expect(try Files.read(work + "/saved/c c.txt", limit: 100) == Array("this is c c.txt\n".utf8))
        let said = source.remainingLines()
        #expect(said.contains { $0.contains("\"event\": \"lifted\"") && $0.contains("\"items\": 3") }, "\(said)")
        #expect(said.last == "status 0" && target.waitForExit(seconds: 10) == 0)
      }
    }

    @Test("Z20, L9: of the stack of carry drag -a each file looks like its own tile") func Z20_L9_ownTiles() throws {
      var script = Traces.screen
      script.carry(from: (125, 400), at: 0, .to(900, 400, 650...1000), upAt: 8000)
      try Self.withFiles(script, clients: 1) { d, work in
        let source = try Self.shell(
          d, work, "carry drag -a --with-engine --geometry 300x300+50+250 a.txt b.txt; echo $?")
        // The tile that is pressed is a blue one, and the other one is red, though less so than the badge.
        let isSeen = d.shows { shot in
          let places = stride(from: 600, to: 1200, by: 3).flatMap { x in
            stride(from: 150, to: 650, by: 3).map { (x, $0) }
          }
          let red = places.count { x, y in shot[x, y].red > shot[x, y].blue + 60 && shot[x, y].green > 90 }
          let blue = places.count { x, y in shot[x, y].blue > shot[x, y].red + 60 }
          return red > 20 && blue > 200
        }
        #expect(isSeen)
        _ = source
      }
    }

    @Test("Z20: carry drag -tp is a target that prints paths and nothing else")
    func Z20_pathsOfWhatWasDropped() throws {
      try Self.withFiles(Traces.pressDragDrop) { d, work in
        let target = try d.tool("drag", "-tpx", "--with-engine", "--geometry", "300x300+850+250")
        let source = try d.source("--together", "--once", work + "/a.txt", work + "/c c.txt")
        #expect(target.remainingLines() == [work + "/a.txt", work + "/c c.txt"])
        #expect(target.waitForExit(seconds: 10) == 0 && source.waitForExit(seconds: 10) == 0)
      }
    }

    @Test("Z20: carry drag names links themselves, and takes addresses of files as paths") func Z20_operands() throws {
      try Self.withFiles(Traces.pressDragDrop) { d, work in
        symlink("a.txt", work + "/link.txt")
        let target = try d.tool("drag", "-tpx", "--with-engine", "--geometry", "300x300+850+250")
        let source = try d.source(
          "--together", "--once", work + "/link.txt", "file://\(work)/c%20c.txt", "file://localhost\(work)/b.txt")
        #expect(target.remainingLines() == ["link.txt", "c c.txt", "b.txt"].map { work + "/" + $0 })
        #expect(target.waitForExit(seconds: 10) == 0 && source.waitForExit(seconds: 10) == 0)
      }
    }

    @Test("Z20: a stack keeps the order of its tiles, whichever was pressed") func Z20_order() throws {
      try Self.withFiles(Traces.pressDragDrop, clients: 1) { d, work in
        let names = (1...9).map { "\(work)/part \($0).txt" }
        for name in names { try Files.write(name, to: name) }
        let target = try #require(RawXdndTarget(on: d))
        // The pressed tile is the fifth.
        let source = try d.tool(
          ["drag", "--all", "--once", "--with-engine", "--geometry", "300x300+50+250"] + names)
        #expect(target.answer(until: .drop, seconds: 20) != nil)
        let list = String(decoding: target.convert("text/uri-list") ?? [], as: UTF8.self)
        #expect(list.split(separator: "\r\n").compactMap { FileLink(address: String($0))?.path } == names, "\(list)")
        target.finish()
        #expect(source.waitForExit(seconds: 20) == 0)
      }
    }

    @Test("Z20: a window of carry drag that was made larger lifts in all of it")
    func Z20_resizedWindow() throws {
      try Self.withFiles(Traces.pressDragDrop) { d, work in
        let names = (1...9).map { "\(work)/part \($0).txt" }
        for name in names { try Files.write(name, to: name) }
        let source = try d.tool(
          ["drag", "--all", "--once", "--with-engine", "--geometry", "100x100+50+250"] + names)
        var window: WindowID?
        #expect(
          Wait.until(seconds: 20) {
            window = d.client.window { $0 == "carry drag" }
            return window != nil
          })
        d.client.setFrame(try #require(window), Rect(x: 50, y: 250, width: 300, height: 300))
        d.client.sync()
        // The touches begin with the target.
        #expect(d.region(at: 200, 400))
        let target = try d.tool("drag", "-tpx", "--with-engine", "--geometry", "300x300+850+250")
        #expect(target.remainingLines().sorted() == names)
        #expect(source.waitForExit(seconds: 20) == 0)
      }
    }

    @Test("Z20: carry drop -p prints where a file is, if its source lets others open it there, and fails if not")
    func Z20_placesInTheSource() throws {
      try Self.withFiles(Traces.pressDragDrop) { d, work in
        let player = try Player(d, "source")
        player.items = { _ in
          func item(_ name: String, _ options: ItemProvider.FileOptions) -> DragItem {
            let provider = ItemProvider()
            provider.suggestedName = name
            provider.registerFileRepresentation(forType: "text/plain", fileOptions: options) {
              $0(.success("\(work)/\(name)"))
            }
            return DragItem(itemProvider: provider)
          }
          return [item("a.txt", .openInPlace), item("b.txt", [])]
        }
        player.region(
          CarryModel.Rect(x: 50, y: 250, width: 300, height: 300), color: 0xFF0000, [DragInteraction(delegate: player)])
        let target = try d.tool("drop", "-p", "--geometry", "300x300+850+250")
        var lines: [String] = []
        #expect(
          Wait.until(seconds: 30, descriptor: player.client.fileDescriptor) {
            try? player.client.dispatch()
            while let line = target.readLine(seconds: 0) { lines.append(line) }
            return lines.count == 2
          })
        #expect(
          lines.sorted() == [work + "/a.txt", "carry: b.txt: the source does not say where it is; --to DIR saves it"])
        player.close()
      }
    }

    /// Runs `carry drop` with a source that this test is, until the tool has ended.
    private static func drop(_ options: [String], from items: @escaping () -> [DragItem]) throws -> (String, Desktop) {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let client = try Client(name: "source", socket: d.socket)
      let window = d.client.makeWindow(Rect(x: 50, y: 250, width: 300, height: 300))
      d.client.sync()
      let region = Region(client: client, window: window.raw, frame: Carry.Rect(x: 0, y: 0, width: 300, height: 300))
      region.onDrag { _, _ in items() }
      let tool = try d.tool(["drop", "--once", "--geometry", "300x300+850+250"] + options)
      let hasEnded = Wait.until(seconds: 40, descriptor: client.fileDescriptor) {
        try? client.dispatch()
        return !tool.isRunning
      }
      #expect(hasEnded)
      return (tool.remainingLines().joined(separator: "\n"), d)
    }

    @Test("Z20: a drop of which the first item fails is saved for the rest") func Z20_theRestOfADrop() throws {
      let place = try TestFolder("rest")
      let folder = place.path
      _ = try Self.drop(["--to", folder]) {
        ["..", "second.txt"].map { name in
          let provider = ItemProvider(text: "words")
          provider.suggestedName = name
          return DragItem(itemProvider: provider)
        }
      }
      #expect(Files.list(folder) == ["second.txt"])
    }

    @Test("Z20: carry drop prints a path on a line of its own, or not at all") func Z20_hostilePaths() throws {
      let (output, _) = try Self.drop(["--print-path"]) {
        let list = "file:///tmp/a%0A/etc/shadow%1B[2J\r\nfile:///etc/hostname\r\n"
        return [DragItem(itemProvider: ItemProvider(data: Array(list.utf8), type: "text/uri-list"))]
      }
      let lines = output.split(separator: "\n")
      #expect(lines.count == 2 && lines.contains("/etc/hostname"), "\(lines)")
      #expect(lines.contains { $0.hasSuffix(": a name with a newline or a control character") }, "\(lines)")
    }

    @Test("Z20: carry drop -k keeps what came, and it can be dragged elsewhere from there")
    func Z20_keptAndDraggedOn() throws {
      // From the source to the window that keeps, and from there to the last one.
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(600, 400, 650...1000), upAt: 1200)
      script.carry(from: (600, 400), at: 4000, .to(1000, 400, 4650...5000), upAt: 5200)
      try Self.withFiles(script, clients: 3) { d, work in
        let keeper = try d.tool("drop", "--keep", "--json", "--with-engine", "--geometry", "300x300+450+250")
        let target = try d.target("--once", "--to", work + "/saved")
        let source = try d.source("--once", "--text", "kept words")
        #expect(source.waitForExit(seconds: 40) == 0)
        #expect(keeper.readLine(seconds: 20) { $0.contains("\"event\": \"received\"") } != nil)
        #expect(target.readLine(seconds: 40) { $0.contains("\"event\": \"received\"") } != nil)
        let saved = Files.list(work + "/saved")
        #expect(saved.count == 1, "\(saved)")
        #expect(try saved.first.map { try Files.read("\(work)/saved/\($0)", limit: 100) } == Array("kept words".utf8))
        keeper.stop(SIGTERM)
      }
    }

    @Test(
      "Z24: carry drag --add gives files to the window that is there, whatever else calls; without one it opens one")
    func Z24_addingFromAnotherShell() throws {
      try Self.withFiles(Traces.pressDragDrop) { d, work in
        // Nobody listens there any more.
        let stale = work + "/run/carry-drag"
        mkdir(stale, 0o700)
        _ = try Descriptor.open("\(stale)/\(d.server.display)-1", O_WRONLY | O_CREAT, mode: 0o600)
        // The socket of a window that was killed, and one of a window that does not listen yet.
        let dead = try ChildProcess(["true"])
        #expect(dead.waitForExit(seconds: 10) == 0)
        let (abandoned, early) = ("\(stale)/:99-\(dead.pid)", "\(stale)/:99-\(getpid())")
        for path in [abandoned, early] { try Self.leaveSocket(at: path) }
        let source = try Self.shell(
          d, work, "exec carry drag --add --all --json --with-engine --geometry 300x300+50+250 a.txt")
        var socket = ""
        #expect(
          Wait.until(seconds: 20) {
            socket =
              Files.list(stale).first { $0.hasPrefix(d.server.display + "-") && !$0.hasSuffix("-1") } ?? ""
            return !socket.isEmpty
          })
        #expect(Wait.until { !Files.exists(abandoned) } && Files.exists(early))
        var there = stat()
        #expect(lstat("\(stale)/\(socket)", &there) == 0 && there.st_mode & 0o777 == 0o600)
        // Callers that say nothing, too little, too much, or nonsense.
        var idle: [CInt] = []
        for _ in 0..<6 { idle.append(try SocketListener.connect(to: "\(stale)/\(socket)").release()) }
        for (bytes, answer) in [
          (Array("/a".utf8), "the call is not complete"), ([], "the call is not complete"),
          ([0], "a path is not absolute, or not UTF-8"),
          (Array("relative\0".utf8), "a path is not absolute, or not UTF-8"),
          ([0x2F, 0xFF, 0], "a path is not absolute, or not UTF-8"),
          (Array("/nonexistent\0".utf8), "/nonexistent: No such file or directory"),
          ([UInt8](repeating: 0, count: 65), "at most 64 files at once"),
        ] {
          let call = try SocketListener.connect(to: "\(stale)/\(socket)")
          #expect(send(call.raw, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count)
          shutdown(call.raw, CInt(SHUT_WR))
          #expect(String(decoding: try Files.readStart(call.raw, most: 1000), as: UTF8.self) == answer + "\n")
        }
        // Too much: the window hangs up.
        let flood = try SocketListener.connect(to: "\(stale)/\(socket)")
        let much = [UInt8](repeating: 0x2F, count: 1 << 20)
        _ = send(flood.raw, much, much.count, CInt(MSG_NOSIGNAL))
        var gone = pollfd(fd: flood.raw, events: 0, revents: 0)
        #expect(poll(&gone, 1, 10_000) == 1)
        let added = try Self.shell(
          d, work,
          "cd saved; carry drag --add ../b.txt '../c c.txt'; echo $?; carry drag --add /dev/null; echo $?; seq 63 | sed 's|.*|../b.txt|' | carry drag --add -I; echo $?"
        ).remainingLines()
        #expect(
          added == [
            "0", "carry: /dev/null: neither a regular file nor a folder", "1",
            "carry: the window has room for 61 more, and not for 63", "1",
          ])
        for fd in idle { close(fd) }
        let target = try d.target("--once", "--to", work + "/saved")
        let lines = target.remainingLines()
        #expect(lines.count { $0.contains("\"event\": \"received\"") } == 3, "\(lines)")
        #expect(Files.list(work + "/saved") == ["a.txt", "b.txt", "c c.txt"])
        _ = source.waitForExit(seconds: 20)
        #expect(!Files.exists("\(stale)/\(socket)"))
      }
    }

    /// A socket at which nobody listens.
    static func leaveSocket(at path: String) throws {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let socket = Descriptor(
        owning: try check("socket") {
          CLinux.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        })
      try check("bind", path) {
        withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
      }
    }

    @Test("Z24: of several carry drag --add at the same moment, one opens a window, and it takes the files of all")
    func Z24_severalAtOnce() throws {
      try Self.withFiles(Traces.pressDragDrop) { d, work in
        let several = try Self.shell(
          d, work,
          """
          for file in *.txt; do
            carry drag --add -a --with-engine --geometry 300x300+50+250 "$file" & pids="$pids $!"
          done
          while [ "$(ls run/carry-drag 2>/dev/null | wc -l)" = 0 ]; do :; done
          # All but the one with the window end.
          for pid in $pids; do [ "$(ls run/carry-drag)" = "$DISPLAY-$pid" ] || wait "$pid"; done
          echo "$(ls run/carry-drag | wc -l) window"
          wait
          """)
        #expect(several.readLine(seconds: 20) { $0.hasSuffix("window") } == "1 window")
        let target = try d.target("--once", "--to", work + "/saved")
        _ = target.remainingLines()
        #expect(Files.list(work + "/saved") == ["a.txt", "b.txt", "c c.txt"])
        _ = several.waitForExit(seconds: 20)
      }
    }

    @Test("Z24: tiles show thumbnails, made here or cached; what cannot be read in the meantime keeps its icon")
    func Z24_tilesShowThumbnails() throws {
      try Self.withFiles { d, work in
        func png(_ color: UInt32) throws -> [UInt8] {
          let image = try #require(
            ItemImage(width: 40, height: 40, premultipliedARGB: .init(repeating: color, count: 1600)))
          return try image.loadRepresentation(forType: "image/png")
        }
        try Files.write(try png(0xFFFF_0000), to: work + "/red.png")
        try Files.write("no picture", to: work + "/broken.png")
        // A film, which only the cache has a picture of.
        let film = work + "/film.mp4"
        try Files.write([1, 2, 3], to: film)
        var there = stat()
        #expect(stat(film, &there) == 0)
        var cached = try png(0xFF00_FF00)
        func text(_ key: String, _ value: String) -> [UInt8] {
          let data = Array(key.utf8) + [0] + Array(value.utf8)
          // Its check sum is wrong, which no reader minds in a text.
          return (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (24 - 8 * $0)) } + Array("tEXt".utf8) + data
            + [0, 0, 0, 0]
        }
        // Behind the head of the file, which is 8 + 25 bytes.
        cached.insert(
          contentsOf: text("Thumb::URI", "file://" + film) + text("Thumb::MTime", "\(there.st_mtim.tv_sec)"), at: 33)
        for folder in ["", "/thumbnails", "/thumbnails/normal"] { mkdir(work + "/cache" + folder, 0o700) }
        let digest = try ChildProcess(["sh", "-c", "printf %s 'file://\(film)' | md5sum"], output: .pipe)
          .remainingLines()
        try Files.write(cached, to: "\(work)/cache/thumbnails/normal/\(try #require(digest.first).prefix(32)).png")
        let tool = try Self.shell(
          d, work,
          "XDG_CACHE_HOME=$PWD/cache exec carry drag --with-engine --geometry 400x400+0+0 broken.png red.png film.mp4 a.txt"
        )
        #expect(
          d.shows {
            $0[300, 50] == .init(255, 0, 0) && $0[100, 250] == .init(0, 255, 0)
              // The icons are neither.
              && $0[10, 10] != .init(255, 0, 0) && $0[390, 210] != .init(0, 255, 0)
          }, "\(d.color(300, 50)), \(d.color(100, 250))")
        tool.stop(SIGTERM)
      }
    }
  }
}
