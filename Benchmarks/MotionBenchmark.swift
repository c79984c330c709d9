import CAllocationCount
import CarryDisplay
import CarryEvdev
import CarryModel
import CarrySessions
import CarrySystem
import CarryTesting

/// From a frame that is ready on the device to the flushed move of the preview: one thread, no wake-up, no client.
enum MotionBenchmark {
  static func run(_ arguments: Arguments) throws {
    let frames = arguments.number("frames", otherwise: 5000)
    let trace = Trace(steadyFrames: frames + 500)
    let desktop = try Desktop()
    let previews = try Previews(count: 1)
    let fake = try FakeDevice(trace)
    let device = try fake.open()
    var desk = try Desk(trace, plain: true)
    desk.onStage = { _, what, _ in
      if case .move(let point) = what { previews.show(SessionID(1), at: point) }
    }
    var times: [UInt64] = []
    times.reserveCapacity(frames)
    var before: UInt64 = 0
    var measured = 0
    var start = 0
    for (n, end) in fake.frameEnds.enumerated() {
      if n == 500 { before = allocation_count() }
      fake.write(start..<end)
      let a = nanoseconds()
      try device.readFrames { desk.frame($0) }
      previews.draw()
      let time = nanoseconds() &- a
      if n >= 500 {
        times.append(time)
        measured += end - start
      }
      start = end
      if n % 64 == 0 { previews.display.settle() }
    }
    let count = allocation_count() - before
    guard desk.motions > frames / 2 else { throw Failure("no drag took place") }
    emit(percentilesOf: times, "carry.motion")
    emit("carry.motion.allocations", Double(count) * 1000 / Double(measured), "per1000ev")
    desktop.x.sync()
  }
}
