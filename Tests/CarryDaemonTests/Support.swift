import CarryLoop
import CLinux
import CarryContacts
import CarryGate
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireServer

@testable import CarryDaemon

func ms(_ n: Int) -> Instant { Instant(microseconds: Int64(n) * 1000) }

/// A clock that only tests move.
final class TestClock {
  var time = ms(0)
  func now() -> Instant { time }
}

/// The event loop of an engine without clients.
final class TestLoop {
  private let server: WireServer
  private let folder: TestFolder
  var loop: EventLoop { server.loop }

  init() throws {
    folder = try TestFolder("daemon")
    server = try WireServer(
      listener: SocketListener(path: folder.path + "/carry-0", isListening: false), version: "test")
  }

  deinit { server.close() }
}

/// A gate's process, played by the test on its thread.
final class PlayedGate: GateSpawner {
  private var socket: CInt = -1
  private(set) var starts = 0
  private(set) var jobs: [GateJob] = []
  /// Whether the process cannot be started now.
  var fails = false

  func spawn(_ job: GateJob, at theirs: CInt) throws(SystemError) -> CInt {
    starts += 1
    jobs.append(job)
    if fails { throw SystemError(code: EAGAIN, call: "posix_spawn", subject: job.kind.name) }
    end()
    socket = dup(theirs)
    return 0
  }

  deinit { end() }

  /// The process ends.
  func end() {
    if socket >= 0 { close(socket) }
    socket = -1
  }

  func say(_ message: GateMessage) { message.send(to: socket) }

  func say(_ kind: GateMessage.Kind, _ id: UInt32, _ x: Double = 0, _ y: Double = 0, at time: Instant = ms(0)) {
    say(GateMessage(kind: kind, id: id, at: Point(x: x, y: y), time: time, device: 7))
  }

  /// What it has been told since it was asked last, such as `accept 5`.
  func heard() -> [String] {
    var all: [String] = []
    while socket >= 0, case .message(let message) = GateMessage.receive(from: socket) {
      all.append("\(message.kind) \(message.id)")
    }
    return all
  }
}

/// Writes down what fingers do.
final class TouchLog: InputDelegate, PadOwner, GateSourceOwner {
  var touches: [Touch] = []
  var wants = false
  private var lastDevice: UInt32 = 0
  var devices: [String] = []
  var lost: [DeviceID] = []

  func handle(_ touch: Touch) { touches.append(touch) }

  func wantsToSee(touchAt point: Point, unguardable: Set<WindowID>) -> Bool { wants }

  func mayLift(clickAt point: Point) -> Bool { wants }

  func mayAdd(clickAt point: Point) -> Bool { wants }

  func padChanged() {}

  func addDevice(_ name: String) -> DeviceID {
    devices.append(name)
    lastDevice += 1
    return DeviceID(lastDevice)
  }

  func lose(_ device: DeviceID, at now: Instant) { lost.append(device) }

  /// `began 1 500,400`, and forgets them.
  func said() -> [String] {
    defer { touches = [] }
    return touches.map { "\($0.phase) \($0.id.raw) \(Int($0.point.x)),\(Int($0.point.y))" }
  }
}
