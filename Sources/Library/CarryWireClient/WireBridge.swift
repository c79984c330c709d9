package import CarryModel
import CWayland
import CWaylandClient

/// The engine's messages to its own bridge.
package enum WireBridgeEvent: WireEvent {
  /// A window has gained its first region that accepts drops, or lost its last.
  case dropWindow(UInt32, takesDrops: Bool)
  /// Where a window accepts drops, in its pixels.
  case dropPlaces(UInt32, [Rect])
  /// The applications from which a touch can lift, by either part of `WM_CLASS`.
  case liftApplications([String])
  /// Whether a mouse or a pen carries a session.
  case pointerCarries(Bool)
  case lost
}

/// The rights of the engine's own bridge to applications that speak another protocol of drag and drop.
package final class WireBridge: WireEventSource<WireBridgeEvent> {
  override func listen(_ proxy: OpaquePointer) { carry_bridge_add_listener(proxy, Self.listener.pointer, data) }

  /// A region of another application's window.
  package func makeRegion(window: UInt32) -> WireRegion {
    WireRegion(objects, MessageSize.of(words: 2)) { self.proxy.flatMap { carry_bridge_create_region($0, window) } }
  }

  /// A drag of another application.
  package func makeDrag() -> WireForeignDrag {
    WireForeignDrag(objects, MessageSize.of(words: 1)) { self.proxy.flatMap { carry_bridge_create_drag($0) } }
  }

  /// The application has begun a drag for a lift that was tried.
  ///
  /// - Parameter serial: That of the request for the lift's items.
  package func claimTouch(serial: UInt32) { request(MessageSize.of(words: 1)) { carry_bridge_take_touch($0, serial) } }

  /// The lift's mouse button has been released.
  package func trialIsOver(serial: UInt32) { request(MessageSize.of(words: 1)) { carry_bridge_trial_over($0, serial) } }

  /// Another application drags by itself.
  ///
  /// - Parameter point: Where it began, in screen pixels.
  package func dragIsUnderWay(at point: Point) {
    request(MessageSize.of(words: 2)) {
      carry_bridge_drag_under_way($0, Int32(clamped: point.x), Int32(clamped: point.y))
    }
  }

  /// Asks where a window accepts drops; answered with `dropPlaces`.
  package func findDropPlaces(of window: UInt32) {
    request(MessageSize.of(words: 1)) { carry_bridge_find_drop_places($0, window) }
  }

  package func dragIsOver() { request(MessageSize.of(words: 0)) { carry_bridge_drag_over($0) } }

  private static let listener = ListenerTable(
    carry_bridge_listener(
      lift_applications: { data, _, names in
        guard let names, let text = String(validatingCString: names) else { return }
        target(data, WireBridge.self)?.deliver(.liftApplications(text.split(separator: "\n").map(String.init)))
      },
      drop_window: { data, _, window, takesDrops in
        target(data, WireBridge.self)?.deliver(.dropWindow(window, takesDrops: takesDrops != 0))
      },
      ping: { data, _ in
        target(data, WireBridge.self)?.request(MessageSize.of(words: 0)) { carry_bridge_pong($0) }
      },
      drop_places: { data, _, window, places in
        guard let places else { return }
        let numbers = UnsafeRawBufferPointer(start: places.pointee.data, count: places.pointee.size)
          .bindMemory(to: Int32.self).map(Double.init)
        let rects = stride(from: 0, to: numbers.count / 4 * 4, by: 4).map {
          Rect(x: numbers[$0], y: numbers[$0 + 1], width: numbers[$0 + 2], height: numbers[$0 + 3])
        }
        target(data, WireBridge.self)?.deliver(.dropPlaces(window, rects))
      },
      pointer_carries: { data, _, carries in target(data, WireBridge.self)?.deliver(.pointerCarries(carries != 0)) }))
}

/// The progress of a drag of another application.
package enum WireForeignDragEvent: WireEvent {
  /// The result of a drop here.
  case proposal(DropOperation)
  /// The shelf keeps items of it, which may be loaded later.
  case kept
  /// There will be no more loads.
  case ended(DropOperation, delivered: Int)
  case lost
}

/// A drag of another application, which the bridge moves. Points are in screen pixels.
package final class WireForeignDrag: WireEventSource<WireForeignDragEvent> {
  override func listen(_ proxy: OpaquePointer) {
    carry_foreign_drag_add_listener(proxy, Self.listener.pointer, data)
  }

  package func add(_ item: WireItemProxy) {
    request(MessageSize.of(words: 1)) { if let item = item.proxy { carry_foreign_drag_add_item($0, item) } }
  }

  /// - Parameters:
  ///   - process: The application's process; nil if unknown.
  ///   - isByButton: Whether a mouse button is down.
  package func begin(process: Int32?, isByButton: Bool, over window: UInt32, at point: Point) {
    request(MessageSize.of(words: 5)) {
      carry_foreign_drag_begin(
        $0, UInt32(max(0, process ?? 0)), isByButton ? 1 : 0, window, Int32(clamped: point.x), Int32(clamped: point.y))
    }
  }

  package func move(to point: Point) {
    request(MessageSize.of(words: 2), newest: .moved) {
      carry_foreign_drag_motion($0, Int32(clamped: point.x), Int32(clamped: point.y))
    }
  }

  package func drop(at point: Point) {
    request(MessageSize.of(words: 2)) {
      carry_foreign_drag_drop($0, Int32(clamped: point.x), Int32(clamped: point.y))
    }
  }

  /// Cancels the drag, or releases a finished one; no events follow.
  package func finish() { end { carry_foreign_drag_destroy($0) } }

  private static let listener = ListenerTable(
    carry_foreign_drag_listener(
      proposal: { data, _, operation in
        target(data, WireForeignDrag.self)?.deliver(.proposal(DropOperation(rawValue: operation) ?? .cancel))
      },
      kept: { data, _ in target(data, WireForeignDrag.self)?.deliver(.kept) },
      ended: { data, _, operation, delivered in
        target(data, WireForeignDrag.self)?.deliver(
          .ended(DropOperation(rawValue: operation) ?? .cancel, delivered: Int(delivered)))
      }))
}

extension Int32 {
  /// The nearest integer; 0 for NaN.
  fileprivate init(clamped v: Double) {
    self = v.isFinite ? Int32(Swift.max(-1_000_000, Swift.min(1_000_000, v.rounded()))) : 0
  }
}
