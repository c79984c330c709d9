import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireClient

/// Round trips over the real socket to the `carryd` of `CARRY_SOCKET`.
enum RoundTripBenchmark {
  static func run(_ arguments: Arguments) throws {
    let rounds = arguments.number("rounds", otherwise: 20_000)
    let wire = try WireConnection(path: RuntimeSocket.path(), name: "bench")
    var times: [UInt64] = []
    times.reserveCapacity(rounds)
    for i in 0..<rounds + 1000 {
      let a = nanoseconds()
      try wire.roundTrip()
      if i >= 1000 { times.append(nanoseconds() &- a) }
    }
    emit(percentilesOf: times, "carry.sync")
    try ask(wire, rounds / 4)
  }

  /// A request that the engine works on and answers: an application withdraws a region, and the engine agrees.
  private static func ask(_ wire: WireConnection, _ rounds: Int) throws {
    guard let x = XClient(environment("DISPLAY") ?? "") else { throw Failure("no display") }
    let window = x.makeWindow(Rect(x: 10, y: 10, width: 200, height: 200))
    x.sync()
    var times: [UInt64] = []
    for i in 0..<rounds + 200 {
      var region = wire.makeRegion(window: window.raw)
      var refusal: String?
      region?.onEvent = { if case .refused(let why) = $0 { refusal = why } }
      region?.setRectangle(x: 0, y: 0, width: 200, height: 200)
      region?.setRoles(.drop)
      try wire.roundTrip()
      if let refusal { throw Failure("the engine refused the region: \(refusal)") }
      // The engine's last word gives the region's last reference back.
      weak let answered = region
      let a = nanoseconds()
      region?.withdraw()
      region = nil
      try wire.flush()
      while answered != nil {
        var p = pollfd(fd: wire.fileDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&p, 1, 2000)
        try wire.dispatch()
      }
      if i >= 200 { times.append(nanoseconds() &- a) }
    }
    emit(percentilesOf: times, "carry.question")
  }
}
