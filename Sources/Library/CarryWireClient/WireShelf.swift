package import CarryModel
import CWayland
import CWaylandClient

/// The engine's messages to its own shelf.
package enum WireShelfEvent: WireEvent {
  /// A drag is under way; nil when nothing is dragged any more.
  case appear(ShelfPlace?)
  case lost
}

/// The right of the engine's own shelf to keep dropped items.
package final class WireShelf: WireEventSource<WireShelfEvent> {
  override func listen(_ proxy: OpaquePointer) { carry_shelf_add_listener(proxy, Self.listener.pointer, data) }

  /// The shelf has carried out `appear`.
  package func hasShown() { request(MessageSize.of(words: 0)) { carry_shelf_shown($0) } }

  /// Keeps an item of a drop that is being performed.
  ///
  /// - Parameter index: The item's index in the drop session.
  package func keep(_ session: WireDropSession, item index: Int) -> WireKeptItem {
    WireKeptItem(objects, MessageSize.of(words: 3)) {
      guard let proxy = self.proxy, let session = session.proxy else { return nil }
      return carry_shelf_keep(proxy, session, UInt32(clamping: index))
    }
  }

  private static let listener = ListenerTable(
    carry_shelf_listener(
      appear: { data, _, x, y, width, height, scale, edge in
        guard let edge = ShelfPlace.Edge(rawValue: edge) else { return }
        let monitor = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
        target(data, WireShelf.self)?.deliver(
          .appear(ShelfPlace(monitor: monitor, scale: Double(scale) / 256, edge: edge)))
      },
      disappear: { data, _ in target(data, WireShelf.self)?.deliver(.appear(nil)) }))
}

/// The state of an item that the shelf keeps.
package enum WireKeptItemEvent: WireEvent {
  /// The picture with which the item was carried, in pixels; nil if there is none.
  case kept(pixmap: UInt32?, Size)
  case gone
  case lost
}

/// An item that the shelf keeps.
package final class WireKeptItem: WireEventSource<WireKeptItemEvent> {
  override func listen(_ proxy: OpaquePointer) { carry_kept_item_add_listener(proxy, Self.listener.pointer, data) }

  /// Makes an item of the shelf represent this one.
  package func lend(_ item: WireItemProxy) {
    request(MessageSize.of(words: 1)) { if let item = item.proxy { carry_kept_item_lend($0, item) } }
  }

  /// Releases the item; no events follow.
  package func release() { end { carry_kept_item_destroy($0) } }

  private static let listener = ListenerTable(
    carry_kept_item_listener(
      kept: { data, _, pixmap, width, height in
        let size = Size(width: Double(width), height: Double(height))
        target(data, WireKeptItem.self)?.deliver(.kept(pixmap: pixmap == 0 ? nil : pixmap, size))
      },
      gone: { data, _ in target(data, WireKeptItem.self)?.deliver(.gone) }))
}
