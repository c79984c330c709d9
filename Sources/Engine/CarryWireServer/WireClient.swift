import CarryLoop
import CarryModel
import CarrySystem
import CWaylandServer

/// A connected application and its objects.
final class WireClient {
  let id: ClientID
  let peer: SocketListener.Peer
  let process: WireProcess
  /// The client's program, once it has said hello.
  var program: ProgramIdentity?
  /// Whether the client is a stranger, whatever the manifests say.
  var isStranger = false
  /// Whether it has assigned an item to a file provider that no manifest names.
  var hasNoProvider = false
  let raw: OpaquePointer
  /// The engine's own process at the other end; nil for an application.
  var companion: Companion?
  /// How long the client may take to say hello. The bridge's process has only just been started, and first examines
  /// all windows.
  var helloSeconds: Double { companion == nil ? Limits.helloSeconds : Limits.bridgeHelloSeconds }
  /// Whether the engine's own process may still create its special object.
  var mayMakeCompanion = false
  /// The file provider at the other end; nil for an application.
  var helper: ProviderHelper?
  unowned let server: WireServer
  /// The name that the client chose; shown, never trusted.
  var name = ""
  var hasSaidHello = false
  /// Whether the client has violated the protocol. It is disconnected after its present requests.
  private(set) var hasOffended = false
  var isGone = false
  var managerCount = 0
  var monitorCount = 0
  var regionCount = 0
  var itemCount = 0
  var previewCount = 0
  /// Bytes of the pictures that the display holds for the client.
  var pictureBytes = 0
  /// How many pictures the client may still send, and when this was computed.
  private var pictureAllowance = Limits.picturesAtOnce
  private var allowanceTime = Instant.zero
  /// How many regions were refused. Each costs a query to the X server, so their number is limited.
  var refusals = 0
  static let maxRefusals = 64
  /// The newest refused regions, for tools.
  var refused: [RefusedRegion] = []
  /// Requests that wait for the X server's reply about a window, in order.
  var unsettled: [Unsettled] = []
  /// The windows that do not exist yet, with their regions.
  var awaited: [WindowID: AwaitedWindow] = [:] {
    didSet {
      guard awaited.isEmpty == isAwaiting else { return }
      isAwaiting.toggle()
      server.awaitingCount += isAwaiting ? 1 : -1
    }
  }
  private var isAwaiting = false
  let since: Instant
  /// The client's socket.
  let fd: CInt
  /// Since when descriptors of the client have been waiting for their message.
  var descriptorsWaitSince: Instant?
  private var whenItReads: EventLoop.Source?
  /// Since when the kernel has refused to pass descriptors on to the client, and when the engine tries again.
  private var refusedPassingSince: Instant?
  private var passesAgain = Instant.zero
  private var objectsSinceCount = 0
  /// Whether the client has created so many objects that its end leaves much unused memory.
  private(set) var hasMadeMany = false
  /// The listeners for the client's end and for the objects that it creates.
  private let listeners = UnsafeMutablePointer<cwayland_listener>.allocate(capacity: 2)

  init(
    id: ClientID, peer: SocketListener.Peer, process: WireProcess, raw: OpaquePointer, server: WireServer,
    since: Instant
  ) {
    self.id = id
    self.peer = peer
    self.process = process
    self.raw = raw
    self.server = server
    self.since = since
    fd = wl_client_get_fd(raw)
    listeners.initialize(repeating: cwayland_listener(), count: 2)
    listeners[0].callback = { data in
      guard let data else { return }
      let client = Unmanaged<WireClient>.fromOpaque(data).takeUnretainedValue()
      client.server.gone(client)
    }
    for i in 0..<2 { listeners[i].data = Unmanaged.passUnretained(self).toOpaque() }
    cwayland_on_client_destroy(raw, listeners)
    cwayland_on_resource_created(raw, listeners + 1) { data, resource in
      guard let data, let resource else { return }
      Unmanaged<WireClient>.fromOpaque(data).takeUnretainedValue().madeObject(number: wl_resource_get_id(resource))
    }
  }

  deinit { listeners.deallocate() }

  // MARK: Unread output

  /// Whether more is queued for the client than the kernel's buffer holds.
  var isBehind: Bool { cwayland_queued_bytes(fd) > 0 }

  /// Sends the queued bytes once the client has read. libwayland does not know about this queue.
  func awaitReading() {
    guard isBehind, whenItReads == nil else { return }
    whenItReads = server.loop.watch(fd, for: .writing) { [weak self] in self?.sendOn() }
  }

  private func sendOn() {
    guard !isGone else { return }
    if cwayland_send_queued(fd) {
      whenItReads = nil
      refusedPassingSince = nil
      server.hasRead(self)
    } else if cwayland_is_full(fd) {
      server.disconnect(self, "its connection is broken")
    } else if cwayland_is_refused_passing(fd) {
      // The socket stays writable, so pause the watch or it would fire at once.
      whenItReads?.isPaused = true
      refusedPassingSince = refusedPassingSince ?? MonotonicClock.now()
      passesAgain = MonotonicClock.now() + .milliseconds(50)
    } else {
      whenItReads?.isPaused = false
      refusedPassingSince = nil
    }
  }

