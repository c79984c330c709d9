import CLinux
@testable import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// A message bus of a session of its own, with the real document portal, which the bus starts.
private final class PrivateBus {
  let address: String
  private let process: ChildProcess
  private let place: TestFolder

  static let portal = "/usr/libexec/xdg-document-portal"

  init() throws {
    place = try TestFolder("bus")
    let folder = place.path
    try place.makeFolder("run")
    process = try ChildProcess(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address", "--address=unix:path=\(folder)/bus"],
      environment: [
        "XDG_RUNTIME_DIR": folder + "/run", "XDG_DATA_HOME": folder + "/data", "HOME": folder,
        "DBUS_SESSION_BUS_ADDRESS": nil,
      ], output: .pipe)
    address = try #require(process.readLine(seconds: 20) { $0.hasPrefix("unix:path=") })
  }

  deinit {
    process.stop(SIGTERM)
    // The portal unmounts its file system as it ends, which it does as the bus has gone.
    _ = Wait.until(seconds: 5) { (try? Files.names(in: place.path + "/run"))?.contains("doc") != true }
  }
}

extension OpenedFile {
  fileprivate convenience init(opening path: String) throws {
    let file = try Descriptor.open(path, O_RDONLY)
    var status = stat()
    try check("fstat", path) { fstat(file.raw, &status) }
    self.init(file, path: path, isOriginal: false, status, copy: nil)
  }
}

extension DesktopTests {
  /// Z19: files of programs in sandboxes, with the real portal. `unshare` makes the sandbox: a program that sees other files.
  @Suite(.serialized) struct Portal {
    private static let sandbox = ["unshare", "-r", "-m"]
    private static let type = "application/vnd.portal.filetransfer"

    /// Runs the body with a bus, unless there is no portal on this machine.
    private static func withBus(_ body: (PrivateBus) throws -> Void) throws {
      guard Files.exists(PrivateBus.portal) else { return print("SKIPPED: no document portal at \(PrivateBus.portal)") }
      try body(try PrivateBus())
    }

    /// A client that asks the portal itself.
    private static func wait<T>(_ client: Client, _ ask: (@escaping (T?) -> Void) -> Void) -> T? {
      var answer: T??
      ask { answer = .some($0) }
      _ = Wait.until(seconds: 90, descriptor: client.fileDescriptor) {
        try? client.dispatch()
        return answer != nil
      }
      return answer ?? nil
    }

    private static func makeClient(_ d: Desktop) throws -> Client { try Client(name: "portal", socket: d.socket) }

    @Test("Z19: files reach a program in a sandbox by the portal, whose key is asked for at the drop")
    func Z19_keyForASandbox() throws {
      try Self.withBus { bus in
        // The key is good for as long as the engine's bridge is there.
        let script = Trace("press-drag-drop", then: "600s tap 1270,790")
        let d = try Desktop(script, compositor: nil, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        let peer = try XdndPeer(.gtk3, on: d, type: Self.type, through: Self.sandbox)
        let path = d.folder + "/a note.txt"
        try Files.write("on the lake", to: path)
        let source = try d.source(path)
        let client = try Self.makeClient(d)
        let got = try #require(peer.drop())
        let words = got.split(separator: " ").map(String.init)
        try #require(words.count == 4 && words[1] == Self.type, "\(got)")
        let portal = try #require(FileTransferPortal(client, address: bus.address, patience: .seconds(60)))
        let list: [UInt8]? = Self.wait(client) { portal.fetch(Array(words[3].utf8), completion: $0) }
        let address = String(decoding: try #require(list), as: UTF8.self)
        #expect(address.hasPrefix("file:///") && address.hasSuffix("/a%20note.txt\r\n"), "\(address)")
        // A key is valid once.
        #expect(
          Self.wait(client) { (done: @escaping ([UInt8]?) -> Void) in
            portal.fetch(Array(words[3].utf8), completion: done)
          } == nil)
        _ = source
      }
    }

    @Test("Z19: a GTK 4 program in a sandbox gets files by the portal") func Z19_gtk4() throws {
      try Self.withBus { bus in
        let session = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
        let d = try Desktop(Traces.pressDragDrop, compositor: nil, environment: session)
        let path = d.folder + "/a note.txt"
        try Files.write("on the lake", to: path)
        // GTK asks as it starts whether the portal runs.
        let client = try Self.makeClient(d)
        let portal = try #require(FileTransferPortal(client, address: bus.address, patience: .seconds(60)))
        let files = [try OpenedFile(opening: path)]
        #expect(
          Self.wait(client) { (done: @escaping (String?) -> Void) in portal.offer(files, completion: done) } != nil)
        let peer = try XdndPeer(.gtk4, on: d, through: Self.sandbox, environment: session)
        let watch = try ChildProcess(["dbus-monitor", "--address", bus.address], output: .pipe)
        try #require(watch.readLine(seconds: 20) { $0.contains("NameAcquired") } != nil)
        let source = try d.source(path)
        // It could have taken the address.
        for method in ["StartTransfer", "AddFiles", "RetrieveFiles"] {
          #expect(watch.readLine(seconds: 20) { $0.contains("member=\(method)") } != nil, "\(method)")
        }
        let got = try #require(peer.drop())
        #expect(got.hasPrefix("got file ") && got.hasSuffix("/a note.txt"), "\(got)")
        #expect(d.playToTheEnd() == 0)
        _ = source
      }
    }

