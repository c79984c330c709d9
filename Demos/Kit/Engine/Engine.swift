package import Carry

/// The app's connection to the drag and drop engine. The engine may come and go; the library reconnects, and the app's
/// regions stay.
package final class Engine {
  private let name: String
  private var client: Client?
  /// Called once, as the app begins to run: makes the regions. They are registered whenever there is an engine.
  package var onReady: (Client) -> Void = { _ in }
  /// Called when an engine is there.
  package var onConnected: () -> Void = {}
  /// Called when the engine is gone and all sessions are over.
  package var onLost: () -> Void = {}

  init(name: String) { self.name = name }

  /// The text that an app shows in a corner while there is no engine.
  package static let absence = "Drag and drop is off: carryd does not run"

  package var isConnected: Bool { client?.isConnected == true }
  var fileDescriptor: Int32? { client?.fileDescriptor }

  func start() {
    guard client == nil, let client = try? Client(awaitingEngineAs: name) else { return }
    self.client = client
    client.onConnectionChanged = { [unowned self] isConnected in if isConnected { onConnected() } else { onLost() } }
    onReady(client)
  }

  /// Sends the requests that timers and drawing have made.
  func flush() { try? client?.flush() }

  func dispatch() {
    guard let client else { return }
    do { try client.dispatch() } catch {
      // The engine threw the client out for an offence: a mistake of the app or of the library.
      Program.write("\(error)\n", to: 2)
      self.client = nil
      client.close()
      onLost()
    }
  }

  /// Reports when an engine comes and goes, and has the window show it.
  package func tell(_ report: Report, _ window: Window) {
    onConnected = { [unowned window] in
      report.say("connected")
      window.redraw()
    }
    onLost = { [unowned window] in
      report.say("disconnected")
      window.redraw()
    }
  }
}
