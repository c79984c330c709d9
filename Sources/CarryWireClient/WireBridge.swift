import CarryModel
import CWayland
import CWaylandClient

/// The rights of the engine's own bridge to applications that speak another protocol of drag and drop.
package final class WireBridge: WireObject {
  /// A region of another application's window.
  package func makeRegion(window: UInt32) -> WireRegion {
    WireRegion(objects, MessageSize.of(words: 2)) { self.proxy.flatMap { carry_bridge_create_region($0, window) } }
  }
}
