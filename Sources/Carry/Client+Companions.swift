package import CarryModel
import CarrySystem
import CarryWireClient

/// The clients of the engine's own processes.
extension Client {
  /// Creates the bridge's client, on the connection that the engine has opened. Its regions are in windows of other
  /// applications.
  ///
  /// - Parameter socket: the connection; the client takes ownership.
  /// - Throws: `ClientError` if the socket does not belong to the engine, or the engine has gone.
  package convenience init(bridge name: String, opened socket: CInt) throws(ClientError) {
    try self.init(name: name, opened: Descriptor(owning: socket))
    bridge = wire?.makeBridge()
    bridge?.onEvent = { [weak self] event in
      switch event {
      case .dropWindow(let window, let takesDrops): self?.onDropWindow?(window, takesDrops)
      case .dropPlaces(let window, let places): self?.onDropPlaces?(window, places)
      case .liftApplications(let names): self?.onLiftApplications?(names)
      case .pointerCarries(let carries): self?.onPointerCarries?(carries)
      case .lost: break
      }
    }
  }

  /// Reports that the application is dragging by itself, in a trial lift. Only in the engine's own bridge.
  ///
  /// - Parameter serial: the serial of the question for the lift's items.
  package func takeTouch(serial: UInt32) { bridge?.takeTouch(serial: serial) }

  /// Reports that the mouse button of a trial lift is up again. Only in the engine's own bridge.
  package func trialIsOver(serial: UInt32) { bridge?.trialIsOver(serial: serial) }

  /// Asks where a window accepts drops; the answer arrives in `onDropPlaces`. Only in the engine's own bridge.
  package func findDropPlaces(of window: UInt32) { bridge?.findDropPlaces(of: window) }

  /// Reports that another application drags by itself, and where that began, in screen pixels; nil when it has ended.
  /// Only in the engine's own bridge.
  package func otherDragChanged(_ point: CarryModel.Point?) {
    if let point { bridge?.dragIsUnderWay(at: point) } else { bridge?.dragIsOver() }
  }

  /// Creates the wire object for a drag of another application; nil without an engine.
  func makeWireForeignDrag() -> WireForeignDrag? { wire == nil ? nil : bridge?.makeDrag() }

  /// Creates the wire object for a region; nil without an engine.
  func makeWireRegion(window: UInt32) -> WireRegion? {
    if let bridge { bridge.makeRegion(window: window) } else { wire?.makeRegion(window: window) }
  }

  /// Creates the shelf's client, on the connection that the engine has opened.
  ///
  /// - Parameter socket: the connection; the client takes ownership.
  /// - Throws: `ClientError` if the socket does not belong to the engine, or the engine has gone.
  package convenience init(shelf name: String, opened socket: CInt) throws(ClientError) {
    try self.init(name: name, opened: Descriptor(owning: socket))
    shelf = wire?.makeShelf()
    shelf?.onEvent = { [weak self] event in
      guard case .appear(let place) = event else { return }
      self?.onShelfPlace?(place)
      self?.shelf?.hasShown()
    }
  }
}
