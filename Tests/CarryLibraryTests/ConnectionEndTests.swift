import CLinux
import CarrySystem
import CarryTesting
import CarryWireClient
import Testing

/// How a connection ends while requests still wait in it.
@Suite struct ConnectionEndTests {
  /// The engine's end of one connection, which says by hand that there is a manager, and reads when it is told to.
  private final class Engine {
    let listener: SocketListener
    let path: String
    private var client: CInt = -1

    init() throws {
      let folder = "/tmp/carry-end-\(ProcessID.own)-\(UInt32.random(in: 0 ... .max))"
      guard mkdir(folder, 0o700) == 0 else { throw SystemError.last("mkdir", folder) }
      path = folder + "/carry-0"
      listener = try SocketListener(path: path)
    }

    deinit {
      if client >= 0 { close(client) }
      listener.removeFiles()
      rmdir(String(path.dropLast("/carry-0".count)))
    }

    func accept() -> Bool {
      let global = RawClient.words([1]) + RawClient.string("carry_manager") + RawClient.words([1])
      let message = RawClient.message(2, 0, global)
      switch listener.accept() {
      case .connection(let socket, _):
        let n = message.withUnsafeBytes { send(socket.raw, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        client = socket.release()
        return n == message.count
      default: return false
      }
    }

    /// Reads all that is there.
    func read() -> Int {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      var all = 0
      while true {
        let n = recv(client, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        if n <= 0 { return all }
        all += n
      }
    }
  }

  /// A connection to an engine that does not read, in which requests wait that make objects.
  private func stalledConnection(_ engine: Engine) throws -> WireConnection {
    let wire = try WireConnection(beginning: engine.path, name: "test")
    #expect(engine.accept())
    // The manager is bound when the engine has told of it.
    try wire.dispatch()
    while !wire.isBehind { #expect(wire.makeItem() != nil) }
    for _ in 0..<100 { #expect(wire.makeItem() != nil) }
    return wire
  }

  @Test("B3: a connection that is let go of while requests wait ends, though the engine reads again just then")
  func B3_letGoOfWithRequests() throws {
    let engine = try Engine()
    var wire: WireConnection? = try stalledConnection(engine)
    weak let waiting = wire?.makeItem()
    #expect(waiting != nil)
    #expect(engine.read() > 0)
    #expect(wire?.isBehind == true)
    wire = nil
    #expect(waiting == nil, "nothing keeps what waited")
  }
}
