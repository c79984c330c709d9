import CInputTest
import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// The X server dies and comes back, or hangs, under a running engine.
extension GateTests {
  @Test("Z7: the X server dies in mid-drag and comes back: the drag is cancelled, and then all works again")
  func Z7_theServerDiesInMidDragAndComesBack() throws {
    let s = try Scene()
    for round in 1...3 {
      #expect(s.lift(1, 200, 150))
      s.server.move(1, 260, 150)
      s.server.move(1, 600, 600)
      #expect(s.run { s.source.calls.contains("willBegin") }, "round \(round)")
      s.server.kill()
      #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
      #expect(s.engine.isRunning)
      try s.server.restart()
      // The window has gone with the server.
      #expect(s.run { s.region.refusal != nil })
      #expect(s.engine.readLine(seconds: 5) { $0.contains("connected to the X server again") } != nil)
      #expect(s.engine.readLine(seconds: 5) { $0.contains("touch gate runs") } != nil)
      s.source.calls = []
      try s.register()
    }
    // The new server is told how the engine is, as the old one was.
    let well = try s.doctor()
    #expect(well.lines.contains { $0.hasPrefix("ok      engine:") }, "\(well.lines)")
    #expect(well.lines.contains { $0.hasPrefix("ok      gate:") }, "\(well.lines)")
  }

  @Test("Z7: the engine's connection is killed, and its window destroyed: regions stay, and it is found again")
  func Z7_aKilledConnection() throws {
    let s = try Scene()
    let other = try #require(XClient(s.server.display))
    XKillClient(other.connection, other.selectionOwner("_CARRY_ENGINE_S0"))
    other.sync()
    #expect(s.engine.readLine(seconds: 5) { $0.contains("connected to the X server again") } != nil)
    #expect(s.engine.readLine(seconds: 5) { $0.contains("touches are held") } != nil)
    #expect(s.region.refusal == nil)
    XDestroyWindow(other.connection, other.selectionOwner("_CARRY_ENGINE_S0"))
    other.sync()
    #expect(s.engine.readLine(seconds: 5) { $0.contains("there is a new one") } != nil)
    #expect(Wait.until { other.hasSelectionOwner("_CARRY_ENGINE_S0") })
    let well = try s.doctor()
    #expect(well.lines.contains { $0.hasPrefix("ok      engine:") }, "\(well.lines)")
    #expect(s.lift(1, 200, 150))
    s.server.up(1, 200, 150)
  }

  @Test("an X server that hangs for a while costs that while") func anXServerThatHangs() throws {
    let s = try Scene()
    s.server.hang(true)
    // Longer than the gate's patience.
    s.rest(seconds: 1)
    s.server.hang(false)
    s.server.down(1, 200, 150)
    #expect(s.run { s.source.calls.contains("begin") })
    s.server.up(1, 200, 150)
    #expect(s.engine.isRunning)
  }
}
