import CFakeEvdev
import CarryContacts
import CarryEvdev
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// A device behind a pipe. One at a time: the fake kernel knows one descriptor.
private final class FakePanel {
  let device: EvdevDevice
  private var write: CInt
  var log: [String] = []
  var lastTime = Instant.zero

  init(slots: Int32 = 5, prepare: () -> Void = {}) throws {
    let pipe = try Pipe()
    // The kernel's nodes are opened non-blocking; a pipe has to be told.
    let read = try pipe.read.duplicate()
    write = try pipe.write.duplicate().release()
    try Nonblocking.set(read.raw)
    fake_evdev_begin(read.raw, "fake panel")
    fake_evdev_property(1)
    fake_evdev_key(0x14a)
    for (code, maximum) in [(0x2f, slots - 1), (0x39, 65535), (0x35, 999), (0x36, 499)] as [(CInt, CInt)] {
      fake_evdev_axis(code, 0, maximum, 10)
    }
    prepare()
    device = try EvdevDevice(owning: read, node: "/dev/input/event7", identifiers: ContactIDSource())
  }

  deinit {
    hangUp()
    fake_evdev_begin(-1, "")
  }

  func hangUp() {
    if write >= 0 { _ = Descriptor(owning: write) }
    write = -1
  }

  func send(_ type: UInt16, _ code: UInt16, _ value: Int32, at time: Int64 = 1_000_000) {
    #expect(fake_evdev_write(write, time, type, code, value) == 0)
  }

  func contact(slot: Int32, id: Int32, x: Int32, y: Int32) {
    send(3, 0x2f, slot)
    send(3, 0x39, id)
    send(3, 0x35, x)
    send(3, 0x36, y)
  }

  func read() throws -> [String] {
    var log: [String] = []
    var time = Instant.zero
    do {
      try device.readFrames { frame in
        time = frame.time
        for c in frame.contacts { log.append("\(c.phase) \(c.id.raw) \(c.x),\(c.y)") }
      }
    } catch {
      log.append("\(error.reason)")
    }
    lastTime = time
    return log
  }
}

@Suite(.serialized) struct EvdevDeviceTests {
  @Test func framesComeFromTheDescriptor() throws {
    let panel = try FakePanel()
    #expect(panel.device.description.name == "fake panel")
    #expect(panel.device.description.kind == .touchscreen)
    #expect(panel.device.description.slotCount == 5)
    #expect(panel.device.description.axes[0x35] == AxisRange(0, 999, resolution: 10))
    #expect(try panel.read() == [])
    panel.contact(slot: 0, id: 1, x: 10, y: 20)
    panel.contact(slot: 1, id: 2, x: 30, y: 40)
    #expect(try panel.read() == [])
    panel.send(0, 0, 0, at: 1_234_567)
    #expect(try panel.read() == ["began 1 10,20", "began 2 30,40"])
    #expect(panel.lastTime == Instant(microseconds: 1_234_567))
    for i: Int32 in 0..<200 {
      panel.send(3, 0x35, 100 + i, at: 2_000_000)
      panel.send(0, 0, 0, at: 2_000_000)
    }
    #expect(try panel.read().count == 200)
  }

  @Test("after dropped events the device is asked for its state")
  func afterDroppedEventsTheDeviceIsAskedForItsState() throws {
    let panel = try FakePanel()
    panel.contact(slot: 0, id: 1, x: 10, y: 20)
    panel.contact(slot: 1, id: 2, x: 30, y: 40)
    panel.contact(slot: 2, id: 3, x: 50, y: 60)
    panel.send(0, 0, 0)
    _ = try panel.read()
    // The truth: the first moved, the second went, the third was replaced, and slot 3 is current.
    for (slot, id, x, y) in [(0, 1, 11, 21), (1, -1, 30, 40), (2, 9, 500, 60), (3, 10, 70, 80)]
      as [(CInt, CInt, CInt, CInt)]
    {
      fake_evdev_slot_value(slot, 0x39, id)
      fake_evdev_slot_value(slot, 0x35, x)
      fake_evdev_slot_value(slot, 0x36, y)
    }
    fake_evdev_axis_value(0x2f, 3)
    panel.send(3, 0x35, 999)  // Before the loss: the last true position of the third.
    panel.send(0, 3, 0)
    panel.send(3, 0x36, 0)
    panel.send(0, 0, 0)
    panel.send(3, 0x35, 444)  // Queued before the answer: part of it already.
    panel.send(0, 0, 0)
    let frame = try panel.read()
    #expect(frame == ["moved 1 11,21", "ended 2 30,40", "ended 3 999,60", "began 4 500,60", "began 5 70,80"])
    panel.send(3, 0x35, 71)
    panel.send(0, 0, 0)
    #expect(try panel.read() == ["moved 5 71,80"])
  }

