import CarryModel
import CWayland
import CWaylandServer

/// A drag of an application that uses another protocol, on the bridge's connection.
final class ForeignDragObject: WireObject {
  private var items: [ItemDescription] = []
  private var session: SessionID?
  private var hasBegun = false
  private var hasEnded = false
  private var operation = DropOperation.cancel

  override func destroyed() {
    guard let session else { return }
    client.server.bridge.foreignDrags[session] = nil
    if !client.isGone { client.server.delegate?.endedForeignDrag(session) }
  }

  private func begin(process: UInt32, byButton: UInt32, over window: UInt32, at point: Point) {
    guard !hasBegun else {
      return client.offend(resource, CARRY_MANAGER_ERROR_BAD_VALUE, "a drag begins once")
    }
    hasBegun = true
    let process = Int32(exactly: process).flatMap { $0 > 0 ? $0 : nil }
    let session = client.server.delegate?.beganForeignDrag(
      client.id, from: process,
      isByButton: byButton != 0, items: items, over: WindowID(window),
      at: point)
    items = []
    guard let session else { return end(delivered: 0) }
    self.session = session
    client.server.bridge.foreignDrags[session] = self
    client.server.delegate?.movedForeignDrag(session, to: point)
  }

  /// Forwards the engine's messages to sources that concern the bridge.
  func tell(_ message: SourceMessage) {
    guard let resource else { return }
    switch message {
    case .proposal(let operation): carry_foreign_drag_send_proposal(resource, operation.rawValue)
    case .kept: carry_foreign_drag_send_kept(resource)
    case .didEnd(let operation):
      self.operation = operation
      // After a drop, data follows.
      if !operation.transfersData { end(delivered: 0) }
    case .didTransfer(let delivered): end(delivered: delivered)
    default: break
    }
  }

  /// The engine has discarded the session.
  func forgotten() {
    session = nil
    end(delivered: 0)
  }

  private func end(delivered: Int) {
    guard !hasEnded, let resource else { return }
    hasEnded = true
    carry_foreign_drag_send_ended(resource, operation.rawValue, UInt32(clamping: delivered))
  }

  private static func withSession(_ resource: OpaquePointer?, _ body: (any ClientRequests, SessionID) -> Void) {
    guard let o = WireObject.of(resource, as: ForeignDragObject.self), let session = o.session,
      let delegate = o.client.server.delegate
    else { return }
    body(delegate, session)
  }

  static let requests = RequestTable(
    carry_foreign_drag_interface(
      destroy: { _, resource in wl_resource_destroy(resource) },
      add_item: { _, resource, item in
        guard let o = WireObject.of(resource, as: ForeignDragObject.self),
          let item = WireObject.of(item, as: ItemObject.self), o.items.count < Limits.itemsPerSession
        else { return }
        o.items.append(item.description)
      },
      begin: { _, resource, process, byButton, window, x, y in
        WireObject.of(resource, as: ForeignDragObject.self)?.begin(
          process: process, byButton: byButton, over: window, at: Point(x, y))
      },
      motion: { _, resource, x, y in
        withSession(resource) { $0.movedForeignDrag($1, to: Point(x, y)) }
      },
      drop: { _, resource, x, y in
        withSession(resource) { $0.droppedForeignDrag($1, at: Point(x, y)) }
      }))
}

extension Point {
  fileprivate init(_ x: Int32, _ y: Int32) { self.init(x: Double(x), y: Double(y)) }
}
