import CCarry
import CLinux
import Carry

/// A client, with the regions, monitors and watches that a C program created for it.
final class ClientHandle: Handle {
  let client: Client
  let strings = CStrings()
  var regions: [ObjectIdentifier: RegionHandle] = [:]
  var monitors: [ObjectIdentifier: MonitorHandle] = [:]
  var fileWatches: [ObjectIdentifier: FileWatchHandle] = [:]
  private(set) var isDispatching = false
  /// Whether the client was destroyed. When a callback destroyed it, the rest of this turn makes no callbacks.
  private(set) var isDoomed = false

  init(_ client: Client) { self.client = client }

  /// Runs a function that may call back into the program.
  func dispatch(_ body: () throws(ClientError) -> Void) throws(Failure) {
    guard !isDispatching else {
      throw Failure(CARRY_ERROR_STATE, "the client is dispatching already: this is within a callback")
    }
    isDispatching = true
    var lost: ClientError?
    do { try body() } catch { lost = error }
    isDispatching = false
    if isDoomed {
      close()
      throw Failure(CARRY_ERROR_STATE, "the client was destroyed by a callback")
    }
    if let lost { throw Failure(CARRY_ERROR_CONNECTION, lost.description) }
  }

  func destroy() {
    isDoomed = true
    invalidate()
    for region in regions.values { region.invalidate() }
    for monitor in monitors.values { monitor.invalidate() }
    for watch in fileWatches.values { watch.invalidate() }
    if isDispatching { client.stop() } else { close() }
  }

  private func close() {
    client.close()
    regions = [:]
    monitors = [:]
    fileWatches = [:]
  }
}

/// A caller's name for its client; by default that of the program's file.
private func clientName(_ name: UnsafePointer<CChar>?) throws(Failure) -> String {
  if let name { return try text(name, "the name") }
  return CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "a program"
}

/// See carry.h.
@c @implementation
public func carry_client_create(_ name: UnsafePointer<CChar>?, _ socket: UnsafePointer<CChar>?) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let name = try clientName(name)
    var path: String?
    if let socket { path = try text(socket, "the socket's path") }
    let client: Client
    do throws(ClientError) { client = try Client(name: name, socket: path) } catch {
      throw Failure(CARRY_ERROR_CONNECTION, error.description)
    }
    let handle = ClientHandle(client)
    handle.keep()
    return handle.pointer
  }
}

/// See carry.h.
@c @implementation
public func carry_client_create_awaiting(
  _ name: UnsafePointer<CChar>?, _ socket: UnsafePointer<CChar>?
) -> OpaquePointer? {
  pointer { () throws(Failure) in
    let name = try clientName(name)
    var path: String?
    if let socket { path = try text(socket, "the socket's path") }
    let client: Client
    do throws(ClientError) { client = try Client(awaitingEngineAs: name, socket: path) } catch {
      throw Failure(CARRY_ERROR_CONNECTION, error.description)
    }
    let handle = ClientHandle(client)
    handle.keep()
    return handle.pointer
  }
}

/// See carry.h.
@c @implementation
public func carry_client_set_reconnects(_ client: OpaquePointer?, _ reconnects: Int32) -> Int32 {
  status { () throws(Failure) in try object(client, ClientHandle.self).client.reconnects = reconnects != 0 }
}

/// See carry.h.
@c @implementation
public func carry_client_is_connected(_ client: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in try object(client, ClientHandle.self).client.isConnected ? 1 : 0 }
}

/// See carry.h.
@c @implementation
public func carry_client_is_dispatching(_ client: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in try object(client, ClientHandle.self).isDispatching ? 1 : 0 }
}

/// See carry.h.
@c @implementation
public func carry_client_set_connection_changed(
  _ client: OpaquePointer?,
  _ changed: (@convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Void)?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(client, ClientHandle.self)
    guard let changed else { return handle.client.onConnectionChanged = nil }
    handle.client.onConnectionChanged = { [unowned handle] isConnected in
      guard !handle.isDoomed else { return }
      guard let problem = handle.client.connectionProblem else { return changed(user_data, isConnected ? 1 : 0, nil) }
      problem.withCString { changed(user_data, isConnected ? 1 : 0, $0) }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_client_destroy(_ client: OpaquePointer?) { Handles.find(client, ClientHandle.self)?.destroy() }

/// See carry.h.
@c @implementation
public func carry_client_fd(_ client: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in try object(client, ClientHandle.self).client.fileDescriptor }
}

/// See carry.h.
@c @implementation
public func carry_client_drag_enabled_by_default(_ client: OpaquePointer?) -> Int32 {
  value(or: nil) { () throws(Failure) in try object(client, ClientHandle.self).client.isDragEnabledByDefault ? 1 : 0 }
}

/// See carry.h.
@c @implementation
public func carry_client_engine_version(_ client: OpaquePointer?) -> UnsafePointer<CChar>? {
  pointer { () throws(Failure) in
    let handle = try object(client, ClientHandle.self)
    return handle.strings.pointer(handle.client.engineVersion)
  }
}

/// See carry.h.
@c @implementation
public func carry_client_dispatch(_ client: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(client, ClientHandle.self)
    try handle.dispatch(handle.client.dispatch)
  }
}

/// See carry.h.
@c @implementation
public func carry_client_flush(_ client: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in
    let client = try object(client, ClientHandle.self).client
    do throws(ClientError) { try client.flush() } catch {
      throw Failure(CARRY_ERROR_CONNECTION, error.description)
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_client_synchronize(_ client: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(client, ClientHandle.self)
    try handle.dispatch(handle.client.synchronize)
  }
}

/// See carry.h.
@c @implementation
public func carry_client_run(
  _ client: OpaquePointer?, _ other: Int32, _ readable: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
  _ user_data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let handle = try object(client, ClientHandle.self)
    guard other < 0 || clinux_get_status_flags(other) >= 0 else { throw .argument("\(other) is no open descriptor") }
    try handle.dispatch { () throws(ClientError) in
      guard let readable else { return try handle.client.run() }
      try handle.client.run(alsoWatching: other < 0 ? nil : other) { if !handle.isDoomed { readable(user_data) } }
    }
  }
}

/// See carry.h.
@c @implementation
public func carry_client_stop(_ client: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in try object(client, ClientHandle.self).client.stop() }
}
