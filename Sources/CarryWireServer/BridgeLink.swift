package import CarryModel

/// What the server knows of the bridge, the engine's process that stands for other applications.
package final class BridgeLink {
  /// The windows with drop regions of applications, of which the bridge has been told.
  package var dropWindows: Set<WindowID> { news.told }
  var news = DropWindowNews()
  /// What only the bridge has; nil while no bridge is connected.
  weak var object: BridgeObject?
  /// The sessions of applications of another protocol.
  var foreignDrags: [SessionID: ForeignDragObject] = [:]
  /// Called when the bridge's connection has ended.
  package var onEnded: (() -> Void)?
  /// Called for each message to the bridge that is about a drag.
  package var onAsked: (() -> Void)?
  /// Called when the bridge has shown that it lives.
  package var onSign: (() -> Void)?
}
