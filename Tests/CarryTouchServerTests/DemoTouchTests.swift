import CLinux
import CarrySystem
import CarryTesting
import Testing

extension GateTests {
  /// A demo as its fingers find it: the X server's touches, and Carry taking some of them.
  @Test("Z4, DM8: in Pinboard two fingers move two photos at once; one that rests lifts instead, and moves nothing")
  func Z4_DM8_pinboardTakesTouchesAndLosesThoseThatLift() throws {
    let server = try TouchServer()
    // The way from the X server through the gate may take longer on a busy machine than a finger usually rests before it lifts.
    let engine = try Engine(
      holdingTouchesOf: server, settings: "[lift]\nbegins-ms = 2500\ncompletes-ms = 3000\n")
    defer { engine.stop(SIGKILL) }
    let board = try ChildProcess(
      [try Checkout.program("carry-pinboard"), "--json", "--samples", "--geometry", "960x660+100+50"],
      environment: ["DISPLAY": server.display, "CARRY_SOCKET": engine.socket], output: .pipe)
    func said(_ event: String) -> String? { board.readLine { $0.contains("\"event\": \"\(event)\"") } }
    try #require(said("connected") != nil)

    // The first two of three in the upper row.
    server.down(1, 260, 210)
    server.down(2, 580, 210)
    for i in 1...4 {
      server.move(1, 260, 210 + Double(i) * 10)
      server.move(2, 580, 210 + Double(i) * 20)
    }
    #expect(said("selected") != nil)
    #expect(said("selected") != nil)
    server.up(1, 260, 250)
    #expect(said("moved") != nil)
    server.up(2, 580, 290)
    // From 160,165 and 492,158: each as far as its own finger went.
    let both = try #require(said("moved"))
    #expect(both.contains("Morning mist.png shown 160,205") && both.contains("The lake.png shown 492,238"))

    // The third rests until it lifts: the board's own touch is over.
    server.down(3, 900, 210)
    #expect(said("selected") != nil)
    #expect(said("touch-cancelled")?.contains("Firs.png shown 799,166") == true)
    server.move(3, 860, 300)
    server.move(3, 700, 420)
    server.up(3, 700, 420)
    #expect(said("rearranged") != nil)
    #expect(said("moved-by-drag") != nil)
  }

}
