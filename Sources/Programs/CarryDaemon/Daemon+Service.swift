import CarryDirector
import CarryLoop
import CarryWireServer
import CLinux
import CarryDisplay
import CarryModel
import CarrySystem

/// Publishes the engine's status, and handles signals.
extension Daemon {
  func watchSignals() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGHUP)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    clinux_ignore(SIGPIPE)
    // A recording that may not grow is an error of its own.
    clinux_ignore(SIGXFSZ)
    let fd = signalfd(-1, &set, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK))
    guard fd >= 0 else { return }
    signals = Descriptor(owning: fd)
    sources.append(server.loop.watch(fd) { [unowned self] in self.takeSignal(fd) })
  }

  func takeSignal(_ fd: CInt) {
    var signal = signalfd_siginfo()
    guard read(fd, &signal, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size else { return }
    guard signal.ssi_signo == UInt32(SIGHUP) else {
      isRunning = false
      return
    }
    ServiceManager.notify("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.now().microseconds)")
    if let settings = configuration.reloadNow() { apply(settings) }
    apply(access.reloadNow())
    ServiceManager.notify("READY=1\nSTATUS=\(readiness)")
  }

  /// Claims a display. The claim only tells X clients where the engine is: a client that holds it without being an
  /// engine does not keep this engine from starting.
  ///
  /// - Returns: the process of the engine that already has the display; nil if there is none.
  static func claim(_ display: Display, socket: String) -> Int32? {
    switch display.claimEngine(as: EngineStatus(version: version, pid: getpid(), socket: socket)) {
    case .made: return nil
    case .refused(let pid): return pid
    case .madeOver(let other):
      Log.warning(
        "\(other) had claimed display \(display.name) without being an engine; claimed it instead")
      return nil
    }
  }

  func publishStatusIfChanged() {
    let gate = inputs.gateStatus
    let unguarded = inputs.unguardable
    if let status, status.gate == gate, status.bridge == bridge.status, status.shelf == shelfStatus,
      status.devices == inputs.count,
      status.unguarded.count == unguarded.count,
      status.unguarded.allSatisfy(unguarded.contains)
    {
      return
    }
    var new = EngineStatus(version: Self.version, pid: getpid(), socket: server.socketPath)
    new.gate = gate
    new.bridge = bridge.status
    new.shelf = shelfStatus
    new.devices = inputs.count
    new.unguarded = unguarded.sorted { $0.raw < $1.raw }
    status = new
    display.publish(new)
  }

  private var shelfStatus: EngineStatus.Shelf {
    director.shelfEdge.map { .at($0, shelf.status) } ?? .off(options.reasonForNoShelf)
  }

  /// The status line that the service manager shows.
  var readiness: String {
    SafeText.displayable("Serving display \(display.name) on \(server.socketPath)", limit: 1024)
  }
}
