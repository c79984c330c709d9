import CarrySystem
import CarryTesting
import CLinux
import Testing

@Suite struct ServiceManagerTests {
  /// What arrives at a datagram socket of a name when `state` is told to it.
  private func told(_ state: String, at name: String) throws -> String {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: name.utf8)
      if name.hasPrefix("@") { $0[0] = 0 }
    }
    let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let receiver = Descriptor(owning: try check("socket") { socket(AF_UNIX, kind, 0) })
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
    try check("bind", name) {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(receiver.raw, $0, length) }
      }
    }
    defer { unlink(name) }
    ServiceManager.notify(state, to: name)
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = recv(receiver.raw, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func aWordReachesTheServiceManager() throws {
    let folder = try TestFolder("notify")
    #expect(try told("READY=1\nSTATUS=here", at: folder.path + "/notify") == "READY=1\nSTATUS=here")
    #expect(try told("STOPPING=1", at: "@carry-notify-\(getpid())") == "STOPPING=1")
  }

  @Test func nothingIsSentToWhatIsNoAddress() throws {
    // The protocol knows absolute paths and abstract names with at least one byte.
    #expect(try told("READY=1", at: "carry-relative-\(getpid())") == "")
    #expect(try told("READY=1", at: "@") == "")
    // Nobody is there: it goes on, without a trap.
    for name in [nil, "", "/nonexistent/notify", "/" + String(repeating: "x", count: 300)] {
      ServiceManager.notify("READY=1", to: name)
    }
  }

  @Test func socketsOfAnotherProcessAreNotTaken() throws {
    let own = "\(getpid())"
    for (pid, count) in [
      ("1", "1"), ("", "1"), (nil, "1"), (own, "0"), (own, "x"), (own, "-1"), (own, nil), ("x", "1"),
    ] {
      #expect(try !ServiceManager.handsOverOne(pid: pid, count: count))
    }
    #expect(try ServiceManager.handsOverOne(pid: own, count: "1"))
    #expect(throws: ServiceManager.Problem.tooMany(2)) { try ServiceManager.handsOverOne(pid: own, count: "2") }
  }

  @Test func whoListensIsKnownWithoutAConnection() throws {
    let folder = try TestFolder("served")
    let path = folder.path + "/socket"
    #expect(!SocketListener.isServed(path))
    let listener = try SocketListener(path: path)
    #expect(SocketListener.isServed(path))
    #expect(!SocketListener.isServed(path + "x"))
    listener.removeFiles()
  }
}
