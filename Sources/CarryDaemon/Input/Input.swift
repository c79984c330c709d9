import CarryContacts
import CarryDisplay
import CarryEvdev
import CarryGate
import CarryGestures
import CarryLoop
import CarryModel
import CarryRecordings
import CarrySystem

/// Decides what fingers mean: the daemon, or a test.
protocol InputDelegate: AnyObject {
  /// Everything that a finger does comes here, in the order of its time for each source.
  func take(_ touch: Touch)

  /// Whether a touch that is not held is of any interest.
  ///
  /// - Parameter unguardable: the windows whose touches cannot be held.
  func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool
}

/// The daemon's input: everything that has fingers, and the gates that hold touches and clicks. One stream of touches
/// comes out of it; decisions about them go in again.
final class Input {
  /// Where fingers may come from.
  struct Options {
    /// Nil for the one that the environment names.
    var displayName: String?
    /// Nodes that are read instead of everything that there is.
    var nodes: [String] = []
    /// Whether only recordings have fingers.
    var isReplaying = false
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
  /// What the X server lets us hold back from applications; nil where it cannot, or where a recording plays.
  var touches: GateSource?
  /// What holds back clicks; nil where no trackpad carries.
  var clicks: HeldClicks?
  /// What the gates guard.
  var guarded: Set<WindowID> = []
  /// Whether the X server's touches are taken in, so that their nodes are not read.
  var takesTouches = false
  var hasSaidThatClicksPass = false
  /// Nil where no nodes are looked for.
  var deviceWatch: DeviceWatch?
  /// Where the X server's pointer is; nil until a trackpad needs it.
  var pointer: PointerFollower?
  var pointerWatch: EventLoop.Source?

  init(_ options: Options, _ loop: EventLoop, _ settings: Settings) {
    (self.options, self.loop, self.settings) = (options, loop, settings)
  }

  /// How many nodes are read, and recordings played.
  var count: Int { nodes.count + playing.count }

  /// The name of the device of a finger that is down, or was until not long ago.
  func deviceName(of contact: ContactID) -> String { fingers.deviceName(of: contact) }

  // MARK: What changes

  /// New constants: for what comes down from now on.
  func apply(_ settings: Settings) {
    self.settings = settings
    for pad in pads { pad.apply(settings) }
    touches?.runner.setPatience(settings.gatePatience)
    clicks?.runner.setPatience(settings.gatePatience)
    guard let deviceWatch else { return }
    deviceWatch.wants(Self.kinds(settings))
    startClickGate()
  }

  /// The devices that are looked for.
  private static func kinds(_ settings: Settings) -> Set<DeviceDescription.Kind> {
    settings.trackpad.isEnabled ? [.touchscreen, .trackpad] : [.touchscreen]
  }

  /// The screen changed, or the touchscreens of the X server, or where they lie on the screen.
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

  /// Reads the nodes that are named, or whatever there is from now on.
  func open() throws(DeviceError) {
    for node in options.nodes { try add(node: node) }
    guard options.nodes.isEmpty, !options.isReplaying else { return }
    let watch = DeviceWatch(self, loop, kinds: Self.kinds(settings))
    deviceWatch = watch
    remap(layout)
    watch.start()
  }

  /// The X server is gone, and what it holds and its pointer with it.
  func displayLost(at now: Instant) {
    stopGates()
    pointerWatch?.cancel()
    (pointerWatch, pointer) = (nil, nil)
    for pad in pads { pad.cancel(at: now) }
  }

  /// There is an X server again.
  func displayIsBack() {
    guard let node = nodes.first(where: { node in pads.contains { $0 === node.source } }) else { return }
    do { try followPointer(for: node.path) } catch { Log.warning(error.sentence) }
  }

  /// Nothing is read and held any more.
  func stop() {
    deviceWatch = nil
    stopGates()
  }

  // MARK: Time

  /// When `advance` wants to be called.
  var nextDeadline: Instant? {
    Instant.earliest(devicesDeadline, Instant.earliest(touches?.nextDeadline, clicks?.runner.nextDeadline))
  }

  /// Of nodes and recordings.
  private var devicesDeadline: Instant? {
    var next: Instant?
    for node in nodes { next = Instant.earliest(next, node.source.nextDeadline) }
    for recording in playing { next = Instant.earliest(next, recording.source.nextDeadline) }
    return next
  }

  /// Plays what is due, and lets time pass for trackpads and gates. Frames of several recordings come in the order of
  /// their times.
  func advance(to now: Instant) {
    while let due = devicesDeadline, due <= now {
      for node in nodes { node.source.advance(to: due) }
      for recording in playing { recording.source.advance(to: due) }
    }
    touches?.advance(to: now)
    clicks?.runner.advance(to: now)
    // Of a gate that could not be started at first.
    if touches?.runner.hasRun == true, !takesTouches { remap(layout) }
  }

  /// Takes in what has been said by now, without waiting to be told of it.
  func readWhatHasCome() {
    touches?.read()
    for node in nodes { read(node) }
  }
}

extension Input: TouchReceiver {
  /// From every source.
  func take(_ touch: Touch) {
    fingers.note(touch)
    delegate?.take(touch)
  }
}
