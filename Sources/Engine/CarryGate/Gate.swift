import CLinux
package import CarryModel
package import CarrySystem

/// The engine's side of a gate: starts and ends the gate's process, sends it the windows to guard and the engine's
/// decisions, and receives its reports about guarded windows.
package final class Gate<Event: GateEvent> {
  private var socket: CInt = -1
  private var child: pid_t = -1
  /// The windows to guard, each with the time by which its touches may be held beyond the patience.
  private var guarded: [WindowID: Interval] = [:]
  private var job: GateJob
  private let spawner: any GateSpawner
  private let now: () -> Instant
  /// The windows that the process has been told to guard. The socket holds about a hundred orders, and there may be
  /// more windows while the process starts or is busy. The other windows follow as the process reports on these.
  private var told: [WindowID: Interval] = [:]
  /// Orders for which the socket had no room.
  private var waiting: [GateMessage] = []
  private var life = ProcessLife()

  /// - Parameters:
  ///   - patience: maximum time for which a touch or a click is held: the lift's time and 100 ms.
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
    let pair = try SocketPair(CInt(SOCK_SEQPACKET.rawValue))
    // Room for only a few orders, so that a decision about a touch does not wait behind hundreds of windows.
    var room: CInt = 12_288
    setsockopt(pair.ours.raw, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<CInt>.size))
    child = try spawner.spawn(job, at: pair.theirs.raw)
    socket = pair.takeOurs().release()
    life = ProcessLife()
    life.expectHeartbeat(at: now())
    tellOfWindows()
  }

  package func stop() {
    if socket >= 0 { close(socket) }
    socket = -1
    (told, waiting) = ([:], [])
    if child > 0 {
      // A process without its socket exits by itself. But this code waits for the exit, and a stopped process would
      // never handle SIGTERM, so it is killed. The child has not been reaped yet, so its pid cannot belong to another
      // process.
      kill(child, SIGKILL)
      ProcessEnd.wait(for: child)
    }
    child = -1
  }

  // MARK: Orders

  /// Sends the order, now or when there is room.
  func send(_ order: GateMessage) {
    guard isRunning else { return }
    waiting.append(order)
    sendWaiting()
    life.expectHeartbeat(at: now())
  }

  private func sendWaiting() {
    var sent = 0
    while sent < waiting.count, waiting[sent].send(to: socket) { sent += 1 }
    waiting.removeFirst(sent)
  }

  /// Guards exactly these windows from now on.
  ///
  /// - Parameter trials: also guarded, and held for longer, while the bridge tries whether something lifts.
  package func guardWindows(_ windows: Set<WindowID>, trials: Set<WindowID> = []) {
    guarded = [:]
    for window in windows { guarded[window] = .zero }
    for window in trials { guarded[window] = Limits.foreignTrial }
    tellOfWindows()
  }

  /// Sends the process the changes in the windows to guard, as far as the socket has room now.
  private func tellOfWindows() {
    guard isRunning, told != guarded else { return }
    life.expectHeartbeat(at: now())
    for gone in told.keys where guarded[gone] == nil {
      guard GateMessage(kind: .unguardWindow, id: gone.raw).send(to: socket) else { return }
      told[gone] = nil
    }
    for (new, longer) in guarded where told[new] != longer {
      guard GateMessage(kind: .guardWindow, id: new.raw, time: longer.microseconds).send(to: socket) else { return }
      told[new] = longer
    }
  }

  /// Sets the maximum time for which a new touch or click is held.
  package func setPatience(_ patience: Interval) {
    job.patience = patience
    send(GateMessage(kind: .patience, time: patience.microseconds))
  }

  // MARK: Liveness

  /// A touch or a click came, which the process should have seen.
  package func expectHeartbeat(at now: Instant) { if isRunning { life.expectHeartbeat(at: now) } }

  /// When `advance` has to be called next.
  package var nextDeadline: Instant? { isRunning ? life.nextDeadline : nil }

  /// Pings a process that has been silent for too long, and ends one that does not answer.
  package func advance(to now: Instant, _ body: (GateReport<Event>) -> Void) {
    guard let due = nextDeadline, due <= now else { return }
    // The engine itself may have stalled, so read the reports that have arrived.
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

  /// Reads the gate's reports, without waiting.
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

  /// Handles a message that every kind of gate sends.
  private func take(_ message: GateMessage, _ body: (GateReport<Event>) -> Void) {
    let window = WindowID(message.id)
    switch message.kind {
    case .ready: body(.ready)
    case .guarded: body(.guarding(window))
    case .guardFailed:
      forget(window)
      body(.unguarded(window))
    case .windowGone: forget(window)
    // The answer to a ping, and the release of a window.
    default: break
    }
  }

  private func forget(_ window: WindowID) {
    guarded[window] = nil
    told[window] = nil
  }
}
