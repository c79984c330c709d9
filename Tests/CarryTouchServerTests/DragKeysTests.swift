import CInputTest
import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension GateTests {
  /// Z14 with a real keyboard, as the X server has it.
  private final class Taker: DropInteractionDelegate {
    let operation: Carry.DropOperation
    var texts: [String] = []
    init(_ operation: Carry.DropOperation) { self.operation = operation }
    func dropInteraction(_ i: DropInteraction, canHandle s: DropSession) -> Bool { true }
    func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
      DropProposal(operation: operation)
    }
    func dropInteraction(_ i: DropInteraction, performDrop s: DropSession) {
      s.loadItems(conformingTo: ["text/plain"]) {
        self.texts += $0.compactMap(\.bytes).map { String(decoding: $0, as: UTF8.self) }
      }
    }
  }

  /// The kernel's numbers of keys.
  private enum Key {
    static let (escape, tab, enter, d, shift, alt, control) = (
      CInt(1), CInt(15), CInt(28), CInt(32), CInt(42), CInt(56), CInt(29)
    )
  }

  @Test("Z14: keys pick up, go through what would take it, drop and cancel, and are everybody's own otherwise")
  func Z14_keysDriveADrag() throws {
    let s = try Scene(settings: "[keyboard]\npick-up = Ctrl+Shift+d\n")
    let refusing = Taker(.forbidden)
    let taking = Taker(.copy)
    let regions = [(refusing, 0), (taking, 200)].map { delegate, y in
      let region = Region(
        client: s.client, window: s.other.window, frame: Carry.Rect(x: 0, y: y, width: 400, height: 200))
      region.addInteraction(DropInteraction(delegate: delegate))
      region.label = "Inbox"
      return region
    }
    var said: [String] = []
    var devices: Set<String> = []
    let monitor = Monitor(client: s.client) { devices.insert($0.device) }
    monitor.onAnnouncement = { said.append($1) }
    try s.client.synchronize()

    let watcher = try #require(XClient(s.server.display))
    XSelectInput(watcher.connection, CX11.Window(s.app.window), CLong(KeyPressMask))
    XSetInputFocus(watcher.connection, CX11.Window(s.app.window), CInt(RevertToPointerRoot), UInt(CurrentTime))
    XSync(watcher.connection, 0)
    // The keys that the application has got: X counts from eight.
    var pressed: [CInt] = []
    func has(_ keys: CInt...) -> Bool {
      Wait.until {
        XSync(watcher.connection, 0)
        var event = XEvent()
        while XCheckMaskEvent(watcher.connection, CLong(KeyPressMask), &event) != 0 {
          pressed.append(CInt(event.xkey.keycode) - 8)
        }
        return pressed == keys
      }
    }
    // Before anything is picked up, Tab and Enter are the application's.
    for key in [Key.tab, Key.enter] { try s.server.press(key) }
    #expect(has(Key.tab, Key.enter), "\(pressed)")

    func pickUp() throws {
      said = []
      try s.server.press(Key.d, with: Key.control, Key.shift)
      let isLifted = s.run { said.last?.hasPrefix("Lifted from ") == true }
      try #require(isLifted, "\(said)")
      try s.server.press(Key.enter)
      #expect(s.run { said.last == "Picked up 1 item" }, "\(said)")
      #expect(s.run { s.source.calls.last == "willBegin" }, "\(s.source.calls)")
    }
    pressed = []
    try pickUp()
    try s.server.press(Key.tab)
    #expect(s.run { said.last?.hasSuffix(": copy") == true }, "\(said)")
    // What is the desktop's stays so in the middle of it.
    try s.server.press(Key.tab, with: Key.alt)
    #expect(has(Key.control, Key.shift, Key.alt, Key.tab), "\(pressed)")
    try s.server.press(Key.enter)
    #expect(s.run { taking.texts == ["hello"] }, "\(said)")
    #expect(said.last?.hasPrefix("Dropped on Inbox in ") == true && refusing.texts.isEmpty)
    #expect(devices == ["keyboard"])

    #expect(s.run { s.source.calls.last == "didEnd(copy)" })
    try pickUp()
    try s.server.press(Key.escape)
    #expect(s.run { said.last == "Cancelled" }, "\(said)")
    #expect(s.run { s.source.calls.last == "didEnd(cancel)" })
    // Of the first drag's end and of this one the application has seen nothing but what held the key that picks up.
    pressed.removeFirst(4)
    for key in [Key.tab, Key.enter, Key.escape] { try s.server.press(key) }
    #expect(has(Key.control, Key.shift, Key.tab, Key.enter, Key.escape), "\(pressed)")
    withExtendedLifetime((regions, monitor)) {}
  }
}
