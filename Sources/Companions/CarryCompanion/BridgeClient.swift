package import Carry
package import CarryModel
import CarrySystem
import CarryWireClient

/// The connection of the engine's own bridge, whose regions are in windows of other applications.
package final class BridgeClient {
  package let client: Client
  private let wire: WireBridge?
  /// Called when a window gets its first drop region, or loses the last one.
  package var onDropWindow: ((_ window: UInt32, _ takesDrops: Bool) -> Void)?
  /// Called with the places where a window accepts drops, in pixels of the window.
  package var onDropPlaces: ((_ window: UInt32, _ places: [CarryModel.Rect]) -> Void)?
  /// Called with the applications from which touches can lift although they do not know Carry, and when these change.
  package var onLiftApplications: (([String]) -> Void)?
  /// Called when a mouse or a pen begins or ends carrying a session.
  package var onPointerCarries: ((Bool) -> Void)?

  /// - Parameter socket: the connection that the engine has opened; the client takes ownership.
  /// - Throws: `ClientError` if the socket does not belong to the engine, or the engine has gone.
  package init(_ name: String, opened socket: CInt) throws(ClientError) {
    client = try Client(name: name, opened: Descriptor(owning: socket))
    wire = client.wire?.makeBridge()
    client.makeForeignRegion = { [wire] in wire?.makeRegion(window: $0) }
    wire?.onEvent = { [weak self] event in
      switch event {
      case .dropWindow(let window, let takesDrops): self?.onDropWindow?(window, takesDrops)
      case .dropPlaces(let window, let places): self?.onDropPlaces?(window, places)
      case .liftApplications(let names): self?.onLiftApplications?(names)
      case .pointerCarries(let carries): self?.onPointerCarries?(carries)
      case .lost: break
      }
    }
  }

  /// Reports that the application is dragging by itself, in a trial lift.
  ///
  /// - Parameter serial: the serial of the question for the lift's items.
  package func claimTouch(serial: UInt32) { wire?.claimTouch(serial: serial) }

  /// Reports that the mouse button of a trial lift is up again.
  package func trialIsOver(serial: UInt32) { wire?.trialIsOver(serial: serial) }

  /// Asks where a window accepts drops; the answer arrives in `onDropPlaces`.
  package func findDropPlaces(of window: UInt32) { wire?.findDropPlaces(of: window) }

  /// Reports that another application drags by itself, and where that began, in screen pixels; nil when it has ended.
  package func otherDragChanged(_ point: CarryModel.Point?) {
    if let point { wire?.dragIsUnderWay(at: point) } else { wire?.dragIsOver() }
  }

  /// Begins a drag of another application. The parameters are those of `ForeignDrag`.
  ///
  /// - Returns: nil without an engine.
  package func beginDrag(
    from process: Int32?, isByButton: Bool, _ items: [DragItem], over window: UInt32, at point: CarryModel.Point
  ) -> ForeignDrag? {
    guard client.isConnected, let drag = wire?.makeDrag() else { return nil }
    return ForeignDrag(drag, client, from: process, isByButton: isByButton, items, over: window, at: point)
  }
}
