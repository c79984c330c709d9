import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// Where a drop may go, and what comes of it.
  @Suite(.serialized) struct DropOutcomes {
    @Test(
      "G17, PH2: below the size of a screen that carry.conf says, a drag stays in its application",
      arguments: [700, 900])
    func G17_staysInItsApplication(below: Int) throws {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1000), .to(600, 650, 1300...1600), upAt: 1900)
      // The shorter side of the screen has 800 pixels.
      let d = try Desktop(
        s, clients: 2, compositor: nil, settings: "[drop]\nown-application-below-px = \(below)\n")
      let own = try App(d, "own")
      own.takePlaces(isTarget: false)
      own.region(.init(x: 450, y: 550, width: 300, height: 200), [DropInteraction(delegate: own)])
      let other = try d.target()
      #expect(own.run { own.calls.contains("sessionDidEnd") }, "\(own.calls)")
      #expect(own.calls.contains("performDrop"))
      _ = own.run { !d.engine.isRunning }
      let entered = events(d.monitor.remainingLines()).count { $0 == "entered" }
      #expect(entered == (below == 900 ? 1 : 2))
      #expect(other.remainingLines().contains { $0.contains("\"entered\"") } == (below == 700))
    }

    @Test("O11: a target that proposes a copy and implements no drop gets nothing") func O11_aProposalAlone() throws {
      final class Proposer: DropInteractionDelegate {
        var proposals = 0
        func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
          proposals += 1
          return DropProposal(operation: .copy)
        }
      }
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let app = try App(d, "both")
      var requests = 0
      app.items = {
        let provider = ItemProvider()
        provider.registerDataRepresentation(forType: "text/plain;charset=utf-8") {
          requests += 1
          $0(.success(Array("words".utf8)))
        }
        return [DragItem(itemProvider: provider)]
      }
      let proposer = Proposer()
      app.takePlaces(isTarget: false)
      app.region(App.right, [DropInteraction(delegate: proposer)])
      #expect(app.run { app.calls.last == "didTransfer" }, "\(app.calls)")
      #expect(app.calls.contains("didEnd(copy)") && proposer.proposals > 0 && requests == 0)
      _ = app.run { !d.engine.isRunning }
      #expect(!events(d.monitor.remainingLines()).contains("data-delivered"))
    }

    @Test("R4: a drop's progress cancels the loads that remain, and leaves the one that has finished")
    func R4_cancelsWhatRemains() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      var (cancelledRequests, results): (Int, [String: Result<[UInt8], LoadError>]) = (0, [:])
      source.items = {
        let provider = ItemProvider()
        provider.registerDataRepresentation(forType: "text/plain;charset=utf-8") { $0(.success(Array("words".utf8))) }
        for type in ["text/html", "image/png"] {
          provider.registerRequests(forType: type) { $0.onCancelled = { cancelledRequests += 1 } }
        }
        return [DragItem(itemProvider: provider)]
      }
      var session: DropSession?
      target.onPerform = { s in
        session = s
        for type in ["text/plain;charset=utf-8", "text/html", "image/png"] {
          s.items[0].itemProvider.loadDataRepresentation(forType: type) { results[type] = $0 }
        }
        s.progress.onChange = { if $0.completedBytes > 0, !$0.isFinished { $0.cancel() } }
      }
      let isOver = target.run {
        try? source.client.dispatch()
        return source.calls.contains("didTransfer") && cancelledRequests == 2
      }
      #expect(isOver, "\(cancelledRequests) cancelled; \(results)")
      #expect((try? results["text/plain;charset=utf-8"]?.get()) == Array("words".utf8))
      for type in ["text/html", "image/png"] {
        #expect(throws: LoadError.self) { try #require(results[type]).get() }
      }
      #expect(session?.progress.isFinished == true)
    }
  }
}
