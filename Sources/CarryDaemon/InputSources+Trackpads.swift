import CarryDisplay
import CarryEvdev
import CarryGestures
import CarryModel
import CarrySystem
import CarryWireServer

/// Trackpads among the devices: their fingers come to the screen at the pointer.
extension InputSources {
  /// Whether a node is read as a trackpad.
  func isTrackpad(_ node: String) -> Bool { inputs.contains { $0.device?.node == node && $0.trackpad != nil } }

  /// The pointer that live trackpads move.
  func follow(_ display: Display, _ loop: EventLoop, _ node: String) throws(DeviceError) {
    if pointer != nil { return }
    do {
      let made = try PointerFollower(displayName: display.name)
      pointerSource = loop.watch(made.fileDescriptor) { [weak self] in self?.takePointer() }
      pointer = made
    } catch {
      throw DeviceError(
        node: node, reason: .failed, explanation: "the pointer cannot be followed: \(error.sentence)")
    }
  }

  func takePointer() {
    pointer?.dispatch { point in
      let now = MonotonicClock.now()
      for input in inputs where input.device != nil {
        trackpad(input) { $0.pointerMoved(to: point, time: now, into: &$1) }
      }
    }
    if pointer?.isAlive == false { pointerSource?.cancel() }
  }

  /// Lets go of every trackpad.
  func removeTrackpads() {
    for node in inputs.compactMap({ $0.trackpad == nil ? nil : $0.device?.node }) { remove(node: node) }
  }

  /// The X server is gone, and the pointer with it.
  func displayLost(at now: Instant) {
    pointerSource?.cancel()
    pointerSource = nil
    pointer = nil
    for input in inputs { trackpad(input) { $0.cancel(at: now, into: &$1) } }
  }

  /// There is an X server again.
  func displayIsBack(_ display: Display, _ loop: EventLoop) {
    guard let node = inputs.first(where: { $0.device != nil && $0.trackpad != nil })?.device?.node else { return }
    do { try follow(display, loop, node) } catch { Log.warning(error.sentence) }
  }

  /// The virtual finger that a trackpad's button holds down. What its device has said is taken in first: the kernel gave
  /// it to everybody before the X server could make a click of it.
  func clickedFinger() -> (contact: ContactID, isCarrying: Bool)? {
    for input in inputs where input.device != nil && input.trackpad != nil { read(input) }
    return inputs.lazy.compactMap { $0.trackpad?.recognizer.clicked }.first
  }

  /// Nobody wants this finger.
  func ignore(_ contact: ContactID) {
    for input in inputs { input.trackpad?.recognizer.ignore(contact) }
    yield(contact)
  }

  /// What was made of a finger.
  func note(_ event: GestureEvent) {
    for input in inputs { input.trackpad?.recognizer.note(event) }
  }

  /// Tells a trackpad something, and hands on the fingers that it makes of it.
  func trackpad(_ input: Input, _ body: (inout TrackpadRecognizer, inout [TrackpadEvent]) -> Void) {
    guard let trackpad = input.trackpad else { return }
    var events: [TrackpadEvent] = []
    body(&trackpad.recognizer, &events)
    for event in events {
      forward(
        Touch(
          id: event.contact, phase: event.phase, point: event.point, scale: trackpad.scale, time: event.time,
          isPointer: true), of: input)
    }
    // Not with its frames only: a pad also comes to rest when the wait for its finger is over, and when it goes.
    if input.device != nil { pointer?.follow(inputs.contains { $0.trackpad?.recognizer.isActive == true }) }
  }
}
