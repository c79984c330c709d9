import CLinux
import CarrySystem
import CarryTesting
import CarryWireClient
import Testing

@testable import Carry

/// Connections in which requests wait.
@Suite struct ConnectionEndTests {
  /// The engine's end of one connection, which says by hand that there is a manager, and reads when it is told to.
  private final class Engine {
    let listener: SocketListener
    let path: String
    private var client: CInt = -1
    private let folder: TestFolder

    init() throws {
      folder = try TestFolder("end")
      path = folder.path + "/carry-0"
      listener = try SocketListener(path: path)
    }

    deinit { if client >= 0 { close(client) } }

    func accept() -> Bool {
      let global = RawClient.words([1]) + RawClient.string("carry_manager") + RawClient.words([1])
      switch listener.accept() {
      case .connection(let socket, _): client = socket.release()
      default: return false
      }
      return say(RawClient.message(2, 0, global))
    }

    /// Answers the hello of a client that has handled what it was told.
    func welcome(times: Int = 1) -> Bool {
      let message = RawClient.message(3, 0, RawClient.string("1") + RawClient.words([0, 0]))
      return say([[UInt8]](repeating: message, count: times).flatMap { $0 })
    }

    /// Answers a wait of the client's.
    func hasHandled(object: UInt32) -> Bool { say(RawClient.message(object, 0, RawClient.words([1]))) }

    func hangUp() { shutdown(client, CInt(SHUT_RDWR)) }

    /// Says what the client has done wrong, and hangs up.
    func complain(_ why: String) -> Bool {
      defer { hangUp() }
      return say(RawClient.message(1, 0, RawClient.words([3, 2]) + RawClient.string(why)))
    }

    private func say(_ message: [UInt8]) -> Bool {
      send(client, message, message.count, CInt(MSG_NOSIGNAL)) == message.count
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

  @Test("a connection that is let go of while requests wait ends, though the engine reads again just then")
  func letGoOfWithRequests() throws {
    let engine = try Engine()
    var wire: WireConnection? = try stalledConnection(engine)
    weak let waiting = wire?.makeItem()
    #expect(waiting != nil)
    #expect(engine.read() > 0)
    #expect(wire?.isBehind == true)
    wire = nil
    #expect(waiting == nil, "nothing keeps what waited")
  }

  @Test("why the engine ends a connection is heard behind all that it has said before")
  func theReasonBehindMuch() throws {
    let engine = try Engine()
    let wire = try WireConnection(beginning: engine.path, name: "test")
    #expect(engine.accept())
    try wire.dispatch()
    #expect(engine.welcome(times: 1000))
    #expect(engine.complain("it has done wrong"))
    #expect(wire.makeItem() != nil)
    var problem: WireConnection.Problem?
    do { try wire.flush() } catch { problem = error }
    guard case .thrownOut(let why) = problem else { return _ = Issue.record("\(String(describing: problem))") }
    #expect(why.contains("it has done wrong"))
  }

  @Test(
    "Z30: what an engine has said last is heard, however much, also where the loss is found by asking for something",
    arguments: [true, false])
  func Z30_lastWords(flushes: Bool) throws {
    let engine = try Engine()
    let wire = try WireConnection(beginning: engine.path, name: "test")
    #expect(engine.accept())
    try wire.dispatch()
    var hasHeard = false
    // The answer comes behind 28,000 bytes of other events.
    wire.whenHandled { hasHeard = true }
    try wire.flush()
    #expect(engine.welcome(times: 1000) && engine.hasHandled(object: 4))
    engine.hangUp()
    #expect(wire.makeItem() != nil)
    if flushes { #expect(throws: WireConnection.Problem.self) { try wire.flush() } }
    #expect(throws: WireConnection.Problem.self) { while true { try wire.dispatch() } }
    #expect(hasHeard)
  }
}
