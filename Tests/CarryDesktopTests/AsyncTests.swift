import Carry
import CarryModel
import CarryTesting
import Testing

/// All of a program that has to do with its client.
@globalActor private actor Desk {
  static let shared = Desk()
  static let executor = ClientExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
}

extension DesktopTests {
  /// Programs that await what they load.
  @Suite(.serialized) struct Async {
    /// What the test sees of a program. Both run on the test's thread, which the compiler cannot know.
    private final class View: @unchecked Sendable {
      var client: Client?
      var texts: [String] = []
      var errors: [LoadError] = []
      var bytes = 0
      var events: [DropSession.Event] = []
      var hasListened = false
      var isOver = false
    }

    /// A target that belongs to an actor, whose delegate's methods are the actor's own code.
    @Desk private final class Target: @Desk DropInteractionDelegate {
      private let region: Region
      private let view: View

      init(_ socket: String, window: UInt32, _ view: View) throws {
        let client = try Client(name: "target", socket: socket)
        client.executor = Desk.executor
        region = Region(client: client, window: window, frame: .init(x: 0, y: 0, width: 300, height: 300))
        self.view = view
        view.client = client
        region.addInteraction(DropInteraction(delegate: self))
      }

      func dropInteraction(_ i: DropInteraction, canHandle session: DropSession) -> Bool {
        let events = session.events
        Task {
          for await event in events { view.events.append(event) }
          view.hasListened = true
        }
        return true
      }

      func dropInteraction(_ i: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
        DropProposal(operation: .copy)
      }

      func dropInteraction(_ i: DropInteraction, performDrop session: DropSession) {
        let loads = session.loadObjects(of: String.self)
        let raw = session.items[0].itemProvider.loadDataRepresentation(forType: "text/plain;charset=utf-8")
        Task {
          for (item, load) in loads {
            let name = item.itemProvider.suggestedName ?? ""
            do throws(LoadError) { view.texts.append(name + ": " + (try await load.value)) } catch {
              view.errors.append(error)
            }
          }
          view.bytes = (try? await raw.value.count) ?? 0
          // Once more, when all is over.
          view.texts.append((try? await loads[0].load.value) ?? "")
          // Too late.
          let late: LoadTask<String> = session.items[0].itemProvider.loadObject(of: String.self)
          do throws(LoadError) { _ = try await late.value } catch { view.errors.append(error) }
          view.isOver = true
        }
      }
    }

    @Test("Z28, K11: what is loaded in a drop is awaited in the client's own loop") func Z28_K11_awaited() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let source = try App(d, "source")
      source.takePlaces(isTarget: false)
      source.items = {
        let slow = ItemProvider()
        slow.registerStreamRepresentation(forType: "text/plain;charset=utf-8") {
          try $0.write([UInt8](repeating: 65, count: 1_000_000))
        }
        let broken = ItemProvider(data: [0xFF], type: "text/plain;charset=utf-8")
        let last = ItemProvider(text: "hello")
        for (i, provider) in [slow, broken, last].enumerated() { provider.suggestedName = "\(i)" }
        return [slow, broken, last].map { DragItem(itemProvider: $0) }
      }
      let window = d.client.makeWindow(App.right, color: 0x3366CC).raw
      d.client.sync()
      let view = View()
      let socket = d.socket
      var target: Task<Target, any Error>?
      target = Task { @Desk in try Target(socket, window: window, view) }
      Desk.executor.runPending()
      let client = try #require(view.client)
      defer { client.close() }
      for one in [client, source.client] { try one.flush() }
      #expect(
        Wait.until(seconds: 20, descriptor: client.fileDescriptor) {
          client.dispatchIfReady()
          source.client.dispatchIfReady()
          return view.isOver && view.hasListened
        })
      #expect(view.texts.map { $0.prefix(8) } == ["0: AAAAA", "2: hello", "AAAAAAAA"])
      #expect(view.errors.map(\.code) == [.local, .outsidePerformDrop], "\(view.errors)")
      #expect(view.bytes == 1_000_000)
      // Of moves there are as many as the loop has turned for.
      let steps = view.events.enumerated().filter { $0.offset == 0 || $0.element != view.events[$0.offset - 1] }
      #expect(steps.map(\.element) == [.entered, .updated, .performed(.copy), .concluded, .ended(.copy)])
      withExtendedLifetime(target) { target = nil }
    }
  }
}
