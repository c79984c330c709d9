import CWaylandClient

/// The objects of one connection, kept alive until the engine has agreed to their end, or the connection is closed.
final class WireObjects {
  /// Nil where nothing is sent.
  let outbox: Outbox?
  private var alive: [ObjectIdentifier: WireObject] = [:]
  private var isClosed = false

  init(_ outbox: Outbox) { self.outbox = outbox }

  /// The objects of no connection.
  fileprivate init() {
    outbox = nil
    isClosed = true
  }

  fileprivate func keep(_ object: WireObject) { if !isClosed { alive[ObjectIdentifier(object)] = object } }
  fileprivate func letGo(_ object: WireObject) { alive[ObjectIdentifier(object)] = nil }

  /// Makes every object inert: requests on it are ignored from here on. Call it before the display is disconnected.
  ///
  /// - Parameter telling: whether their owners hear that the connection is lost.
  func close(telling: Bool) {
    isClosed = true
    outbox?.end()
    let all = alive.values
    alive = [:]
    for object in all { object.abandon(telling: telling) }
  }
}

/// One object of the protocol at the application's end. Its proxy is there once the request that makes it is sent; an
/// object that is over is inert, and requests on it are ignored.
package class WireObject {
  private(set) var proxy: OpaquePointer?
  let objects: WireObjects
  private var isOver = false

  /// An object that the engine has made.
  init(_ proxy: OpaquePointer, _ objects: WireObjects) {
    self.objects = objects
    objects.keep(self)
    adopt(proxy)
  }

  /// An object that a request makes.
  ///
  /// - Parameters:
  ///   - size: of the request.
  ///   - make: sends the request; nil when there is no memory.
  init(_ objects: WireObjects, _ size: Int, _ make: @escaping () -> OpaquePointer?) {
    self.objects = objects
    objects.keep(self)
    objects.outbox?.send(size) { if let proxy = make() { self.adopt(proxy) } }
  }

  /// An object of no connection, for tests: it passes events on to its owner, and its requests go nowhere.
  package init() { objects = WireObjects() }

  private func adopt(_ proxy: OpaquePointer) {
    self.proxy = proxy
    listen(proxy)
  }

  /// Adds the listener.
  func listen(_ proxy: OpaquePointer) {}

  /// The listener's data pointer. It is valid as long as the proxy is, since the connection keeps the object.
  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Makes a request, now or when the engine reads again.
  ///
  /// - Parameters:
  ///   - size: of the message.
  ///   - newest: which request it is, if only the newest counts: an older one that still waits is forgotten.
  final func request(_ size: Int, newest: Outbox.Request? = nil, _ body: @escaping (OpaquePointer) -> Void) {
    guard !isOver else { return }
    let slot = newest.map { Outbox.Slot(object: ObjectIdentifier(self), request: $0) }
    objects.outbox?.send(size, newest: slot) { if let proxy = self.proxy { body(proxy) } }
  }

  /// Sends what was said so far, which waits for the end of the client's turn otherwise.
  package final func flush() { if !isOver { objects.outbox?.flush() } }

  /// Makes a request with descriptors, which stay the caller's; false when too many wait already.
  final func request(_ request: PassingRequest, with fds: [CInt]) -> Bool {
    guard !isOver else { return true }
    return objects.outbox?.pass(request, with: fds) { self.proxy.map(wl_proxy_get_id) } ?? true
  }

  /// Becomes inert, and gives the proxy to `destroy` once all earlier requests are sent. The owner hears no more.
  final func end(_ size: Int = MessageSize.of(words: 0), _ destroy: @escaping (OpaquePointer) -> Void) {
    guard !isOver else { return }
    isOver = true
    forget()
    release(size, destroy)
  }

  /// Becomes inert, and says its last word. The owner hears no more, but the object does, until the engine has answered and
  /// `answered` is called.
  final func endOnceAnswered(_ size: Int, _ lastWord: @escaping (OpaquePointer) -> Void) {
    guard !isOver else { return }
    isOver = true
    forget()
    objects.outbox?.send(size) {
      if let proxy = self.proxy { lastWord(proxy) } else { self.objects.letGo(self) }
    }
  }

  /// The engine has answered the last word, and nothing follows.
  final func answered(_ destroy: @escaping (OpaquePointer) -> Void) {
    if isOver { release(MessageSize.of(words: 0), destroy) }
  }

  private func release(_ size: Int, _ destroy: @escaping (OpaquePointer) -> Void) {
    objects.outbox?.send(size) {
      self.objects.letGo(self)
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

  /// The owner hears no more.
  func forget() {}

  /// The connection is lost, and the object with it.
  fileprivate func lost() {}
}

/// What an object of the protocol tells its owner.
package protocol WireEvent {
  /// The connection is lost, and the object with it. The last event, for an object that is not over yet.
  static var lost: Self { get }
}

/// An object that tells its owner what the engine says.
package class WireTeller<Event: WireEvent>: WireObject {
  /// Called with each event. It is released when the object is over, since the closure may hold this object.
  package final var onEvent: ((Event) -> Void)?

  /// Tells the owner; without an owner, calls `unheard`.
  package final func tell(_ event: Event) {
    if let onEvent { onEvent(event) } else { unheard(event) }
  }

  /// Answers in the owner's place, where somebody waits for an answer.
  package func unheard(_ event: Event) {}

  override func forget() { onEvent = nil }

  override final func lost() { tell(.lost) }
}
