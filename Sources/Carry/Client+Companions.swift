package import CarryModel
import CarrySystem
import CarryWireClient

/// The clients of the engine's own processes.
extension Client {
  /// The bridge's client, on the connection that the engine has opened. Its regions are in other applications' windows.
  ///
  /// - Parameter socket: the connection, which belongs to the client from now on.
  /// - Throws: `ClientError` when the socket is none of the engine's, or the engine is gone.
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

  /// Z23: the application drags that a lift is tried out of. Only in the engine's own bridge.
  ///
  /// - Parameter serial: of the question for the lift's items.
  package func takeTouch(serial: UInt32) { bridge?.takeTouch(serial: serial) }

  /// Z23: the mouse's button is up again. Only in the engine's own bridge.
  package func trialIsOver(serial: UInt32) { bridge?.trialIsOver(serial: serial) }

  /// Asks where a window takes drops; `onDropPlaces` has the answer. Only in the engine's own bridge.
  package func findDropPlaces(of window: UInt32) { bridge?.findDropPlaces(of: window) }

  /// Z15: another application drags by itself, and where that began, in screen pixels; nil: no more. Only in the engine's own
  /// bridge.
  package func otherDragChanged(_ point: CarryModel.Point?) {
    if let point { bridge?.dragIsUnderWay(at: point) } else { bridge?.dragIsOver() }
  }

  /// A drag of another application on the wire; nil without an engine.
  func makeWireForeignDrag() -> WireForeignDrag? { wire == nil ? nil : bridge?.makeDrag() }

  /// A region of the wire; nil without an engine.
  func makeWireRegion(window: UInt32) -> WireRegion? {
    if let bridge { bridge.makeRegion(window: window) } else { wire?.makeRegion(window: window) }
  }

  /// The shelf's client, on the connection that the engine has opened (Z15).
  ///
  /// - Parameter socket: the connection, which belongs to the client from now on.
  /// - Throws: `ClientError` when the socket is none of the engine's, or the engine is gone.
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
