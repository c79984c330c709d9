import CarryRecordings
import CEvdev
import CFakeEvdev
import CLinux
import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem

/// Events to measure with, a recording looped or made up; the same that the comparator reads.
struct Trace {
  var description: DeviceDescription
  var events: [EvdevEvent]

  /// A recording, again and again until there are `count` events.
  init(path: String, count: Int) throws {
    let recording = try RecordingFile.load(path)
    guard let description = recording.description, let last = recording.events.last else {
      throw Failure("\(path): nothing in it")
    }
    self.description = description
    let duration = Interval(microseconds: last.time.microseconds + 10_000)
    events = []
    var offset = Interval.zero
    while events.count < count {
      for var event in recording.events {
        event.time = event.time + offset
        events.append(event)
      }
      offset = Interval(microseconds: offset.microseconds + duration.microseconds)
    }
  }

  /// As many contacts, all moving in every frame at 100 Hz, up and down again every second.
  init(contacts: Int, count: Int) {
    description = Self.panel
    events = []
    var loop = 0
    while events.count < count {
      for frame in 0..<100 {
        let time = Instant(microseconds: Int64(loop) * 1_000_000 + Int64(frame) * 10_000)
        var list: [(UInt16, UInt16, Int)] = []
        for c in 0..<contacts {
          list.append((Evdev.abs, Evdev.absMtSlot, c))
          if frame == 0 { list.append((Evdev.abs, Evdev.absMtTrackingID, c + 1)) }
          if frame == 99 {
            list.append((Evdev.abs, Evdev.absMtTrackingID, -1))
          } else {
            list.append((Evdev.abs, Evdev.absMtPositionX, 10 + c * 60 + frame % 50))
            list.append((Evdev.abs, Evdev.absMtPositionY, 10 + frame * 4))
          }
        }
        if frame == 0 || frame == 99 { list.append((Evdev.key, Evdev.btnTouch, frame == 0 ? 1 : 0)) }
        list.append((Evdev.syn, Evdev.synReport, 0))
        events += list.map { EvdevEvent(time: time, type: $0.0, code: $0.1, value: Int32($0.2)) }
      }
      loop += 1
    }
  }

  /// One finger that comes down in the middle and then moves a little for ever.
  init(steadyFrames count: Int) {
    description = Self.panel
    events = []
    for frame in 0..<count {
      let time = Instant(microseconds: Int64(frame) * 10_000)
      func put(_ type: UInt16, _ code: UInt16, _ value: Int) {
        events.append(EvdevEvent(time: time, type: type, code: code, value: Int32(value)))
      }
      if frame == 0 { put(Evdev.abs, Evdev.absMtTrackingID, 1) }
      put(Evdev.abs, Evdev.absMtPositionX, 400 + frame % 8)
      put(Evdev.abs, Evdev.absMtPositionY, 240 + frame % 4)
      put(Evdev.syn, Evdev.synReport, 0)
    }
  }

  private static var panel: DeviceDescription {
    var d = DeviceDescription(name: "Bench panel")
    d.properties.insert(UInt16(Evdev.propDirect))
    d.axes[Evdev.absMtSlot] = AxisRange(0, 15, resolution: 10)
    d.axes[Evdev.absMtTrackingID] = AxisRange(0, 65535)
    for (x, y) in [(Evdev.absX, Evdev.absY), (Evdev.absMtPositionX, Evdev.absMtPositionY)] {
      d.axes[x] = AxisRange(0, 799, resolution: 10)
      d.axes[y] = AxisRange(0, 479, resolution: 10)
    }
    d.codes[Evdev.key] = CodeSet([Evdev.btnTouch])
    return d
  }

  /// Where the first contact comes down, in device units.
  var start: (x: Int32, y: Int32)? {
    let tracker = ContactTracker(description)
    var frame = ContactFrame()
    for event in events where tracker.handle(event, into: &frame) {
      if let first = frame.contacts.first(where: { $0.phase == .began }) { return (first.x, first.y) }
    }
    return nil
  }
}

/// A kernel device behind a pipe, as the comparator has one: this process's ioctl answers for it.
final class FakeDevice {
  let pipe: (read: CInt, write: CInt)
  /// The trace as the kernel would write it, ending now: no event is from the future.
  private let raw: UnsafeMutableBufferPointer<input_event>
  /// The index after each frame's last event.
  let frameEnds: [Int]

  init(_ trace: Trace) throws {
    var ends: [CInt] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { throw SystemError.last("pipe2") }
    pipe = (ends[0], ends[1])
    _ = clinux_set_pipe_size(ends[1], 1 << 20)
    _ = clinux_set_status_flags(ends[0], O_NONBLOCK)
    fake_evdev_begin(ends[0], "Bench panel")
    for (code, a) in trace.description.axes { fake_evdev_axis(CInt(code), a.minimum, a.maximum, a.resolution) }
    fake_evdev_key(CInt(Evdev.btnTouch))
    fake_evdev_property(CInt(Evdev.propDirect))
    raw = .allocate(capacity: trace.events.count)
    let shift = MonotonicClock.now() - (trace.events.last?.time ?? .zero)
    var list: [Int] = []
    for (i, e) in trace.events.enumerated() {
      var event = input_event()
      let time = (e.time + shift).microseconds
      event.time.tv_sec = Int(time / 1_000_000)
      event.time.tv_usec = Int(time % 1_000_000)
      (event.type, event.code, event.value) = (e.type, e.code, e.value)
      raw.initializeElement(at: i, to: event)
      if e.type == Evdev.syn { list.append(i + 1) }
    }
    frameEnds = list
  }

  deinit {
    close(pipe.write)
    raw.deallocate()
  }

  /// The reading end as a device, once: it closes it.
  func open() throws -> EvdevDevice {
    try EvdevDevice(owning: Descriptor(owning: pipe.read), node: "bench", identifiers: ContactIDSource())
  }

  func write(_ range: Range<Int>) {
    guard let base = raw.baseAddress else { return }
    let bytes = range.count * MemoryLayout<input_event>.stride
    if CLinux.write(pipe.write, base + range.lowerBound, bytes) != bytes { exit(1) }
  }
}
