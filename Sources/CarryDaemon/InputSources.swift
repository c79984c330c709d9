import CarryContacts
import CarryDisplay
import CarryEvdev
import CarryGestures
import CarryModel
import CarrySystem
import CarryWireServer

/// Everything that has fingers: device nodes, and recordings played as if they were devices.
final class InputSources {
  /// One device or recording.
  final class Input {
    let name: String
    let description: DeviceDescription
    var mapping: ScreenMapping
    var device: EvdevDevice?
    var player: RecordingPlayer?
    var source: EventLoop.Source?
    /// libinput's calibration, which udev keeps.
    var calibration = Transform.identity
    /// Of a trackpad: what makes fingers on the screen of those on the pad.
    var trackpad: Trackpad?
    var live: [ContactID] = []
    /// The newest fingers that have gone up.
    var gone: [ContactID] = []
    /// The recording's file, for what is wrong with it.
    var file = ""

    init(name: String, description: DeviceDescription, mapping: ScreenMapping) {
      self.name = name
      self.description = description
      self.mapping = mapping
    }
  }

  let identifiers = ContactIDSource()
  /// How many nodes are read, and recordings played.
  var count: Int { inputs.count }
  /// What the X server lets us hold back from applications; nil where it cannot, or where a recording plays.
  var gated: GatedTouches? {
    didSet { gated?.onDevice = { [unowned self] contact, name in self.note(name, of: contact) } }
  }
  /// What holds back clicks; nil where no trackpad carries.
  var clicks: GatedClicks?
  private(set) var inputs: [Input] = []
  /// Where the X server's pointer is; nil until a trackpad needs it.
  var pointer: PointerFollower?
  var pointerSource: EventLoop.Source?
  /// For trackpads.
  var settings = Settings() {
    didSet { for input in inputs { input.trackpad?.recognizer.apply(settings) } }
  }
  private var pending: [(file: String, recording: Recording)] = []
  private var names: [ContactID: String] = [:]
  /// Called with each finger's change.
  var onTouch: (Touch) -> Void = { _ in }

  /// The device of a contact that is down, or was until just now.
  func deviceName(of contact: ContactID) -> String { names[contact] ?? "" }

  // MARK: Devices

  /// Whether a node is being read. One whose device is gone is let go of first: its name may be another's by now.
  func isReading(_ node: String) -> Bool {
    guard let input = inputs.first(where: { $0.device?.node == node }) else { return false }
    read(input)
    return inputs.contains { $0 === input }
  }

  /// Reads a node from now on.
  ///
  /// - Parameter calibration: libinput's, as udev keeps it.
  func add(
    node: String, display: Display, loop: EventLoop, calibration: Transform = .identity
  ) throws(DeviceError) {
    let device = try EvdevDevice(node: node, identifiers: identifiers)
    let input = Input(
      name: SafeText.displayable(device.description.name), description: device.description,
      mapping: Self.mapping(device.description, display, node: node, calibration: calibration))
    input.device = device
    input.calibration = calibration
    if device.description.kind == .trackpad {
      try follow(display, loop, node)
      input.trackpad = Trackpad(
        TrackpadRecognizer(device.description, settings: settings, identifiers: identifiers),
        scale: display.dotsPerInch / 96)
    }
    inputs.append(input)
    input.source = loop.watch(device.fd) { [weak self, weak input] in
      guard let self, let input else { return }
      self.read(input)
    }
    Log.info("reading \(node): \(input.name)")
  }

  /// Lets go of a node that somebody else reads now; its fingers are cancelled.
  func remove(node: String) {
    for input in inputs where input.device?.node == node {
      input.source?.cancel()
      cancelAll(of: input, at: MonotonicClock.now())
    }
    inputs.removeAll { $0.device?.node == node }
  }

  /// Fingers may have gone unseen: each device is asked which there are.
  func askForState() {
    for input in inputs {
      do {
        try input.device?.askForState { self.deliver($0, of: input) }
      } catch {
        // What is wrong shows, and is dealt with, when it is read.
        read(input)
      }
    }
  }

  func read(_ input: Input) {
    do {
      try input.device?.readFrames { self.deliver($0, of: input) }
    } catch {
      Log.warning(error.sentence)
      input.source?.cancel()
      cancelAll(of: input, at: MonotonicClock.now())
      inputs.removeAll { $0 === input }
    }
  }

  /// Takes in what the devices and the gate have said by now, without waiting to be told of it.
  func readWhatHasCome() {
    gated?.runner.dispatch()
    for input in inputs where input.device != nil { read(input) }
  }

  // MARK: Recordings

  /// Keeps a recording ready; nothing plays yet.
  func add(recording: Recording, file: String) { pending.append((file, recording)) }

  var hasPendingRecordings: Bool { !pending.isEmpty }

