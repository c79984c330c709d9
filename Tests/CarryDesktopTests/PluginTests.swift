import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryWireClient
import CLinux
import Synchronization
import Testing

extension DesktopTests {
  /// Hears of each state of a spring-loaded region.
  final class Look: SpringLoadedInteractionEffect {
    var changed: (SpringLoadedContext) -> Void = { _ in }
    func interaction(_ interaction: SpringLoadedInteraction, didChangeWith context: SpringLoadedContext) {
      changed(context)
    }
  }

  @Suite(.serialized) struct Plugins {
    @Test("C3, C4, G3, G16: the callbacks come in their order") func C3_C4_G3_G16_theCallbacksComeInTheirOrder() throws
    {
      let d = try Desktop(Traces.twoItemsByTap, compositor: nil)
      let (source, target) = try App.pair(d)
      source.added = { [DragItem(itemProvider: ItemProvider(text: "world"))] }
      var texts: [String] = []
      var early: LoadError?
      target.onUpdate = { s in
        // X2: while hovering, a load fails at once.
        s.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") { r in
          if case .failure(let e) = r { early = e }
        }
        return s.hasItemsConforming(toTypes: ["text/plain"]) ? .copy : .cancel
      }
      target.onPerform = { s in
        for item in s.items {
          item.itemProvider.loadDataRepresentation(forType: "text/plain;charset=utf-8") { r in
            if case .success(let bytes) = r { texts.append(String(decoding: bytes, as: UTF8.self)) }
          }
        }
        // G3: nothing has arrived before this returns.
        #expect(texts.isEmpty)
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return source.calls.contains("didTransfer") && target.calls.contains("sessionDidEnd")
        }, "\(source.calls) \(target.calls)")
      #expect(texts.sorted() == ["hello", "world"])
      #expect(early?.code == .outsidePerformDrop)
      #expect(
        source.calls == [
          "itemsForBeginning", "liftDidEnd(end)", "willBegin", "itemsForAdding", "willEnd(copy)", "didEnd(copy)",
          "didTransfer",
        ])
      #expect(
        target.calls == [
          "canHandle", "didEnter", "didUpdate", "performDrop", "concludeDrop", "sessionDidEnd",
        ])
    }

    /// What a test and a writer's thread tell each other.
    private final class Flags: Sendable {
      let goOn = Atomic<Bool>(false)
      let hasStopped = Atomic<Bool>(false)
    }

    @Test("R3: a cancelled load leaves its caller's memory alone, even of a source that goes on sending")
    func R3_aCancelledLoadLeavesMemoryAlone() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      let flags = Flags()
      let slot = 262_144
      source.items = {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "text/plain") { out in
          defer { flags.hasStopped.store(true, ordering: .releasing) }
          let bytes = [UInt8](repeating: 1, count: slot)
          try out.write(bytes)
          while !flags.goOn.load(ordering: .acquiring) { sched_yield() }
          while true { try out.write(bytes) }
        }
        return [DragItem(itemProvider: provider)]
      }
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * slot, alignment: 8)
      defer { memory.deallocate() }
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      var load: Carry.Load?
      var error: LoadError?
      target.onPerform = { s in
        load = s.items[0].itemProvider.loadRepresentation(forType: "text/plain", into: memory) {
          if case .failure(let e) = $0 { error = e }
        }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return memory[slot - 1] == 1
        })
      load?.cancel()
      #expect(error?.code == .cancelled)
      // It is the caller's again. The source does not know yet.
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      flags.goOn.store(true, ordering: .releasing)
      #expect(Wait.until { flags.hasStopped.load(ordering: .acquiring) })
      #expect(memory.allSatisfy { $0 == 0 })
    }

    @Test("An engine that is gone is called that, whether it had read everything or not", arguments: [false, true])
    func aGoneEngineIsCalledThat(hasUnread: Bool) throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let app = try App(d, "app")
      if hasUnread {
        d.engine.signal(SIGSTOP)
        app.region(App.left, [DragInteraction(delegate: app)])
        try app.client.flush()
      }
      d.engine.stop(SIGKILL)
      var said = ""
      #expect(
        Wait.until(descriptor: app.client.fileDescriptor) {
          do { try app.client.dispatch() } catch { said = "\(error)" }
          return !said.isEmpty
        })
      #expect(said == "the connection to the engine was lost: the engine stopped")
    }

    @Test("I7, I11: the wanted type itself comes before kinds of it, and those come before nothing")
    func I7_I11_theWantedTypeItselfComesFirst() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      func provider(_ types: [String]) -> DragItem {
        let provider = ItemProvider()
        for type in types { provider.registerDataRepresentation(forType: type) { $0(.success([])) } }
        return DragItem(itemProvider: provider)
      }
      source.items = {
        [provider(["text/csv", "text/plain;charset=utf-8", "text/plain"]), provider(["text/csv", "text/html"])]
      }
      var best: [[String?]] = []
      target.onPerform = { s in
        best = s.items.map { item in
          [["text/plain"], ["text/*"], ["text/html", "text/plain"]].map {
            item.itemProvider.bestType(conformingTo: $0)
          }
        }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return target.calls.contains("sessionDidEnd")
        })
      #expect(
        best == [
          ["text/plain;charset=utf-8", "text/csv", "text/plain;charset=utf-8"], ["text/csv", "text/csv", "text/html"],
        ])
    }

    @Test("S1, S3: hovering springs a target open and the drag goes on into what opened")
    func S1_S3_hoveringSpringsATargetOpenAndTheDragGoesOnIntoWhatOpened() throws {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1000), upAt: 3500)
      let d = try Desktop(script, compositor: nil)
      let source = try App(d, "source")
      let target = try App(d, "folder")
      source.region(App.left, [DragInteraction(delegate: source)])
      var states: [SpringLoadedInteraction.State] = []
      var received: String?
      let look = Look()
      let spring = SpringLoadedInteraction(interactionBehavior: nil, interactionEffect: look) { _, _ in
        // The folder opens: another window comes up under the finger, which does not move.
        target.region(App.right, color: 0xFFFFFF, [DropInteraction(delegate: target)])
      }
      look.changed = { states.append($0.state) }
      target.region(App.right, color: 0xCCAA33, [spring])
      target.onPerform = { s in
        s.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") { r in
          if case .success(let bytes) = r { received = String(decoding: bytes, as: UTF8.self) }
        }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return received != nil
        }, "\(states) \(target.calls)")
      #expect(received == "hello")
      #expect(states.prefix(3) == [.possible, .activating, .activated])
      let steps = events(d.monitor.remainingLines())
      #expect(steps.contains("spring-activated"))
      #expect(steps.firstIndex(of: "spring-activated")! < steps.firstIndex(of: "dropped")!)
    }

    @Test("I7, K11, X6, X7: streams files and data all arrive whole") func I7_streamsFilesAndDataAllArriveWhole() throws
    {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      let big = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      let file = d.folder + "/file.bin"
      try Files.write("from a file", to: file)
      source.items = {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "application/x-stream") { writer in
          for start in stride(from: 0, to: big.count, by: 70_001) {
            try writer.write(Array(big[start..<min(big.count, start + 70_001)]))
          }
        }
        provider.registerDataRepresentation(forType: "application/x-big") { $0(.success(big)) }
        provider.registerDataRepresentation(forType: "application/x-small") { $0(.success([1, 2, 3])) }
        provider.registerDataRepresentation(forType: "application/x-empty") { $0(.success([])) }
        provider.registerFileRepresentation(forType: "text/plain") { $0(.success(file)) }
        provider.registerDataRepresentation(forType: "application/x-fails") {
          $0(.failure(LoadTestError(description: "the disk is on fire")))
        }
        return [DragItem(itemProvider: provider)]
      }
      var results: [String: Result<[UInt8], LoadError>] = [:]
      target.onPerform = { s in
        for type in s.items[0].itemProvider.registeredTypes {
          s.items[0].itemProvider.loadDataRepresentation(forType: type) { results[type] = $0 }
        }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return results.count == 6 && source.calls.contains("didTransfer")
        }, "\(results.keys)")
      #expect(try results["application/x-stream"]?.get() == big)
      #expect(try results["application/x-big"]?.get() == big)
      #expect(try results["application/x-small"]?.get() == [1, 2, 3])
      #expect(try results["application/x-empty"]?.get() == [])
      #expect(try results["text/plain"]?.get() == Array("from a file".utf8))
      guard case .failure(let error) = results["application/x-fails"] else {
        Issue.record("the failing representation did not fail")
        return
      }
      #expect(error.code == .sourceFailed)
      #expect(error.description.contains("the disk is on fire"))
    }

    private struct LoadTestError: Error, CustomStringConvertible { let description: String }

    /// A source that hands over whatever the test says, past the library's own checks.
    private func hand(_ over: @escaping (WireProvision) -> Void) throws -> [String] {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let wire = try WireConnection(path: d.socket, name: "careless source")
      let window = d.client.makeWindow(App.left, color: 0x3366CC)
      d.client.sync()
      let region = try #require(wire.makeRegion(window: window.raw))
      region.setRectangle(x: 0, y: 0, width: 300, height: 300)
      region.setRoles(.drag)
      let item = try #require(wire.makeItem())
      item.addType("text/plain", .all)
      item.onEvent = { if case .load(let provision, _, _, _) = $0 { over(provision) } }
      var sessions: [WireDragSession] = []
      region.onEvent = { event in
        guard case .beginDrag(let session, _, let serial, _) = event else { return }
        sessions.append(session)
        session.add(item)
        session.onEvent = { [unowned session] event in
          if case .willBegin(let serial, _) = event { session.configure(serial: serial, SourceOptions()) }
        }
        session.answer(serial: serial)
      }
      let target = try d.target()
      #expect(
        Wait.until(seconds: 20, descriptor: wire.fileDescriptor) {
          try? wire.dispatch()
          return !d.engine.isRunning
        })
      return target.remainingLines()
    }

    @Test("what is not safe to read is refused") func whatIsNotSafeToReadIsRefused() throws {
      let place = try TestFolder("descriptors")
      let folder = place.path
      mkfifo(folder + "/fifo", 0o600)
      try Files.write([65], to: folder + "/file")
      let fifo = try Descriptor.open(folder + "/fifo", O_RDWR | O_NONBLOCK)
      let directory = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY)
      let zero = try Descriptor.open("/dev/zero", O_RDONLY)
      let writeOnly = try Descriptor.open(folder + "/file", O_WRONLY)
      let path = try Descriptor.open(folder + "/file", clinux_o_path())
      let unsealed = Descriptor(owning: clinux_memfd_create("unsealed"))
      ftruncate(unsealed.raw, 4096)
      var pair: [CInt] = [-1, -1]
      socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair)
      let socketA = Descriptor(owning: pair[0])
      let socketB = Descriptor(owning: pair[1])
      let fds = [fifo.raw, directory.raw, zero.raw, writeOnly.raw, path.raw, unsealed.raw, socketA.raw]
      let cases: [(String, (WireProvision) -> Void)] = [
        ("a FIFO as a file", { $0.file(fds[0]) }),
        ("a directory as a file", { $0.file(fds[1]) }),
        ("a device as a file", { $0.file(fds[2]) }),
        ("a file that cannot be read", { $0.file(fds[3]) }),
        ("an O_PATH descriptor", { $0.file(fds[4]) }),
        ("memory without seals", { $0.memory(fds[5]) }),
        ("a socket as a stream", { $0.stream(fds[6]) }),
        ("a ring that is none", { $0.ring(memory: fds[5], socket: fds[6]) }),
      ]
      for (what, over) in cases {
        let lines = try hand(over)
        #expect(lines.contains { $0.contains("not safe to read") }, "\(what): \(lines)")
        #expect(!lines.contains { $0.contains("\"received\"") }, "\(what)")
      }
      // And a plain file, to know that the test can tell.
      let good = try Descriptor.open(folder + "/file", O_RDONLY)
      let raw = good.raw
      #expect(try hand { $0.file(raw) }.contains { $0.contains("\"received\"") && $0.contains("\"text\": \"A\"") })
      withExtendedLifetime((fifo.raw, directory.raw, zero.raw, writeOnly.raw, path.raw, unsealed.raw, socketB.raw)) {}
    }
  }
}
