import CEvdev
package import CarryContacts
package import CarryModel
import CarrySystem
import CLinux

/// Reads a device's events unchanged, for a recording. It never records typing: of all keys, only buttons and touch
/// states are recorded, whatever the device.
package final class EventRecorder {
  private let descriptor: Descriptor
  private let buffer: UnsafeMutablePointer<input_event>
  private let slots: [SlotState]
  private let currentSlot: Int
  private static let bufferCount = 64

  package let node: String
  /// The device's description, without the keys that are never recorded.
  package let description: DeviceDescription

  /// Readable when there is something for `read`.
  package var fileDescriptor: CInt { descriptor.raw }

  package init(node: String) throws(DeviceError) {
    self.node = node
    do {
      descriptor = try Descriptor.open(node, O_RDONLY | O_NONBLOCK)
    } catch {
      throw DeviceError.from(error.code, node: node)
    }
    let state: EvdevState
    do { state = try EvdevState(fd: descriptor.raw) } catch { throw DeviceError.from(error.code, node: node) }
    _ = state.useMonotonicClock()
    var d = state.description()
    if let keys = d.codes[Evdev.key] { d.codes[Evdev.key] = CodeSet(keys.codes.filter { Self.isButton($0) }) }
    description = d
    slots = d.protocol == .slotted ? state.slots(.slotted) : []
    currentSlot = state.currentSlot
    buffer = .allocate(capacity: Self.bufferCount)
    buffer.initialize(repeating: input_event(), count: Self.bufferCount)
  }

  deinit { buffer.deallocate() }

  /// The positions in the slots when the recording began, as events of one frame; empty if no slot had a position.
  ///
  /// The kernel reports changes only. Without this frame, a finger that comes down exactly at its slot's last
  /// position would have no position.
  ///
  /// - Parameter time: the frame's time, not later than the first event's.
  package func initialEvents(at time: Instant) -> [EvdevEvent] {
    Self.events(for: slots, currentSlot: currentSlot, description, at: time)
  }

  static func events(
    for slots: [SlotState], currentSlot: Int, _ description: DeviceDescription, at time: Instant
  ) -> [EvdevEvent] {
    var events: [EvdevEvent] = []
    func say(_ code: UInt16, _ value: Int32) {
      guard description.axes[code] != nil else { return }
      events.append(EvdevEvent(time: time, type: Evdev.abs, code: code, value: value))
    }
    for (number, slot) in slots.enumerated() where slot.x != 0 || slot.y != 0 {
      say(Evdev.absMtSlot, Int32(number))
      say(Evdev.absMtPositionX, slot.x)
      say(Evdev.absMtPositionY, slot.y)
    }
    guard !events.isEmpty else { return [] }
    say(Evdev.absMtSlot, Int32(currentSlot))
    events.append(EvdevEvent(time: time, type: Evdev.syn, code: 0, value: 0))
    return events
  }

  /// Whether a code is a button: BTN_MISC to 0x15F, gamepad buttons included. No key of a keyboard is among them.
  package static func isButton(_ code: UInt16) -> Bool { (0x100...0x15F).contains(code) }

  /// Calls `body` with each event that the device has sent, without waiting.
  package func read(_ body: (EvdevEvent) -> Void) throws(DeviceError) {
    let size = MemoryLayout<input_event>.stride
    while true {
      let n = CLinux.read(descriptor.raw, buffer, size * Self.bufferCount)
      if n < 0 {
        let code = clinux_errno()
        if code == EINTR { continue }
        if code == EAGAIN { return }
        throw DeviceError.from(code == EIO || code == ENXIO ? ENODEV : code, node: node)
      }
      if n == 0 { throw DeviceError.from(ENODEV, node: node) }
      for i in 0..<(n / size) {
        let e = buffer[i]
        if e.type == Evdev.key, !Self.isButton(e.code) { continue }
        // Scan codes (EV_MSC) would reveal the key as well.
        if e.type == 0x04 { continue }
        let time = Int64(e.time.tv_sec) &* 1_000_000 &+ Int64(e.time.tv_usec)
        body(EvdevEvent(time: Instant(microseconds: time), type: e.type, code: e.code, value: e.value))
      }
      if n < size * Self.bufferCount { return }
    }
  }
}
