package import Carry

/// The app's connection to the drag and drop engine, which comes and goes without the app doing so.
package final class Engine {
  private let name: String
  unowned(unsafe) var app: App?
  /// Nil while there is no engine.
  package private(set) var client: Client?
  /// An engine is there: register regions.
  package var onConnected: (Client) -> Void = { _ in }
  /// The engine is gone, and all regions and sessions with it.
  package var onLost: () -> Void = {}
  private var isWaiting = false

  /// How long until it is looked for again, in seconds.
  private static let pause = 1.0

  init(name: String) { self.name = name }

  /// What an app says in a corner while there is none.
  package static let absence = "Drag and drop is off: carryd does not run"

  var fileDescriptor: Int32? { client?.fileDescriptor }

  func connect() {
    guard client == nil, !isWaiting else { return }
    do {
      let client = try Client(name: name)
      self.client = client
      onConnected(client)
      dispatch()
    } catch {
      tryLater()
    }
  }

  private func tryLater() {
    isWaiting = true
    app?.after(Self.pause) { [weak self] in
      self?.isWaiting = false
      self?.connect()
    }
  }

  /// Sends what timers and drawing have asked for. That the engine is gone shows with the next `dispatch`.
  func flush() { try? client?.flush() }

  func dispatch() {
    guard let client else { return }
    do {
      try client.dispatch()
    } catch {
      self.client = nil
      client.close()
      onLost()
      tryLater()
    }
  }
}
