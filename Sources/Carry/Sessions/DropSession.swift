import CarryModel
import CarryWireClient

/// A drag as one of this application's regions sees it.
///
/// Until the drop there are names and types only. Start loads within `performDrop`; no other time is allowed.
public final class DropSession {
  let wire: WireDropSession
  private let number: SessionID
  /// The region that sees it.
  package let region: Region
  /// Whether the delegate's `performDrop` runs now.
  var isPerforming = false {
    didSet { if isPerforming, progressIndicatorStyle == .none { wire.setProgressIndicator(isShown: false) } }
  }
  private var hasEnded = false
  private var cached: [Int: DragItem] = [:]
  /// The items of a paste; nil in a drop.
  private var pasted: [DragItem]?
  /// The animations that accompany items that land.
  var flights: [(item: Int, animator: Animator)] = []
  /// How far all loads of the drop are together.
  public let progress = SessionProgress()
  /// Whoever listens to `events`; nil while nobody has asked for them.
  var hub: EventHub<Event>?
  /// What a language binding keeps with the session.
  package var attachment: AnyObject?

  /// Who shows the user how far the loads of a drop are.
  public enum ProgressIndicatorStyle: Sendable {
    /// The engine: when the loads take long, a window appears near the drop, in which the user can cancel them.
    case `default`
    /// This application, which lets the user cancel or move on.
    case none
  }

  /// Who shows how far the loads are. To be set in `performDrop` or before it; later it changes nothing.
  public var progressIndicatorStyle = ProgressIndicatorStyle.default {
    didSet {
      guard isPerforming, progressIndicatorStyle != oldValue else { return }
      wire.setProgressIndicator(isShown: progressIndicatorStyle == .default)
    }
  }

  /// What the drop turned out to be; cancel until then.
  public internal(set) var operation = DropOperation.cancel
  /// The session's number, as `carry monitor` shows it.
  public var identifier: UInt32 { number.raw }

  init(_ wire: WireDropSession, _ number: SessionID, region: Region) {
    self.wire = wire
    self.number = number
    self.region = region
  }

  /// A paste: what was copied, as if it were dropped in the middle of the region. The engine knows nothing of it.
  init(pasting providers: [ItemProvider], in region: Region) {
    (wire, number, self.region) = (WireDropSession(), SessionID(0), region)
    pasted = providers.map { DragItem(itemProvider: $0) }
    operation = .copy
    for provider in providers { provider.loadingProgress = progress }
  }

  /// Whether the items were pasted, and not dropped.
  public var isPaste: Bool { pasted != nil }

  /// The items, in the source's order. More may come while the session lasts.
  public var items: [DragItem] { numberedItems.map(\.item) }

  /// How large the picture of a dropped item is, in pixels, unscaled; nil before the drop, and if the item is not seen.
  package func carriedSize(of item: DragItem) -> (width: Double, height: Double)? {
    guard !isPaste, let number = numberedItems.first(where: { $0.item === item })?.number else { return nil }
    return wire.items[number].carriedSize.map { ($0.width, $0.height) }
  }

  /// The items with their numbers in the protocol. The protocol also numbers items that promise nothing to other
  /// applications.
  var numberedItems: [(number: Int, item: DragItem)] {
    if let pasted { return pasted.enumerated().map { ($0, $1) } }
    let local = localDragSession?.items
    return wire.items.indices.compactMap { i in
      guard isLocal || !wire.items[i].types.isEmpty else { return nil }
      if let item = cached[i] { return (i, item) }
      let item = DragItem(itemProvider: ItemProvider(from: self, index: i))
      if let local, i < local.count { item.localObject = local[i].localObject }
      if !hasEnded { cached[i] = item }
      return (i, item)
    }
  }

  func finishFlights() {
    for flight in flights { flight.animator.finish(.end) }
    flights = []
  }

  /// Lets go of the items. They hold the session, so the session must not hold them for ever.
  func end() {
    hasEnded = true
    cached = [:]
    if isPaste { pasted = [] }
    hub?.finish()
  }

  /// Where the drag is, in pixels of a region of the same window.
  public func location(in region: Region) -> Point {
    guard isPaste else { return region.local(wire.location) }
    let frame = self.region.frame
    return region.local(
      CarryModel.Point(x: Double(frame.x) + Double(frame.width) / 2, y: Double(frame.y) + Double(frame.height) / 2))
  }

  /// How fast to scroll while the drag dwells in the interaction's `edgeZone`: -1 is full speed to the left or up, 1 to
  /// the right or down, 0 not at all. `sessionDidUpdate` is called when the speed changes; the speed holds until the
  /// next call of the delegate.
  public var edgeSpeed: Point { Point(wire.edgeSpeed) }

  /// Whether the source allows a move.
  public var allowsMoveOperation: Bool { wire.allowsMove }

  /// Whether no other application sees the drag.
  public var isRestrictedToDraggingApplication: Bool { wire.isRestricted }

  /// Whether the drag started in this application.
  public var isLocal: Bool { wire.isLocal }

  /// The same drag on its source's side, when it started in this application, with the same client.
  public var localDragSession: DragSession? { wire.isLocal ? region.client.dragSessions[number] : nil }

  /// What became of one item's load.
  public struct LoadedItem {
    /// The item: its name, and its place in `items`.
    public let item: DragItem
    /// The type that was loaded: one of the item's types.
    public let type: String
    /// The bytes, or why there are none.
    public let result: Result<[UInt8], LoadError>
    /// The bytes; nil when the load failed.
    public var bytes: [UInt8]? { try? result.get() }
  }

  /// Loads the best representation of each item that has one of some types: for content of one kind. Within
  /// `performDrop` only.
  ///
  /// - Parameters:
  ///   - types: media types in the order of preference, such as `image/png` or `text/*`.
  ///   - limit: bytes for each item; more is an error.
  ///   - completion: called once, on the client's thread, with each item that has one of the types, in the order of
  ///     `items`: its data, or why the data could not be loaded. If there is no such item it is called at once.
  /// - Returns: the loads, to watch or cancel.
  @discardableResult
  public func loadItems(
    conformingTo types: [String], limit: Int = 1 << 30, completion: @escaping ([LoadedItem]) -> Void
  ) -> [Load] {
    let wanted = items.compactMap { item in
      item.itemProvider.bestType(conformingTo: types).map { (item: item, type: $0) }
    }
    guard !wanted.isEmpty else {
      completion([])
      return []
    }
    var results = [LoadedItem?](repeating: nil, count: wanted.count)
    var open = wanted.count
    return wanted.enumerated().map { i, load in
      load.item.itemProvider.loadDataRepresentation(forType: load.type, limit: limit) { result in
        results[i] = LoadedItem(item: load.item, type: load.type, result: result)
        open -= 1
        if open == 0 { completion(results.compactMap { $0 }) }
      }
    }
  }

  /// Whether any item conforms to any of the types, such as `image/png`, `text/plain` or `image/*`.
  public func hasItemsConforming(toTypes types: [String]) -> Bool {
    items.contains { item in types.contains { item.itemProvider.hasRepresentationConforming(to: $0) } }
  }
}
