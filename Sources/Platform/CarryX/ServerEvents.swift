package import CX11

/// The events that the X server itself makes.
package enum ServerEvents {
  /// Takes the next event off the queue, which must not be empty.
  ///
  /// Any X client may send another an event that looks like the server's own: that a window was destroyed, or that a
  /// key went down. The server marks such events. Carry has no use for them, so every connection takes its events
  /// here.
  ///
  /// - Returns: whether the server itself made the event; ignore all others.
  package static func take(from display: OpaquePointer, into event: inout XEvent) -> Bool {
    XNextEvent(display, &event)
    return event.xany.send_event == 0
  }
}
