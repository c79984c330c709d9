import CLinux
import Carry
import CarryModel
import CarryTesting
import Synchronization
import Testing

extension DesktopTests {
  /// Engines that come and go, and clients that stay.
  @Suite(.serialized) struct Reconnecting {

    private func isOver(_ app: App) -> Bool {
      app.calls.contains("didTransfer") && app.calls.contains("sessionDidEnd")
    }

    @Test("Z30: a client without an engine keeps its regions for the one that comes, and for the next")
    func Z30_withoutAnEngine() throws {
      let d = try Desktop(compositor: nil)
      d.engine.stop(SIGKILL)
      let client = try Client(awaitingEngineAs: "patient", socket: d.socket)
      var changes: [Bool] = []
      client.onConnectionChanged = { changes.append($0) }
      let app = App(d, client)
      var steps: [String] = []
      let monitor = Monitor(client: client) { steps.append($0.kind) }
      app.region(App.left, [DragInteraction(delegate: app)])
      let covered = app.region(App.right, [DropInteraction(delegate: app)])
      let top = app.region(App.right, [DropInteraction(delegate: app)])
      // Stacked as they were when there is an engine at last.
      covered.raise()
      #expect(!client.isConnected && client.connectionProblem?.contains("no engine listens") == true)
      #expect(throws: ClientError.self) { try client.synchronize() }
      for round in 1...2 {
        app.calls = []
        steps = []
        try d.startEngine(Traces.pressDragDrop)
        #expect(app.run(seconds: 30) { isOver(app) }, "round \(round): \(app.calls), \(changes)")
        #expect(app.run { !client.isConnected })
        #expect(steps.contains("dropped"))
      }
      #expect(changes == [true, false, true, false])
      #expect(client.connectionProblem == "the connection to the engine was lost: the engine stopped")
      withExtendedLifetime((monitor, top)) {}
      client.close()
    }

    @Test("who drags and who is dragged over hear of the end when the engine dies, once")
    func theEndIsTold() throws {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1000), upAt: 60_000)
      let d = try Desktop(script, compositor: nil)
      let app = try App(d, "app")
      app.client.reconnects = true
      app.takePlaces()
      #expect(app.run { app.calls.contains("didUpdate") }, "\(app.calls)")
      d.engine.stop(SIGKILL)
      #expect(app.run { !app.client.isConnected })
      #expect(app.calls.suffix(3).sorted() == ["didEnd(cancel)", "sessionDidEnd", "willEnd(cancel)"], "\(app.calls)")
      app.client.close()
    }

    /// What a test and a writer's thread tell each other.
    private final class Flag: Sendable {
      let isSet = Atomic<Bool>(false)
    }

    @Test("a transfer that is under way survives the engine") func aTransferSurvives() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let app = try App(d, "app")
      app.client.reconnects = true
      app.takePlaces()
      let (hasBegun, goOn) = (Flag(), Flag())
      var lifted: DragItem?
      app.items = {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "text/plain") { out in
          // More than the ring holds: the engine has passed it on once it is written.
          try out.write([UInt8](repeating: 65, count: 1_500_000))
          hasBegun.isSet.store(true, ordering: .releasing)
          while !goOn.isSet.load(ordering: .acquiring) { sched_yield() }
          try out.write([UInt8](repeating: 66, count: 300_000))
        }
        let item = DragItem(itemProvider: provider)
        lifted = item
        return [item]
      }
      var result: Result<[UInt8], LoadError>?
      var late: LoadError?
      app.onPerform = { s in
        s.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") { result = $0 }
      }
      #expect(app.run { hasBegun.isSet.load(ordering: .acquiring) }, "\(app.calls)")
      let session = lifted?.session
      d.engine.stop(SIGKILL)
      #expect(app.run { !app.client.isConnected })
      // What is being written has not arrived.
      #expect(app.calls.contains("didEnd(copy)") && !app.calls.contains("didTransfer"), "\(app.calls)")
      goOn.isSet.store(true, ordering: .releasing)
      #expect(app.run { result != nil && app.calls.contains("didTransfer") }, "\(app.calls)")
      #expect(session?.deliveredRepresentations == 1)
      if case .failure(let error) = result { late = error }
      #expect(late == nil)
      #expect((try? result?.get())?.count == 1_800_000)
      app.client.close()
    }

    @Test("a load that waits for an answer when the engine dies fails, and its source is told")
    func aLoadThatWaits() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let app = try App(d, "app")
      app.client.reconnects = true
      app.takePlaces()
      var request: ItemRequest?
      app.items = {
        let provider = ItemProvider()
        provider.registerRequests(forType: "text/plain") { request = $0 }
        return [DragItem(itemProvider: provider)]
      }
      var error: LoadError?
      app.onPerform = { s in
        s.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") {
          if case .failure(let e) = $0 { error = e }
        }
      }
      #expect(app.run { request != nil }, "\(app.calls)")
      d.engine.stop(SIGKILL)
      #expect(app.run { !app.client.isConnected })
      #expect(error?.code == .sourceGone)
      #expect(request?.isCancelled == true)
      app.client.close()
    }

    @Test("to synchronise waits for a connection that is being made") func synchronising() throws {
      let d = try Desktop(compositor: nil)
      let client = try Client(awaitingEngineAs: "early", socket: d.socket)
      #expect(!client.isConnected)
      try client.synchronize()
      #expect(client.isConnected)
      client.close()
      // Without an engine there is nothing to wait for.
      let alone = try Client(awaitingEngineAs: "alone", socket: d.folder + "/none")
      #expect(throws: ClientError.self) { try alone.synchronize() }
      alone.close()
    }
  }
}
