package import CarryModel
import CarryWireClient

/// For the command-line tools.
extension Client {
  /// Asks for the regions of all applications. Nothing is called if the engine goes meanwhile.
  ///
  /// - Parameter answer: called on the client's thread.
  package func listRegions(_ answer: @escaping (RegionList) -> Void) {
    guard let list = wire?.makeRegionList() else { return }
    // The connection retains it until it is finished.
    list.onEvent = { event in if case .list(let regions) = event { answer(regions) } }
  }

  /// Makes a touchscreen for this program to play. An engine that was not started for tests disconnects the client;
  /// `connectionProblem` says so.
  package func makePlayer() -> TouchPlayer? { wire?.makePlayer().map { TouchPlayer($0) } }
}

/// A touchscreen that this program plays, in an engine that was started for tests. Used on the client's thread.
package final class TouchPlayer {
  private let wire: WirePlayer

  fileprivate init(_ wire: WirePlayer) { self.wire = wire }

  /// Plays one event of a finger, now.
  ///
  /// - Parameters:
  ///   - finger: 0 to 9.
  ///   - point: screen pixels.
  package func touch(finger: Int, _ phase: Touch.Phase, _ point: CarryModel.Point) {
    wire.touch(finger: finger, phase, point)
    wire.flush()
  }

  /// Cancels the fingers that are down.
  package func stop() { wire.stop() }
}
