import CLinux
import CarryContacts
import CarryDisplay
import CarryEvdev
import CarryGate
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
  let inputs = InputSources()
  /// Nil where no nodes are looked for.
  var touchscreens: Touchscreens?
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
  private var hasSaidThatClicksPass = false
  /// Whether there is a touchscreen whose touches should be held, and cannot be.
  var gateFailed: Bool { inputs.gated.map { !$0.runner.isRunning } ?? false }
  /// Whether the X server's touches are taken in, so that their nodes are not read.
  var takesTouches = false
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
    for file in options.recordings {
      do {
        let recording = try RecordingFile.load(file)
        _ = try RecordingPlayer(recording, startingAt: .zero, file: file)
        inputs.add(recording: recording, file: file)
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
    gestures = GestureEngine(settings: settings)
    engine = SessionEngine(settings: settings, tree: display.windows)
    stage = Stage(settings: settings)
    actions.reserveCapacity(64)
    gestureEvents.reserveCapacity(32)
    server.delegate = self
    server.enablesDrags = settings.dragsAreEnabled
    server.fewItems = settings.fewItems
    display.setPickUpKey(settings.pickUpKey)
    screenChanged()
    inputs.settings = settings
    inputs.onTouch = { [unowned self] touch in self.handle(touch) }
    try openDevices()
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
    inputs.gated?.runner.gate.setPatience(settings.gatePatience)
    inputs.settings = settings
    inputs.clicks?.runner.gate.setPatience(settings.gatePatience)
    guard let touchscreens else { return }
    touchscreens.wants(Self.kinds(settings))
    startClickGate()
  }

  /// The devices that are looked for.
  private static func kinds(_ settings: Settings) -> Set<DeviceDescription.Kind> {
    settings.trackpads ? [.touchscreen, .trackpad] : [.touchscreen]
  }

  /// Touches that applications must not act on have to be held by the X server; where it can, they come from it, with
  /// the position that it gives them, and no node needs to be read.
  private func startGate() {
    guard inputs.gated == nil, options.devices.isEmpty, !isReplaying, !display.touchDevices.isEmpty else { return }
    let gate = Gate<TouchEvent>(displayName: options.display, patience: engine.settings.gatePatience)
    let gated = GatedTouches(GateRunner(gate, server.loop), identifiers: inputs.identifiers)
    gated.onTouch = { [unowned self] touch in self.handle(touch) }
    gated.wantsObserved = { [unowned self] point, isUnguardable in
      // A carrying finger that a flickering panel lost for a moment comes back wherever it is.
      if self.gestures.awaitsReturn(at: point, time: MonotonicClock.now()) { return true }
      // So does one that may take a stack over: no window lies above that.
      if self.stage.session(at: point, time: MonotonicClock.now()) != nil { return true }
      guard let region = self.engine.dragRegion(at: point) else { return false }
      return region.roles.contains(.cooperative) || isUnguardable(region.window)
    }
    // One that cannot be started yet is started later.
    inputs.gated = gated
    gated.runner.start()
    regionsChanged = true
  }

  /// Where trackpads carry, the clicks that lift are held like touches.
  func startClickGate() {
    guard engine.settings.trackpads, !isReplaying, display.touchDevices.isEmpty else {
      // Of the grabs of a button and of touches on one window the X server heeds only the newest for a touch that stands
      // for a click: touches would slip through.
      if engine.settings.trackpads, !isReplaying, !hasSaidThatClicksPass {
        hasSaidThatClicksPass = true
        Log.notice("the X server has a touchscreen: the clicks of trackpads are not held, and seen by applications too")
      }
      inputs.clicks?.stop()
      inputs.clicks = nil
      return
    }
    guard inputs.clicks == nil else { return }
    let gate = Gate<ClickEvent>(displayName: options.display, patience: engine.settings.gatePatience)
    let clicks = GatedClicks(GateRunner(gate, server.loop))
    clicks.finger = { [unowned self] in self.inputs.clickedFinger() }
    clicks.runner.start()
    inputs.clicks = clicks
    regionsChanged = true
  }

  /// The touchscreens of the X server are others now, or lie elsewhere on the screen.
  func touchDevicesChanged() {
    startClickGate()
    startGate()
    inputs.gated?.devices = display.touchDevices
    inputs.gated?.screen = display.rootSize
    inputs.gated?.scale = display.dotsPerInch / 96
    inputs.remap(display)
    takesTouches = inputs.gated?.runner.hasRun == true
    touchscreens?.serverChanged(takesTouches: takesTouches)
  }

  private func openDevices() throws(StartProblem) {
    for node in options.devices {
      do { try inputs.add(node: node, display: display, loop: server.loop) } catch {
        throw StartProblem(sentence: error.sentence, status: 1)
      }
    }
    guard options.devices.isEmpty, !isReplaying else { return }
    let touchscreens = Touchscreens(inputs, display, server.loop, kinds: Self.kinds(engine.settings))
    self.touchscreens = touchscreens
    touchscreens.onCompanionContact = { [unowned self] device, contact, point, time in
      self.inputs.gated?.nodeContact(contact, device: device, at: point, time: time)
    }
    touchDevicesChanged()
    touchscreens.start()
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
    touchscreens = nil
    inputs.gated?.stop()
    inputs.clicks?.stop()
    // Before the socket: whoever gets that finds the display free.
    display.leave()
    server.close()
  }
}
