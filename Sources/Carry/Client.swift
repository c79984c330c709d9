import CLinux
import CarryModel
import CarrySystem
import CarryWireClient

/// An application's connection to the Carry engine: where everything begins.
///
/// One thread uses a client and everything made with it; all delegates and completions are called on that thread, from
/// within `dispatch()`. Put `fileDescriptor` into your event loop and call `dispatch()` whenever it can be read, or let
/// `run()` do both.
///
/// ```swift
/// let client = try Client(name: "Postcards")
/// let region = Region(client: client, window: window, frame: Rect(x: 0, y: 0, width: 300, height: 300))
/// region.addInteraction(DragInteraction(delegate: self))
/// try client.run()
/// ```
public final class Client {
  let wire: WireConnection
  /// What is being loaded, so that `close` can say that it will not come.
  let transfers: Transfers
  let clock: AnimationClock
  /// Called when a preview cannot be shown as it was described, with a sentence that says why; a plain card, or all of
  /// the view, is seen then. On the client's thread. While it is nil, a line on stderr says so.
  public var onPreviewRefused: ((String) -> Void)?
  var describedPreviews: [WirePreview] = []
  private let poll: Descriptor
  private var isRunning = false
  private var isClosed = false
  /// The sessions that started here, while they last: what `localDragSession` finds.
  var dragSessions: [SessionID: DragSession] = [:]
  /// Regions stay while they have interactions, like views in a window.
  var regions: [ObjectIdentifier: Region] = [:]

  /// Connects to the engine of this user.
  ///
  /// - Parameters:
  ///   - name: the application's name as people see it in `carry monitor`; at most 255 bytes.
  ///   - socket: the engine's socket; nil for `$CARRY_SOCKET`, or `carry-0` in the runtime directory.
  /// - Throws: `ClientError` with a sentence that says what to do, when there is no engine.
  public init(name: String, socket: String? = nil) throws(ClientError) {
    do {
      let path: String
      if let socket { path = socket } else { path = try RuntimeSocket.path() }
      wire = try WireConnection(path: path, name: SafeText.displayable(name))
      transfers = try Transfers()
      clock = try AnimationClock()
      poll = Descriptor(owning: try check("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) })
      for fd in [wire.fileDescriptor, clock.descriptor] + transfers.descriptors {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(fd: fd))
        try check("epoll_ctl") { epoll_ctl(poll.raw, EPOLL_CTL_ADD, fd, &event) }
      }
      let (set, socket) = (poll.raw, wire.fileDescriptor)
      // What the engine does not take now is sent when it reads again.
      wire.onBehind = { isBehind in
        let events = isBehind ? EPOLLIN.rawValue | EPOLLOUT.rawValue : EPOLLIN.rawValue
        var event = epoll_event(events: events, data: epoll_data(fd: socket))
        epoll_ctl(set, EPOLL_CTL_MOD, socket, &event)
      }
    } catch let e as WireConnection.Problem {
      throw ClientError(e.sentence)
    } catch let e as SystemError {
      throw ClientError(e.sentence)
    } catch {
      throw ClientError("\(error)")
    }
  }

  /// The descriptor to watch for reading; owned by the client.
  public var fileDescriptor: Int32 { poll.raw }

  /// The engine's version, such as `0.1.0`.
  public var engineVersion: String { wire.engineVersion }

  /// Whether drag interactions that say nothing of their own are enabled: the engine's settings have it, so that small
  /// screens can do without. As it was when the client connected.
  public var isDragEnabledByDefault: Bool { wire.enablesDrags }

  /// Ends the client and everything made with it: regions disappear, the items of drags that started here are no
  /// longer promised, and the completions of loads under way are called with `cancelled`. Nothing is called back
  /// afterwards. A client that has regions lives until this is called, or until they have no interactions any more.
  ///
  /// Not from within a delegate or completion.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    isRunning = false
    transfers.cancelAll()
    for region in regions.values { region.invalidate() }
    for session in dragSessions.values { session.end() }
    try? flush()
    wire.close()
  }

  /// Handles everything that has come from the engine, calling delegates and completions; never waits.
  ///
  /// - Throws: `ClientError` when the connection is lost. The client is of no more use then.
  public func dispatch() throws(ClientError) {
    do { try wire.dispatch() } catch { throw ClientError(error.sentence) }
    transfers.turn()
    clock.turn()
    do { try wire.flush() } catch { throw ClientError(error.sentence) }
  }

  /// Sends what has been asked for so far. `dispatch()` does this too.
  public func flush() throws(ClientError) {
    do { try wire.flush() } catch { throw ClientError(error.sentence) }
  }

  /// Waits until the engine has handled everything that was sent. For start-up and tests; not from within a delegate.
  public func synchronize() throws(ClientError) {
    do { try wire.roundTrip() } catch { throw ClientError(error.sentence) }
    transfers.turn()
  }

  /// Dispatches until `stop()` is called or the connection is lost.
  ///
  /// - Parameters:
  ///   - other: another descriptor to watch for reading, such as the X connection's; nil for none.
  ///   - body: what to call before the first wait, and when the other descriptor can be read; once more when its other end
  ///     is gone. Without it the other descriptor is not watched.
  /// - Throws: `ClientError` when the connection is lost, or the other descriptor is none.
  public func run(alsoWatching other: Int32? = nil, _ body: (() -> Void)? = nil) throws(ClientError) {
    var other = body == nil ? nil : other
    if let other, clinux_get_status_flags(other) < 0 { throw ClientError("\(other) is no open descriptor") }
    isRunning = true
    // What was asked for before is sent, and what came while nobody watched is handled, before the first wait.
    try dispatch()
    body?()
    while isRunning {
      var fds = [pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)]
      if let other { fds.append(pollfd(fd: other, events: Int16(POLLIN), revents: 0)) }
      if CLinux.poll(&fds, nfds_t(fds.count), -1) < 0 {
        if clinux_errno() == EINTR { continue }
        throw ClientError(SystemError.last("poll").sentence)
      }
      if fds[0].revents != 0 { try dispatch() }
      guard fds.count > 1, fds[1].revents != 0 else { continue }
      if fds[1].revents & Int16(POLLNVAL) != 0 { throw ClientError("\(fds[1].fd) was closed while it was watched") }
      // There is nothing to read, and never will be: it would be ready for ever.
      if fds[1].revents & Int16(POLLIN) == 0 { other = nil }
      body?()
    }
  }

  func refusePreview(_ why: String) {
    if let onPreviewRefused {
      onPreviewRefused(why)
    } else {
      Warning.say("a preview is not shown as described: \(why)")
    }
  }

  /// Makes `run()` return after the current turn.
  public func stop() { isRunning = false }
}

/// Something that went wrong between the application and the engine.
public struct ClientError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence for a person, with what to do where there is something to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
