package import Carry

/// The app's way to the drag and drop engine, which comes and goes: the library sees to that, and the app's regions stay.
package final class Engine {
  private let name: String
  private var client: Client?
  /// Make regions; they are registered whenever there is an engine. Called once, as the app begins to run.
  package var onReady: (Client) -> Void = { _ in }
  /// An engine is there.
  package var onConnected: () -> Void = {}
  /// The engine is gone, and all sessions are over.
  package var onLost: () -> Void = {}

  init(name: String) { self.name = name }

  /// What an app says in a corner while there is none.
  package static let absence = "Drag and drop is off: carryd does not run"

  package var isConnected: Bool { client?.isConnected == true }
  var fileDescriptor: Int32? { client?.fileDescriptor }

  func start() {
    guard client == nil, let client = try? Client(awaitingEngineAs: name) else { return }
    self.client = client
    client.onConnectionChanged = { [unowned self] isConnected in if isConnected { onConnected() } else { onLost() } }
    onReady(client)
  }

  /// Sends what timers and drawing have asked for.
  func flush() { try? client?.flush() }

  func dispatch() {
    guard let client else { return }
    do { try client.dispatch() } catch {
      // Thrown out for an offence: that is a mistake of the app or of the library.
      Program.write("\(error)\n", to: 2)
      self.client = nil
      client.close()
      onLost()
    }
  }
}
