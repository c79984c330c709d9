import CLinux
import CarryLoop
import CarryModel
import CarrySystem
import CarryWireServer

/// Starts the shelf's process when a drag begins and it does not run, and ends one that hangs: its window would stay on the
/// screen. It ends by itself when there is nothing on the shelf.
final class ShelfRunner {
  private let server: WireServer
  private let displayName: String?
  private let now: () -> Instant
  private var process: HelperProcess?
  private var watch: EventLoop.Source?
  private var life = ProcessLife()
  /// Whether it has not answered once. The engine itself may have stood still, with the answer unread.
  private var isSuspected = false
  /// Whether the log has mentioned that the process cannot be started.
  private var hasSaidSo = false

  /// The program, started again as the shelf.
  private static let program = "/proc/self/exe"

  init(_ server: WireServer, displayName: String?, now: @escaping () -> Instant = MonotonicClock.now) {
    (self.server, self.displayName, self.now) = (server, displayName, now)
    server.shelf.onWanted = { [weak self] in self?.start() }
    server.shelf.onEnded = { [weak self] in self?.end() }
    server.shelf.onAsked = { [weak self] in self?.expectsSign() }
    server.shelf.onSign = { [weak self] in
      self?.life.hasSaidSomething()
      self?.isSuspected = false
    }
  }

  private func expectsSign() { if process != nil { life.expectsSign(at: now()) } }

  private func start() {
    guard process == nil else { return }
    do throws(SystemError) { try connect() } catch {
      if !hasSaidSo { Log.error("the shelf cannot be started: \(error.sentence)") }
      hasSaidSo = true
    }
  }

  private func connect() throws(SystemError) {
    let pair = try SocketPair(CInt(SOCK_STREAM.rawValue))
    let arguments =
      ["--shelf-process", String(HelperProcess.socketNumber)] + (displayName.map { ["--display", $0] } ?? [])
      + (Log.threshold == .debug ? ["--verbose"] : [])
    (life, isSuspected) = (ProcessLife(), false)
    let process = try HelperProcess(Self.program, arguments, at: pair.theirs.raw)
    try server.add(.shelf, at: pair.takeOurs(), process: process.pid)
    self.process = process
    guard process.handle >= 0 else { return }
    watch = server.loop.watch(process.handle) { [weak self] in self?.end() }
  }

  /// Ends the process, and what was on the shelf is nobody's any more.
  func end() {
    watch?.cancel()
    watch = nil
    // Whoever is let go of is killed.
    process = nil
    server.end(.shelf)
  }

  // MARK: Time

  /// When `advance` wants to be called.
  var nextDeadline: Instant? { process == nil ? nil : life.nextDeadline }

  /// The shelf's messages have been read before.
  func advance(to now: Instant) {
    guard process != nil else { return }
    switch life.advance(to: now) {
    case .nothing: break
    case .ask: server.askShelf()
    case .hung where isSuspected:
      Log.warning("the shelf does not answer, and is ended; what lay on it is forgotten")
      end()
    case .hung:
      isSuspected = true
      life.expectsSign(at: now)
    }
  }
}
