package import CarryModel

/// Turns a device's events into frames of contacts and keeps each finger's identity.
///
/// The tracker mirrors the kernel's slots, because the kernel sends changed values only: a new contact at the X of
/// the slot's last contact comes without an X. Rules where devices differ:
/// - A contact begins at the end of the first frame in which it touches and its slot has had both an X and a Y.
/// - A tracking id that changes without a -1 is one contact's end and another's beginning, in one frame.
/// - ABS_MT_DISTANCE above 0 is hovering, not touching. BTN_TOUCH says nothing about a single contact and is ignored
///   on devices with slots: optical panels that hover either report a distance or, like Quanta's, report no contact
///   while the finger is only near.
/// - A palm (ABS_MT_TOOL_TYPE 2) is cancelled and ignored until its tracking id ends.
/// - After SYN_DROPPED all events are discarded until the next SYN_REPORT; then `needsResynchronisation` asks the
///   owner for the device's true state. A recording has none: its fingers stay down until a later event says
///   otherwise (a new id in the slot replaces the finger), and `endAll` ends the rest.
/// - A trackpad's button and number of fingers count, too: a frame may report nothing else.
///
/// Not thread-safe: one thread owns it. Anonymous (protocol A) events must be converted first.
package final class ContactTracker {
  private let slots: UnsafeMutablePointer<TrackedSlot>
  private let slotCount: Int
  private let identifiers: ContactIDSource
  private let xRange, yRange, pressureRange, majorRange: ClosedRange<Int32>
  private let isSlotted: Bool
  private let hasKeys: Bool
  private var keys = TrackpadKeys()
  /// The keys reported in the last frame.
  private var toldKeys = TrackpadKeys()
  /// The slot that events refer to; -1 while a slot outside the range is selected.
  private var current = 0
  private var dirty: UInt64 = 0
  private var dropping = false
  private var ordinal = 0
  private var frameStart = 0
  private var lastTime = Instant(microseconds: .min)

  private static let longestFrame = 10_000

  /// The problems so far; positions count events from 1.
  package private(set) var problems = ProblemList()
  /// Set when events were dropped; the owner queries the device and calls `resynchronise`.
  package private(set) var needsResynchronisation = false
  /// The latest time for frames. A device's owner sets it to the clock, because no event is from the future.
  package var latestTime = Instant.distantFuture

  package init(_ description: DeviceDescription, identifiers: ContactIDSource = ContactIDSource()) {
    isSlotted = description.protocol != .singleTouch
    hasKeys = description.kind == .trackpad
    slotCount = description.slotCount
    slots = .allocate(capacity: 64)
    slots.initialize(repeating: TrackedSlot(), count: 64)
    self.identifiers = identifiers
    let axes = description.axes
    let axisX = description.positionAxes?.x
    let axisY = description.positionAxes?.y
    xRange = Self.range(axisX, otherwise: .min)
    yRange = Self.range(axisY, otherwise: .min)
    pressureRange = Self.range(axes[isSlotted ? Evdev.absMtPressure : Evdev.absPressure], otherwise: 0)
    majorRange = Self.range(axes[Evdev.absMtTouchMajor], otherwise: 0)
  }

  deinit {
    slots.deinitialize(count: 64)
    slots.deallocate()
  }

  private static func range(_ axis: AxisRange?, otherwise lowest: Int32) -> ClosedRange<Int32> {
    guard let axis, axis.isSane else { return lowest...Int32.max }
    return axis.minimum...axis.maximum
  }

  /// The number of contacts that are down according to the frames so far.
  package var liveCount: Int {
    var count = 0
    for i in 0..<slotCount where slots[i].contact != TrackedSlot.none { count += 1 }
    return count
  }

  /// Handles the next event. Returns true if the event completed a frame with changes. `frame` then holds the
  /// changes; its buffer is reused.
  package func handle(_ event: EvdevEvent, into frame: inout ContactFrame) -> Bool {
    ordinal &+= 1
    switch event.type {
    case Evdev.abs:
      if dropping { break }
      if isSlotted { slotted(event.code, event.value) } else { single(event.code, event.value) }
    case Evdev.syn:
      if event.code == Evdev.synReport { return report(event.time, into: &frame) }
      if event.code == Evdev.synDropped {
        dropping = true
        problems.record(.eventsDropped, at: ordinal)
      }
    case Evdev.key:
      if !isSlotted, event.code == Evdev.btnTouch, !dropping {
        slots[0].setTrackingID(event.value != 0 ? 0 : -1)
        dirty |= 1
      } else if hasKeys, !dropping {
        keys.set(event.code, event.value)
      }
    default: break
    }
    if ordinal &- frameStart == Self.longestFrame { problems.record(.frameWithoutEnd, at: ordinal) }
    return false
  }

  @inline(__always)
  private static func clamp(_ value: Int32, _ range: ClosedRange<Int32>) -> Int32 {
    max(range.lowerBound, min(range.upperBound, value))
  }

  private func slotted(_ code: UInt16, _ value: Int32) {
    if code == Evdev.absMtSlot { return select(value) }
    guard current >= 0 else { return }
    let slot = slots + current
    switch code {
    case Evdev.absMtPositionX:
      slot.pointee.x = Self.clamp(value, xRange)
      slot.pointee.hasX = true
    case Evdev.absMtPositionY:
      slot.pointee.y = Self.clamp(value, yRange)
      slot.pointee.hasY = true
    case Evdev.absMtTrackingID: slot.pointee.setTrackingID(value)
    case Evdev.absMtPressure: slot.pointee.pressure = Self.clamp(value, pressureRange)
    case Evdev.absMtTouchMajor: slot.pointee.touchMajor = Self.clamp(value, majorRange)
    case Evdev.absMtToolType: slot.pointee.tool = value
    case Evdev.absMtDistance: slot.pointee.distance = value
    default: return
    }
    dirty |= 1 << UInt64(truncatingIfNeeded: current)
  }

  private func select(_ value: Int32) {
    if value >= 0, Int(value) < slotCount {
      current = Int(value)
    } else {
      current = -1
      problems.record(.slotOutOfRange, at: ordinal)
    }
  }

  private func single(_ code: UInt16, _ value: Int32) {
    switch code {
    case Evdev.absX:
      slots[0].x = Self.clamp(value, xRange)
      slots[0].hasX = true
    case Evdev.absY:
      slots[0].y = Self.clamp(value, yRange)
      slots[0].hasY = true
    case Evdev.absPressure: slots[0].pressure = Self.clamp(value, pressureRange)
    case Evdev.absDistance: slots[0].distance = value
    default: return
    }
    dirty |= 1
  }

  // MARK: Frames

  private func report(_ time: Instant, into frame: inout ContactFrame) -> Bool {
    frameStart = ordinal
    if dropping {
      dropping = false
      needsResynchronisation = true
      return false
    }
    if dirty == 0, keys == toldKeys { return false }
    return emit(time, into: &frame)
  }

  private func emit(_ time: Instant, into frame: inout ContactFrame) -> Bool {
    frame.contacts.removeAll(keepingCapacity: true)
    frame.time = stamp(time)
    var left = dirty
    dirty = 0
    while left != 0 {
      let i = left.trailingZeroBitCount
      left &= left &- 1
      settle(i, into: &frame)
    }
    let isNews = keys != toldKeys
    toldKeys = keys
    frame.keys = keys
    return isNews || !frame.contacts.isEmpty
  }

  /// Adds the changes of one slot since the last frame.
  private func settle(_ i: Int, into frame: inout ContactFrame) {
    let slot = slots + i
    let hadContact = slot.pointee.ended
    if slot.pointee.ended {
      append(slot.pointee, i, .ended, slot.pointee.endX, slot.pointee.endY, into: &frame)
      slot.pointee.contact = TrackedSlot.none
      slot.pointee.ended = false
    }
    let isLive = slot.pointee.contact != TrackedSlot.none
    if slot.pointee.tool == 2, slot.pointee.trackingID >= 0 { slot.pointee.ignored = true }
    if slot.pointee.touches {
      if isLive {
        append(slot.pointee, i, .moved, slot.pointee.x, slot.pointee.y, into: &frame)
      } else if slot.pointee.hasX, slot.pointee.hasY {
        slot.pointee.contact = identifiers.next().raw
        slot.pointee.waiting = false
        append(slot.pointee, i, .began, slot.pointee.x, slot.pointee.y, into: &frame)
      } else {
        slot.pointee.waiting = true
      }
    } else if isLive {
      let phase: Contact.Phase = slot.pointee.ignored ? .cancelled : .ended
      append(slot.pointee, i, phase, slot.pointee.x, slot.pointee.y, into: &frame)
      slot.pointee.contact = TrackedSlot.none
    } else if slot.pointee.waiting {
      slot.pointee.waiting = false
      problems.record(.contactWithoutPosition, at: ordinal)
    } else if isSlotted, slot.pointee.trackingID < 0, !hadContact, hasContact(besides: i) {
      problems.record(.slotWithoutContact, at: ordinal)
    }
  }

  private func hasContact(besides i: Int) -> Bool {
    (0..<slotCount).contains { $0 != i && slots[$0].contact != TrackedSlot.none }
  }

  private func append(
    _ slot: TrackedSlot, _ i: Int, _ phase: Contact.Phase, _ x: Int32, _ y: Int32, into frame: inout ContactFrame
  ) {
    let tool: Contact.Tool = slot.tool == 0 || slot.tool == 2 ? .finger : slot.tool == 1 ? .pen : .other
    frame.contacts.append(
      Contact(
        id: ContactID(slot.contact), slot: i, phase: phase, x: x, y: y, tool: tool, pressure: slot.pressure,
        touchMajor: slot.touchMajor))
  }

  private func stamp(_ time: Instant) -> Instant {
    var result = min(time, latestTime)
    if result < lastTime {
      problems.record(.timeWentBackwards, at: ordinal)
      result = lastTime
    }
    lastTime = result
    return result
  }

  // MARK: Without events

  /// Adopts the device's true state after dropped events: vanished fingers end, replaced fingers end and begin, new
  /// fingers begin, the others move. Returns true if `frame` holds any change.
  package func resynchronise(
    slots states: [SlotState], currentSlot: Int, keys: TrackpadKeys = TrackpadKeys(), time: Instant,
    into frame: inout ContactFrame
  ) -> Bool {
    needsResynchronisation = false
    dropping = false
    if hasKeys { self.keys = keys }
    load(states, currentSlot: currentSlot)
    return emit(time, into: &frame)
  }

  /// Adopts the state of a device that is being opened. Fingers that are already down report nothing until they lift,
  /// because it is unknown where and when they came down.
  package func adopt(slots states: [SlotState], currentSlot: Int, keys: TrackpadKeys = TrackpadKeys()) {
    if hasKeys {
      self.keys = keys
      toldKeys = keys
    }
    load(states, currentSlot: currentSlot)
    for i in 0..<slotCount where slots[i].trackingID >= 0 { slots[i].ignored = true }
    dirty = 0
  }

  private func load(_ states: [SlotState], currentSlot: Int) {
    for i in 0..<slotCount {
      let before = slots[i]
      let state = i < states.count ? states[i] : SlotState(trackingID: -1, x: 0, y: 0)
      slots[i].setTrackingID(state.trackingID)
      if i < states.count {
        slots[i].x = Self.clamp(state.x, xRange)
        slots[i].y = Self.clamp(state.y, yRange)
        slots[i].pressure = Self.clamp(state.pressure, pressureRange)
        slots[i].touchMajor = Self.clamp(state.touchMajor, majorRange)
        slots[i].tool = state.tool
        slots[i].distance = state.distance
        slots[i].hasX = true
        slots[i].hasY = true
      }
      if slots[i] != before { dirty |= 1 << UInt64(truncatingIfNeeded: i) }
    }
    current = currentSlot >= 0 && currentSlot < slotCount ? currentSlot : 0
  }

  /// Ends all contacts at their positions: at the end of a recording (`.ended`) or when the device is gone
  /// (`.cancelled`). Returns true if there were any.
  package func endAll(_ phase: Contact.Phase, time: Instant, into frame: inout ContactFrame) -> Bool {
    frame.contacts.removeAll(keepingCapacity: true)
    frame.time = stamp(time)
    for i in 0..<slotCount {
      if slots[i].contact != TrackedSlot.none {
        append(slots[i], i, phase, slots[i].x, slots[i].y, into: &frame)
      }
      // Keep the positions: the kernel does not repeat values that the next contact has in common with them.
      slots[i].contact = TrackedSlot.none
      slots[i].trackingID = -1
      slots[i].ended = false
      slots[i].ignored = false
    }
    dirty = 0
    let isNews = toldKeys != TrackpadKeys()
    keys = TrackpadKeys()
    toldKeys = keys
    frame.keys = keys
    return isNews || !frame.contacts.isEmpty
  }
}
