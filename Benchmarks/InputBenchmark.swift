import CAllocationCount
import CarryContacts
import CarryEvdev
import CarrySystem

/// ns per evdev event, from the device or from memory to the sessions' actions, with one finger dragging.
enum InputBenchmark {
  static func run(_ arguments: Arguments) throws {
    let count = arguments.number("events", otherwise: 500_000)
    let contacts = arguments.number("contacts", otherwise: 0)
    let trace: Trace
    if let file = arguments.operands.first {
      trace = try Trace(path: file, count: count)
    } else {
      trace = Trace(contacts: max(1, min(16, contacts)), count: count)
    }
    try live(trace, "carry.live")
    try replay(trace, "carry.replay")
    try allocations()
  }

  private static func live(_ trace: Trace, _ metric: String) throws {
    let fake = try FakeDevice(trace)
    let device = try fake.open()
    var desk = try Desk(trace)
    var total: UInt64 = 0
    var start = 0
    // The clock pair costs some 50 ns a frame and is left in, as the comparator leaves it in.
    for end in fake.frameEnds {
      fake.write(start..<end)
      let a = nanoseconds()
      try device.readFrames { desk.frame($0) }
      total &+= nanoseconds() &- a
      start = end
    }
    try check(desk)
    emit(metric, Double(total) / Double(trace.events.count), "ns/ev")
    emit(metric + ".drags", Double(desk.drags), "count")
    emit(metric + ".motions", Double(desk.motions), "count")
    emit(metric + ".updates", Double(desk.updates), "count")
  }

  private static func replay(_ trace: Trace, _ metric: String) throws {
    var desk = try Desk(trace)
    let tracker = ContactTracker(trace.description)
    var frame = ContactFrame()
    let a = nanoseconds()
    for event in trace.events where tracker.handle(event, into: &frame) { desk.frame(frame) }
    let total = nanoseconds() &- a
    try check(desk)
    emit(metric, Double(total) / Double(trace.events.count), "ns/ev")
  }

  private static func check(_ desk: borrowing Desk) throws {
    guard desk.drags > 0, desk.motions > 0, desk.updates > 0 else {
      throw Failure("no drag took place: \(desk.drags) drags, \(desk.motions) motions, \(desk.updates) updates")
    }
  }

  /// The steady state: a finger that drags within one region.
  private static func allocations() throws {
    let trace = Trace(steadyFrames: 20_000)
    let fake = try FakeDevice(trace)
    let device = try fake.open()
    var desk = try Desk(trace, plain: true)
    var before: UInt64 = 0
    var measured = 0
    var start = 0
    for (n, end) in fake.frameEnds.enumerated() {
      if n == 1000 { before = allocation_count() }
      fake.write(start..<end)
      try device.readFrames { desk.frame($0) }
      if n >= 1000 { measured += end - start }
      start = end
    }
    let count = allocation_count() - before
    try check(desk)
    emit("carry.live.allocations", Double(count) * 1000 / Double(measured), "per1000ev")
  }
}
