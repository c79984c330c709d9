import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Synchronization

/// A hundred transfers at once, and cancelled ones, between two processes through the real engine.
enum ManyTransfersBenchmark {
  private static let (items, loadsOfItem, size) = (2, 50, 16 << 20)
  private static let cancels = 10
  private static let type = "application/x-bench-many"
  private static func cancelType(_ i: Int) -> String { "application/x-bench-cancel-\(i)" }

  private static func region(_ client: Client, _ frame: CarryModel.Rect, _ x: [Int]) throws -> (XClient, [Region]) {
    guard let display = XClient(environment("DISPLAY") ?? "") else { throw Failure("no display") }
    let window = display.makeWindow(frame, color: 0xAABBCC).raw
    display.sync()
    let width = Int(frame.width) / x.count
    return (
      display, x.map { Region(client: client, window: window, frame: .init(x: $0, y: 0, width: width, height: 400)) }
    )
  }

  static func source(_ arguments: Arguments) throws {
    let client = try Client(name: "bench source")
    let (display, regions) = try region(client, CarryModel.Rect(x: 50, y: 200, width: 400, height: 400), [0, 200])
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
    for i in 0..<size { memory[i] = UInt8(truncatingIfNeeded: i &* 31) }
    let bytes = Bytes(memory: UnsafeRawBufferPointer(memory))
    let offers = [Offer { (0..<items).map { _ in many(bytes) } }, Offer { [cancelled()] }]
    for (region, offer) in zip(regions, offers) { region.addInteraction(DragInteraction(delegate: offer)) }
    try client.synchronize()
    try? client.run()
    withExtendedLifetime((display, offers)) {}
  }

  private struct Bytes: @unchecked Sendable { let memory: UnsafeRawBufferPointer }

  private static func many(_ bytes: Bytes) -> ItemProvider {
    let provider = ItemProvider()
    provider.registerStreamRepresentation(forType: type) { try $0.write(bytes.memory) }
    return provider
  }

  /// Half of the types are never answered, the others never end. Each says when it was told that nobody wants it.
  private static func cancelled() -> ItemProvider {
    let provider = ItemProvider()
    for i in 0..<cancels {
      provider.registerRequests(forType: cancelType(i)) { request in
        request.onCancelled = { emit("carry.cancel.heard", Double(nanoseconds()), "ns") }
        request.reportProgress(completedUnitCount: 1, totalUnitCount: 100)
      }
    }
    for i in cancels..<2 * cancels {
      provider.registerStreamRepresentation(forType: cancelType(i)) { stream in
        defer { emit("carry.cancel.heard", Double(nanoseconds()), "ns") }
        while true { try stream.write([UInt8](repeating: 7, count: 4096)) }
      }
    }
    return provider
  }

  static func destination(_ arguments: Arguments) throws {
    let client = try Client(name: "bench destination")
    let (display, regions) = try region(client, CarryModel.Rect(x: 850, y: 200, width: 300, height: 400), [0])
    let target = Target(loads: arguments.number("drops", otherwise: 1) > 0)
    regions[0].addInteraction(DropInteraction(delegate: target))
    try client.synchronize()
    try? client.run()
    withExtendedLifetime(display) {}
    if let failure = target.failure { throw failure }
  }

  private final class Offer: DragInteractionDelegate {
    private let make: () -> [ItemProvider]
    init(_ make: @escaping () -> [ItemProvider]) { self.make = make }

    func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
      make().map { DragItem(itemProvider: $0) }
    }
  }

  private final class Target: DropInteractionDelegate {
    private(set) var failure: Failure?
    /// Whether it loads what is dropped.
    private let isLoading: Bool
    private var loads: [Load] = []
    private var progressed: Set<ObjectIdentifier> = []
    private var times: [UInt64] = []
    private var began: UInt64 = 0

    init(loads: Bool) { isLoading = loads }

    func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
      DropProposal(operation: .copy)
    }

    func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
      guard isLoading else { return }
      (loads, times, progressed) = ([], [], [])
      began = nanoseconds()
      if session.items[0].itemProvider.registeredTypes[0] == type {
        for item in session.items { for _ in 0..<loadsOfItem { loadAll(item.itemProvider) } }
      } else {
        for i in 0..<2 * cancels { loadAndCancel(session.items[0].itemProvider, cancelType(i)) }
      }
    }

    private func loadAll(_ provider: ItemProvider) {
      provider.loadRepresentation(forType: type, inParts: { _ in }) { result in
        switch result {
        case .success(size): self.times.append(nanoseconds() - self.began)
        case .success(let bytes): self.fail("\(bytes) bytes came")
        case .failure(let error): self.fail(error.description)
        }
        guard self.times.count == items * loadsOfItem, let last = self.times.max() else { return }
        emit("carry.many", Double(size * self.times.count) / Double(1 << 30) / (Double(last) / 1e9), "GiB/s")
      }
    }

    private func fail(_ why: String) {
      failure = failure ?? Failure(why)
      Output.write("carry-bench: \(why)\n", to: STDERR_FILENO)
    }

    /// All are cancelled once of each something is known to have come.
    private func loadAndCancel(_ provider: ItemProvider, _ type: String) {
      let load = provider.loadRepresentation(forType: type, inParts: { _ in }) { _ in
        emit("carry.cancel.told", Double(nanoseconds() - self.began) / 1e6, "ms")
      }
      load.onProgress = { load in
        guard !load.isFinished, self.progressed.insert(ObjectIdentifier(load)).inserted,
          self.progressed.count == 2 * cancels
        else { return }
        emit("carry.cancel.first", Double(nanoseconds()), "ns")
        for load in self.loads {
          self.began = nanoseconds()
          load.cancel()
        }
      }
      loads.append(load)
    }
  }
}
