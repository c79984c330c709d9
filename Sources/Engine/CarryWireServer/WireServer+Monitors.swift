package import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// Notifies monitors of every session: screen readers, and observers.
extension WireServer {
  /// The step that repeats during a drag. Only the newest counts.
  private static let motionKind = "updated"

  /// Adds a monitor, which hears of everything from now on. If all places are taken, the monitor hears nothing; that
  /// is no offence of its client.
  func add(_ monitor: MonitorObject) {
    guard monitor.client.process.monitorCount < Limits.monitorsPerProcess, monitors.count < Limits.monitors else {
      Log.warning(
        "\(monitor.client.name) (pid \(monitor.client.peer.pid)) hears of nothing: \(Limits.monitorsPerProcess) "
          + "monitors of a process, and \(Limits.monitors) in all, are the most")
      return
    }
    monitors[ObjectIdentifier(monitor)] = monitor
    monitor.client.monitorCount += 1
    monitor.client.process.monitorCount += 1
    tellMonitorsChanged()
  }

  func remove(_ monitor: MonitorObject) {
    guard monitors.removeValue(forKey: ObjectIdentifier(monitor)) != nil else { return }
    monitor.client.monitorCount -= 1
    monitor.client.process.monitorCount -= 1
    tellMonitorsChanged()
  }

  private func tellMonitorsChanged() { delegate?.monitorsChanged(monitors.values.map(\.client.id)) }

  /// Sends one step of a session to every monitor. The point is in screen pixels.
  ///
  /// - Parameter types: The types that each client with a monitor may see. A client not listed may see none.
  package func step(
    time: Instant, kind: String, session: SessionID, items: Int, types: [ClientID: [String]], point: Point,
    operation: DropOperation?, source: String, target: String?,
    nearest: (client: String, label: String?, offset: Point)? = nil, device: String
  ) {
    let seconds = UInt32(truncatingIfNeeded: time.microseconds / 1_000_000)
    let microseconds = UInt32(truncatingIfNeeded: time.microseconds % 1_000_000)
    for monitor in monitors.values {
      // A monitor that is behind with reading gets no motions, since newer ones follow.
      if monitor.client.isBehind, kind == Self.motionKind { continue }
      guard let r = monitor.resource else { continue }
      if let nearest {
        // What a region is called may tell what is in it.
        let label = monitor.client.program?.sandbox == nil ? nearest.label : nil
        carry_monitor_send_missed(
          r, session.raw, nearest.client, label, fixed(nearest.offset.x), fixed(nearest.offset.y))
      }
      carry_monitor_send_step(
        r, seconds, microseconds, kind, session.raw, UInt32(items),
        types[monitor.client.id].map(Self.list) ?? "", fixed(point.x), fixed(point.y),
        operation?.rawValue ?? .max, source, target, device)
    }
  }

  /// A message has room for 4096 bytes; a longer list is truncated.
  private static func list(_ types: [String]) -> String {
    var list = ""
    for type in types where list.utf8.count + type.utf8.count < 2048 {
      if !list.isEmpty { list += "\n" }
      list += type
    }
    return list
  }

  /// Sends an announcement, for users who cannot see the screen, to every monitor.
  ///
  /// - Parameter plain: The text for sandboxed monitors.
  package func announce(_ text: String, inSandboxes plain: String, at time: Instant) {
    let seconds = UInt32(truncatingIfNeeded: time.microseconds / 1_000_000)
    let microseconds = UInt32(truncatingIfNeeded: time.microseconds % 1_000_000)
    for monitor in monitors.values {
      let words = monitor.client.program?.sandbox == nil ? text : plain
      if let r = monitor.resource { carry_monitor_send_announcement(r, seconds, microseconds, words) }
    }
  }
}
