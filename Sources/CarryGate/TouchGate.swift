import CLinux
package import CarryModel
package import CarrySystem

/// The engine's side of the touch gate: keeps the gate's process running, tells it which windows to guard, and gives
/// its decisions. What fingers do in guarded windows comes from here, in screen pixels as the X server sees them.
package final class TouchGate {
  /// What the gate's process reports.
  package enum Event: Equatable, Sendable {
    case began(touch: UInt32, Point, Instant)
    case moved(touch: UInt32, Point, Instant)
    case ended(touch: UInt32, Point, Instant)
    /// The application has the touch: the gate's patience was over.
    case expired(touch: UInt32)
    /// A touch anywhere on the screen, where its device says; those of guarded windows come in the other way as well.
    case rawBegan(touch: UInt32, device: UInt32, Point, Instant)
    case rawMoved(touch: UInt32, device: UInt32, Point, Instant)
    case rawEnded(touch: UInt32, device: UInt32, Instant)
    /// Touches are seen from now on.
    case ready
    /// Touches of this window are held from now on.
    case guarding(WindowID)
    /// Touches of this window cannot be held: another client does.
    case unguarded(WindowID)
    /// The left button went down in a guarded window and waits: it must be given, kept or taken at once.
    case clicked(UInt32)
    /// The application has the click.
    case clickExpired(UInt32)
    /// The gate's process is gone; every touch with it.
    case lost
    /// The gate's process did not answer and was ended; the application has every touch that it held.
    case hung
  }

  private var socket: CInt = -1
  private var child: pid_t = -1
  private var guarded: Set<WindowID> = []
  private let displayName: String?
  private var patience: Interval
  private let holds: Held
  private let program: String
  /// The windows that the process has been told to guard. A socket holds some hundred orders, and there may be more
  /// windows before it has started or while it is busy: the others follow as it reports on these.
  private var told: Set<WindowID> = []
  /// Orders about touches that there was no room for.
  private var waiting: [GateMessage] = []
  private var life = GateLife()

  /// What a gate's process holds; each kind has one of its own.
  package enum Held: String, Sendable {
    case touches = "--touch-gate"
    /// The left button's presses, for trackpads.
    case clicks = "--click-gate"
  }

  /// - Parameters:
  ///   - patience: how long a touch is held at the most: the lift's time and a little.
  ///   - program: carryd; this program if left out.
  package init(
    displayName: String?, patience: Interval, holds: Held = .touches, program: String = "/proc/self/exe"
  ) {
    self.holds = holds
    self.program = program
    self.displayName = displayName
    self.patience = patience
  }

  deinit { stop() }

  package var isRunning: Bool { socket >= 0 }

  /// Readable when `dispatch` has something to do; -1 while there is no process.
  package var fileDescriptor: CInt { socket }

  /// Starts the process: this program again, with the gate's own arguments.
  package func start() throws(SystemError) {
    guard socket < 0 else { return }
    var pair: [CInt] = [-1, -1]
    let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    try check("socketpair") { socketpair(AF_UNIX, kind, 0, &pair) }
    let theirs = Descriptor(owning: pair[1])
    // Room for a few orders only: a decision about a touch is not to wait behind hundreds of windows.
    var room: CInt = 12_288
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<CInt>.size))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, theirs.raw, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // Its own group: what stops or kills the engine's leaves the gate to do its duty.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let arguments =
      ["carryd", holds.rawValue, "3", "--patience-us", String(patience.microseconds)]
      + (displayName.map { ["--display", $0] } ?? [])
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for p in argv { free(p) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, program, &actions, &attributes, &argv, clinux_environ())
    guard code == 0 else {
      close(pair[0])
      throw SystemError(code: code, call: "posix_spawn", subject: "touch gate")
    }
    child = pid
    socket = pair[0]
    life = GateLife()
    life.expectsSign(at: MonotonicClock.now())
    tellOfWindows()
  }

  private func send(_ order: GateMessage) {
    guard isRunning else { return }
    waiting.append(order)
    sendWaiting()
    life.expectsSign(at: MonotonicClock.now())
  }

  private func sendWaiting() {
    var sent = 0
    while sent < waiting.count, waiting[sent].send(to: socket) { sent += 1 }
    waiting.removeFirst(sent)
  }

  package func stop() {
    if socket >= 0 { close(socket) }
    socket = -1
    (told, waiting) = ([], [])
    if child > 0 {
      // Without its socket it ends by itself; but this waits for it, and one that is stopped would never heed SIGTERM.
      var status: CInt = 0
      if waitpid(child, &status, WNOHANG) == 0 {
        kill(child, SIGKILL)
        waitpid(child, &status, 0)
      }
    }
    child = -1
  }

  /// Guards exactly these windows from now on.
  package func guardWindows(_ windows: Set<WindowID>) {
    guarded = windows
    tellOfWindows()
  }

  /// Brings what the process guards in line with what it should, as far as there is room in the socket now.
  private func tellOfWindows() {
    guard isRunning, told != guarded else { return }
    life.expectsSign(at: MonotonicClock.now())
    for gone in told.subtracting(guarded) {
      guard GateMessage(kind: .unguardWindow, id: gone.raw).send(to: socket) else { return }
      told.remove(gone)
    }
    for new in guarded.subtracting(told) {
      guard GateMessage(kind: .guardWindow, id: new.raw).send(to: socket) else { return }
      told.insert(new)
    }
  }

  /// Holds touches that begin from now on for this long at the most.
  package func setPatience(_ patience: Interval) {
    self.patience = patience
    send(GateMessage(kind: .patience, id: 0, time: patience.microseconds))
  }

  /// The touch is the engine's.
  package func accept(_ touch: UInt32) { send(GateMessage(kind: .accept, id: touch)) }

  /// The touch is the application's.
  package func reject(_ touch: UInt32) { send(GateMessage(kind: .reject, id: touch)) }

  /// How this touch moves is wanted, though it is not held. `raw` is where it is, as its device says.
  package func observe(_ touch: UInt32, from raw: Point) {
    var message = GateMessage(kind: .observe, id: touch)
    message.x = Int32(max(-8_000_000, min(8_000_000, raw.x)) * 256)
    message.y = Int32(max(-8_000_000, min(8_000_000, raw.y)) * 256)
    send(message)
  }

  package func unobserve(_ touch: UInt32) { send(GateMessage(kind: .unobserve, id: touch)) }

  /// The click may lift something.
  package func keep(click: UInt32) { send(GateMessage(kind: .keepClick, id: click)) }

  /// The click is the engine's: the application never sees it.
  package func take(click: UInt32) { send(GateMessage(kind: .takeClick, id: click)) }

  /// The click is the application's.
  package func give(click: UInt32) { send(GateMessage(kind: .giveClick, id: click)) }

  // MARK: Whether it lives

  /// A touch or a click came, which the process should have heard of.
  package func expectsSign(at now: Instant) { if isRunning { life.expectsSign(at: now) } }

  /// When `advance` wants to be called.
  package var nextDeadline: Instant? { isRunning ? life.nextDeadline : nil }

  /// Asks a process that has been silent for too long whether it lives, and ends one that does not answer.
  package func advance(to now: Instant, _ body: (Event) -> Void) {
    guard let due = nextDeadline, due <= now else { return }
    // It may be this program that stood still.
    dispatch(body)
    guard isRunning else { return }
    switch life.advance(to: now) {
    case .nothing: break
    case .ask: send(GateMessage(kind: .ping, id: 0))
    case .hung:
      stop()
      body(.hung)
    }
  }

  /// Takes in what the gate has reported, without waiting.
  package func dispatch(_ body: (Event) -> Void) {
    defer {
      sendWaiting()
      tellOfWindows()
    }
    while socket >= 0 {
      switch GateMessage.receive(from: socket) {
      case .nothing: return
      case .closed:
        stop()
        body(.lost)
        return
      case .message(let m):
        life.hasSaidSomething()
        let point = Point(x: Double(m.x) / 256, y: Double(m.y) / 256)
        let time = Instant(microseconds: m.time)
        switch m.kind {
        case .began: body(.began(touch: m.id, point, time))
        case .moved: body(.moved(touch: m.id, point, time))
        case .ended: body(.ended(touch: m.id, point, time))
        case .expired: body(.expired(touch: m.id))
        case .rawBegan: body(.rawBegan(touch: m.id, device: m.device, point, time))
        case .rawMoved: body(.rawMoved(touch: m.id, device: m.device, point, time))
        case .rawEnded: body(.rawEnded(touch: m.id, device: m.device, time))
        case .ready: body(.ready)
        case .guarded: body(.guarding(WindowID(m.id)))
        case .guardFailed:
          guarded.remove(WindowID(m.id))
          told.remove(WindowID(m.id))
          body(.unguarded(WindowID(m.id)))
        case .windowGone:
          guarded.remove(WindowID(m.id))
          told.remove(WindowID(m.id))
        case .pong, .released: break
        case .clicked: body(.clicked(m.id))
        case .clickExpired: body(.clickExpired(m.id))
        case .guardWindow, .unguardWindow, .accept, .reject, .observe, .unobserve, .patience, .keepClick, .takeClick,
          .giveClick, .ping:
          break
        }
      }
    }
  }
}
