import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting

/// A source and a destination of 64 MiB, each a process of its own, through the real engine.
///
/// The comparators copy again and again without a pause, with warm caches. So the destination copies as much by itself right
/// before each load, and the source before each drop.
enum TransferBenchmark {
  static let size = 64 << 20
  /// Where the recording of drops finds them, in screen pixels.
  static let places = (file: (x: 150, y: 400), stream: (x: 350, y: 400), destination: (x: 1000, y: 400))

  private static func window(_ frame: CarryModel.Rect) throws -> (x: XClient, id: UInt32) {
    guard let x = XClient(environment("DISPLAY") ?? "") else { throw Failure("no display") }
    let window = x.makeWindow(frame, color: 0xAABBCC)
    x.sync()
    return (x, window.raw)
  }

  static func source(_ arguments: Arguments) throws {
    guard let path = arguments.operands.first else { throw Failure("a file is missing") }
    let client = try Client(name: "bench source")
    let (x, window) = try window(CarryModel.Rect(x: 50, y: 200, width: 400, height: 400))
    let generated = Generated()
    let offers = [
      Offer(warmUp: {}) { ItemProvider(contentsOf: path, type: "application/x-bench-file") },
      Offer(warmUp: generated.warmUp) {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "application/x-bench-stream") { try $0.write(generated.bytes) }
        return provider
      },
    ]
    var regions: [Region] = []
    for (i, offer) in offers.enumerated() {
      let region = Region(client: client, window: window, frame: Carry.Rect(x: i * 200, y: 0, width: 200, height: 400))
      region.addInteraction(DragInteraction(delegate: offer))
      regions.append(region)
    }
    try client.synchronize()
    try? client.run()
    withExtendedLifetime((x, offers, regions)) {}
  }

  static func destination(_ arguments: Arguments) throws {
    let client = try Client(name: "bench destination")
    let (x, window) = try window(CarryModel.Rect(x: 850, y: 200, width: 300, height: 400))
    let region = Region(client: client, window: window, frame: Carry.Rect(x: 0, y: 0, width: 300, height: 400))
    guard let path = arguments.operands.first else { throw Failure("a file is missing") }
    let file = try Descriptor.open(path, O_RDONLY)
    let target = Target(client, file: file.raw, drops: arguments.number("drops", otherwise: 1))
    region.addInteraction(DropInteraction(delegate: target))
    try client.synchronize()
    try? client.run()
    withExtendedLifetime((x, region)) {}
    if let failure = target.failure { throw failure }
  }

  /// Bytes that are there already: what a generator costs is not Carry's.
  private final class Generated: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    init() {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
      for i in 0..<size { memory[i] = UInt8(truncatingIfNeeded: i &* 31) }
      bytes = UnsafeRawBufferPointer(memory)
    }

    func warmUp() {
      let other = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
      defer { other.deallocate() }
      for _ in 0..<2 {
        for at in stride(from: 0, to: size, by: other.count) {
          other.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[at..<at + other.count]))
        }
      }
    }
  }

  private final class Offer: DragInteractionDelegate {
    private let make: () -> ItemProvider
    private let warmUp: () -> Void

    init(warmUp: @escaping () -> Void, _ make: @escaping () -> ItemProvider) {
      self.warmUp = warmUp
      self.make = make
    }

    func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
      [DragItem(itemProvider: make())]
    }

    func dragInteraction(
      _ interaction: DragInteraction, session: DragSession, willEndWith operation: Carry.DropOperation
    ) { warmUp() }
  }

  private final class Target: DropInteractionDelegate {
    private let client: Client
    private var left: Int
    private(set) var failure: Failure?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
    private let file: CInt

    init(_ client: Client, file: CInt, drops: Int) {
      self.client = client
      self.file = file
      left = drops
      // Warm: the pages are there.
      for i in 0..<size { buffer[i] = 1 }
    }

    func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
      DropProposal(operation: .copy)
    }

    func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
      guard let provider = session.items.first?.itemProvider, let type = provider.registeredTypes.first else { return }
      for _ in 0..<5 { pread(file, buffer.baseAddress, size, 0) }
      for i in stride(from: 17, to: size, by: 4096) { buffer[i] = 1 }
      let a = nanoseconds()
      provider.loadRepresentation(forType: type, into: buffer) { result in
        let seconds = Double(nanoseconds() &- a) / 1e9
        switch result {
        case .success(let bytes) where bytes == size && self.isRight:
          emit(
            type.hasSuffix("file") ? "carry.file" : "carry.stream", Double(bytes) / Double(1 << 30) / seconds, "GiB/s")
        case .success(let bytes): self.failure = Failure("\(bytes) bytes came, or wrong ones")
        case .failure(let error): self.failure = Failure(error.description)
        }
        self.left -= 1
        if self.left == 0 || self.failure != nil { self.client.stop() }
      }
    }

    /// Looks at one byte a page.
    private var isRight: Bool {
      for i in stride(from: 17, to: size, by: 4096) where buffer[i] != UInt8(truncatingIfNeeded: i &* 31) {
        return false
      }
      return true
    }
  }
}