  /// When to retry sending descriptors that the kernel has refused to pass on; nil if there are none.
  var nextPassing: Instant? { refusedPassingSince == nil ? nil : passesAgain }

  func retryPassing(at now: Instant) {
    guard let since = refusedPassingSince, passesAgain <= now else { return }
    guard since + .seconds(Limits.transferSeconds) > now else {
      return server.disconnect(
        self,
        "descriptors for it could not be passed for \(Int(Limits.transferSeconds)) s: processes of this user have "
          + "too many descriptors under way")
    }
    sendOn()
  }

  /// Stops watching whether the client reads, because it is gone.
  func stopWatchingForReads() { whenItReads = nil }

  // MARK: Objects and resources

  /// The client created an object, or the engine created one for it.
  private func madeObject(number: UInt32) {
    // IDs from 0xFF000000 on belong to the engine's objects.
    if number < 0xFF00_0000, number > Limits.objectNumber {
      return server.disconnect(self, "an object has the number \(number), the highest is \(Limits.objectNumber)")
    }
    objectsSinceCount += 1
    guard objectsSinceCount > 1024 else { return }
    objectsSinceCount = 0
    hasMadeMany = true
    let count = cwayland_count_resources(raw)
    if count > Limits.objectsPerClient {
      server.disconnect(self, "it has \(count) objects, the most are \(Limits.objectsPerClient)")
    }
  }

  /// A request has consumed `count` of the client's descriptors.
  func tookDescriptors(_ count: Int) { cwayland_took_descriptors(fd, CInt(count)) }

  /// Whether the client may send another picture now; if so, counts it as a small one.
  func mayHandOverPicture(at now: Instant) -> Bool {
    let earned = max(0, (now - allowanceTime).seconds) * Limits.picturesPerSecond
    pictureAllowance = min(Limits.picturesAtOnce, pictureAllowance + earned)
    allowanceTime = now
    guard pictureAllowance >= 1 else { return false }
    pictureAllowance -= 1
    return true
  }

  /// Counts the picture that has just been sent by its size.
  func countPicture(pixels: Int) { pictureAllowance -= Double(pixels / Limits.pixelsPerPicture) }

  /// Disconnects the client for a protocol violation.
  /// Counts the bytes of a description, instead of those counted for it before. Disconnects the client if its process
  /// then has too many.
  func recount(_ held: inout Int, as bytes: Int, _ resource: OpaquePointer?) {
    let more = bytes - held
    held = bytes
    process.heldBytes += more
    server.heldBytes += more
    guard more > 0, process.heldBytes > Limits.heldBytesInAnyCase else { return }
    if process.heldBytes > Limits.heldBytesPerProcess {
      offend(
        resource, CARRY_MANAGER_ERROR_TOO_MANY,
        "the descriptions of a process may have \(Limits.heldBytesPerProcess >> 20) MiB")
    } else if server.heldBytes > Limits.heldBytes {
      offend(
        resource, CARRY_MANAGER_ERROR_TOO_MANY,
        "the descriptions of all processes may have \(Limits.heldBytes >> 20) MiB, and have them")
    }
  }

  func offend(_ resource: OpaquePointer?, _ code: carry_manager_error, _ message: String) {
    guard let resource else { return }
    hasOffended = true
    Log.info("client \(id.raw) (pid \(peer.pid)) broke the protocol: \(message)\(server.recordedIn)")
    cwayland_post_error(resource, code.rawValue, message)
  }
}

/// The Swift object behind a protocol object, with the same lifetime.
class WireObject {
  let client: WireClient
  private(set) var resource: OpaquePointer?

  init(_ client: WireClient) { self.client = client }

  /// Creates the protocol object; nil if there is no memory, of which libwayland has notified the client.
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

  /// The Swift object behind the protocol object of a request.
  static func of<Object: WireObject>(_ resource: OpaquePointer?, as type: Object.Type) -> Object? {
    guard let resource, let data = wl_resource_get_user_data(resource) else { return nil }
    return Unmanaged<WireObject>.fromOpaque(data).takeUnretainedValue() as? Object
  }

  /// The client destroyed the object, or has disconnected.
  func destroyed() {}
}

/// A request table, created once and never freed, because libwayland keeps a pointer to it.
struct RequestTable<Requests>: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Requests>

  init(_ requests: Requests) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: requests)
  }

  var raw: UnsafeRawPointer { UnsafeRawPointer(pointer) }
}

/// Converts a request's C string; nil if it is not UTF-8 or too long.
func text(_ c: UnsafePointer<CChar>?, limit: Int) -> String? {
  guard let c, let s = String(validatingCString: c), s.utf8.count <= limit else { return nil }
  return s
}

/// Converts to 24.8 fixed point, clamped to its range.
func fixed(_ v: Double) -> wl_fixed_t {
  guard v.isFinite else { return 0 }
  return wl_fixed_t((max(-8_388_607, min(8_388_607, v)) * 256).rounded())
}
