import CLinux
import CarryModel
package import CarrySystem
import CWayland
import CWaylandClient

/// An application's connection to the engine. Not thread-safe: one thread uses it and everything made with it.
package final class WireConnection {
  private let display: OpaquePointer
  private var isOpen = true
  private let outbox: Outbox
  private let objects: WireObjects
  /// A queue without objects, for receiving a protocol error without dispatching anything else.
  private let errorQueue: OpaquePointer?
  private var registry: OpaquePointer?
  fileprivate var manager: OpaquePointer?
  private let name: String
  /// Whether the engine has answered, so that requests can be sent.
  package private(set) var isWelcome = false
  /// How often the engine was asked to confirm that all regions are settled, and the serial of its last confirmation.
  private var synchronizations: UInt32 = 0
  private var synchronized: UInt32 = 0
  private var waits: [Wait] = []
  package private(set) var engineVersion = ""
  /// Whether drag interactions are enabled by default.
  package private(set) var enablesDrags = true
  /// Up to this number, each item is asked for its preview.
  package private(set) var fewItems = Limits.fewItems

  /// Called when requests begin to wait until the socket is writable, and when none wait any more.
  package var onBehind: (Bool) -> Void {
    get { outbox.onBehind }
    set { outbox.onBehind = newValue }
  }

  package var isBehind: Bool { outbox.isBehind }

  package var fileDescriptor: CInt { isOpen ? wl_display_get_fd(display) : -1 }

  /// Connects and waits for the engine's answer, at most five seconds, in which a service manager may start the
  /// engine.
  package convenience init(path: String, name: String) throws(Problem) {
    let socket: Descriptor
    do { socket = try SocketListener.connect(to: path) } catch { throw Problem(error, path) }
    try self.init(socket, path: path, name: name)
    let deadline = MonotonicClock.now() + .seconds(Limits.connectSeconds)
    while !isWelcome {
      guard try wait(until: deadline) else { throw .silent(path: path) }
    }
  }

  /// Creates a file provider's connection, which the engine has opened. Waits for the engine's answer as
  /// `init(path:name:)` does.
  package convenience init(opened socket: consuming Descriptor, name: String) throws(Problem) {
    let path = "the engine's own end"
    try self.init(socket, path: path, name: name)
    let deadline = MonotonicClock.now() + .seconds(Limits.connectSeconds)
    while !isWelcome {
      guard try wait(until: deadline) else { throw .silent(path: path) }
    }
  }

  /// Starts connecting without waiting. The connection is ready when `isWelcome` is true.
  package convenience init(beginning path: String, name: String) throws(Problem) {
    let socket: Descriptor
    do { socket = try SocketListener.connectAtOnce(to: path) } catch { throw Problem(error, path) }
    try self.init(socket, path: path, name: name)
  }

  private init(_ socket: consuming Descriptor, path: String, name: String) throws(Problem) {
    cwayland_client_keep_log()
    guard let peer = SocketListener.peer(of: socket.raw), peer.uid == getuid() else { throw .notYours(path: path) }
    guard let display = wl_display_connect_to_fd(socket.release()) else {
      throw .system(SystemError(code: ENOMEM, call: "wl_display_connect_to_fd"))
    }
    self.display = display
    self.name = name
    outbox = Outbox(display)
    objects = WireObjects(outbox)
    errorQueue = wl_display_create_queue(display)
    registry = wl_display_get_registry(display)
    wl_registry_add_listener(
      registry, Self.registryListener.pointer, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { close() }

  /// Ends the connection and makes all its objects inert. Do not call it from within a callback.
  ///
  /// - Parameter telling: Whether the objects' `onLost` is called.
  package func close(telling: Bool = false) {
    guard isOpen else { return }
    isOpen = false
    outbox.flush()
    objects.close(telling: telling)
    for wait in waits { wl_callback_destroy(wait.callback) }
    waits = []
    if let manager { carry_manager_destroy(manager) }
    if let registry { wl_registry_destroy(registry) }
    manager = nil
    wl_display_flush(display)
    if let errorQueue { wl_event_queue_destroy(errorQueue) }
    wl_display_disconnect(display)
  }

  private static let registryListener = ListenerTable(
    wl_registry_listener(
      global: { data, registry, name, interface, version in
        guard let data, let interface, String(cString: interface) == "carry_manager" else { return }
        let c = Unmanaged<WireConnection>.fromOpaque(data).takeUnretainedValue()
        if c.manager == nil, let m = wl_registry_bind(registry, name, cwayland_manager(), min(version, 1)) {
          c.manager = OpaquePointer(m)
          carry_manager_add_listener(c.manager, managerListener.pointer, data)
          carry_manager_hello(c.manager, c.name)
        }
      },
      global_remove: { _, _, _ in }))

  private static let managerListener = ListenerTable(
    carry_manager_listener(
      welcome: { data, _, version, preferences, fewItems in
        guard let data else { return }
        let c = Unmanaged<WireConnection>.fromOpaque(data).takeUnretainedValue()
        c.isWelcome = true
        c.enablesDrags = preferences & CARRY_MANAGER_PREFERENCE_DRAG.rawValue != 0
        c.fewItems = Int(fewItems)
        if let version { c.engineVersion = String(cString: version) }
      },
      synchronized: { data, _, serial in
        guard let data else { return }
        Unmanaged<WireConnection>.fromOpaque(data).takeUnretainedValue().synchronized = serial
      }))

  /// Handles incoming messages, waiting for some until the deadline, or forever; false if there were none.
  private func wait(until deadline: Instant?) throws(Problem) -> Bool {
    while true {
      try flush()
      let left = deadline.map { CInt(clamping: max(0, ($0 - MonotonicClock.now()).microseconds / 1000)) } ?? -1
      // Waiting requests are sent as soon as the socket is writable.
      let events = outbox.isBehind ? POLLIN | POLLOUT : POLLIN
      var p = pollfd(fd: fileDescriptor, events: Int16(events), revents: 0)
      let n = poll(&p, 1, left)
      if n < 0, clinux_errno() != EINTR { throw .system(SystemError.last("poll")) }
      if n > 0 { break }
      if n == 0 { return false }
    }
    try dispatch()
    return true
  }

  /// Handles all incoming messages without waiting, and sends pending requests.
  package func dispatch() throws(Problem) {
    guard isOpen else { throw .lost("it was closed") }
    try takeEvents { outbox.flush() }
    // After the engine has disconnected, its last messages are still read.
    for _ in 0..<Self.maxReads where outbox.failure != nil && hasUnread { try takeEvents {} }
    try flush()
  }

  /// Reads at most 4 KiB, as libwayland does, and dispatches the events.
  private func takeEvents(beforeReading body: () -> Void) throws(Problem) {
    while wl_display_prepare_read(display) != 0 {
      guard wl_display_dispatch_pending(display) >= 0 else { throw lost() }
    }
    body()
    // Never blocks: no other thread reads, and without data libwayland's read fails with EAGAIN, which is not an
    // error.
    guard wl_display_read_events(display) >= 0 else { throw lost() }
    guard wl_display_dispatch_pending(display) >= 0 else { throw lost() }
  }
  private static let maxReads = 64

  /// Whether there is more to read. Once libwayland has read the end, it dispatches nothing any more.
  private var hasUnread: Bool {
    var byte: UInt8 = 0
    return recv(fileDescriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) > 0
  }

  /// Sends as much as the engine accepts; the rest waits and is not lost.
  package func flush() throws(Problem) {
    guard isOpen else { throw .lost("it was closed") }
    outbox.flush()
    if outbox.isOverfull {
      throw .lost("the engine has not read for so long that more than \(Limits.outboxBytes >> 20) MiB wait for it")
    }
    guard outbox.failure == nil, wl_display_get_error(display) == 0 else { throw lost() }
  }

  /// Sends everything and waits until the engine has handled it and all its messages are dispatched.
  package func roundTrip() throws(Problem) {
    guard isOpen else { throw .lost("it was closed") }
    // Regions are settled only when the X server has replied to the engine, which is later than a plain round trip.
    synchronizations += 1
    let serial = synchronizations
    outbox.send(MessageSize.of(words: 1)) { [weak self] in
      if let self { carry_manager_synchronize(manager, serial) }
    }
    while synchronized != serial { _ = try wait(until: nil) }
  }

  /// Calls `body` once the engine has handled all requests made so far; never if the connection ends first.
  package func whenHandled(_ body: @escaping () -> Void) {
    guard isOpen else { return }
    outbox.send(MessageSize.of(words: 1)) { [weak self] in
      guard let self, let callback = wl_display_sync(display) else { return }
      let wait = Wait(self, callback, body)
      waits.append(wait)
      wl_callback_add_listener(callback, Self.waitListener.pointer, Unmanaged.passUnretained(wait).toOpaque())
    }
  }

  /// A wait until the engine has handled a request. The connection keeps this object alive.
  private final class Wait {
    unowned let connection: WireConnection
    let callback: OpaquePointer
    let body: () -> Void

    init(_ connection: WireConnection, _ callback: OpaquePointer, _ body: @escaping () -> Void) {
      (self.connection, self.callback, self.body) = (connection, callback, body)
    }
  }

  private static let waitListener = ListenerTable(
    wl_callback_listener(done: { data, callback, _ in
      guard let data else { return }
      let wait = Unmanaged<Wait>.fromOpaque(data).takeUnretainedValue()
      wait.connection.waits.removeAll { $0 === wait }
      wl_callback_destroy(callback)
      wait.body()
    }))

  /// Reads the engine's reason for closing the connection, and dispatches nothing else.
  private func hearError() {
    guard let errorQueue else { return }
    // Earlier messages of the engine precede it.
    for _ in 0..<Self.maxReads where wl_display_get_error(display) == 0 && hasUnread {
      if wl_display_prepare_read_queue(display, errorQueue) == 0, wl_display_read_events(display) < 0 { return }
      wl_display_dispatch_queue_pending(display, errorQueue)
    }
  }

  private func lost() -> Problem {
    hearError()
    let heard = wl_display_get_error(display)
    let code = heard != 0 ? heard : outbox.failure ?? 0
    if code == EPROTO {
      var interface: UnsafePointer<wl_interface>?
      var id: UInt32 = 0
      let error = wl_display_get_protocol_error(display, &interface, &id)
      let name = interface.map { String(cString: $0.pointee.name) } ?? "unknown object"
      // For example "carry_region@7: error 2: unknown role", with a newline.
      let text = SafeText.displayable(
        String(cString: cwayland_client_last_log()).split(separator: "\n").first.map(String.init) ?? "", limit: 400)
      return .thrownOut(text.isEmpty ? "protocol error \(error) on \(name)" : text)
    }
    // A socket is reset if the other end closes it with unread data.
    let isHangup = code == 0 || code == EPIPE || code == ECONNRESET
    return .lost(isHangup ? "the engine stopped" : String(cString: strerror(code)))
  }

  // MARK: Creating objects

  /// Creates an object with the manager. If the request is still waiting when the connection is released, there is no
  /// object.
  private func making(_ make: @escaping (_ manager: OpaquePointer?) -> OpaquePointer?) -> () -> OpaquePointer? {
    { [weak self] in self.flatMap { make($0.manager) } }
  }

  package func makeRegion(window: UInt32) -> WireRegion? {
    guard isOpen else { return nil }
    return WireRegion(objects, MessageSize.of(words: 2), making { carry_manager_create_region($0, window) })
  }

  package func makeItem() -> WireItemProxy? {
    guard isOpen else { return nil }
    return WireItemProxy(objects, MessageSize.of(words: 1), making { carry_manager_create_item($0) })
  }

  package func makePreview() -> WirePreview? {
    guard isOpen else { return nil }
    return WirePreview(objects, MessageSize.of(words: 1), making { carry_manager_create_preview($0) })
  }

  package func makeProvider() -> WireProvider? {
    guard isOpen else { return nil }
    return WireProvider(objects, MessageSize.of(words: 1), making { carry_manager_create_provider($0) })
  }

  package func makeBridge() -> WireBridge? {
    guard isOpen else { return nil }
    return WireBridge(objects, MessageSize.of(words: 1), making { carry_manager_create_bridge($0) })
  }

  package func makeShelf() -> WireShelf? {
    guard isOpen else { return nil }
    return WireShelf(objects, MessageSize.of(words: 1), making { carry_manager_create_shelf($0) })
  }

  package func makeMonitor() -> WireMonitor? {
    guard isOpen else { return nil }
    return WireMonitor(objects, MessageSize.of(words: 1), making { carry_manager_create_monitor($0) })
  }

  package func makeRegionList() -> WireRegionList? {
    guard isOpen else { return nil }
    return WireRegionList(objects, MessageSize.of(words: 1), making { carry_manager_create_region_list($0) })
  }

  package func makePlayer() -> WirePlayer? {
    guard isOpen else { return nil }
    return WirePlayer(objects, MessageSize.of(words: 1), making { carry_manager_create_player($0) })
  }
}

/// A listener table to which libwayland keeps a pointer: created once, never freed.
struct ListenerTable<Listener>: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Listener>

  init(_ listener: Listener) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: listener)
  }
}

/// The Swift object behind a listener's data pointer.
func target<T: AnyObject>(_ data: UnsafeMutableRawPointer?, _ type: T.Type) -> T? {
  data.map { Unmanaged<T>.fromOpaque($0).takeUnretainedValue() }
}

func point(_ x: wl_fixed_t, _ y: wl_fixed_t) -> Point { Point(x: Double(x) / 256, y: Double(y) / 256) }
func size(_ w: wl_fixed_t, _ h: wl_fixed_t) -> Size { Size(width: Double(w) / 256, height: Double(h) / 256) }
func string(_ c: UnsafePointer<CChar>?) -> String { c.map { String(cString: $0) } ?? "" }

extension WireConnection.Problem {
  fileprivate init(_ error: SystemError, _ path: String) {
    switch error.code {
    case ENOENT, ECONNREFUSED, ENOTDIR, EAGAIN: self = .noEngine(path: path)
    case ENAMETOOLONG: self = .pathTooLong(path: path)
    default: self = .system(error)
    }
  }
}
