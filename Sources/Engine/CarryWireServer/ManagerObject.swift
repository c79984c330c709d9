import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// The client's first object: accepts `hello`, then creates regions, items and monitors.
final class ManagerObject: WireObject {
  override init(_ client: WireClient) {
    super.init(client)
    client.managerCount += 1
  }

  override func destroyed() { client.managerCount -= 1 }

  /// The manager of a client that has said hello. Otherwise the client has violated the protocol.
  private static func authenticated(_ resource: OpaquePointer?) -> ManagerObject? {
    guard let o = WireObject.of(resource, as: ManagerObject.self) else { return nil }
    guard o.client.hasSaidHello else {
      o.client.offend(resource, CARRY_MANAGER_ERROR_NO_HELLO, "the first request must be hello")
      return nil
    }
    return o
  }

  /// The manager of an application that has said hello. A file provider may only create its own object.
  private static func ofApplication(_ resource: OpaquePointer?) -> ManagerObject? {
    guard let o = authenticated(resource) else { return nil }
    guard o.client.helper == nil else {
      o.client.offend(resource, CARRY_MANAGER_ERROR_NOT_ALLOWED, "a file provider makes no such object")
      return nil
    }
    return o
  }

  /// The manager of one of the engine's own processes, which may create its special object once.
  private static func ofCompanion(_ companion: Companion, _ resource: OpaquePointer?) -> ManagerObject? {
    guard let o = ofApplication(resource) else { return nil }
    guard o.client.companion == companion, o.client.mayMakeCompanion else {
      o.client.offend(
        resource, CARRY_MANAGER_ERROR_NOT_ALLOWED, "only the \(companion) that the engine has started, and once")
      return nil
    }
    o.client.mayMakeCompanion = false
    return o
  }

  static let requests = RequestTable(
    carry_manager_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      hello: { _, resource, name in
        guard let o = WireObject.of(resource, as: ManagerObject.self) else { return }
        guard !o.client.hasSaidHello else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_HELLO_TWICE, "hello was sent before")
        }
        guard let name = text(name, limit: Limits.nameBytes) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_TEXT, "the name is too long or not UTF-8")
        }
        o.client.server.greeted(o.client, name: name)
        let server = o.client.server
        carry_manager_send_welcome(
          resource, server.version, server.enablesDrags ? CARRY_MANAGER_PREFERENCE_DRAG.rawValue : 0,
          UInt32(clamping: server.fewItems))
      },
      create_region: { _, resource, id, window in
        guard let o = ofApplication(resource) else { return }
        if let region = WireObject.attach(
          RegionObject(o.client, window: WindowID(window)), id: id, interface: cwayland_region(),
          requests: RegionObject.requests.raw)
        {
          o.client.settle(.region(region))
        }
      },
      create_item: { _, resource, id in
        guard let o = ofApplication(resource) else { return }
        guard o.client.itemCount < Limits.itemsPerClient else {
          return o.client.offend(
            resource, CARRY_MANAGER_ERROR_TOO_MANY, "more than \(Limits.itemsPerClient) items")
        }
        let server = o.client.server
        let item = ItemObject(o.client, ItemID(server.itemIDs.next()))
        if WireObject.attach(item, id: id, interface: cwayland_item(), requests: ItemObject.requests.raw) != nil {
          server.items[item.id] = item
        }
      },
      create_monitor: { _, resource, id in
        guard let o = ofApplication(resource) else { return }
        guard o.client.monitorCount < Limits.monitorsPerClient else {
          return o.client.offend(
            resource, CARRY_MANAGER_ERROR_TOO_MANY, "more than \(Limits.monitorsPerClient) monitors")
        }
        if let monitor = WireObject.attach(
          MonitorObject(o.client), id: id, interface: cwayland_monitor(), requests: MonitorObject.requests.raw)
        {
          o.client.server.add(monitor)
        }
      },
      create_preview: { _, resource, id in
        guard let o = ofApplication(resource) else { return }
        guard o.client.previewCount < Limits.previewsPerClient else {
          return o.client.offend(
            resource, CARRY_MANAGER_ERROR_TOO_MANY, "more than \(Limits.previewsPerClient) previews")
        }
        let server = o.client.server
        let preview = PreviewObject(o.client, PreviewID(server.previewIDs.next()))
        if WireObject.attach(
          preview, id: id, interface: cwayland_preview(), requests: PreviewObject.requests.raw) != nil
        {
          server.previews[preview.id] = preview
        }
      },
      synchronize: { _, resource, serial in
        guard let o = authenticated(resource) else { return }
        o.client.settle(.answer(o, serial: serial))
      },
      create_provider: { _, resource, id in
        guard let o = authenticated(resource) else { return }
        guard let helper = o.client.helper, helper.object == nil else {
          return o.client.offend(
            resource, CARRY_MANAGER_ERROR_NOT_ALLOWED, "only a file provider that the engine has started, and once")
        }
        let object = ProviderObject(o.client, helper)
        if WireObject.attach(object, id: id, interface: cwayland_provider(), requests: ProviderObject.requests.raw)
          != nil
        {
          o.client.server.isReady(helper, object)
        }
      },
      create_bridge: { _, resource, id in
        guard let o = ofCompanion(.bridge, resource) else { return }
        let bridge = WireObject.attach(
          BridgeObject(o.client), id: id, interface: cwayland_bridge(), requests: BridgeObject.requests.raw)
        o.client.server.begin(bridge)
      },
      create_shelf: { _, resource, id in
        guard let o = ofCompanion(.shelf, resource) else { return }
        let shelf = WireObject.attach(
          ShelfObject(o.client), id: id, interface: cwayland_shelf(), requests: ShelfObject.requests.raw)
        o.client.server.begin(shelf)
      },
      create_region_list: { _, resource, id in
        guard let o = ofApplication(resource) else { return }
        if let list = WireObject.attach(
          RegionListObject(o.client), id: id, interface: cwayland_region_list(),
          requests: RegionListObject.requests.raw)
        {
          o.client.server.send(to: list)
        }
      },
      create_player: { _, resource, id in
        guard let o = ofApplication(resource) else { return }
        guard let touchscreen = o.client.server.makeTouchscreen?() else {
          return o.client.offend(
            resource, CARRY_MANAGER_ERROR_NOT_ALLOWED,
            "only an engine that was started with --test lets programs play fingers")
        }
        if WireObject.attach(
          PlayerObject(o.client, touchscreen), id: id, interface: cwayland_player(),
          requests: PlayerObject.requests.raw) == nil
        {
          touchscreen.remove()
        }
      }))
}
