package import Carry
package import CarryModel
import CarrySystem
import CarryWireClient

/// The connection of the engine's own shelf.
package final class ShelfClient {
  package let client: Client
  private let wire: WireShelf?
  /// Called with the place of the shelf when a drag begins, and with nil when no drag is left.
  package var onPlace: ((ShelfPlace?) -> Void)?

  /// - Parameter socket: the connection that the engine has opened; the client takes ownership.
  /// - Throws: `ClientError` if the socket does not belong to the engine, or the engine has gone.
  package init(_ name: String, opened socket: CInt) throws(ClientError) {
    client = try Client(name: name, opened: Descriptor(owning: socket))
    wire = client.wire?.makeShelf()
    wire?.onEvent = { [weak self] event in
      guard case .appear(let place) = event else { return }
      self?.onPlace?(place)
      self?.wire?.hasShown()
    }
  }

  /// Keeps an item of a drop, while the shelf performs it; nil if that is impossible.
  package func keep(_ item: DragItem, of session: DropSession) -> KeptItem? {
    guard let wire, !session.isPaste, let number = session.numberedItems.first(where: { $0.item === item })?.number
    else { return nil }
    return KeptItem(wire.keep(session.wire, item: number))
  }
}
