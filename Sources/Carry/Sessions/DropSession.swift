import CarryModel
import CarryWireClient

/// A drag as one of this application's regions sees it.
///
/// Until the drop there are names and types only. Loads may be started within `performDrop` and at no other time.
public final class DropSession {
  let wire: WireDropSession
  private let number: SessionID
  /// The region that sees it.
  package let region: Region
  /// Whether the delegate's `performDrop` runs now.
  var isPerforming = false
  private var hasEnded = false
  private var cached: [DragItem] = []
  /// What a language binding keeps with the session.
  package var attachment: AnyObject?

  /// What the drop turned out to be; cancel until then.
  public internal(set) var operation = DropOperation.cancel
  /// The session's number, as `carry monitor` shows it.
  public var identifier: UInt32 { number.raw }

  init(_ wire: WireDropSession, _ number: SessionID, region: Region) {
    self.wire = wire
    self.number = number
    self.region = region
  }

  /// The items, in the source's order. More may come while the session lasts.
  public var items: [DragItem] {
    let local = localDragSession?.items
    var list = cached
    while list.count < wire.items.count {
      let i = list.count
      let item = DragItem(itemProvider: ItemProvider(in: self, index: i))
      if let local, i < local.count { item.localObject = local[i].localObject }
      list.append(item)
    }
    if !hasEnded { cached = list }
    return list
  }

  /// The items hold the session: it must not hold them for ever.
  func end() {
    hasEnded = true
    cached = []
  }

  /// Where the drag is, in pixels of a region of the same window.
  public func location(in region: Region) -> Point { region.local(wire.location) }

  /// Whether the source allows a move.
  public var allowsMoveOperation: Bool { wire.allowsMove }

  /// Whether the drag started in this application.
  public var isLocal: Bool { wire.isLocal }

  /// The same drag on its source's side, when it started in this application.
  public var localDragSession: DragSession? { wire.isLocal ? region.client.dragSessions[number] : nil }

  /// Whether any item conforms to any of the types, such as `image/png`, `text/plain` or `image/*`.
  public func hasItemsConforming(toTypes types: [String]) -> Bool {
    items.contains { item in types.contains { item.itemProvider.hasRepresentationConforming(to: $0) } }
  }
}
