import CCarry
import CarryTesting
import Testing

/// Scrolling at the edges, through the C interface.
@Suite(.serialized) struct EdgeTests {
  @Test("Z11: a target in C is told how fast to scroll while a drag rests in its edge zone")
  func Z11_aTargetInC() throws {
    var s = FingerScript(width: 1280, height: 800)
    s.carry(
      from: (200, 400), at: 0, .to(1000, 400, 620...850), .to(1000, 265, 1100...1200), .to(1138, 400, 1800...1900),
      upAt: 2500)
    let desktop = try Desktop(s, compositor: nil)
    let source = try App(desktop, name: "source", x: 50)
    let target = try App(desktop, name: "target", x: 850)
    source.items = {
      let item = carry_item_create()
      carry_item_add_text(item, "hello")
      return [item]
    }
    source.setDrag()
    target.setDrop()
    #expect(carry_region_set_edge_zone(target.region, 60) == CARRY_OK.rawValue)
    var up = 0.0
    var right = 0.0
    var first: [Double]?
    target.onCall["did_update"] = { session in
      var (x, y) = (9.0, 9.0)
      #expect(carry_drop_session_edge_speed(session, &x, &y) == CARRY_OK.rawValue)
      if first == nil { first = [x, y] }
      (up, right) = (min(up, y), max(right, x))
    }
    #expect(App.run([source, target]) { target.calls.contains { $0.hasPrefix("did_end") } }, "\(target.calls)")
    #expect(first == [0, 0])
    // 45 of the zone's 60 pixels deep, and 48.
    #expect(abs(up + 0.75) < 0.03 && abs(right - 0.8) < 0.03, "\(up) \(right)")
  }
}
