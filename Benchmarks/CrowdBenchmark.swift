import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting

/// Many applications with four drop regions each, side by side where the recording of ten fingers carries its stacks.
enum CrowdBenchmark {
  private static let (columns, rows) = (10, 5)

  private final class Target: DropInteractionDelegate {
    var updates = 0

    func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
      updates += 1
      return DropProposal(operation: .copy)
    }
  }

  /// Runs until the engine goes; then says how many updates came.
  static func run(_ arguments: Arguments) throws {
    let (first, count) = (arguments.number("first", otherwise: 0), arguments.number("clients", otherwise: 50))
    guard let x = XClient(environment("DISPLAY") ?? "") else { throw Failure("no display") }
    let target = Target()
    var clients: [Client] = []
    var regions: [Region] = []
    for n in first..<first + count {
      let (column, row) = (n % columns, n / columns % rows)
      let window = x.makeWindow(
        CarryModel.Rect(x: Double(460 + column * 80), y: Double(40 + row * 144), width: 80, height: 144),
        color: 0xDDDDDD)
      x.sync()
      let client = try Client(name: "bench crowd \(n)")
      for k in 0..<4 {
        let region = Region(
          client: client, window: window.raw, frame: Carry.Rect(x: k % 2 * 40, y: k / 2 * 72, width: 40, height: 72))
        let drop = DropInteraction(delegate: target)
        drop.allowsSimultaneousDropSessions = true
        region.addInteraction(drop)
        regions.append(region)
      }
      try client.synchronize()
      clients.append(client)
    }
    var polled = clients.map { pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0) }
    while poll(&polled, UInt(polled.count), -1) >= 0 {
      do {
        for i in polled.indices where polled[i].revents != 0 { try clients[i].dispatch() }
      } catch { break }
    }
    emit("carry.crowd.updates", Double(target.updates), "count")
    withExtendedLifetime(regions) {}
  }
}