  @Test("Z5: fingers that went while the machine slept are found out") func Z5_fingersThatWentWhileAsleep()
    throws
  {
    let panel = try FakePanel()
    panel.contact(slot: 0, id: 1, x: 10, y: 20)
    panel.contact(slot: 1, id: 2, x: 30, y: 40)
    panel.send(0, 0, 0)
    _ = try panel.read()
    for (slot, id) in [(0, -1), (1, 2)] as [(CInt, CInt)] {
      fake_evdev_slot_value(slot, 0x39, id)
      fake_evdev_slot_value(slot, 0x35, 31)
      fake_evdev_slot_value(slot, 0x36, 40)
    }
    var log: [String] = []
    try panel.device.askForState { frame in
      for c in frame.contacts { log.append("\(c.phase) \(c.id.raw)") }
    }
    #expect(log == ["ended 1", "moved 2"])
  }

  @Test("Z7: a device that goes cancels its contacts") func Z7_aDeviceThatGoesCancelsItsContacts() throws {
    let panel = try FakePanel()
    panel.contact(slot: 0, id: 1, x: 10, y: 20)
    panel.send(0, 0, 0)
    panel.hangUp()
    #expect(try panel.read() == ["began 1 10,20"])
    // A process that another test is starting has the other end too, until its exec.
    var read: [String] = []
    _ = Wait.until {
      read = (try? panel.read()) ?? []
      return !read.isEmpty
    }
    #expect(read == ["cancelled 1 10,20", "gone"])
    #expect(try panel.read() == ["gone"])
  }

  @Test func fingersAlreadyDownStaySilentAndPositionsAreKnown() throws {
    let panel = try FakePanel {
      fake_evdev_slot_value(0, 0x39, 5)
      fake_evdev_slot_value(0, 0x35, 100)
      fake_evdev_slot_value(1, 0x35, 300)
      fake_evdev_slot_value(1, 0x36, 400)
    }
    panel.send(3, 0x35, 101)
    panel.send(0, 0, 0)
    #expect(try panel.read() == [])
    panel.send(3, 0x2f, 1)
    panel.send(3, 0x39, 6)
    panel.send(3, 0x36, 401)
    panel.send(0, 0, 0)
    #expect(try panel.read() == ["began 1 300,401"])
  }

  @Test("future stamps and an unset clock are replaced by the reading time")
  func futureStampsAndAnUnsetClockAreReplacedByTheReadingTime() throws {
    let panel = try FakePanel { fake_evdev_refuse_clock() }
    let before = MonotonicClock.now()
    panel.contact(slot: 0, id: 1, x: 10, y: 20)
    panel.send(0, 0, 0, at: 1)
    _ = try panel.read()
    #expect(panel.lastTime >= before && panel.lastTime <= MonotonicClock.now())
    let other = try FakePanel()
    other.contact(slot: 0, id: 1, x: 10, y: 20)
    other.send(0, 0, 0, at: .max / 2)
    _ = try other.read()
    #expect(other.lastTime >= before && other.lastTime <= MonotonicClock.now())
  }

