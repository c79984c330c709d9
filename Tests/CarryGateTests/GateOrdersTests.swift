import CLinux
import CarryGate
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// The engine's side of the gate, with a script in the gate's place.
@Suite struct GateOrdersTests {
  /// A script, in a directory of its own.
  private final class Script {
    private let folder: TestFolder
    var directory: String { folder.path }
    let program: String

    init(_ lines: (_ directory: String) -> String) throws {
      folder = try TestFolder("gate")
      program = try folder.write("#!/bin/sh\n\(lines(folder.path))\n", to: "gate", mode: 0o700)
    }

    func size(_ name: String) -> Int? {
      var s = stat()
      return stat("\(directory)/\(name)", &s) == 0 ? Int(s.st_size) : nil
    }
  }

  @Test("Z4: a gate that is slow to start learns of every window all the same") func Z4_aSlowGate() throws {
    let script = try Script { "read line < \($0)/go\nexec cat <&3 > \($0)/got" }
    mkfifo("\(script.directory)/go", 0o600)
    let gate = Gate<TouchEvent>(
      displayName: nil, patience: .milliseconds(600), spawner: GateProgram(script.program))
    try gate.start()
    gate.guardWindows(Set((1...2000).map { WindowID($0) }))
    // What is not needed any more before the gate has heard of it is not said at all.
    for i in 1...100 { gate.guardWindows(Set((1...UInt32(i % 2 == 0 ? 2000 : 1000)).map { WindowID($0) })) }
    let go = try Descriptor.open("\(script.directory)/go", O_RDWR)
    _ = write(go.raw, "\n", 1)
    let all = Wait.until {
      gate.dispatch { _ in }
      return script.size("got") ?? 0 >= 2000 * 32
    }
    #expect(all, "\(script.size("got") ?? 0) bytes")
    gate.stop()
    let size = script.size("got") ?? 0
    #expect(size < 8000 * 32, "\(size) bytes")
  }

  @Test("a gate that is stopped does not keep the engine from its end", .timeLimit(.minutes(10)))
  func aStoppedGate() throws {
    let script = try Script { "(kill -STOP $$; : > \($0)/ready) &\nwait" }
    let gate = Gate<TouchEvent>(
      displayName: nil, patience: .milliseconds(600), spawner: GateProgram(script.program))
    try gate.start()
    let isStopped = Wait.until { script.size("ready") != nil }
    #expect(isStopped)
    gate.stop()
    #expect(!gate.isRunning)
  }
}
