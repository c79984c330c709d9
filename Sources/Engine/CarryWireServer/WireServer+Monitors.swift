package import CarryModel
import CarrySystem
import CWayland
import CWaylandServer

/// Notifies monitors of every session: screen readers, and observers.
extension WireServer {
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
    if monitor.watchesDetails, !monitors.values.contains(where: \.watchesDetails) { delegate?.watchDetails(false) }
  }

  private func tellMonitorsChanged() { delegate?.monitorsChanged(monitors.values.map(\.client.id)) }

  /// Sends one step of a session to every monitor.
  ///
  /// - Parameter device: the name of the input device.
  package func step(_ event: MonitorEvent, device: String) {
    let seconds = UInt32(truncatingIfNeeded: event.time.microseconds / 1_000_000)
    let microseconds = UInt32(truncatingIfNeeded: event.time.microseconds % 1_000_000)
    let (source, target) = (name(of: event.source), event.target.map { name(of: $0) })
    let sourceLabel = delegate?.label(of: event.sourceRegion)
    let targetLabel = event.targetRegion.flatMap { delegate?.label(of: $0) }
    for monitor in monitors.values {
      // A monitor that is behind with reading gets no motions, since newer ones follow.
      if monitor.client.isBehind, event.kind == .updated { continue }
      guard let r = monitor.resource else { continue }
      // What a region is called may tell what is in it.
      let isSandboxed = monitor.client.program?.sandbox != nil
      if let nearest = event.nearest {
        let label = isSandboxed ? nil : delegate?.label(of: nearest.region)
        carry_monitor_send_missed(
          r, event.session.raw, name(of: nearest.client), label, fixed(nearest.offset.x), fixed(nearest.offset.y))
      }
      carry_monitor_send_step(
        r, seconds, microseconds, event.kind.rawValue, event.session.raw, UInt32(event.items),
        event.seen[monitor.client.id].map(Self.list) ?? "", fixed(event.point.x), fixed(event.point.y),
        event.operation?.rawValue ?? .max, source, target, device, isSandboxed ? nil : sourceLabel,
        isSandboxed ? nil : targetLabel)
    }
  }

  /// A monitor wants details, too. One in a sandbox is sent none, and one without a place nothing at all.
  func watchDetails(_ monitor: MonitorObject) {
    guard monitors[ObjectIdentifier(monitor)] != nil, !monitor.watchesDetails,
      monitor.client.program?.sandbox == nil
    else { return }
    monitor.watchesDetails = true
    delegate?.watchDetails(true)
  }

  /// Sends a detail to the monitors that want details.
  package func detail(_ detail: MonitorDetail, at time: Instant) {
    let seconds = UInt32(truncatingIfNeeded: time.microseconds / 1_000_000)
    let microseconds = UInt32(truncatingIfNeeded: time.microseconds % 1_000_000)
    for monitor in monitors.values where monitor.watchesDetails {
      guard let r = monitor.resource, !monitor.client.isBehind || !detail.isSkippable else { continue }
      switch detail {
      case .contact(let contact):
        let due = contact.due.map { UInt32(clamping: max(1, ($0 - time).microseconds)) } ?? 0
        carry_monitor_send_contact(
          r, seconds, microseconds, contact.contact.raw, contact.gesture.rawValue, fixed(contact.point.x),
          fixed(contact.point.y), due, contact.session?.raw ?? 0)
      case .question(let question):
        carry_monitor_send_question(
          r, seconds, microseconds, question.serial, question.kind.rawValue, question.session?.raw ?? 0,
          name(of: question.client), question.region.flatMap { delegate?.label(of: $0) })
      case .questionOver(let serial):
        carry_monitor_send_question_over(r, seconds, microseconds, serial)
      case .transfer(let transfer):
        let (completed, total) = (Halves(transfer.progress.completed), Halves(transfer.progress.total ?? 0))
        carry_monitor_send_transfer(
          r, seconds, microseconds, transfer.id.raw, transfer.session.raw, completed.high, completed.low, total.high,
          total.low)
      case .transferOver(let transfer):
        carry_monitor_send_transfer_over(r, seconds, microseconds, transfer.raw)
      }
    }
  }

  /// A message has room for 4096 bytes; a longer list is truncated.
  static func list(_ types: [String]) -> String {
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
