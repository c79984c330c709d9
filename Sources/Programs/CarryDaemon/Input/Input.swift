import CarryContacts
import CarryDisplay
import CarryEvdev
import CarryGate
import CarryGestures
import CarryLoop
import CarryModel
import CarryRecordings
import CarrySystem

/// Receives all touches and decides about them: the daemon, or a test.
protocol InputDelegate: AnyObject {
  /// Receives everything that fingers do. Touches of one source come in the order of their times.
  func handle(_ touch: Touch)

  /// Whether the engine needs to see a touch that the gate does not hold.
  ///
  /// - Parameter unguardable: the windows whose touches cannot be held.
  func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool

  /// Whether a mouse or a pen may lift something here.
  func mayLift(clickAt point: Point) -> Bool

  /// Whether a click here may add an item to a session.
  func mayAdd(clickAt point: Point) -> Bool
}

/// The daemon's input: all sources of fingers, and the gates that hold touches and clicks. It produces one stream of
/// touches, and receives the decisions about them.
final class Input {
  /// Where fingers may come from.
  struct Options {
    /// Nil for the display that the environment names.
    var displayName: String?
    /// The only nodes to read; empty for all touchscreens and enabled trackpads.
    var nodes: [String] = []
    /// Whether fingers come from recordings or from programs that play them, and no device is read.
    var isPlayed = false
    var spawner: any GateSpawner = GateProgram()
    /// The clock, for tests.
    var now: () -> Instant = MonotonicClock.now
  }

  /// A node that is read.
  final class Node {
    let path: String
    let source: any DeviceSource
    var watch: EventLoop.Source?

    init(_ path: String, _ source: any DeviceSource) { (self.path, self.source) = (path, source) }
  }

  /// A recording that plays.
  struct Playing {
    let file: String
    let player: RecordingPlayer
    let source: any DeviceSource
  }

  weak var delegate: (any InputDelegate)?
  let options: Options
  let loop: EventLoop
  let identifiers = ContactIDSource()
  var settings: Settings
  var layout = ScreenLayout()
  var fingers = FingerTable()
  var nodes: [Node] = []
  /// The trackpads among nodes and recordings.
  var pads: [PadSource] = []
  /// Recordings that wait for their start.
  var pending: [(file: String, recording: Recording)] = []
  var playing: [Playing] = []
  /// The X server's touches; nil if the server cannot hold touches, or if a recording plays.
  var touches: GateSource?
  /// The held clicks; nil if trackpads, mice and pens are disabled.
  var clicks: HeldClicks?
  /// The windows whose touches are held.
  var guarded: Set<WindowID> = []
  /// The windows whose touches are held for longer, for trial lifts.
  var guardedForTrials: Set<WindowID> = []
  /// The windows whose clicks are held.
  var guardedFromClicks: Set<WindowID> = []
  /// Whether fingers come from the X server's touches; the touchscreens' nodes are then not read.
  var takesTouches = false
  var hasSaidThatClicksPass = false
  /// Nil if the nodes are named, or if only recordings play.
  var deviceWatch: DeviceWatch?
  /// Follows the X server's pointer; nil until a trackpad needs it.
  var pointer: PointerFollower?
  var pointerWatch: EventLoop.Source?

  init(_ options: Options, _ loop: EventLoop, _ settings: Settings) {
    (self.options, self.loop, self.settings) = (options, loop, settings)
  }

  /// The number of nodes that are read and recordings that are played.
  var count: Int { nodes.count + playing.count }

  /// The name of the device of a finger that is down or went up recently.
  func deviceName(of contact: ContactID) -> String { fingers.deviceName(of: contact) }

  // MARK: Changes

  /// Applies new settings to fingers that come down from now on.
  func apply(_ settings: Settings) {
    self.settings = settings
    for pad in pads { pad.apply(settings) }
    touches?.runner.setPatience(settings.gatePatience)
    clicks?.runner.setPatience(settings.gatePatience)
    guard let deviceWatch else { return }
    deviceWatch.wants(Self.kinds(settings))
    startClickGate()
  }

  /// The kinds of devices to look for.
  private static func kinds(_ settings: Settings) -> Set<DeviceDescription.Kind> {
    settings.trackpad.isEnabled ? [.touchscreen, .trackpad] : [.touchscreen]
  }

  /// The screen changed, or the X server's touchscreens, or their places on the screen.
  func remap(_ layout: ScreenLayout) {
    self.layout = layout
    startClickGate()
    startTouchGate()
    touches?.remap(layout)
    for node in nodes { node.source.remap(layout) }
    for recording in playing { recording.source.remap(layout) }
    takesTouches = touches?.runner.hasRun == true
    deviceWatch?.serverChanged(takesTouches: takesTouches)
  }

  /// Reads the named nodes, or all devices of the wanted kinds, from now on.
  func open() throws(DeviceError) {
    for node in options.nodes { try add(node: node) }
    guard options.nodes.isEmpty, !options.isPlayed else { return }
    let watch = DeviceWatch(self, loop, kinds: Self.kinds(settings))
    deviceWatch = watch
    remap(layout)
    watch.start()
  }

  /// The X server is gone, and with it the held touches and the pointer.
  func displayLost(at now: Instant) {
    stopGates()
    pointerWatch?.cancel()
    (pointerWatch, pointer) = (nil, nil)
    for pad in pads { pad.cancel(at: now) }
  }

  /// The X server is back.
  func displayIsBack() {
    guard let node = nodes.first(where: { node in pads.contains { $0 === node.source } }) else { return }
    do { try followPointer(for: node.path) } catch { Log.warning(error.sentence) }
  }

  /// Stops reading and holding anything.
  func stop() {
    deviceWatch = nil
    stopGates()
  }

  // MARK: Time

  /// When `advance` has to be called.
  var nextDeadline: Instant? {
    Instant.earliest(devicesDeadline, Instant.earliest(touches?.nextDeadline, clicks?.nextDeadline))
  }

  /// The next deadline of nodes and recordings.
  private var devicesDeadline: Instant? {
    var next: Instant?
    for node in nodes { next = Instant.earliest(next, node.source.nextDeadline) }
    for recording in playing { next = Instant.earliest(next, recording.source.nextDeadline) }
    return next
  }

  /// Plays due frames, and handles the deadlines of trackpads and gates. Frames of several recordings come in the
  /// order of their times.
  func advance(to now: Instant) {
    while let due = devicesDeadline, due <= now {
      for node in nodes { node.source.advance(to: due) }
      for recording in playing { recording.source.advance(to: due) }
    }
    touches?.advance(to: now)
    clicks?.advance(to: now)
    // A gate that could not be started at first may run now.
    if touches?.runner.hasRun == true, !takesTouches { remap(layout) }
  }

  /// Reads every source now, without waiting for its descriptor to become readable.
  func readWhatHasCome() {
    touches?.read()
    clicks?.runner.dispatch()
    for node in nodes { read(node) }
  }
}

extension Input: TouchReceiver {
  /// Receives the touches of every source.
  func handle(_ touch: Touch) {
    fingers.update(with: touch)
    delegate?.handle(touch)
  }
}