  /// Starts all recordings at once.
  func startRecordings(at start: Instant, display: Display) throws(RecordingError) {
    let list = pending
    pending = []
    for (file, recording) in list {
      let player = try RecordingPlayer(recording, startingAt: start, file: file, identifiers: identifiers)
      let input = Input(
        name: SafeText.displayable(player.description.name), description: player.description,
        mapping: Self.mapping(player.description, display))
      input.player = player
      if player.description.kind == .trackpad {
        let pointer = VirtualPointer(
          screen: Rect(origin: .zero, size: display.rootSize),
          pixelsPerMillimetre: settings.trackpadPixelsPerMillimetre)
        input.trackpad = Trackpad(
          TrackpadRecognizer(
            player.description, settings: settings, identifiers: identifiers, pointer: pointer),
          scale: display.dotsPerInch / 96)
      }
      input.file = SafeText.displayable(file, limit: 4096)
      inputs.append(input)
    }
  }

  /// Whether any recording still has something to play.
  var isPlaying: Bool { inputs.contains { $0.player?.isFinished == false } }

  var nextTime: Instant? {
    var next: Instant?
    for input in inputs {
      if let time = input.player?.nextTime, time < next ?? .distantFuture { next = time }
      if let time = input.trackpad?.recognizer.nextDeadline, time < next ?? .distantFuture { next = time }
    }
    return next
  }

  /// Plays what is due, and lets time pass for trackpads. Frames of several recordings come in the order of their times.
  func advance(to now: Instant) {
    while let due = nextTime, due <= now {
      for input in inputs {
        if let deadline = input.trackpad?.recognizer.nextDeadline, deadline <= due {
          trackpad(input) { $0.advance(to: due, into: &$1) }
        }
        if input.player?.nextTime == due { input.player?.advance(to: due) { self.deliver($0, of: input) } }
      }
    }
  }

  /// What was wrong in the recordings, one line each.
  var problems: [String] {
    inputs.flatMap { input in input.player?.problems.lines(file: input.file) ?? [] }
  }

  // MARK: Decisions

  /// The finger is taken: the application below must not act on it.
  ///
  /// - Returns: the X server's number of the touch when the application has it as well.
  @discardableResult
  func claim(_ contact: ContactID) -> UInt32? {
    clicks?.claim(contact)
    return gated?.claim(contact)
  }

  /// The finger is the application's.
  func yield(_ contact: ContactID) {
    clicks?.yield(contact)
    gated?.yield(contact)
  }

  // MARK: Both

  /// The screen changed: positions mean other pixels from now on.
  func remap(_ display: Display) {
    for input in inputs {
      input.mapping = Self.mapping(
        input.description, display, node: input.device?.node, calibration: input.calibration)
      input.trackpad?.scale = display.dotsPerInch / 96
      input.trackpad?.recognizer.resize(Rect(origin: .zero, size: display.rootSize))
    }
  }

  private static func mapping(
    _ description: DeviceDescription, _ display: Display, node: String? = nil, calibration: Transform = .identity
  ) -> ScreenMapping {
    let screen = Rect(origin: .zero, size: display.rootSize)
    // The X server may have the node as well and map it to one output of several, or turn it.
    let matrix = display.touchDevices.first { $0.node != nil && $0.node == node }?.transformation ?? .identity
    return ScreenMapping(
      description, screen: screen, calibration: calibration, coordinateTransformation: matrix,
      outputMillimetres: display.outputs.count == 1 ? display.outputs[0].millimetres : nil)
  }

  private func deliver(_ frame: ContactFrame, of input: Input) {
    if input.trackpad != nil {
      trackpad(input) { $0.handle(frame, into: &$1) }
      return
    }
    for contact in frame.contacts {
      forward(
        Touch(
          id: contact.id, phase: contact.phase, point: input.mapping.point(x: contact.x, y: contact.y),
          scale: input.mapping.scale, time: frame.time), of: input)
    }
  }

  func forward(_ touch: Touch, of input: Input) {
    switch touch.phase {
    case .began:
      input.live.append(touch.id)
      note(input.name, of: touch.id)
    case .moved: break
    case .ended, .cancelled:
      input.live.removeAll { $0 == touch.id }
      input.gone = input.gone.suffix(15) + [touch.id]
    }
    onTouch(touch)
  }

  /// A session may speak of its contact's device after the finger is up; the list is kept short all the same.
  private func note(_ name: String, of contact: ContactID) {
    names[contact] = name
    guard names.count > 256 else { return }
    // Numbers only grow: the lowest are the oldest.
    let newest = Set(names.keys.sorted { $0.raw > $1.raw }.prefix(128)).union(inputs.flatMap(\.live))
    names = names.filter { newest.contains($0.key) }
  }

  private func cancelAll(of input: Input, at now: Instant) {
    trackpad(input) { $0.cancel(at: now, into: &$1) }
    guard !input.live.isEmpty || !input.gone.isEmpty else { return }
    // The kernel lifts the fingers of a device that is unplugged: one that is waited for to come back has not dropped.
    for id in input.gone + input.live {
      onTouch(Touch(id: id, phase: .cancelled, point: .zero, scale: input.mapping.scale, time: now))
    }
    (input.live, input.gone) = ([], [])
  }
}
