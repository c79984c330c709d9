import CWaylandClient

/// The objects of one connection, kept alive until the engine has confirmed their end, or the connection is closed.
final class WireObjects {
  /// Nil if nothing is sent.
  let outbox: Outbox?
  private var alive: [ObjectIdentifier: WireObject] = [:]
  private var isClosed = false

  init(_ outbox: Outbox) { self.outbox = outbox }

  /// For objects without a connection.
  fileprivate init() {
    outbox = nil
    isClosed = true
  }

  fileprivate func keep(_ object: WireObject) { if !isClosed { alive[ObjectIdentifier(object)] = object } }
  fileprivate func remove(_ object: WireObject) { alive[ObjectIdentifier(object)] = nil }

  /// Makes every object inert: requests on it are ignored from here on. Call it before the display is disconnected.
  ///
  /// - Parameter telling: Whether their owners are notified that the connection is lost.
  func close(telling: Bool) {
    isClosed = true
    outbox?.end()
    let all = alive.values
    alive = [:]
    for object in all { object.abandon(telling: telling) }
  }
}

/// The application's end of a protocol object. Its proxy exists once the request that creates it has been sent. A
/// finished object is inert, and requests on it are ignored.
package class WireObject {
  private(set) var proxy: OpaquePointer?
  let objects: WireObjects
  private var isOver = false

  /// An object created by the engine.
  init(_ proxy: OpaquePointer, _ objects: WireObjects) {
    self.objects = objects
    objects.keep(self)
    adopt(proxy)
  }

  /// An object created by a request.
  ///
  /// - Parameters:
  ///   - size: The size of the request.
  ///   - make: Sends the request; nil if there is no memory.
  init(_ objects: WireObjects, _ size: Int, _ make: @escaping () -> OpaquePointer?) {
    self.objects = objects
    objects.keep(self)
    objects.outbox?.send(size) { if let proxy = make() { self.adopt(proxy) } }
  }

  /// An object without a connection, for tests: it forwards events to its owner and sends no requests.
  package init() { objects = WireObjects() }

  private func adopt(_ proxy: OpaquePointer) {
    self.proxy = proxy
    listen(proxy)
  }

  /// Adds the listener.
  func listen(_ proxy: OpaquePointer) {}

  /// The listener's data pointer. It is valid as long as the proxy, since the connection keeps the object alive.
  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Makes a request, now or when the engine reads again.
  ///
  /// - Parameters:
  ///   - size: The size of the message.
  ///   - newest: The kind of request, if only the newest counts: an older waiting one is discarded.
  final func request(_ size: Int, newest: Outbox.Request? = nil, _ body: @escaping (OpaquePointer) -> Void) {
    guard !isOver else { return }
    let slot = newest.map { Outbox.Slot(object: ObjectIdentifier(self), request: $0) }
    objects.outbox?.send(size, newest: slot) { if let proxy = self.proxy { body(proxy) } }
  }

  /// Sends the pending requests at once, instead of at the end of the client's turn.
  package final func flush() { if !isOver { objects.outbox?.flush() } }

  /// Makes a request with descriptors, which the caller continues to own; false if too many already wait.
  final func request(_ request: PassingRequest, with fds: [CInt]) -> Bool {
    guard !isOver else { return true }
    return objects.outbox?.pass(request, with: fds) { self.proxy.map(wl_proxy_get_id) } ?? true
  }

  /// Becomes inert, and passes the proxy to `destroy` once all earlier requests are sent. The owner receives no more
  /// events.
  final func end(_ size: Int = MessageSize.of(words: 0), _ destroy: @escaping (OpaquePointer) -> Void) {
    guard !isOver else { return }
    isOver = true
    forget()
    release(size, destroy)
  }

  /// Becomes inert and makes a final request. The owner receives no more events, but the object does, until the
  /// engine has answered and `answered` is called.
  final func endOnceAnswered(_ size: Int, _ lastWord: @escaping (OpaquePointer) -> Void) {
    guard !isOver else { return }
    isOver = true
    forget()
    objects.outbox?.send(size) {
      if let proxy = self.proxy { lastWord(proxy) } else { self.objects.remove(self) }
    }
  }

  /// The engine has answered the final request, and nothing follows.
  final func answered(_ destroy: @escaping (OpaquePointer) -> Void) {
    if isOver { release(MessageSize.of(words: 0), destroy) }
  }

  private func release(_ size: Int, _ destroy: @escaping (OpaquePointer) -> Void) {
    objects.outbox?.send(size) {
      self.objects.remove(self)
      guard let proxy = self.proxy else { return }
      self.proxy = nil
      destroy(proxy)
    }
  }

  fileprivate func abandon(telling: Bool) {
    let wasOver = isOver
    isOver = true
    if let proxy { wl_proxy_destroy(proxy) }
    proxy = nil
    if telling, !wasOver { lost() }
    forget()
  }

  /// Stops events to the owner.
  func forget() {}

  /// The connection is lost, and the object with it.
  fileprivate func lost() {}
}

/// An event that a protocol object sends to its owner.
package protocol WireEvent {
  /// The connection is lost, and with it the object. The last event, unless the object was already finished.
  static var lost: Self { get }
}

/// An object that forwards the engine's messages to its owner.
package class WireEventSource<Event: WireEvent>: WireObject {
  /// Called with each event. Released when the object is finished, since the closure may retain this object.
  package final var onEvent: ((Event) -> Void)?

  /// Sends the event to the owner; without an owner, calls `unhandled`.
  package final func deliver(_ event: Event) {
    if let onEvent { onEvent(event) } else { unhandled(event) }
  }

  /// Answers in place of the owner if an answer is expected.
  package func unhandled(_ event: Event) {}

  override func forget() { onEvent = nil }

  override final func lost() { deliver(.lost) }
}
