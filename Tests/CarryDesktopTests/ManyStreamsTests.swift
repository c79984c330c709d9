import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Synchronization
import Testing

extension DesktopTests {
  /// Destinations that ask for more streams at once than a program has descriptors for.
  @Suite(.serialized) struct ManyStreams {
    private final class Counts: Sendable {
      let begun = Atomic<Int>(0)
      let writing = Atomic<Int>(0)
      let most = Atomic<Int>(0)
      let mayEnd = Atomic<Bool>(false)

      func write(_ stream: StreamWriter) throws {
        begun.add(1, ordering: .relaxed)
        most.max(writing.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        defer { writing.subtract(1, ordering: .relaxed) }
        _ = Wait.until(seconds: 60) { self.mayEnd.load(ordering: .relaxed) }
        try stream.write([1, 2, 3])
      }
    }

    @Test("X4: a destination that asks for hundreds of streams gets all, and the source writes some at a time")
    func X4_hundreds() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let source = try App(d, "source")
      let target = try App(d, "target")
      // Both ends of them are in this process.
      var most = rlimit()
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      try check("getrlimit") { getrlimit(resource, &most) }
      most.rlim_cur = most.rlim_max
      try check("setrlimit") { setrlimit(resource, &most) }
      let counts = Counts()
      source.items = {
        (0..<6).map { _ in
          let provider = ItemProvider()
          provider.registerStreamRepresentation(forType: "text/plain") { try counts.write($0) }
          return DragItem(itemProvider: provider)
        }
      }
      source.region(App.left, [DragInteraction(delegate: source)])
      target.region(App.right, [DropInteraction(delegate: target)])
      var loads: [Carry.Load] = []
      var results: [Int: Result<[UInt8], LoadError>] = [:]
      target.onPerform = { session in
        for number in 0..<300 {
          loads.append(
            session.items[number % 6].itemProvider.loadDataRepresentation(forType: "text/plain") {
              results[number] = $0
            })
        }
      }
      func run(until condition: () -> Bool) -> Bool {
        target.run {
          try? source.client.dispatch()
          return condition()
        }
      }
      #expect(run { counts.begun.load(ordering: .relaxed) >= 8 })
      // The source has heard of all of them.
      for _ in 0..<3 {
        try target.client.synchronize()
        try source.client.synchronize()
      }
      // Nobody waits for these any more.
      for number in 250..<300 { loads[number].cancel() }
      try target.client.synchronize()
      try source.client.synchronize()
      counts.mayEnd.store(true, ordering: .relaxed)
      #expect(run { results.count == 300 })
      for number in 0..<250 { #expect((try? results[number]?.get()) == [1, 2, 3], "\(number)") }
      #expect(run { source.calls.contains("didTransfer") && target.calls.contains("sessionDidEnd") })
      #expect(counts.begun.load(ordering: .relaxed) == 250)
      #expect(counts.most.load(ordering: .relaxed) <= 100)
      source.client.close()
      target.client.close()
    }
  }
}
