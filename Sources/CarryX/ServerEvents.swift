package import CX11

/// What the X server itself says on a connection.
package enum ServerEvents {
  /// Takes the next event off the queue, which must not be empty.
  ///
  /// Any X client may send any other an event that looks like the server's own: that a window was destroyed, or that a
  /// key went down. The server marks such events. Carry has no use for them, so every connection takes its events here.
  ///
  /// - Returns: whether the server itself made the event; all others are to be left alone.
  package static func take(from display: OpaquePointer, into event: inout XEvent) -> Bool {
    XNextEvent(display, &event)
    return event.xany.send_event == 0
  }
}
