import CLinux
package import CarryModel
package import CarrySystem

/// The engine's side of a gate: starts and ends the gate's process, tells it which windows to guard, and gives it the
/// engine's decisions. What happens in guarded windows comes from here.
package final class Gate<Event: GateEvent> {
  private var socket: CInt = -1
  private var child: pid_t = -1
  private var guarded: Set<WindowID> = []
  private var job: GateJob
  private let spawner: any GateSpawner
  private let now: () -> Instant
  /// The windows that the process has been told to guard. A socket holds some hundred orders, and there may be more
  /// windows before it has started or while it is busy: the others follow as it reports on these.
  private var told: Set<WindowID> = []
  /// Orders that there was no room for.
  private var waiting: [GateMessage] = []
  private var life = GateLife()

  /// - Parameters:
  ///   - patience: how long a touch or a click is held at the most: the lift's time and a little.
  ///   - now: the clock, for tests.
  package init(
    displayName: String?, patience: Interval, spawner: any GateSpawner = GateProgram(),
    now: @escaping () -> Instant = MonotonicClock.now
  ) {
    job = GateJob(kind: Event.kind, displayName: displayName, patience: patience)
    self.spawner = spawner
    self.now = now
  }

  deinit { stop() }

  package var isRunning: Bool { socket >= 0 }

  /// Readable when `dispatch` has something to do; -1 while there is no process.
  package var fileDescriptor: CInt { socket }

  // MARK: The process

  /// Starts the process, unless it runs.
  package func start() throws(SystemError) {
    guard socket < 0 else { return }
    var pair: [CInt] = [-1, -1]
    let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    try check("socketpair") { socketpair(AF_UNIX, kind, 0, &pair) }
    let ours = Descriptor(owning: pair[0])
    let theirs = Descriptor(owning: pair[1])
    // Room for a few orders only: a decision about a touch is not to wait behind hundreds of windows.
    var room: CInt = 12_288
    setsockopt(ours.raw, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<CInt>.size))
    child = try spawner.spawn(job, at: theirs.raw)
    socket = ours.release()
    life = GateLife()
    life.expectsSign(at: now())
    tellOfWindows()
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

  // MARK: Orders

  /// Sends the order, now or when there is room.
  func send(_ order: GateMessage) {
    guard isRunning else { return }
    waiting.append(order)
    sendWaiting()
    life.expectsSign(at: now())
  }

  private func sendWaiting() {
    var sent = 0
    while sent < waiting.count, waiting[sent].send(to: socket) { sent += 1 }
    waiting.removeFirst(sent)
  }

  /// Guards exactly these windows from now on.
  package func guardWindows(_ windows: Set<WindowID>) {
    guarded = windows
    tellOfWindows()
  }

  /// Brings what the process guards in line with what it should, as far as there is room in the socket now.
  private func tellOfWindows() {
    guard isRunning, told != guarded else { return }
    life.expectsSign(at: now())
    for gone in told.subtracting(guarded) {
      guard GateMessage(kind: .unguardWindow, id: gone.raw).send(to: socket) else { return }
      told.remove(gone)
    }
    for new in guarded.subtracting(told) {
      guard GateMessage(kind: .guardWindow, id: new.raw).send(to: socket) else { return }
      told.insert(new)
    }
  }

  /// Holds what begins from now on for this long at the most.
  package func setPatience(_ patience: Interval) {
    job.patience = patience
    send(GateMessage(kind: .patience, time: patience.microseconds))
  }

  // MARK: Whether it lives

  /// A touch or a click came, which the process should have heard of.
  package func expectsSign(at now: Instant) { if isRunning { life.expectsSign(at: now) } }

  /// When `advance` wants to be called.
  package var nextDeadline: Instant? { isRunning ? life.nextDeadline : nil }

  /// Asks a process that has been silent for too long whether it lives, and ends one that does not answer.
  package func advance(to now: Instant, _ body: (GateReport<Event>) -> Void) {
    guard let due = nextDeadline, due <= now else { return }
    // It may be this program that stood still.
    dispatch(body)
    guard isRunning else { return }
    switch life.advance(to: now) {
    case .nothing: break
    case .ask: send(GateMessage(kind: .ping))
    case .hung:
      stop()
      body(.hung)
    }
  }

  // MARK: Reports

  /// Takes in what the gate has reported, without waiting.
  package func dispatch(_ body: (GateReport<Event>) -> Void) {
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
      case .message(let message):
        life.hasSaidSomething()
        if let event = Event(message) { body(.event(event)) } else { take(message, body) }
      }
    }
  }

  /// What a gate of any kind says of itself.
  private func take(_ message: GateMessage, _ body: (GateReport<Event>) -> Void) {
    let window = WindowID(message.id)
    switch message.kind {
    case .ready: body(.ready)
    case .guarded: body(.guarding(window))
    case .guardFailed:
      forget(window)
      body(.unguarded(window))
    case .windowGone: forget(window)
    // That it lives, and that a window is let go of.
    default: break
    }
  }

  private func forget(_ window: WindowID) {
    guarded.remove(window)
    told.remove(window)
  }
}