    @Test("Z19: a program outside of sandboxes is not offered a key, and text is none") func Z19_noKey() throws {
      try Self.withBus { bus in
        for (launcher, thing) in [([], ["/etc/hostname"]), (Self.sandbox, ["--text", "words"])] {
          let d = try Desktop(
            Traces.pressDragDrop, compositor: nil, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
          let peer = try XdndPeer(.gtk3, on: d, type: Self.type, through: launcher)
          let source = try d.tool(["drag", "--with-engine", "--geometry", "300x300+50+250"] + thing)
          #expect(d.playToTheEnd() == 0)
          #expect(peer.drop(seconds: 0) == nil)
          _ = source
        }
      }
    }

    @Test("Z19: what a program in a sandbox offers by the portal only is fetched at the drop") func Z19_in() throws {
      try Self.withBus { bus in
        let d = try Desktop(compositor: nil, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        let path = d.folder + "/a note.txt"
        try Files.write("on the lake", to: path)
        let client = try Self.makeClient(d)
        let portal = try #require(FileTransferPortal(client, address: bus.address, patience: .seconds(60)))
        let files = [try OpenedFile(opening: path)]
        let key: String? = Self.wait(client) { portal.offer(files, completion: $0) }
        let target = try d.target()
        let source = try #require(RawXdndSource(on: d))
        // As GTK writes it.
        source.answers = [Self.type: .bytes(Array(try #require(key).utf8) + [0])]
        #expect(source.serve { source.finds(at: 1000, 400) })
        source.enter([Self.type, "application/vnd.portal.files"])
        source.position(1000, 400)
        #expect(source.isAnswered(accepts: true))
        #expect(source.asked.isEmpty)
        source.drop()
        #expect(source.finished() == true)
        let line = target.readLine(seconds: 20) { $0.contains("\"event\": \"received\"") }
        #expect(line?.contains("text/uri-list") == true && line?.contains("a%20note.txt") == true, "\(line ?? "")")
      }
    }

    @Test("Z19: without a bus, with one that says nothing, and with a key of nobody's, there is nothing")
    func Z19_noPortal() throws {
      let d = try Desktop(compositor: nil)
      let client = try Self.makeClient(d)
      let silent = d.folder + "/silent"
      // Somebody listens there, and says nothing.
      let listener = try ChildProcess(
        [
          "python3", "-c",
          "import socket,time; s=socket.socket(socket.AF_UNIX); s.bind('\(silent)'); s.listen(); time.sleep(60)",
        ])
      #expect(Wait.until { Files.exists(silent) })
      for address in ["unix:path=/nonexistent", "nonsense", "unix:path=\(silent)"] {
        let portal = try #require(FileTransferPortal(client, address: address, patience: .seconds(1)))
        let files = [try OpenedFile(opening: "/etc/hostname")]
        #expect(
          Self.wait(client) { (done: @escaping (String?) -> Void) in portal.offer(files, completion: done) } == nil)
      }
      listener.stop(SIGKILL)
      try Self.withBus { bus in
        let client = try Self.makeClient(d)
        let portal = try #require(FileTransferPortal(client, address: bus.address, patience: .seconds(60)))
        for key in [Array("12345".utf8), [], [0], [0xFF, 0xFE], [UInt8](repeating: 65, count: 5000)] {
          #expect(
            Self.wait(client) { (done: @escaping ([UInt8]?) -> Void) in portal.fetch(key, completion: done) } == nil)
        }
        let folder = [try OpenedFile(opening: "/etc")]
        #expect(
          Self.wait(client) { (done: @escaping (String?) -> Void) in portal.offer(folder, completion: done) } == nil)
      }
    }
  }
}