  @Test func anonymousDevicesAreConverted() throws {
    let pipe = try Pipe()
    let read = try pipe.read.duplicate()
    try Nonblocking.set(read.raw)
    fake_evdev_begin(read.raw, "old panel")
    defer { fake_evdev_begin(-1, "") }
    fake_evdev_axis(0x35, 0, 999, 0)
    fake_evdev_axis(0x36, 0, 499, 0)
    let device = try EvdevDevice(owning: read, node: "/dev/input/event8", identifiers: ContactIDSource())
    #expect(device.description.protocol == .slotted)
    var log: [String] = []
    func frame(_ points: [(Int32, Int32)]) throws {
      for (x, y) in points {
        _ = fake_evdev_write(pipe.write.raw, 1, 3, 0x35, x)
        _ = fake_evdev_write(pipe.write.raw, 1, 3, 0x36, y)
        _ = fake_evdev_write(pipe.write.raw, 1, 0, 2, 0)
      }
      _ = fake_evdev_write(pipe.write.raw, 1, 0, 0, 0)
      try device.readFrames { for c in $0.contacts { log.append("\(c.phase) \(c.id.raw) \(c.x),\(c.y)") } }
    }
    try frame([(10, 20)])
    try frame([(500, 400), (11, 20)])  // Another order, the same finger.
    try frame([(500, 400)])
    try frame([])
    #expect(log == ["began 1 10,20", "moved 1 11,20", "began 2 500,400", "ended 1 11,20", "ended 2 500,400"])
  }

  @Test func errorsSayWhichNodeWhyAndWhatToDo() throws {
    func failure(_ node: String) -> DeviceError? {
      do {
        _ = try EvdevDevice(node: node, identifiers: ContactIDSource())
        return nil
      } catch { return error }
    }
    let missing = try #require(failure("/nonexistent/event3"))
    #expect(missing.reason == .missing)
    #expect(missing.sentence.hasPrefix("/nonexistent/event3: ") && missing.sentence.contains("carry devices"))
    let foreign = try #require(failure("/dev/null"))
    #expect(foreign.reason == .notEvdev)
    #expect(foreign.sentence.contains("/dev/input/event"))
    let pipe = try Pipe()
    let read = try pipe.read.duplicate().release()
    fake_evdev_begin(read, "mouse")
    defer { fake_evdev_begin(-1, "") }
    let error = #expect(throws: DeviceError.self) {
      try EvdevDevice(owning: Descriptor(owning: read), node: "/dev/input/event1", identifiers: ContactIDSource())
    }
    #expect(error?.reason == .noTouch)
  }

  @Test("a storm of a million events loses no contact and no memory")
  func aStormOfAMillionEventsLosesNoContactAndNoMemory() throws {
    let panel = try FakePanel(slots: 10)
    var began = 0
    var ended = 0
    var live: Set<UInt32> = []
    func take() throws {
      try panel.device.readFrames { frame in
        for c in frame.contacts {
          switch c.phase {
          case .began:
            began += 1
            #expect(live.insert(c.id.raw).inserted)
          case .ended:
            ended += 1
            #expect(live.remove(c.id.raw) != nil)
          case .moved, .cancelled: break
          }
        }
      }
    }
    // Ten fingers that all move in each frame, and come and go: what 100,000 events a second for ten seconds are.
    var memory = 0
    var id: Int32 = 0
    for frame in 0..<25_000 {
      for slot in 0..<10 as Range<Int32> {
        panel.send(3, 0x2f, slot)
        if frame % 50 == 0 {
          id += 1
          panel.send(3, 0x39, id)
        }
        panel.send(3, 0x35, Int32(frame % 1000))
        panel.send(3, 0x36, Int32(frame % 500))
        if frame % 50 == 49 { panel.send(3, 0x39, -1) }
      }
      panel.send(0, 0, 0, at: Int64(frame) * 400)
      if frame % 20 == 19 { try take() }
      if frame == 5000 { memory = Self.resident() }
    }
    try take()
    #expect(began == 5000 && ended == 5000 && live.isEmpty)
    // AddressSanitizer keeps freed memory for a while, so that its use is seen.
    guard environment("CARRY_SANITIZE") == nil else { return }
    #expect(Self.resident() - memory < 2 << 20, "grew from \(memory) to \(Self.resident())")
  }

  /// Bytes of this process in memory.
  private static func resident() -> Int {
    let bytes = (try? Files.readStart("/proc/self/statm", most: 4096)) ?? []
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
    #expect(pages > 0, "the memory cannot be read")
    return pages * 4096
  }
}
