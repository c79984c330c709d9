import CarryModel
import CarrySystem
import CWaylandServer

/// A connected application and what it owns.
final class WireClient {
  let id: ClientID
  let peer: SocketListener.Peer
  let raw: OpaquePointer
  unowned let server: WireServer
  /// What it calls itself; shown, never trusted.
  var name = ""
  var hasSaidHello = false
  var isGone = false
  var itemCount = 0
  var previewCount = 0
  /// Of the pictures that the display holds for it.
  var pictureBytes = 0
  /// How many pictures it may hand over now (T18), as of that instant.
  private var pictureAllowance = Limits.picturesAtOnce
  private var allowanceTime = Instant.zero
  /// Regions that were refused. Each costs the engine a question to the X server, so there is an end to it.
  var refusals = 0
  static let mostRefusals = 64
  let since: Instant
  let listener = UnsafeMutablePointer<cwayland_listener>.allocate(capacity: 1)

  init(id: ClientID, peer: SocketListener.Peer, raw: OpaquePointer, server: WireServer, since: Instant) {
    self.id = id
    self.peer = peer
    self.raw = raw
    self.server = server
    self.since = since
    listener.initialize(to: cwayland_listener())
    listener.pointee.callback = { data in
      guard let data else { return }
      let client = Unmanaged<WireClient>.fromOpaque(data).takeUnretainedValue()
      client.server.gone(client)
    }
    listener.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    cwayland_on_client_destroy(raw, listener)
  }

  deinit { listener.deallocate() }

  /// Whether it may hand over another picture now; counts it if so.
  func mayHandOverPicture(at now: Instant) -> Bool {
    let earned = max(0, (now - allowanceTime).seconds) * Limits.picturesPerSecond
    pictureAllowance = min(Limits.picturesAtOnce, pictureAllowance + earned)
    allowanceTime = now
    guard pictureAllowance >= 1 else { return false }
    pictureAllowance -= 1
    return true
  }

  /// Disconnects the client for an offence against the protocol.
  func offend(_ resource: OpaquePointer?, _ code: carry_manager_error, _ message: String) {
    guard let resource else { return }
    Log.info("client \(id.raw) (pid \(peer.pid)) broke the protocol: \(message)")
    cwayland_post_error(resource, code.rawValue, message)
  }
}

/// A protocol object and its Swift side, which lives as long as the object.
class WireObject {
  let client: WireClient
  private(set) var resource: OpaquePointer?

  init(_ client: WireClient) { self.client = client }

  /// Makes the protocol object; nil when there is no memory, which libwayland has told the client by then.
  static func attach<Object: WireObject>(
    _ object: Object, id: UInt32, interface: UnsafePointer<wl_interface>, requests: UnsafeRawPointer?
  ) -> Object? {
    guard let resource = wl_resource_create(object.client.raw, interface, 1, id) else {
      wl_client_post_no_memory(object.client.raw)
      return nil
    }
    object.resource = resource
    wl_resource_set_implementation(
      resource, requests, Unmanaged.passRetained(object as WireObject).toOpaque(),
      { resource in
        guard let resource, let data = wl_resource_get_user_data(resource) else { return }
        let object = Unmanaged<WireObject>.fromOpaque(data).takeRetainedValue()
        object.resource = nil
        object.destroyed()
      })
    return object
  }

  /// The Swift side of a protocol object that a request came for.
  static func of<Object: WireObject>(_ resource: OpaquePointer?, as type: Object.Type) -> Object? {
    guard let resource, let data = wl_resource_get_user_data(resource) else { return nil }
    return Unmanaged<WireObject>.fromOpaque(data).takeUnretainedValue() as? Object
  }

  /// The client destroyed the object, or is gone itself.
  func destroyed() {}
}

/// A request table that libwayland keeps a pointer to: made once, never freed.
struct RequestTable<Requests>: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Requests>

  init(_ requests: Requests) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: requests)
  }

  var raw: UnsafeRawPointer { UnsafeRawPointer(pointer) }
}

/// A C string from a request as Swift text; nil when it is not UTF-8 or too long.
func text(_ c: UnsafePointer<CChar>?, limit: Int) -> String? {
  guard let c, let s = String(validatingCString: c), s.utf8.count <= limit else { return nil }
  return s
}

/// 24.8 fixed point, clamped to its range.
func fixed(_ v: Double) -> wl_fixed_t {
  guard v.isFinite else { return 0 }
  return wl_fixed_t((max(-8_388_607, min(8_388_607, v)) * 256).rounded())
}
