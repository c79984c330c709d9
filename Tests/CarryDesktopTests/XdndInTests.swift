import CLinux
import CX11
@testable import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension DesktopTests {
  /// Drags of other programs that are dropped on Carry's, through the bridge.
  @Suite(.serialized) struct InFromXdnd {
    /// The next thing that `carry drop` has received, as its JSON line.
    private func received(_ target: ChildProcess, seconds: Double = 20) -> String? {
      target.readLine(seconds: seconds) { line in
        ["received", "failed"].contains { line.contains("\"event\": \"\($0)\"") }
      }
    }

    private func drag(_ d: Desktop, _ peer: XdndPeer, to x: Int = 1000, _ y: Int = 400) throws {
      // GTK looks at a window once when the mouse comes over it.
      let looker = try #require(RawXdndSource(on: d, owning: false))
      #expect(looker.serve { looker.finds(at: x, y) })
      let mouse = try FakeMouse(d.server.display)
      mouse.begin(at: 200, 400)
      // Toolkits begin their drags when they like: the mouse goes on until a target has said that it takes the drag.
      var n = 0
      let isAccepted = Wait.until(seconds: 20) {
        n += 1
        mouse.move(to: x - 20 + n % 20, y)
        return peer.process.readLine(seconds: 0.05) { $0 == "accepted" } != nil
      }
      #expect(isAccepted, "nothing was accepted")
      #expect(mouse.rests(near: x, y, on: d), "the drag did not follow the mouse")
      mouse.button(false)
    }

    @Test("Z1: text and files of programs that know nothing of Carry are dropped", arguments: XdndPeer.Toolkit.allCases)
    func Z1_textAndFiles(toolkit: XdndPeer.Toolkit) throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let text = try XdndPeer(draggedFrom: toolkit, on: d, ["text", "Grüße"])
      try drag(d, text)
      #expect(received(target)?.contains("\"text\": \"Grüße\"") == true)
      #expect(text.process.readLine(seconds: 20) { $0 == "dropped" || $0 == "failed" } == "dropped")
      text.process.stop(SIGKILL)

      let paths = [d.folder + "/a note.txt", d.folder + "/b.bin"]
      try Files.write("on the lake", to: paths[0])
      try Files.write("bits", to: paths[1])
      let files = try XdndPeer(draggedFrom: toolkit, on: d, ["files"] + paths)
      try drag(d, files)
      // Loads end in any order.
      let one = received(target)
      let lines = [one, received(target)].compactMap { $0 }
      #expect(
        lines.contains { $0.contains("\"name\": \"a note.txt\"") && $0.contains("\"text\": \"on the lake\"") },
        "\(lines)")
      #expect(lines.contains { $0.contains("\"name\": \"b.bin\"") })
      #expect(files.process.readLine(seconds: 20) { $0 == "dropped" || $0 == "failed" } == "dropped")
    }

    @Test(
      "Z1: data that goes in one piece, and data that goes in parts, comes whole",
      arguments: [
        (XdndPeer.Toolkit.gtk3, 1), (.gtk4, 1), (.qt6, 1), (.gtk3, 24),
      ])
    func Z1_largeData(toolkit: XdndPeer.Toolkit, mebibytes: Int) throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let source = try XdndPeer(draggedFrom: toolkit, on: d, ["data", "\(mebibytes << 20)"])
      try drag(d, source)
      let line = try #require(received(target))
      #expect(line.contains("\"bytes\": \(mebibytes << 20)"), "\(line)")
      #expect(source.process.readLine(seconds: 20) { $0 == "dropped" || $0 == "failed" } == "dropped")
    }

    @Test("Z1: files are not opened for a program that sees other files than the bridge") func Z1_sandbox()
      throws
    {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let path = d.folder + "/secret.txt"
      try Files.write("secret", to: path)
      let peer = try XdndPeer(draggedFrom: .gtk3, on: d, ["files", path], through: ["unshare", "-r", "-m"])
      try drag(d, peer)
      let line = try #require(received(target))
      #expect(line.contains("\"type\": \"text/uri-list\"") && !line.contains("\"text\": \"secret\""), "\(line)")
    }

    @Test(
      "Z1, Z19: a program that sees other files than the bridge is not asked to save a file", arguments: [false, true])
    func Z1_Z19_directSave(isInSandbox: Bool) throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let peer = try XdndPeer(
        draggedFrom: .gtk3, on: d, ["save", "Lake.bin"], through: isInSandbox ? ["unshare", "-r", "-m"] : [])
      try drag(d, peer)
      // It has the bytes, too.
      let line = try #require(received(target))
      #expect(line.contains("\"bytes\": 4"), "\(line)")
      let first = peer.process.readLine(seconds: 20) { ["asked to save", "dropped", "failed"].contains($0) }
      #expect(first == (isInSandbox ? "dropped" : "asked to save"))
    }

    @Test("Z1: files are not opened for a target that sees other files, whoever the source says it is")
    func Z1_sandboxedTarget() throws {
      let d = try Desktop(compositor: nil)
      let path = d.folder + "/secret.txt"
      try Files.write("secret", to: path)
      let target = try ChildProcess(
        [
          "unshare", "-r", "-m", try Checkout.program("carry"), "drop", "--with-engine", "--json", "--geometry",
          "300x300+850+250",
        ], environment: ["DISPLAY": d.server.display, "CARRY_SOCKET": d.socket], output: .pipe)
      // The window of a program that sees the bridge's files, and has no part in this.
      let innocent = d.client.makeWindow(Rect(x: 0, y: 750, width: 20, height: 20))
      d.client.sync()
      let source = try #require(RawXdndSource(on: d, owning: false))
      source.client.ownSelection("XdndSelection", by: innocent)
      source.answers = ["text/uri-list": .bytes(Array("file://\(path)\r\n".utf8))]
      #expect(source.serve { source.finds(at: 1000, 400) })
      source.enter(["text/uri-list"], from: innocent)
      source.position(1000, 400, from: innocent)
      let isEntered = source.serve { d.step("entered", seconds: 0.02) != nil }
      #expect(isEntered, "\(source.asked)")
      // The answers go to the innocent window.
      var line: String?
      #expect(
        source.serve {
          source.position(1000, 400, from: innocent)
          source.drop(from: innocent)
          line = received(target, seconds: 0.5)
          return line != nil
        })
      #expect(line?.contains("\"type\": \"text/uri-list\"") == true, "\(line ?? "")")
      #expect(line?.contains("\"text\": \"secret\"") == false, "\(line ?? "")")
    }

    /// A drop of a source that the test plays.
    private func begin(_ source: RawXdndSource, _ types: [String]) throws {
      try #require(source.serve(until: { source.finds(at: 1000, 400) }), "no window takes drops there")
      source.enter(types)
      source.position(1000, 400)
      try #require(source.isAnswered(accepts: true), "heard: \(source.heard), asked for: \(source.asked)")
    }

    @Test("Z1, Z3: nothing but addresses is asked for before the drop, and only what the target wants after it")
    func Z1_Z3_dataAtTheDrop() throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      source.answers = [
        "UTF8_STRING": .bytes(Array("über".utf8)), "image/png": .bytes([1]), "text/x-moz-url": .refusal,
      ]
      try begin(source, ["image/png", "UTF8_STRING", "DELETE", "TARGETS", "text/x-moz-url"])
      #expect(source.asked == ["text/x-moz-url"])
      source.drop()
      #expect(source.finished() == true)
      #expect(source.asked == ["text/x-moz-url", "UTF8_STRING"])
      #expect(received(target)?.contains("\"text\": \"über\"") == true)
      #expect(d.step("began")?.contains("pointer") == true)
    }

    @Test("Z1: when the source refuses one name of its text, the next is requested; whatever target its answers name")
    func Z1_refusedNames() throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      source.namesOtherTarget = true
      source.answers = ["STRING": .bytes([0xFC, 0x62, 0x65, 0x72])]
      let names = ["STRING", "text/plain;charset=utf-8", "UTF8_STRING", "text/plain;charset=utf-16"]
      try begin(source, names)
      source.drop()
      #expect(source.finished() == true)
      #expect(source.asked == Array(names[1...]) + ["STRING"])
      #expect(received(target)?.contains("\"text\": \"über\"") == true)
      // A refusal of all is one.
      source.answers = [:]
      source.startAnew()
      try begin(source, names)
      source.drop()
      #expect(source.finished() == false)
      #expect(received(target)?.contains("did not hand it over") == true)
    }

    @Test("Z1: a drag is taken whose messages name the window that gets them, as Chromium's do, and so do the answers")
    func Z1_namesTheProxy() throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let other = try d.target("--accept", "image/png", geometry: "200x200+400+50")
      let source = try #require(RawXdndSource(on: d))
      source.namesReceiver = true
      source.answers = ["UTF8_STRING": .bytes(Array("über".utf8))]
      try begin(source, ["UTF8_STRING"])
      source.drop()
      #expect(source.finished() == true)
      #expect(received(target)?.contains("\"text\": \"über\"") == true)
      withExtendedLifetime(other) {}
    }

    @Test("Z1: the file of that very name comes; one that is missing is named, and is no full success")
    func Z1_oddAddresses() throws {
      let d = try Desktop(compositor: nil)
      let (from, to) = (d.folder + "/from", d.folder + "/to")
      for name in ["from", "to"] { try d.engine.folder.makeFolder(name) }
      for name in ["a", "a#b.txt", "q", "q?r.txt", "100%.txt", "page.html"] {
        try Files.write("this is \(name)", to: "\(from)/\(name)")
      }
      mkfifo(from + "/pipe", 0o600)
      let target = try d.target("--to", to)
      let source = try #require(RawXdndSource(on: d))
      func drop(_ addresses: [String]) throws -> (lines: [String], finished: Bool?) {
        source.answers = ["text/uri-list": .bytes(Array((addresses.joined(separator: "\r\n") + "\r\n\0").utf8))]
        source.startAnew()
        try begin(source, ["text/uri-list"])
        source.drop()
        let finished = source.finished()
        return (addresses.compactMap { _ in received(target) }, finished)
      }
      let whole = try drop(["a%23b.txt", "q?r.txt", "100%.txt", "page.html#top"].map { "file://\(from)/\($0)" })
      #expect(whole.finished == true)
      #expect(
        Set(Files.list(to)) == ["a#b.txt", "q?r.txt", "100%.txt", "page.html"], "\(Files.list(to)), \(whole.lines)")
      #expect(try Files.read(to + "/a#b.txt", limit: 100) == Array("this is a#b.txt".utf8))
      let part = try drop([
        "file://\(FileLink.ownHost)\(from)/a", "file://\(from)/gone.txt", "file://\(from)/pipe", "smb://server/share",
      ])
      #expect(part.finished == false)
      #expect(part.lines.count { $0.contains("\"event\": \"failed\"") } == 3, "\(part.lines)")
      #expect(part.lines.contains { $0.contains("gone.txt") && $0.contains("No such file") }, "\(part.lines)")
      #expect(part.lines.contains { $0.contains("smb://server/share is not a file of this machine") }, "\(part.lines)")
      #expect(Files.exists(to + "/a") && !Files.exists(to + "/links.txt"), "\(Files.list(to))")
      // More than a drag has room for.
      for i in 0..<134 { try Files.write([UInt8(i)], to: "\(from)/many-\(i)") }
      source.answers = [
        "text/uri-list": .bytes(Array((0..<134).map { "file://\(from)/many-\($0)\r\n" }.joined().utf8))
      ]
      source.startAnew()
      try begin(source, ["text/uri-list"])
      source.drop()
      #expect(source.finished() == false)
      let words = target.readLine(seconds: 20) { $0.contains("\"failed\"") }
      #expect(words?.contains("7 more files: at most 128 are dragged at a time") == true, "\(words ?? "")")
      #expect(Files.list(to).count { $0.hasPrefix("many-") } == 127)
    }

    @Test("a source that names files of a server which does not answer delays nobody") func silentFiles()
      throws
    {
      guard let file = try StuckFile() else { return print("SKIPPED: no FUSE here, so no file that does not answer") }
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      source.answers = [
        "text/uri-list": .bytes(Array("file://\(file.silentPath)\r\n".utf8)), "UTF8_STRING": .bytes(Array("a".utf8)),
      ]
      for _ in 0..<6 {
        try begin(source, ["text/uri-list", "UTF8_STRING"])
        source.leave()
        source.startAnew()
      }
      try begin(source, ["UTF8_STRING"])
      source.drop()
      #expect(source.finished() == true)
      #expect(received(target)?.contains("\"text\": \"a\"") == true)
      // Files of elsewhere come as files, as ever.
      let path = d.folder + "/note.txt"
      try Files.write("elsewhere", to: path)
      source.answers["text/uri-list"] = .bytes(Array("file://\(path)\r\n".utf8))
      source.startAnew()
      try begin(source, ["text/uri-list", "UTF8_STRING"])
      source.drop()
      #expect(source.finished() == true)
      #expect(received(target)?.contains("\"text\": \"elsewhere\"") == true)
    }

    @Test("Z1: the window says that it takes drops while it has a region, and not after that") func Z1_properties()
      throws
    {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let source = try #require(RawXdndSource(on: d))
      #expect(source.serve { source.finds(at: 1000, 400) })
      #expect(source.properties().aware == 5)
      #expect(source.properties().proxy != nil)
      // A bridge that is killed leaves its number there, which is nobody's; the next one repairs it.
      let bridge = ProcessID.children(of: d.engine.pid).first { ProcessID.arguments(of: $0).contains("--bridge") }
      kill(try #require(bridge), SIGKILL)
      source.answers = ["UTF8_STRING": .bytes(Array("again".utf8))]
      let isAnswered = Wait.until(seconds: 20) {
        guard source.finds(at: 1000, 400) else { return false }
        source.enter(["UTF8_STRING"])
        source.position(1000, 400)
        return source.isAnswered(accepts: true, seconds: 1)
      }
      #expect(isAnswered)
      source.drop()
      #expect(source.finished() == true && received(target)?.contains("again") == true)
      // Without the engine nobody takes drops there.
      d.engine.stop(SIGTERM)
      #expect(source.serve { source.properties().aware == nil && source.properties().proxy == nil })
    }

    @Test("a drag of one window over another, and one that nobody began, change nothing")
    func strangeMessages()
      throws
    {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let source = try #require(RawXdndSource(on: d))
      let other = source.client.makeWindow(Rect(x: 0, y: 750, width: 20, height: 20))
      source.answers = ["UTF8_STRING": .bytes(Array("a".utf8))]
      #expect(source.serve { source.finds(at: 1000, 400) })
      // Before Enter; a version that nobody speaks; without types.
      source.position(1000, 400)
      source.drop()
      source.enter(["UTF8_STRING"], version: 2)
      source.position(1000, 400)
      source.enter([])
      source.position(1000, 400)
      #expect(source.isAnswered(accepts: false))
      source.drop()
      #expect(source.finished() == false)
      // A position of another window is none of this drag's.
      try begin(source, ["UTF8_STRING"])
      let heard = source.heard.count
      source.position(1, 1, from: other)
      source.enter(["UTF8_STRING"])
      source.position(1000, 400)
      #expect(source.serve { source.heard.count > heard })
      #expect(source.isAnswered(accepts: true))
      source.drop()
      #expect(source.serve { source.heard.count(where: { $0.kind == .finished }) == 2 })
      #expect(received(target)?.contains("\"text\": \"a\"") == true)
    }

    @Test(
      "a source that refuses, lies about its size, or goes in the middle ends the load, and no more",
      arguments: ["refuses", "too long a list", "goes", "never ends"])
    func badSources(how: String) throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      var source = RawXdndSource(on: d)
      let s = try #require(source)
      s.answers = ["UTF8_STRING": how == "goes" ? .silentParts : how == "never ends" ? .endless : .refusal]
      let types = how == "too long a list" ? (0..<10_000).map { "x/t\($0)" } : ["UTF8_STRING"]
      if how == "too long a list" {
        #expect(s.serve { s.finds(at: 1000, 400) })
        s.enter(types)
        s.position(1000, 400)
        #expect(s.isAnswered(accepts: false))
        s.drop()
        #expect(s.finished() == false)
        return
      }
      try begin(s, types)
      s.drop()
      switch how {
      case "refuses": #expect(s.finished() == false)
      case "goes":
        #expect(s.serve { !s.asked.isEmpty })
        s.client.destroy(s.window)
        s.client.sync()
      default:
        #expect(s.serve { s.partsSent > 3 })
        // 256 MiB are enough. On a busy machine they take their time.
        #expect(s.finished(seconds: 180) == false)
        #expect(s.partsSent < 300)
      }
      #expect(received(target)?.contains("failed") == true)
      source = nil
      // The next drag is as if nothing had been.
      let next = try #require(RawXdndSource(on: d))
      next.answers = ["UTF8_STRING": .bytes(Array("next".utf8))]
      try begin(next, ["UTF8_STRING"])
      next.drop()
      #expect(next.finished() == true && received(target)?.contains("next") == true)
    }

    @Test(
      "Z1: addresses that are not those of files stay one item, unopened",
      arguments: [
        "https://example.org/\r\n", "file://elsewhere/etc/hostname\r\n", "\0\0\0", "file:///etc/host%00name\r\n",
      ])
    func Z1_addresses(list: String) throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let source = try #require(RawXdndSource(on: d))
      source.answers = ["text/uri-list": .bytes(Array(list.utf8))]
      try begin(source, ["text/uri-list"])
      source.drop()
      #expect(source.finished() == true)
      let line = try #require(received(target))
      #expect(line.contains("\"type\": \"text/uri-list\"") && line.contains("\"bytes\": \(list.utf8.count)"), "\(line)")
    }

    @Test("Z1: another program's Enter takes no drag over from the one that owns the selection")
    func Z1_anothersEnter() throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let source = try #require(RawXdndSource(on: d))
      source.answers = ["UTF8_STRING": .bytes(Array("mine".utf8))]
      try begin(source, ["UTF8_STRING"])
      let other = try #require(RawXdndSource(on: d, owning: false))
      #expect(other.serve { other.finds(at: 1000, 400) })
      other.enter(["UTF8_STRING"])
      other.client.sync()
      source.drop()
      #expect(source.finished() == true)
      #expect(received(target)?.contains("\"bytes\": 4") == true)
    }

    @Test("Z1: a program that comes to take drops by itself gets its own messages again") func Z1_ownDrops() throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target()
      let source = try #require(RawXdndSource(on: d))
      #expect(source.serve { source.finds(at: 1000, 400) })
      source.client.setNumber(4, "XdndAware", of: source.targetWindow)
      #expect(source.serve { source.properties().proxy == nil })
      #expect(source.properties().aware == 4)
      _ = target
    }
  }
}
