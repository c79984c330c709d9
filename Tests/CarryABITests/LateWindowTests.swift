import CCarry
import CarryModel
import CarryTesting
import Testing

/// Programs in C that make their window and do not flush it before they tell Carry.
@Suite(.serialized) struct LateWindowTests {
  @Test("a region whose window comes later takes part from then on, through the C interface")
  func aWindowThatComesLater() throws {
    let desktop = try Desktop("press-drag-drop", clients: 2)
    let source = try App(desktop, name: "source", x: 50)
    let target = try App(desktop, name: "target", x: 600)
    let window = desktop.client.makeWindow(.init(x: 850, y: 250, width: 300, height: 300))
    let late = carry_region_create(target.client, window.raw, 0, 0, 300, 300)
    #expect(carry_region_set_drop(late, &target.drop) == CARRY_OK.rawValue)
    #expect(carry_client_flush(target.client) == CARRY_OK.rawValue)
    // The engine has read it and asked the X server, who is asked again after that.
    let nobody = carry_client_create("nobody", desktop.socket)
    defer { carry_client_destroy(nobody) }
    let missing = carry_region_create(nobody, 0x7FFF_FFF0, 0, 0, 10, 10)
    carry_region_set_refused(missing, { _, _ in }, nil)
    #expect(carry_region_set_drop(missing, &target.drop) == CARRY_OK.rawValue)
    #expect(carry_client_synchronize(nobody) == CARRY_OK.rawValue)
    #expect(carry_region_refusal(missing) != nil)
    desktop.client.sync()
    let item = { () -> [OpaquePointer?] in
      let item = carry_item_create()
      carry_item_add_text(item, "hello")
      return [item]
    }
    source.items = item
    source.setDrag()
    #expect(App.run([target, source]) { target.calls.contains("perform_drop") }, "\(target.calls)")
    #expect(carry_region_refusal(late) == nil)
  }
}
