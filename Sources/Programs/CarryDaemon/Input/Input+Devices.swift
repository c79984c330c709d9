import CarryContacts
import CarryDisplay
import CarryEvdev
import CarryGestures
import CarryLoop
import CarryModel
import CarryRecordings
import CarrySystem

/// Nodes, recordings, and the pointer that trackpads move.
extension Input {
  // MARK: Nodes

  /// Starts reading a node.
  ///
  /// - Parameter calibration: libinput's calibration matrix from udev.
  func add(node path: String, calibration: Transform = .identity) throws(DeviceError) {
    let device = try EvdevDevice(node: path, identifiers: identifiers)
    let isPad = device.description.kind == .trackpad
    if isPad { try followPointer(for: path) }
    let name = SafeText.displayable(device.description.name)
    let id = fingers.addDevice(name)
    let source: any DeviceSource =
      isPad
      ? addPad(device, id, hasOwnPointer: false)
      : ScreenSource(device, id, node: path, calibration: calibration, layout, self)
    let node = Node(path, source)
    nodes.append(node)
    node.watch = loop.watch(device.fd) { [weak self, weak node] in
      guard let self, let node else { return }
      self.read(node)
    }
    Log.info("reading \(path): \(name)")
  }

  private func addPad(_ frames: any FrameSource, _ device: DeviceID, hasOwnPointer: Bool) -> PadSource {
    let pad = PadSource(frames, device, settings, identifiers, hasOwnPointer: hasOwnPointer, layout, self)
    pads.append(pad)
    return pad
  }

  /// Whether a node is being read. First closes a node whose device is gone: another device may have its name by now.
  func isReading(_ path: String) -> Bool {
    guard let node = nodes.first(where: { $0.path == path }) else { return false }
    read(node)
    return nodes.contains { $0 === node }
  }

  /// Whether a node is read as a trackpad.
  func isTrackpad(_ path: String) -> Bool {
    nodes.contains { node in node.path == path && pads.contains { $0 === node.source } }
  }

  func read(_ node: Node) {
    do { try node.source.read() } catch {
      Log.warning(error.sentence)
      remove(node)
    }
  }

  /// Queries which fingers are down on each device, because some may have come or gone unseen.
  func askForState() {
    for node in nodes {
      // Reading reports the same error, and handles it.
      do { try node.source.askForState() } catch { read(node) }
    }
  }

  /// Closes a node that another reader uses now, and cancels its fingers.
  func remove(node path: String) { for node in nodes where node.path == path { remove(node) } }

  func removeTrackpads() {
    for node in nodes where pads.contains(where: { $0 === node.source }) { remove(node) }
  }

  private func remove(_ node: Node) {
    node.watch?.cancel()
    nodes.removeAll { $0 === node }
    pads.removeAll { $0 === node.source }
    lose(node.source.device, at: options.now())
    padChanged()
  }

  // MARK: Recordings

  /// Adds a recording, which plays from `startRecordings` on.
  func add(recording: Recording, file: String) { pending.append((file, recording)) }

  var hasPendingRecordings: Bool { !pending.isEmpty }

  /// Starts all recordings at once.
  func startRecordings(at start: Instant) throws(FileProblem) {
    let list = pending
    pending = []
    for (file, recording) in list {
      let player = try RecordingPlayer(recording, startingAt: start, file: file, identifiers: identifiers)
      let id = fingers.addDevice(SafeText.displayable(player.description.name))
      let source: any DeviceSource =
        player.description.kind == .trackpad
        ? addPad(player, id, hasOwnPointer: true) : ScreenSource(player, id, layout, self)
      playing.append(Playing(file: SafeText.displayable(file, limit: 4096), player: player, source: source))
    }
  }

  /// Whether any recording still has something to play.
  var isPlaying: Bool { playing.contains { !$0.player.isFinished } }

  /// The mistakes in the recordings, one line each.
  var problems: [String] { playing.flatMap { $0.player.problems.lines(file: $0.file) } }

  // MARK: The pointer

  /// Follows the pointer that live trackpads move.
  func followPointer(for path: String) throws(DeviceError) {
    if pointer != nil { return }
    do {
      let made = try PointerFollower(displayName: options.displayName)
      pointerWatch = loop.watch(made.fileDescriptor) { [weak self] in self?.takePointer() }
      pointer = made
    } catch {
      throw DeviceError(
        node: path, reason: .failed, explanation: "the pointer cannot be followed: \(error.sentence)")
    }
  }

  private func takePointer() {
    pointer?.dispatch { point in
      let now = options.now()
      for pad in pads where !pad.hasOwnPointer { pad.pointerMoved(to: point, time: now) }
    }
    if pointer?.isAlive == false { pointerWatch?.cancel() }
  }

  // MARK: Outcomes of fingers

  /// Ignores the finger from now on.
  func ignore(_ contact: ContactID) {
    for pad in pads { pad.ignore(contact) }
    yield(contact)
  }

  /// Tells the trackpads which gesture was recognised.
  func handle(_ event: GestureEvent) { for pad in pads { pad.handle(event) } }
}

extension Input: PadOwner {
  func padChanged() { pointer?.follow(pads.contains { !$0.hasOwnPointer && $0.isActive }) }
}
