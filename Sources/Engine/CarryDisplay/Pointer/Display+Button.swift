import CX11
package import CarryModel

extension Display {
  /// Releases the left button of the X server's own device for tests, which the bridge presses to lift out of foreign
  /// applications. Does nothing while that button is up, and never touches the button of the user's mouse. Does not
  /// wait.
  ///
  /// - Parameter point: Where to release it, in screen pixels; nil for where it is.
  package func releaseButton(at point: Point? = nil) {
    if let point {
      cx11_point(server.connection, UInt32(truncatingIfNeeded: server.root), CInt(point.x), CInt(point.y))
    }
    cx11_press(server.connection, 0)
    XFlush(server.display)
  }
}
