public import CCarry
import Carry

/// A monitor of a C program.
final class MonitorHandle: Handle {
  private let client: ClientHandle
  private var monitor: Monitor?

  init(_ client: ClientHandle, _ stepped: @escaping carry_monitor_func, _ data: UnsafeMutableRawPointer?)
    throws(ClientError)
  {
    self.client = client
    super.init()
    monitor = Monitor(client: client.client) { [unowned client, weak self] step in
      // Several steps may come in a row, and the program may have destroyed the monitor after the first.
      if !client.isDoomed, self?.monitor != nil { MonitorHandle.show(step) { stepped(data, $0) } }
    }
  }

  func destroy() {
    invalidate()
    monitor = nil
    client.monitors[ObjectIdentifier(self)] = nil
  }

  /// Forwards announcements to the program from now on.
  func setAnnounced(_ announced: carry_announcement_func?, _ data: UnsafeMutableRawPointer?) {
    monitor?.onAnnouncement = { [unowned client] time, text in
      guard let announced, !client.isDoomed else { return }
      let strings = CStrings()
      if let pointer = strings.pointer(text) { announced(data, time, pointer) }
      withExtendedLifetime(strings) {}
    }
  }

  private static func show(_ step: Monitor.Step, _ body: (UnsafePointer<carry_monitor_step>) -> Void) {
    let strings = CStrings()
    let types = step.types.compactMap { strings.pointer($0) }
    guard let kind = strings.pointer(step.kind), let source = strings.pointer(step.source),
      let device = strings.pointer(step.device)
    else { return }
    // One more element than there are types, so that there is always valid memory.
    let list = UnsafeMutableBufferPointer<UnsafePointer<CChar>>.allocate(capacity: types.count + 1)
    defer { list.deallocate() }
    _ = list.initialize(from: types + [kind])
    guard let first = list.baseAddress else { return }
    var given = carry_monitor_step(
      size: MemoryLayout<carry_monitor_step>.size, time: step.time, kind: kind, x: step.point.x, y: step.point.y,
      session: step.session, items: Int32(clamping: step.items), types: UnsafePointer(first), type_count: types.count,
      source: source, target: step.target.flatMap { strings.pointer($0) }, device: device,
      operation: step.operation.map { Int32($0.rawValue) } ?? CARRY_OPERATION_NONE.rawValue,
      nearest: step.nearest.flatMap { strings.pointer($0.target) },
      nearest_label: step.nearest?.label.flatMap { strings.pointer($0) }, nearest_x: step.nearest?.offset.x ?? 0,
      nearest_y: step.nearest?.offset.y ?? 0)
    body(&given)
    withExtendedLifetime(strings) {}
  }
}

/// See carry.h.
@c @implementation
public func carry_monitor_create(
  _ client: OpaquePointer?, _ stepped: carry_monitor_func?, _ user_data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let client = try object(client, ClientHandle.self)
    guard let stepped else { throw .argument("the callback is NULL") }
    let handle: MonitorHandle
    do throws(ClientError) { handle = try MonitorHandle(client, stepped, user_data) } catch {
      throw Failure(CARRY_ERROR_CONNECTION, error.description)
    }
    client.monitors[ObjectIdentifier(handle)] = handle
    handle.register()
    return handle.pointer
  }
}

/// See carry.h.
@c @implementation
public func carry_monitor_destroy(_ monitor: OpaquePointer?) { Handles.find(monitor, MonitorHandle.self)?.destroy() }

/// See carry.h.
@c @implementation
public func carry_monitor_set_announced(
  _ monitor: OpaquePointer?, _ announced: carry_announcement_func?, _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in try object(monitor, MonitorHandle.self).setAnnounced(announced, user_data) }
}
