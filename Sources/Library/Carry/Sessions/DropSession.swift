import CarryModel
package import CarryWireClient

/// A drag over one of this application's regions.
///
/// Before the drop, only names and types are available. Start loads within `performDrop`, and at no other time.
public final class DropSession {
  package let wire: WireDropSession
  private let number: SessionID
  /// The region that the drag is over.
  package let region: Region
  /// Whether the delegate's `performDrop` is running.
  var isPerforming = false {
    didSet { if isPerforming, progressIndicatorStyle == .none { wire.setProgressIndicator(isShown: false) } }
  }
  /// Whether loads may start after `performDrop` has returned.
  package private(set) var isKeptOpen = false
  /// Whether a move has become a copy.
  private(set) var copiesInstead = false
  /// Called when a session that was kept open is finished.
  var onFinish: (() -> Void)?
  private var hasEnded = false
  private var cached: [Int: DragItem] = [:]
  /// The items of a paste; nil in a drop.
  private var pasted: [DragItem]?
  /// The animations alongside items that land.
  var flights: [(item: Int, animator: Animator)] = []
  /// The combined progress of all loads of the drop.
  public let progress = SessionProgress()
  /// Distributes `events`; nil until they are first used.
  var hub: EventHub<Event>?
  /// The value that a language binding keeps with the session.
  package var attachment: AnyObject?

  /// Which program shows the progress of a drop's loads.
  public enum ProgressIndicatorStyle: Sendable {
    /// The engine: if the loads take long, a window appears near the drop, in which the user can cancel them.
    case `default`
    /// This application, which lets the user cancel or continue working.
    case none
  }

  /// Which program shows the progress of the loads. Set it in `performDrop` or before; later changes have no effect.
  public var progressIndicatorStyle = ProgressIndicatorStyle.default {
    didSet {
      guard isPerforming, progressIndicatorStyle != oldValue else { return }
      wire.setProgressIndicator(isShown: progressIndicatorStyle == .default)
    }
  }

  /// The operation of the drop; cancel until the drop.
  public internal(set) var operation = DropOperation.cancel
  /// The session's number, as `carry monitor` shows it.
  public var identifier: UInt32 { number.raw }

  init(_ wire: WireDropSession, _ number: SessionID, region: Region) {
    self.wire = wire
    self.number = number
    self.region = region
  }

  /// Creates a paste: copied items, as if dropped in the middle of the region. The engine is not involved.
  package init(pasting providers: [ItemProvider], in region: Region) {
    (wire, number, self.region) = (WireDropSession(), SessionID(0), region)
    pasted = providers.map { DragItem(itemProvider: $0) }
    operation = .copy
    for provider in providers { provider.loadingProgress = progress }
  }

  /// Whether the items were pasted, not dropped.
  public var isPaste: Bool { pasted != nil }

  /// The items, in the source's order. More may be added while the session lasts.
  public var items: [DragItem] { numberedItems.map(\.item) }

  /// The size of a dropped item's picture, in pixels, unscaled; nil before the drop, and if the item is not visible.
  package func carriedSize(of item: DragItem) -> (width: Double, height: Double)? {
    guard !isPaste, let number = numberedItems.first(where: { $0.item === item })?.number else { return nil }
    return wire.items[number].carriedSize.map { ($0.width, $0.height) }
  }

  /// The items with their numbers in the protocol, which also numbers items that promise nothing to other
  /// applications.
  package var numberedItems: [(number: Int, item: DragItem)] {
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

  /// Keeps the drop open: loads may start until `finish`, such as after a question to the user. Call it within
  /// `performDrop`. The items land meanwhile, and `concludeDrop` follows `finish`.
  public func keepOpen() {
    if isPerforming, !isPaste { isKeptOpen = true }
  }

  /// Ends a drop that was kept open. Loads that have started continue.
  ///
  /// - Parameter operation: `.copy` if a move is to be a copy after all: the source keeps its items then. Nil for the
  ///   operation of the drop.
  public func finish(as operation: DropOperation? = nil) {
    guard isKeptOpen else { return }
    isKeptOpen = false
    if operation == .copy, self.operation == .move { (copiesInstead, self.operation) = (true, .copy) }
    // Within `performDrop` its end finishes the drop.
    onFinish?()
    onFinish = nil
  }

  func finishFlights() {
    for flight in flights { flight.animator.finish(.end) }
    flights = []
  }

  /// Releases the items. They retain the session, so the session must not retain them forever.
  func end() {
    hasEnded = true
    (isPerforming, isKeptOpen, onFinish) = (false, false, nil)
    cached = [:]
    if isPaste { pasted = [] }
    hub?.finish()
  }

  /// The location of the drag, in pixels of a region of the same window.
  public func location(in region: Region) -> Point {
    guard isPaste else { return region.local(wire.location) }
    let frame = self.region.frame
    return region.local(
      CarryModel.Point(x: Double(frame.x) + Double(frame.width) / 2, y: Double(frame.y) + Double(frame.height) / 2))
  }

  /// How fast to scroll while the drag rests in the interaction's `edgeZone`: -1 is full speed to the left or up, 1
  /// to the right or down, 0 not at all. `sessionDidUpdate` is called when the speed changes; the speed is valid
  /// until the next call of the delegate.
  public var edgeSpeed: Point { Point(wire.edgeSpeed) }

  /// Whether the source allows a move.
  public var allowsMoveOperation: Bool { wire.allowsMove }

  /// Whether the drag is hidden from other applications.
  public var isRestrictedToDraggingApplication: Bool { wire.isRestricted }

  /// Whether the drag started in this application.
  public var isLocal: Bool { wire.isLocal }

  /// The source's side of the same drag, if it started in this application with the same client.
  public var localDragSession: DragSession? { wire.isLocal ? region.client.dragSessions[number] : nil }

  /// The result of one item's load.
  public struct LoadedItem {
    /// The item, with its name and its place in `items`.
    public let item: DragItem
    /// The type that was loaded: one of the item's types.
    public let type: String
    /// The bytes, or the error.
    public let result: Result<[UInt8], LoadError>
    /// The bytes; nil if the load failed.
    public var bytes: [UInt8]? { try? result.get() }
  }

  /// Loads the best representation of each item that has one of some types: for content of one kind. Call it within
  /// `performDrop` only.
  ///
  /// - Parameters:
  ///   - types: media types in order of preference, such as `image/png` or `text/*`.
  ///   - limit: the maximum size of each item in bytes; more is an error.
  ///   - completion: called once, on the client's thread, with each item that has one of the types, in the order of
  ///     `items`: its data, or the error. If there is no such item it is called at once.
  /// - Returns: the loads, to observe or cancel them.
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
