import CarryModel
import CarrySystem
import CarryTesting
import Carry
import CLinux
import Testing

extension DesktopTests {
  @Suite(.serialized) struct FilesAndFolders {
    private func folder(_ d: Desktop, _ name: String) throws -> String {
      try d.engine.folder.makeFolder(name)
    }

    @Test("I17: files arrive whole under their names and replace nothing")
    func I17_filesArriveWholeUnderTheirNamesAndReplaceNothing() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2)
      let (from, to) = (try folder(d, "from"), try folder(d, "to"))
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: 32 + $0 % 90) }
      try Files.write(bytes, to: from + "/notes.txt")
      chmod(from + "/notes.txt", 0o600)
      try Files.write("mine", to: to + "/notes.txt")
      let source = try d.source(from + "/notes.txt")
      let target = try d.target("--to", to)
      #expect(d.playToTheEnd() == 0)
      let lines = target.remainingLines()
      #expect(lines.contains { $0.contains("\"path\": \"\(to)/notes (2).txt\"") && $0.contains("3000000") })
      #expect(try Files.read(to + "/notes (2).txt", limit: 1 << 30) == bytes)
      #expect(try Files.read(to + "/notes.txt", limit: 100) == Array("mine".utf8))
      var status = stat()
      #expect(stat(to + "/notes (2).txt", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "nobody else may read it either")
      withExtendedLifetime(source) {}
    }

    @Test("Z20: folders are dragged and saved whole, keep their times, and a program runs with each path")
    func Z20_foldersAreSaved() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2)
      let (from, to) = (try folder(d, "from"), try folder(d, "to"))
      mkdir(from + "/album", 0o755)
      try Files.write("x", to: from + "/album/run")
      chmod(from + "/album/run", 0o755)
      chmod(from + "/album", 0o750)
      let past = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, from + "/album/run", past, 0)
      let program = from + "/note"
      try Files.write("#!/bin/sh\necho \"$1\" > '\(from)/said'\nexit 3\n", to: program)
      chmod(program, 0o755)
      let source = try d.source(from + "/album")
      let target = try d.tool([
        "drop", "--to", to, "--preserve", "--print", "--exec", program, "--once", "--geometry", "300x300+850+250",
      ])
      #expect(d.playToTheEnd() == 0)
      let lines = target.remainingLines()
      #expect(lines.contains(to + "/album"), "\(lines)")
      #expect(!lines.contains { $0.contains("dropped") }, "nothing else is printed")
      #expect(lines.contains { $0.contains("note ended with status 3") }, "\(lines)")
      #expect(target.waitForExit(seconds: 5) == 1)
      #expect(try Files.read(from + "/said", limit: 1000) == Array((to + "/album\n").utf8))
      var status = stat()
      #expect(stat(to + "/album/run", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o755 && status.st_mtim.tv_sec == 1_000_000_000)
      #expect(stat(to + "/album", &status) == 0 && status.st_mode & 0o777 == 0o750)
      withExtendedLifetime(source) {}
    }

    @Test("Z32: a source lets go of what another application has whole, and of nothing else", arguments: [true, false])
    func Z32_movingBetweenApplications(isWhole: Bool) throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2)
      let (from, to) = (try folder(d, "from"), try folder(d, "to"))
      try Files.write("mine", to: from + "/letter.txt")
      let source = try d.source("--move", from + "/letter.txt")
      let target = try App(d, "target")
      target.takePlaces(isSource: false)
      var load: Carry.Load?
      var result: Result<LoadedFile, LoadError>?
      target.onUpdate = { $0.allowsMoveOperation ? .move : .cancel }
      target.onPerform = { s in
        load = s.items[0].itemProvider.saveRepresentation(forType: "text/plain", in: to) { result = $0 }
        if !isWhole { load?.cancel() }
      }
      #expect(target.run { result != nil && !d.engine.isRunning })
      let lines = source.remainingLines()
      #expect(lines.contains { $0.contains("\"ended\"") && $0.contains("\"move\"") }, "\(lines)")
      #expect(Files.exists(from + "/letter.txt") == !isWhole)
      #expect(Files.exists(to + "/letter.txt") == isWhole)
    }

    @Test(
      "Z32: a folder of which something is left out has not arrived, if its source would let go of it",
      arguments: [(Carry.DropOperation.move, false), (.move, true), (.copy, false)])
    func Z32_aFolderWithLeftOutParts(operation: Carry.DropOperation, isWhole: Bool) throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let (from, to) = (try folder(d, "from"), try folder(d, "to"))
      mkdir(from + "/album", 0o755)
      try Files.write("mine", to: from + "/album/letter.txt")
      if !isWhole { mkfifo(from + "/album/pipe", 0o600) }
      let (source, target) = try App.pair(d)
      source.items = { [DragItem(itemProvider: ItemProvider(contentsOf: from + "/album"))] }
      var result: LoadedFile?
      target.onUpdate = { _ in operation }
      target.onPerform = { s in
        s.items[0].itemProvider.saveRepresentation(forType: "inode/directory", in: to) { result = try? $0.get() }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return result != nil && source.calls.contains("didTransfer") && !d.engine.isRunning
        }, "\(source.calls) \(target.calls)")
      #expect(source.calls.contains("didEnd(\(operation))"), "\(source.calls)")
      #expect(result?.leftOut == (isWhole ? [] : ["pipe"]) && Files.exists(to + "/album/letter.txt"))
      // A destination that says that a load has not succeeded has nothing delivered to it.
      #expect(events(d.monitor.remainingLines()).contains("data-delivered") == (isWhole || operation == .copy))
    }

    @Test("Z20: several files are one item, a list of their addresses") func Z20_severalFilesTogether() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2)
      let from = try folder(d, "from")
      for name in ["a b.txt", "c.txt"] { try Files.write("x", to: from + "/" + name) }
      let source = try d.source("--together", from + "/a b.txt", from + "/c.txt")
      let target = try d.target("--accept", "text/uri-list")
      #expect(d.playToTheEnd() == 0)
      let lines = target.remainingLines()
      #expect(
        lines.contains { $0.contains("file://\(from)/a%20b.txt\\r\\nfile://\(from)/c.txt\\r\\n") }, "\(lines)")
      withExtendedLifetime(source) {}
    }

    @Test("an item that is refused is named, and makes the status 1 though others arrived")
    func anItemThatIsRefused() throws {
      var s = Traces.screen
      s.carry(
        from: (120, 400), at: 0, .to(160, 420, 700...800), .tap(280, 500, at: 1100), .to(1000, 400, 1500...1900),
        upAt: 2400)
      let d = try Desktop(s, clients: 2, compositor: nil)
      let (from, to) = (try folder(d, "from"), try folder(d, "to"))
      for name in ["good.txt", "-- -"] { try Files.write("x", to: from + "/" + name) }
      let source = try d.source(from + "/good.txt", from + "/-- -")
      let target = try d.target("--to", to)
      #expect(d.playToTheEnd() == 0)
      let lines = target.remainingLines()
      #expect(lines.contains { $0.contains("-- -: refused: ") }, "\(lines)")
      #expect(Files.list(to) == ["good.txt"])
      #expect(target.waitForExit(seconds: 5) == 1)
      // M17: the source's own end says what it was.
      #expect(source.remainingLines().contains { $0.contains("\"ended\"") && $0.contains("\"copy\"") })
    }

    @Test("several texts are several things to drag") func severalTexts() throws {
      var s = Traces.screen
      s.carry(from: (120, 400), at: 0, .to(1000, 400, 700...1100), upAt: 1500)
      let d = try Desktop(s, clients: 2, compositor: nil)
      let source = try d.source("--text", "one", "--text", "two")
      let target = try d.target()
      #expect(d.playToTheEnd() == 0)
      #expect(target.remainingLines().contains { $0.contains("\"text\": \"one\"") })
      withExtendedLifetime(source) {}
    }

    @Test("recordings come through a pipe too, and output that cannot be written is an error")
    func pipes() throws {
      let trace = Checkout.fixtures + "/traces/tap.gestures"
      let carry = try Checkout.program("carry")
      func shell(_ command: String) throws -> [String] {
        try ChildProcess(["sh", "-c", "(\(command)) 2>&1; echo status $?"], output: .pipe).remainingLines()
      }
      let whole = try shell("\(carry) replay --fast \(trace)")
      #expect(whole.count > 2 && whole.last == "status 0")
      #expect(try shell("cat \(trace) | \(carry) replay --fast -") == whole)
      #expect(try shell("\(carry) describe - < \(trace)").last == "status 0")
      let full = try shell("\(carry) replay --fast \(trace) > /dev/full")
      #expect(full == ["carry: the output cannot be written: No space left on device", "status 1"])
    }

    @Test("installing needs no Swift, and says what is to be run first where nothing is built")
    func installing() throws {
      let make = try ChildProcess(
        [
          "sh", "-c",
          "cd \(Checkout.root) && env -i PATH=/usr/bin:/bin make install built=/nonexistent DESTDIR=/nonexistent 2>&1; echo $?",
        ], output: .pipe)
      let lines = make.remainingLines()
      #expect(lines.first == "/nonexistent/carryd is not there: run 'make release' first, as yourself, then this")
      #expect(lines.last == "2")
    }

    /// Whether a tool waits for signals, as it does from its loop's beginning on.
    private func isInItsLoop(_ pid: Int32) -> Bool {
      Files.list("/proc/\(pid)/fd").contains { Files.link("/proc/\(pid)/fd/\($0)") == "anon_inode:[signalfd]" }
    }

    @Test(
      "tools that are to end with the engine say that with status 3, and those that wait go on",
      arguments: ["drag", "drop", "monitor"])
    func toolsWithoutAnEngine(command: String) throws {
      let d = try Desktop(compositor: nil)
      let arguments = command == "drag" ? [command, "--text", "x"] : [command]
      let ending = try d.tool(arguments + ["--with-engine"])
      let waiting = try d.tool(arguments)
      for _ in 0..<2 { #expect(d.engine.readLine { $0.contains("is carry \(command)") } != nil) }
      // An engine that goes while it greets a tool is none that the tool has had: each has to be in its loop.
      for tool in [ending, waiting] { #expect(Wait.until(seconds: 30) { isInItsLoop(tool.pid) }) }
      d.engine.stop(SIGKILL)
      #expect(ending.waitForExit(seconds: 10) == 3)
      #expect(waiting.readLine(seconds: 10) { $0.contains("the engine stopped; waiting for the next one") } != nil)
      try d.startEngine(Traces.tap)
      #expect(waiting.readLine(seconds: 10) { $0.contains("the engine is back") } != nil)
      #expect(waiting.isRunning)
    }

    @Test("a monitor's reader is told where the numbers of sessions begin again")
    func aMonitorTellsOfTheNextEngine() throws {
      let d = try Desktop(compositor: nil)
      let monitor = try d.tool("monitor", "--verbose", "--json")
      #expect(d.engine.readLine { $0.contains("is carry monitor") } != nil)
      // As above: an engine that goes while it greets a tool ends the tool.
      #expect(Wait.until(seconds: 30) { isInItsLoop(monitor.pid) })
      d.engine.stop(SIGKILL)
      #expect(monitor.readLine(seconds: 10) { $0.contains("\"event\": \"lost\"}") } != nil)
      try d.startEngine(Traces.tap)
      #expect(monitor.readLine(seconds: 10) { $0.contains("\"event\": \"connected\"}") } != nil)
    }

    @Test("a tool whose one drag ends with the engine says that nothing was transferred")
    func theOneDragEndsWithTheEngine() throws {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1400), upAt: 60_000)
      let d = try Desktop(script, compositor: nil)
      let once = try d.tool("drag", "--once", "--geometry", "300x300+50+250", "--text", "x")
      // Fields that do not apply are left out: a monitor learns types when the drag begins.
      #expect(d.step("lifted")?.contains("\"types\"") == false)
      #expect(d.step("began")?.contains("\"types\": [") == true)
      d.engine.stop(SIGKILL)
      #expect(
        once.readLine(seconds: 10) { $0.contains("the engine stopped") }?.hasSuffix("; nothing was transferred") == true
      )
      #expect(once.waitForExit(seconds: 10) == 1)
    }

    @Test func aFileThatVanishesBeforeTheDropIsAnErrorAndNothingIsLeft() throws {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1400), upAt: 6000)
      let d = try Desktop(script, clients: 2)
      let (from, to) = (try folder(d, "from"), try folder(d, "to"))
      try Files.write("x", to: from + "/gone.txt")
      let source = try d.source(from + "/gone.txt")
      let target = try d.target("--to", to)
      #expect(d.step("began") != nil)
      unlink(from + "/gone.txt")
      #expect(d.playToTheEnd() == 0)
      let lines = target.remainingLines()
      #expect(lines.contains { $0.contains("gone.txt") && $0.contains("No such file") }, "\(lines)")
      #expect(Files.list(to).isEmpty)
      // The source says it too, and nothing was transferred.
      #expect(source.remainingLines().contains { $0.hasPrefix("carry: ") && $0.contains("No such file") })
      #expect(source.waitForExit(seconds: 5) == 1)
    }

    @Test("a full disk is an error and nothing is left") func aFullDiskIsAnErrorAndNothingIsLeft() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2)
      let from = try folder(d, "from")
      let to = try folder(d, "to")
      // A file system of half a mebibyte; without the right to mount one there is nothing to be seen here.
      let mounting = try ChildProcess(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", to])
      guard mounting.waitForExit(seconds: 10) == 0 else {
        print("LEFT OUT: T26 needs the right to mount a tmpfs")
        return
      }
      defer { _ = try? ChildProcess(["umount", to]).waitForExit(seconds: 10) }
      try Files.write([UInt8](repeating: 65, count: 2 << 20), to: from + "/big.txt")
      let source = try d.source(from + "/big.txt")
      let target = try d.target("--to", to)
      #expect(d.playToTheEnd() == 0)
      let lines = target.remainingLines()
      #expect(lines.contains { $0.contains("2097152 bytes are needed, and ") }, "\(lines)")
      #expect(Files.list(to).isEmpty)
      withExtendedLifetime(source) {}
    }

    @Test func aReadOnlyFolderIsRefusedAtOnce() throws {
      let d = try Desktop(compositor: nil)
      let to = try folder(d, "to")
      let mounting = try ChildProcess(["mount", "-t", "tmpfs", "-o", "ro,size=512k", "tmpfs", to])
      guard mounting.waitForExit(seconds: 10) == 0 else {
        print("LEFT OUT: a read-only folder needs the right to mount a tmpfs")
        return
      }
      defer { _ = try? ChildProcess(["umount", to]).waitForExit(seconds: 10) }
      let target = try d.target("--to", to)
      #expect(target.waitForExit(seconds: 5) == 1)
      #expect(target.remainingLines().joined().contains("Read-only file system"))
    }

    @Test("of names that are not UTF-8 the truth is said, and a name with a replacement character is a name")
    func namesThatAreNotUTF8() throws {
      let d = try Desktop(compositor: nil)
      let work = try folder(d, "names")
      func run(_ script: String) throws -> (status: CInt?, text: String) {
        let p = try ChildProcess(
          ["env", "-C", work, "sh", "-c", script, try Checkout.program("carry")],
          environment: ["DISPLAY": d.server.display, "CARRY_SOCKET": d.socket], output: .pipe)
        let text = p.remainingLines().joined(separator: "\n")
        return (p.waitForExit(seconds: 10), text)
      }
      // The directory's name has a byte that is no UTF-8 as well.
      _ = try run("bad=$(printf 'bad\\377'); echo 1 > \"$bad.txt\"; mkdir \"$bad\"")
      let said = "carry: bad\u{FFFD}.txt: names that are not UTF-8 cannot be dragged; rename the file"
      for words in ["drag", "drag --all", "drag --together", "drag --add", "drag --data"] {
        let result = try run("\"$0\" \(words) \"$(printf 'bad\\377').txt\"")
        #expect(result.status == 1 && result.text == said, "\(words): \(result)")
      }
      #expect(try run("printf 'bad\\377.txt\\n' | \"$0\" drag --stdin").text == said)
      let broken = try run("name=$(printf 'a\\nb'); echo 1 > \"$name\"; \"$0\" drag \"$name\"")
      #expect(broken.status == 1 && broken.text.contains("names with a newline"), "\(broken)")
      let dropped = try run("\"$0\" drop --to \"$(printf 'bad\\377')\"")
      #expect(dropped.status == 1 && dropped.text.contains("--to takes a directory whose name is UTF-8"), "\(dropped)")
      // Here the name is as it was given.
      try Files.write([49], to: work + "/good\u{FFFD}.txt")
      let source = try d.source(work + "/good\u{FFFD}.txt")
      #expect(d.engine.readLine { $0.contains("is carry drag") } != nil)
      source.stop()
    }

    @Test("--data needs no --type: the name suggests one", arguments: [nil, "application/x-carry-test"])
    func dataWithoutAType(type: String?) throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let path = d.folder + "/page.html"
      try Files.write("<p>", to: path)
      let target = try d.target()
      let source = try d.tool(
        ["drag", "--with-engine", "--geometry", "300x300+50+250", "--data", path] + (type.map { ["--type", $0] } ?? []))
      #expect(d.playToTheEnd() == 0)
      let lines = target.remainingLines()
      #expect(
        lines.contains { $0.contains("\"received\"") && $0.contains("\"type\": \"\(type ?? "text/html")\"") },
        "\(lines)")
      withExtendedLifetime(source) {}
    }

    @Test func foldersAndFilesThatCannotBeUsedAreNamedAtOnce() throws {
      let d = try Desktop()
      let cases: [([String], [String])] = [
        (["drop", "--to", "/nonexistent/dir"], ["/nonexistent/dir", "No such file"]),
        (["drop", "--to", "/etc/hostname"], ["/etc/hostname", "Not a directory"]),
        (["drop", "--to", "/proc"], ["/proc", "no file can be made there"]),
        (["drag", "/dev/zero"], ["/dev/zero", "neither a regular file nor a folder"]),
        (["drag", "/nonexistent/file.txt"], ["/nonexistent/file.txt", "No such file"]),
        (["drag", "--type", "text/plain", "--data", "/nonexistent"], ["/nonexistent", "No such file"]),
      ]
      for (arguments, words) in cases {
        let p = try d.tool(arguments)
        let text = p.remainingLines().joined()
        #expect(p.waitForExit(seconds: 5) == 1, "\(arguments)")
        for word in words { #expect(text.contains(word), "\(arguments): \(text)") }
      }
    }
  }
}
