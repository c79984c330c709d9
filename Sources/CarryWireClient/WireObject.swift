import CWaylandClient

/// The objects of one connection, kept alive until the engine has agreed to their end, or the connection is closed.
final class WireObjects {
  private var alive: [ObjectIdentifier: WireObject] = [:]
  private var isClosed = false

  fileprivate func keep(_ object: WireObject) { if !isClosed { alive[ObjectIdentifier(object)] = object } }
  fileprivate func letGo(_ object: WireObject) { alive[ObjectIdentifier(object)] = nil }

  /// Makes every object inert: what is asked of it from here on is ignored. To be called before the display goes.
  func close() {
    isClosed = true
    for object in alive.values { object.abandon() }
    alive = [:]
  }
}

/// One object of the protocol at the application's end. Without a proxy it is inert, and requests on it are ignored.
package class WireObject {
  private(set) var proxy: OpaquePointer?
  let objects: WireObjects

  init(_ proxy: OpaquePointer, _ objects: WireObjects) {
    self.proxy = proxy
    self.objects = objects
    objects.keep(self)
  }

  /// What a listener's data pointer is: valid as long as the proxy is, since the connection keeps the object.
  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Gives the proxy to `destroy` and becomes inert. What the callbacks hold is let go: it may hold this object.
  final func end(_ destroy: (OpaquePointer) -> Void) {
    guard let proxy else { return }
    self.proxy = nil
    destroy(proxy)
    forget()
    objects.letGo(self)
  }

  fileprivate func abandon() {
    guard let proxy else { return }
    self.proxy = nil
    wl_proxy_destroy(proxy)
    forget()
  }

  /// Sets all callbacks back to ones that do nothing.
  func forget() {}
}
