import CarryConfiguration
import CarryLoop
import CarryRecordings
import CLinux
import CarryContacts
import CarryDirector
import CarryDisplay
import CarryEvdev
package import CarryModel
import CarrySystem
import CarryWireServer

/// The engine of one display: input, the director, the X server and the clients, on one thread and one loop.
///
/// Each turn of the loop reads all input, handles deadlines, and then sends everything at once: at most one request
/// to the X server for a preview that only moved, and one flush in each direction.
package final class Daemon {
  package static var version: String { "\(Version.text)" }

  /// Replaced by a new object after the X server has died and come back.
  var display: Display
  let server: WireServer
  let inputs: Input
  let director: Director
  var displaySource: EventLoop.Source?
  var reconnection: Reconnection?
  var heartbeat = Heartbeat()
  var sources: [EventLoop.Source] = []
  var signals: Descriptor?
  private let sleep = try? SleepMonitor()
  let configuration: ConfigurationWatch
  let access: AccessFiles
  let bridge: BridgeRunner
  let shelf: ShelfRunner
  /// The status that is published to X clients.
  var status: EngineStatus?
  var isRunning = false
  /// Whether the X connection has events to read.
  var displayIsReadable = true
  var displayPace = DisplayPace()
  /// Whether the next turn has something to do, and must not wait.
  var mustNotBlock = false
  var failure: String?
  let options: DaemonOptions
  let isReplaying: Bool
  var replayStart: ReplayStart
  var guardPace = GuardThrottle()
  var startupCode = StartupCode(at: MonotonicClock.now())
  /// How late recordings' frames of contacts were, once their pictures were sent.
  var handling = FrameLateness("frames of contacts were played", limit: .milliseconds(16))

  package init(_ options: DaemonOptions) throws(Problem) {
    self.options = options
    // First, because a client may wait at a socket that the service manager handed over: if anything fails from here
    // on, the engine closes that client's connection.
    let listener: SocketListener
    do { listener = try options.listen() } catch {
      // An engine that has the socket nearly always serves the same display, where another socket would be of no use.
      if error.status == 3, let display = try? Display(name: options.display), let pid = display.servingEngine() {
        throw Self.isServed(display, by: pid)
      }
      throw error
    }
    configuration = try ConfigurationWatch(named: options.configuration)
    do { access = try AccessFiles(manifests: options.manifests, policy: options.policy) } catch {
      throw Problem(error.sentence)
    }
    let settings = options.adjust(configuration.settings)
    isReplaying = !options.recordings.isEmpty
    replayStart = ReplayStart(
      begin: MonotonicClock.now(), delay: options.replayDelay, clients: options.replayClients)
    // Recordings before the display, so that a mistake in a file has no other effects.
    var recordings: [(file: String, recording: Recording)] = []
    for file in options.recordings {
      do {
        let recording = try RecordingFile.load(file)
        _ = try RecordingPlayer(recording, startingAt: .zero, file: file)
        recordings.append((file, recording))
      } catch {
        throw Problem(error.sentence)
      }
    }
    if let refusal = SessionType.refusal(displayIsNamed: options.display != nil) {
      throw Problem(refusal, status: 3)
    }
    do { display = try Display(name: options.display) } catch {
      throw Problem(error.sentence, status: 3)
    }
    if let pid = Self.claim(display, socket: listener.path) {
      throw Self.isServed(display, by: pid)
    }
    // Once it is certain that this engine serves the display: a file would be left behind.
    let recorder: SessionRecorder?
    do throws(SystemError) {
      recorder = try options.sessionRecording.map { path throws(SystemError) in try SessionRecorder(path) }
    } catch {
      throw Problem(
        "\(SafeText.displayable(error.subject, limit: 4096)): \(error.reason); --record-session makes a new file")
    }
    do { server = try WireServer(listener: listener, version: Self.version) } catch {
      throw Problem(error.sentence)
    }
    inputs = Input(
      Input.Options(displayName: options.display, nodes: options.devices, isPlayed: options.isPlayed), server.loop,
      settings)
    director = Director(settings: settings, screen: display, clients: server, fingers: inputs)
    for (file, recording) in recordings { inputs.add(recording: recording, file: file) }
    director.apply(access.policy)
    if let recorder {
      director.record { recorder.record($0, at: $1, $2) }
      server.recording = recorder.displayedPath
    }
    server.delegate = director
    if options.isForTests { server.makeTouchscreen = { [inputs] in PlayedFingers(inputs) } }
    server.findProgram = { [access] facts, process, known in
      access.registry.identity(of: facts, process, known: known)
    }
    bridge = BridgeRunner(server, displayName: options.display)
    shelf = ShelfRunner(server, displayName: options.display)
    inputs.delegate = self
    inputs.remap(ScreenLayout(display))
    do { try inputs.open() } catch { throw Problem(error.sentence) }
    if options.display != nil || isReplaying { Log.debug("replaying \(options.recordings.count) recordings") }
  }

  private static func isServed(_ display: Display, by pid: Int32) -> Problem {
    Problem(
      "another engine, process \(pid), serves display \(display.name) already: nothing to do; or end it first (systemctl "
        + "--user stop carry.socket carry.service, or kill \(pid)), or name another display with --display",
      status: 3)
  }

  /// Applies new settings: to fingers that come down from now on, and to later steps of sessions.
  func apply(_ settings: Settings) {
    let settings = options.adjust(settings)
    director.apply(settings)
    inputs.apply(settings)
    if settings.bridge.isEnabled { bridge.start() } else { bridge.stop() }
    if settings.shelf.edge == nil { shelf.end() }
  }

  /// Applies the changes of the manifests and the policy.
  func apply(_ change: AccessFiles.Change) {
    if change.hasPolicy { director.apply(access.policy) }
    if change.hasManifests { server.identifyAgain() }
  }

  // MARK: The loop

  /// Runs until a signal, the end of the recordings, or the loss of the display.
  ///
  /// - Returns: the exit status.
  package func run() -> CInt {
    watchSignals()
    watchDisplay()
    if let sleep {
      sources.append(
        server.loop.watch(sleep.fileDescriptor) { [unowned self, unowned sleep] in
          guard sleep.read() else { return }
          Log.info("the machine has slept; asking the devices which fingers there are")
          self.inputs.askForState()
        })
    }
    configuration.start(server.loop) { [unowned self] settings in apply(settings) }
    access.start(server.loop) { [unowned self] change in apply(change) }
    // An engine and a bridge that were killed together may have left the button down.
    display.releaseButton()
    if director.settings.bridge.isEnabled { bridge.start() }
    isRunning = true
    Log.notice("serves display \(display.name) on \(SafeText.displayable(server.socketPath, limit: 4096))")
    if isReplaying, options.replayDelay == nil {
      let wanted = options.replayClients
      let who = wanted == 1 ? "an application to register a region" : "\(wanted) applications to register a region each"
      Log.notice("waiting for \(who); --replay-delay starts without")
    }
    finishTurn()
    ServiceManager.notify("READY=1\nSTATUS=\(readiness)")
    while isRunning {
      server.loop.turn(waits: !mustNotBlock)
      finishTurn()
    }
    ServiceManager.notify("STOPPING=1")
    shutDown()
    if let failure {
      Log.error(failure)
      return 3
    }
    for line in inputs.problems { Log.warning(line) }
    return 0
  }

  func watchDisplay() {
    displaySource = server.loop.watch(display.fileDescriptor) { [unowned self] in
      // Read in `finishTurn`, which ends every turn. While the source is paused, only a hang-up is reported.
      self.displayIsReadable = true
      self.displayPace = DisplayPace()
    }
    displayIsReadable = true
    displayPace = DisplayPace()
  }

  // MARK: Shutdown

  /// Cancels every session, tells all participants, and clears the screen.
  private func shutDown() {
    let now = MonotonicClock.now()
    for sentence in [director.pictures.latenessSentence, handling.sentence] { if let sentence { Log.info(sentence) } }
    if isReplaying, !inputs.hasPendingRecordings, !director.hasMetDragRegion {
      let first = director.firstMiss.map { ": the first one did at \(Int($0.x)), \(Int($0.y))" } ?? ""
      Log.warning(
        "no finger of the recording came down on a drag region that can be seen\(first); are the windows there, and in "
          + "time? --replay-delay and --replay-clients give applications more of it")
    }
    director.stop(at: now)
    display.flush()
    server.flush()
    sources = []
    displaySource = nil
    configuration.stop()
    access.stop()
    inputs.stop()
    bridge.stop()
    shelf.end()
    // Before the socket: the next engine that gets the socket has to find the display free.
    display.leave()
    server.close()
  }
}
