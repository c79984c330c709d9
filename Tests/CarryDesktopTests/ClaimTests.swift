import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import CX11
import Testing

extension DesktopTests {
  /// The selection by which X clients find the engine. Any client can take it, so it decides nothing.
  @Suite(.serialized) struct Claims {
    private static let selection = EngineStatus.selection(screen: 0)

    /// What a client that is no engine says that it is.
    enum Pretence: String, CaseIterable { case nothing, anEngine, anotherDisplaysEngine }

    private static func says(_ word: String) -> (String) -> Bool {
      // This process is the client.
      let name = (try? Files.readStart("/proc/self/comm", most: 64)) ?? []
      let words = "\(String(decoding: name.dropLast(), as: UTF8.self)) (process \(getpid()))"
      return { $0.contains(words) && $0.contains(word) }
    }

    @Test("a client that is no engine keeps none from starting, and is named", arguments: Pretence.allCases)
    func aStrangersClaim(_ pretence: Pretence) throws {
      let server = try PrivateXServer()
      let stranger = try #require(XClient(server.display))
      let window = stranger.makeWindow(Rect(x: 0, y: 0, width: 10, height: 10))
      let elsewhere = pretence == .anotherDisplaysEngine ? try Desktop(compositor: nil) : nil
      let status: EngineStatus? =
        switch pretence {
        case .nothing: nil
        case .anEngine: EngineStatus(version: "0.1.0", pid: getpid(), socket: "/tmp/carry-no-such-folder/socket")
        case .anotherDisplaysEngine: elsewhere.map { .init(version: "0.1.0", pid: $0.engine.pid, socket: $0.socket) }
        }
      if let text = status?.text {
        let x = stranger.connection
        XChangeProperty(
          x, UInt(window.raw), XInternAtom(x, EngineStatus.property, 0), UInt(XA_STRING), 8, PropModeReplace, text,
          CInt(text.utf8.count))
      }
      stranger.ownSelection(Self.selection, by: window)
      let engine = try Engine(on: server.display)
      #expect(engine.readLine(where: Self.says("claimed it instead")) != nil)
      try Carry.Client(name: "visitor", socket: engine.socket).synchronize()
      let owner = stranger.selectionOwner(Self.selection)
      #expect(owner != 0 && owner != UInt(window.raw))
      #expect(engine.stop() == 0)
    }

    @Test("an engine whose claim is taken away says so once, and goes on") func theClaimIsLost() throws {
      let d = try Desktop(compositor: nil)
      let window = d.client.makeWindow(Rect(x: 0, y: 0, width: 10, height: 10))
      for _ in 0..<3 { d.client.ownSelection(Self.selection, by: window) }
      #expect(d.engine.readLine(where: Self.says("has taken the selection")) != nil)
      d.client.ownSelection(Self.selection, by: window)
      let visitor = try Carry.Client(name: "visitor", socket: d.socket)
      try visitor.synchronize()
      #expect(d.engine.stop() == 0)
      #expect(!d.engine.remainingLines().contains { $0.contains("has taken the selection") })
    }
  }
}
