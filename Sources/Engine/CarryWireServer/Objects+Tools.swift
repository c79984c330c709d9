package import CarryModel
import CWayland
import CWaylandServer

/// A touchscreen without a device, played by a program. Only engines that were started for tests have any.
package protocol PlayedTouchscreen: AnyObject {
  /// - Parameters:
  ///   - finger: 0 to 9.
  ///   - point: screen pixels.
  func handle(finger: UInt32, _ phase: Touch.Phase, _ point: Point)
  /// Cancels the fingers that are down.
  func remove()
}

/// The answer to a client that asks for all regions.
final class RegionListObject: WireObject {
  /// As many as the client's queue has room for.
  static let max = 512
  static let maxRefused = 64

  static let requests = RequestTable(
    carry_region_list_interface(destroy: { _, resource in wl_resource_destroy(resource) }))
}

extension WireServer {
  func send(to object: RegionListObject) {
    guard let r = object.resource, let delegate else { return }
    var (list, count) = delegate.listRegions(max: RegionListObject.max)
    // What is called how, and where, may tell what other applications do.
    if object.client.program?.sandbox != nil {
      list.removeAll { $0.client != object.client.id }
      count = list.count
    }
    for region in list {
      let rect = region.rect ?? .zero
      carry_region_list_send_region(
        r, name(of: region.client), runningProcess(of: region.client) ?? 0, delegate.label(of: region.region),
        region.window.raw, Int32(rect.x), Int32(rect.y), Int32(rect.width), Int32(rect.height),
        region.roles.rawValue, Self.list(region.acceptedTypes), region.isStandIn ? 1 : 0,
        UInt32((region.reachable * 100).rounded()), region.cover?.raw ?? 0)
    }
    let seen = clients.values.filter { client in
      client.companion != .bridge && (object.client.program?.sandbox == nil || client === object.client)
    }
    let refused = seen.sorted { $0.id < $1.id }.flatMap { client in client.refused.map { (client, $0) } }
    for (client, region) in refused.prefix(RegionListObject.maxRefused) {
      carry_region_list_send_refused(
        r, client.name, runningProcess(of: client.id) ?? 0, region.label, region.window.raw, region.why.sentence)
    }
    carry_region_list_send_done(r, UInt32(count))
  }
}

/// A client's played touchscreen.
final class PlayerObject: WireObject {
  private let touchscreen: any PlayedTouchscreen

  init(_ client: WireClient, _ touchscreen: any PlayedTouchscreen) {
    self.touchscreen = touchscreen
    super.init(client)
  }

  override func destroyed() { touchscreen.remove() }

  static let requests = RequestTable(
    carry_player_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      touch: { _, resource, finger, phase, x, y in
        guard let o = WireObject.of(resource, as: PlayerObject.self) else { return }
        guard finger < 10, let phase = Touch.Phase(rawValue: UInt8(clamping: phase)) else {
          return o.client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "no such finger or phase")
        }
        o.touchscreen.handle(finger: finger, phase, Point(x: Double(x) / 256, y: Double(y) / 256))
      }))
}
