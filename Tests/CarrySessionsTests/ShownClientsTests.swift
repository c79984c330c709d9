import CarryModel
import CarrySessions
import Testing

@Suite struct ShownClientsTests {
  @Test("Z22: an application is on the screen once a region of it lies in a window that is mapped")
  func Z22_whoIsOnTheScreen() throws {
    let (p, target) = try pair()
    let window = p.lastWindow
    let both: Set = [ClientID(1), ClientID(2)]
    #expect(p.engine.shownClients == both)
    p.tree.setMapped(window, false)
    #expect(p.engine.shownClients == [ClientID(1)])
    p.tree.setMapped(window, true)
    #expect(p.engine.shownClients == both)
    // As it is between the registration and the region's first rectangle, and once it is scrolled away.
    for rect in [Rect.zero, Rect(x: 0, y: 900, width: 50, height: 50)] {
      p.engine.updateRegion(target, rect: rect)
      #expect(p.engine.shownClients == [ClientID(1)])
    }
  }
}
