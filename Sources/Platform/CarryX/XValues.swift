package import CX11

extension XEvent {
  /// Reads the event as an extension's own kind. Only for an event whose type matches.
  package func reading<T>(as type: T.Type) -> T {
    withUnsafePointer(to: self) { $0.withMemoryRebound(to: type, capacity: 1) { $0.pointee } }
  }
}

extension XTransform {
  /// The transform that leaves a picture unchanged.
  package static var identity: XTransform { scaling(x: 1, y: 1) }

  /// Maps the pixels of a result to the pixels of its picture: coordinates are multiplied by `x` and `y`, then moved.
  package static func scaling(
    x: Double, y: Double, thenMovedBy offset: (x: Double, y: Double) = (0, 0)
  ) -> XTransform {
    XTransform(
      matrix: (
        (cx11_fixed(x), 0, cx11_fixed(offset.x)), (0, cx11_fixed(y), cx11_fixed(offset.y)), (0, 0, cx11_fixed(1))
      ))
  }
}

/// Reads properties of windows.
package enum XProperty {
  /// Requests a property of any type; `bytes` or `words` waits for the reply.
  ///
  /// - Parameter most: maximum length to read, in units of four bytes.
  package static func ask(
    _ connection: OpaquePointer, _ window: UInt32, _ name: Atom, most: Int
  ) -> xcb_get_property_cookie_t {
    xcb_get_property(
      connection, 0, window, UInt32(truncatingIfNeeded: name), UInt32(XCB_GET_PROPERTY_TYPE_ANY.rawValue), 0,
      UInt32(most))
  }

  /// Waits for the reply and reads its values; nil if the values do not have this many bits, or the window is gone.
  private static func read<T>(
    _ connection: OpaquePointer, _ cookie: xcb_get_property_cookie_t, bits: UInt8, _ body: (UnsafeRawBufferPointer) -> T
  ) -> T? {
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    guard let reply = xcb_get_property_reply(connection, cookie, &error) else {
      cx11_free(error)
      return nil
    }
    defer { cx11_free(reply) }
    guard reply.pointee.format == bits else { return nil }
    return body(
      UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: Int(xcb_get_property_value_length(reply))))
  }

  /// A property's bytes; nil if the property has another format, or is not set. Waits for the reply.
  package static func bytes(_ connection: OpaquePointer, _ cookie: xcb_get_property_cookie_t) -> [UInt8]? {
    read(connection, cookie, bits: 8) { Array($0) }
  }

  /// A property's 32-bit values; empty if the property has another format, or is not set. Waits for the reply.
  package static func words(_ connection: OpaquePointer, _ cookie: xcb_get_property_cookie_t) -> [UInt32] {
    read(connection, cookie, bits: 32) { bytes in
      (0..<(bytes.count / 4)).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    } ?? []
  }
}
