package import CarryModel

/// The server's state of the bridge, the engine's process that represents other applications.
package final class BridgeLink {
  /// The windows with drop regions reported to the bridge.
  package var dropWindows: Set<WindowID> { news.told }
  var news = DropWindowUpdates()
  /// The object with the bridge's rights; nil while no bridge is connected.
  weak var object: BridgeObject?
  /// The drags of applications that use another protocol, by session.
  var foreignDrags: [SessionID: ForeignDragObject] = [:]
  /// Called when the bridge's connection has ended.
  package var onEnded: (() -> Void)?
  /// Called for each message to the bridge that is about a drag.
  package var onAsked: (() -> Void)?
  /// Called when the bridge has shown that it is alive.
  package var onSign: (() -> Void)?
}
