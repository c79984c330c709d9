import CEvdev
package import CarryContacts
import CarryModel
package import CarrySystem
import CLinux

/// An opened touch device.
///
/// libevdev describes the device and supplies its true state after the kernel dropped events. The events themselves
/// are read here, many at a time, which costs a fraction of `libevdev_next_event`.
package final class EvdevDevice {
  private let descriptor: Descriptor
  private let state: EvdevState
  private let tracker: ContactTracker
  private let converter: ProtocolAConverter?
  private let buffer: UnsafeMutablePointer<input_event>
  /// Whether events are stamped with the time at which they are read, because the kernel refused the monotonic clock.
  private let stampsItself: Bool
  private var frame = ContactFrame()

  private static let bufferCount = 64
  /// A device that sends events without end must not monopolise the loop.
  private static let readsPerCall = 64

  package let node: String
  /// Describes the positions in the frames. For an anonymous device this is the converted, slotted description.
  package let description: DeviceDescription
  /// Becomes readable when there is something for `readFrames`.
  package var fd: CInt { descriptor.raw }
  /// The problems with the device's events so far.
  package var problems: ProblemList { tracker.problems }

  /// Opens `/dev/input/eventN`. The corresponding C functions are `open` and `libevdev_new_from_fd`.
  package convenience init(node: String, identifiers: ContactIDSource) throws(DeviceError) {
    let descriptor: Descriptor
    do {
      descriptor = try Descriptor.open(node, O_RDONLY | O_NONBLOCK)
    } catch {
      throw DeviceError.from(error.code, node: node)
    }
    try self.init(owning: descriptor, node: node, identifiers: identifiers)
  }

  /// Takes ownership of a node that was opened elsewhere for reading, non-blocking.
  package init(owning descriptor: consuming Descriptor, node: String, identifiers: ContactIDSource) throws(DeviceError)
  {
    let fd = descriptor.raw
    self.descriptor = descriptor
    self.node = node
    do {
      state = try EvdevState(fd: fd)
    } catch {
      throw DeviceError.from(error.code, node: node)
    }
    let original = state.description()
    switch original.protocol {
    case .none: throw DeviceError.noTouch(node, original)
    case .anonymous:
      guard let made = ProtocolAConverter(original) else { throw DeviceError.from(ENOMEM, node: node) }
      converter = made
      description = made.description
    case .slotted, .singleTouch:
      converter = nil
      description = original
    }
    if let axis = description.axisWithoutRange {
      throw DeviceError(
        node: node, reason: .noTouch, explanation: "\(original.name)'s axis \(axis) has no range",
        advice: "its driver has to be configured")
    }
    tracker = ContactTracker(description, identifiers: identifiers)
    stampsItself = !state.useMonotonicClock()
    if converter == nil {
      tracker.adopt(
        slots: state.slots(description.protocol), currentSlot: state.currentSlot, keys: state.keys())
    }
    buffer = .allocate(capacity: Self.bufferCount)
    buffer.initialize(repeating: input_event(), count: Self.bufferCount)
    if stampsItself { Log.warning("\(node): it has no monotonic clock; events count from when they are read") }
  }

  deinit { buffer.deallocate() }

  /// Reads up to some thousand waiting events and calls `body` with each frame that changed a contact. Never waits.
  /// If the device is gone, all its contacts are cancelled before the error with the reason `.gone` is thrown.
  package func readFrames(_ body: (ContactFrame) -> Void) throws(DeviceError) {
    // Moved out of the object for the loop: the buffer keeps one owner, and no access needs checking.
    var current = ContactFrame()
    swap(&current, &frame)
    defer { swap(&current, &frame) }
    let now = MonotonicClock.now()
    tracker.latestTime = now
    let size = MemoryLayout<input_event>.stride
    for _ in 0..<Self.readsPerCall {
      let n = read(descriptor.raw, buffer, size * Self.bufferCount)
      if n < 0 {
        let code = clinux_errno()
        if code == EINTR { continue }
        if code == EAGAIN { return }
        throw end(code, at: now, into: &current, body)
      }
      let count = n / size
      // The kernel returns whole events; an end of file means that the descriptor is not a kernel device.
      if count == 0 { throw end(ENODEV, at: now, into: &current, body) }
      for i in 0..<count { handle(i, now, into: &current, body) }
      if tracker.needsResynchronisation {
        try resynchronise(into: &current, body)
        Log.info("\(node): the kernel dropped events; asked the device for its state")
      }
      if count < Self.bufferCount { return }
    }
  }

  /// Queries which contacts touch the device and calls `body` with the changes. For use after a time in which events
  /// may have been missed, such as the machine's sleep.
  package func askForState(_ body: (ContactFrame) -> Void) throws(DeviceError) {
    var current = ContactFrame()
    swap(&current, &frame)
    defer { swap(&current, &frame) }
    // The kernel keeps no state of anonymous contacts; the next frame lists all of them.
    if converter == nil { try resynchronise(into: &current, body) }
  }

  @inline(__always)
  private func handle(_ i: Int, _ now: Instant, into current: inout ContactFrame, _ body: (ContactFrame) -> Void) {
    let raw = buffer + i
    let stamp = Int64(raw.pointee.time.tv_sec) &* 1_000_000 &+ Int64(raw.pointee.time.tv_usec)
    let event = EvdevEvent(
      time: stampsItself ? now : Instant(microseconds: stamp), type: raw.pointee.type, code: raw.pointee.code,
      value: raw.pointee.value)
    if let converter {
      converter.convert(event) { if tracker.handle($0, into: &current) { body(current) } }
    } else if !tracker.needsResynchronisation, tracker.handle(event, into: &current) {
      body(current)
    }
  }

  /// Reads the device's true state after dropped events, instead of the events that are still queued.
  private func resynchronise(into current: inout ContactFrame, _ body: (ContactFrame) -> Void) throws(DeviceError) {
    do {
      try state.synchronise()
    } catch {
      throw end(error.code, at: MonotonicClock.now(), into: &current, body)
    }
    let now = MonotonicClock.now()
    tracker.latestTime = now
    let slots = state.slots(description.protocol)
    if tracker.resynchronise(
      slots: slots, currentSlot: state.currentSlot, keys: state.keys(), time: now, into: &current)
    {
      body(current)
    }
  }

  /// Cancels all contacts and returns the error that says why no more events can come.
  private func end(
    _ code: CInt, at now: Instant, into current: inout ContactFrame, _ body: (ContactFrame) -> Void
  ) -> DeviceError {
    if tracker.endAll(.cancelled, time: now, into: &current) { body(current) }
    // Reading fails with ENODEV after EVIOCREVOKE, as it does after unplugging; some drivers fail with EIO when
    // removed.
    return DeviceError.from(code == EIO || code == ENXIO ? ENODEV : code, node: node)
  }
}
