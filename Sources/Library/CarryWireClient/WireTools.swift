package import CarryModel
import CWayland
import CWaylandClient

/// The regions of all applications, as they were when the engine was asked.
package final class WireRegionList: WireEventSource<WireRegionList.Answer> {
  package enum Answer: WireEvent {
    case list(RegionList)
    case lost
  }

  private var list = RegionList()

  override func listen(_ proxy: OpaquePointer) { carry_region_list_add_listener(proxy, Self.listener.pointer, data) }

  private static let listener = ListenerTable(
    carry_region_list_listener(
      region: {
        data, _, client, process, label, window, x, y, width, height, roles, types, foreign, reachable, cover in
        let rect = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
        target(data, WireRegionList.self)?.list.regions.append(
          ListedRegion(
            client: string(client), process: process == 0 ? nil : process, label: label.map { String(cString: $0) },
            window: window, rect: rect.isEmpty ? nil : rect, roles: RegionRoles(rawValue: roles),
            acceptedTypes: string(types).split(separator: "\n").map(String.init), isForeign: foreign != 0,
            reachable: Int(reachable), cover: cover == 0 ? nil : cover))
      },
      refused: { data, _, client, process, label, window, reason in
        target(data, WireRegionList.self)?.list.refused.append(
          ListedRefusal(
            client: string(client), process: process == 0 ? nil : process, label: label.map { String(cString: $0) },
            window: window, reason: string(reason)))
      },
      done: { data, _, count in
        guard let o = target(data, WireRegionList.self) else { return }
        o.list.count = Int(count)
        o.deliver(.list(o.list))
        o.end { carry_region_list_destroy($0) }
      }))
}

/// A touchscreen that this program plays, in an engine that was started for tests.
package final class WirePlayer: WireEventSource<WirePlayer.Event> {
  package enum Event: WireEvent { case lost }

  /// - Parameters:
  ///   - finger: 0 to 9.
  ///   - point: screen pixels.
  package func touch(finger: Int, _ phase: Touch.Phase, _ point: Point) {
    request(MessageSize.of(words: 4)) {
      carry_player_touch(
        $0, UInt32(finger), UInt32(phase.rawValue), Int32(point.x * 256), Int32(point.y * 256))
    }
  }

  /// Cancels the fingers that are down.
  package func stop() { end { carry_player_destroy($0) } }
}
