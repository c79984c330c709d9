import CX11
package import CarryModel
import CarryX

/// Follows the pointer while a trackpad needs its position, and never waits for the X server.
///
/// XInput 2's raw motion reports to all clients, and through all grabs, that the pointer has moved, but not where to.
/// The follower then requests the position, one request at a time, and reads the reply when it comes. It has a
/// connection of its own, so that it does not disturb the windows' events. While the pointer is not followed, it
/// sleeps.
package final class PointerFollower {
  private let display: OpaquePointer
  private let connection: OpaquePointer
  private let root: CX11.Window
  private let opcode: CInt
  /// The outstanding request.
  private var question: UInt32?
  /// Whether the pointer moved after the outstanding request.
  private var isStale = false
  private var isFollowing = false
  /// False once the X server is gone.
  package private(set) var isAlive = true

  package init(displayName: String?) throws(Problem) {
    XErrors.install()
    guard let display = XOpenDisplay(displayName) else { throw Problem("cannot open the display") }
    // Below 2.1 raw events stop during a grab.
    guard let input = XInput(on: display, atLeast: 1), let connection = XGetXCBConnection(display) else {
      XInput.close(display)
      throw Problem("the X server has no XInput 2.1")
    }
    self.display = display
    self.connection = connection
    opcode = input.opcode
    root = XDefaultRootWindow(display)
    XSetIOErrorExitHandler(
      display,
      { _, me in if let me { Unmanaged<PointerFollower>.fromOpaque(me).takeUnretainedValue().isAlive = false } },
      Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    XErrors.forget(display)
    XInput.close(display)
  }

  /// Readable when `dispatch` has something to do.
  package var fileDescriptor: CInt { XConnectionNumber(display) }

  /// Starts or stops following; starting requests the pointer's position at once.
  package func follow(_ on: Bool) {
    guard isAlive, on != isFollowing else { return }
    isFollowing = on
    XInput.select(on ? [XI_RawMotion] : [], on: root, display)
    guard on else {
      XFlush(display)
      return
    }
    // The reply to an older request is out of date. It may also have been read by the flush above, which the
    // descriptor would not show.
    if let question { xcb_discard_reply(connection, question) }
    question = nil
    ask()
    // This also sends Xlib's buffer. XFlush would look for events afterwards, and so take a quick reply from the
    // descriptor.
    xcb_flush(connection)
  }

  private func ask() {
    guard question == nil else {
      isStale = true
      return
    }
    isStale = false
    question = xcb_query_pointer(connection, UInt32(root)).sequence
  }

  /// Reads events and replies, and calls `body` with the pointer's position in screen pixels.
  package func dispatch(_ body: (Point) -> Void) {
    var bytes: UInt64
    repeat {
      guard isAlive else { return }
      bytes = xcb_total_read(connection)
      takeEvents()
      takeAnswer(body)
      if isAlive { XFlush(display) }
      // Looking for one may have read the other, which the descriptor would not show.
    } while isAlive && xcb_total_read(connection) != bytes
  }

  private func takeEvents() {
    var event = XEvent()
    while isAlive, XEventsQueued(display, QueuedAfterReading) > 0 {
      let isServers = ServerEvents.take(from: display, into: &event)
      guard isAlive, isServers, event.type == GenericEvent, event.xcookie.extension == opcode else { continue }
      if event.xcookie.evtype == XI_RawMotion { ask() }
    }
  }

  private func takeAnswer(_ body: (Point) -> Void) {
    guard isAlive, let asked = question else { return }
    var reply: UnsafeMutableRawPointer?
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    guard xcb_poll_for_reply(connection, asked, &reply, &error) != 0 else { return }
    cx11_free(error)
    question = nil
    if isStale, isFollowing { ask() }
    guard let reply else { return }
    let answer = reply.assumingMemoryBound(to: xcb_query_pointer_reply_t.self).pointee
    cx11_free(reply)
    // A reply that comes after following has stopped is out of date.
    if answer.same_screen != 0, isFollowing { body(Point(x: Double(answer.root_x), y: Double(answer.root_y))) }
  }
}
