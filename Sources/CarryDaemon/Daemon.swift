import CLinux
import CarryContacts
import CarryDisplay
import CarryEvdev
import CarryGestures
import CarryModel
import CarrySessions
import CarryStage
import CarrySystem
import CarryWireServer

/// The engine of one display: wires input, gestures, sessions, stage, display and wire together, on one thread.
///
/// Each turn of the loop takes in what has come, lets time pass, and then sends everything at once: at most one
/// request to the X server for a preview that only moved, and one flush each way.
package final class Daemon {
  package static var version: String { "\(Version.text)" }

  /// Another one after the X server has died and come back.
  var display: Display
  let server: WireServer
  let inputs: Input
  var displaySource: EventLoop.Source?
  var reconnection: Reconnection?
  let mediaTypes = MediaTypes()
  var gestures: GestureEngine
  var engine: SessionEngine
  var stage: Stage
  var drawList = DrawList()
  /// The time of the last finger's change that was taken in.
  var lastTouch = Instant.zero
  /// What the engine wants done; emptied before anything else is taken in.
  var actions: [SessionAction] = []
  var gestureEvents: [GestureEvent] = []
  var isCarryingOut = false
  var sources: [EventLoop.Source] = []
  var signals: Descriptor?
  let sleep = try? SleepMonitor()
  /// How often the service manager hears that the loop goes round, and when it does next.
  let heartbeat = ServiceManager.heartbeat()
  var nextHeartbeat: Instant?
  let configuration: ConfigurationWatch
  /// What X clients can see of us now.
  var status: EngineStatus?
  /// Whether a deadline that stays has been spoken of.
  var hasSaidWhatStays = false
  var isRunning = false
  /// Whether the X connection has something to say.
  var displayIsReadable = true
  /// Whether the X server has still to draw what it was asked for.
  var displayIsBusy = false
  var failure: String?
  let options: DaemonOptions
  let startTime = MonotonicClock.now()
  /// When the newest region was registered: recordings start a moment after it.
  var lastRegistration: Instant?
  /// The applications that have registered a region, while recordings wait for them.
  var registrants: Set<ClientID> = []
  /// Windows whose owner the X server has told, until they are destroyed: each question is waited for.
  var ownedWindows: [WindowID: ClientID] = [:]
  /// Whether the gate may have other windows to guard.
  var regionsChanged = false
  private(set) var isReplaying: Bool
  var guardPace = GuardPace()
  /// Z14: a session that keys drive.
  var keyboard = KeyboardDriver()
  var announcements: [KeyboardDriver.Announcement] = []
  /// The region that keys went to last.
  var spokenRegion: RegionID?
  /// The device of each session's finger, which may be up when the last words are said.
  var deviceOfSession: [SessionID: String] = [:]
  var pictures = SessionPictures()
  /// When the next frame was due, as of the last turn, and how late such frames were.
  var frameWaitedFor: Instant?
  var lateness = FrameLateness("frames were due", limit: .milliseconds(2))
  /// Of recordings: frames of contacts, by the time of their pictures.
  var handling = FrameLateness("frames of contacts were played", limit: .milliseconds(16))

  /// Why the engine does not start.
  package struct StartProblem: Error, Sendable {
    package var sentence: String
    package var status: CInt
  }

  /// How long after the newest registration recordings start: the other applications of a script come up meanwhile.
  static let registrationSettles = Interval.milliseconds(500)

  package init(_ options: DaemonOptions) throws(StartProblem) {
    self.options = options
    // First: whatever goes wrong from here on, who waits at a socket that was handed over is told by a hang-up.
    let listener = try options.listen()
    do { configuration = try ConfigurationWatch(named: options.configuration) } catch {
      throw StartProblem(sentence: error.sentence, status: 1)
    }
    let settings = options.adjust(configuration.settings)
    isReplaying = !options.recordings.isEmpty
    // Recordings first: a mistake in one costs nothing else.
    var recordings: [(file: String, recording: Recording)] = []
    for file in options.recordings {
      do {
        let recording = try RecordingFile.load(file)
        _ = try RecordingPlayer(recording, startingAt: .zero, file: file)
        recordings.append((file, recording))
      } catch {
        throw StartProblem(sentence: error.description, status: 1)
      }
    }
    if let refusal = SessionType.refusal(displayIsNamed: options.display != nil) {
      throw StartProblem(sentence: refusal, status: 3)
    }
    do { display = try Display(name: options.display) } catch {
      throw StartProblem(sentence: error.sentence, status: 3)
    }
    guard display.claimEngine() else {
      throw StartProblem(
        sentence: "another engine already serves this display; stop it first, or give --display another one", status: 3)
    }
    do { server = try WireServer(listener: listener, version: Self.version) } catch {
      throw StartProblem(sentence: error.sentence, status: 1)
    }
    inputs = Input(
      Input.Options(
        displayName: options.display, nodes: options.devices, isReplaying: !options.recordings.isEmpty),
      server.loop, settings)
    for (file, recording) in recordings { inputs.add(recording: recording, file: file) }
    gestures = GestureEngine(settings: settings)
    engine = SessionEngine(settings: settings, tree: display.windows)
    stage = Stage(settings: settings)
    actions.reserveCapacity(64)
    gestureEvents.reserveCapacity(32)
    server.delegate = self
    server.enablesDrags = settings.dragsAreEnabled
    server.fewItems = settings.fewItems
    display.setPickUpKey(settings.pickUpKey)
    inputs.delegate = self
    screenChanged()
    do { try inputs.open() } catch { throw StartProblem(sentence: error.sentence, status: 1) }
    if options.display != nil || isReplaying { Log.debug("replaying \(options.recordings.count) recordings") }
  }

  /// New constants: for fingers that come down, and for steps of sessions that are yet to come.
  func apply(_ settings: Settings) {
    let settings = options.adjust(settings)
    gestures.apply(settings)
    engine.apply(settings)
    server.enablesDrags = settings.dragsAreEnabled
    server.fewItems = settings.fewItems
    stage.setSettings(settings)
    display.setPickUpKey(settings.pickUpKey)
    inputs.apply(settings)
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
    configuration.start(server.loop)
    isRunning = true
    if isReplaying, options.replayDelay == nil {
      Log.notice("waiting for an application to register a region; --replay-delay starts without one")
    }
    finishTurn()
    StartupCode.release()
    ServiceManager.notify("READY=1\nSTATUS=\(readiness)")
    var isFirst = true
    while isRunning {
      server.loop.turn()
      finishTurn()
      // What came while starting is taken in; then nothing is to be done until somebody touches the screen.
      if isFirst { StartupCode.release() }
      isFirst = false
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
      // Read in `finishTurn`, which every turn ends with.
      self.displayIsReadable = true
    }
    displayIsReadable = true
  }

  // MARK: The end

  /// Every session is cancelled, everybody is told, nothing stays on the screen.
  private func shutDown() {
    let now = MonotonicClock.now()
    for sentence in [lateness.sentence, handling.sentence] { if let sentence { Log.info(sentence) } }
    if isReplaying, !inputs.hasPendingRecordings, !engine.hasMetDragRegion {
      Log.warning(
        "no finger of the recording came down on a drag region that can be seen; --replay-delay gives applications more "
          + "time to be there")
    }
    withEngine { $0.stop(at: now, into: &$1) }
    drawFrame(at: now)
    display.flush()
    server.flush()
    sources = []
    displaySource = nil
    configuration.stop()
    inputs.stop()
    // Before the socket: whoever gets that finds the display free.
    display.leave()
    server.close()
  }
}
