import CarryModel

/// Handles drops for a list or grid: implement ``cells(_:performDropWith:)``, and `CellRegions.acceptDrops(in:_:)`
/// makes it a drop target. Called on the client's thread.
public protocol CellDropDelegate: AnyObject {
  /// Returns whether the session concerns these cells. The default is true.
  func cells(_ cells: CellRegions, canHandle session: DropSession) -> Bool

  /// Returns the result of dropping the items here and now. The default inserts them between cells: a move if all of
  /// them come from these cells and the session allows it, otherwise a copy.
  func cells(
    _ cells: CellRegions, sessionDidUpdate session: DropSession, at destination: CellDestination
  ) -> CellDropProposal

  /// Handles the drop: inserts the coordinator's items into the application's data. Start loads before returning.
  func cells(_ cells: CellRegions, performDropWith coordinator: CellDropCoordinator)

  /// Draw again: ``CellRegions/dropPlaces``, ``CellRegions/scrollSpeed`` or the progress of a placeholder has changed.
  func cellsNeedDisplay(_ cells: CellRegions)

  /// Returns whether a drag that hovers over the cell opens it, as a folder. Asked when the cell becomes visible. The
  /// default is false.
  func cells(_ cells: CellRegions, canSpringOpenAt index: Int) -> Bool

  /// A drag has hovered over the cell: do what a tap would do.
  func cells(_ cells: CellRegions, didSpringOpenAt index: Int)
}

extension CellDropDelegate {
  /// All sessions.
  public func cells(_ cells: CellRegions, canHandle session: DropSession) -> Bool { true }

  /// A move or a copy between cells.
  public func cells(
    _ cells: CellRegions, sessionDidUpdate session: DropSession, at destination: CellDestination
  ) -> CellDropProposal {
    let moves = session.allowsMoveOperation && cells.lifted(in: session).allSatisfy { $0 != nil }
    return CellDropProposal(DropProposal(operation: moves ? .move : .copy))
  }

  /// Nothing.
  public func cellsNeedDisplay(_ cells: CellRegions) {}
  /// No cell opens.
  public func cells(_ cells: CellRegions, canSpringOpenAt index: Int) -> Bool { false }
  /// Nothing.
  public func cells(_ cells: CellRegions, didSpringOpenAt index: Int) {}
}

/// The result of a drop among cells.
public struct CellDropProposal: Equatable, Sendable {
  /// Where the items go.
  public enum Intent: Sendable {
    /// Before the cell of the destination's insertion index.
    case between
    /// Into the destination's cell, such as a folder. Between cells, if there is none.
    case into
  }

  /// What happens to the items.
  public var proposal: DropProposal
  /// Where they go.
  public var intent: Intent

  /// Creates a proposal.
  public init(_ proposal: DropProposal, _ intent: Intent = .between) {
    self.proposal = proposal
    self.intent = intent
  }
}

/// The place of a hovering drag, for the application to show: a line or a gap between cells, or a highlighted cell.
public enum CellDropPlace: Equatable, Sendable {
  /// Before the cell with this index, or behind the last cell.
  case before(Int)
  /// Into the cell with this index.
  case into(Int)
}

/// A drop on cells, and where its items go and land. Valid until ``CellDropDelegate/cells(_:performDropWith:)`` returns.
public final class CellDropCoordinator {
  /// One of the dropped items.
  public struct Item {
    /// The item.
    public let dragItem: DragItem
    private weak var cells: CellRegions?
    private weak var cell: CellRegions.Cell?

    init(_ dragItem: DragItem, _ cell: CellRegions.Cell?, _ cells: CellRegions) {
      (self.dragItem, self.cell, self.cells) = (dragItem, cell, cells)
    }

    /// The present index of the cell that the item was lifted from; nil if it comes from elsewhere.
    public var sourceIndex: Int? { cell.flatMap { cells?.index(of: $0) } }
  }

  /// The session; load data from its items.
  public let session: DropSession
  /// The place of the drop.
  public let destination: CellDestination
  /// Where the items go, by the delegate's proposal.
  public let place: CellDropPlace
  /// The items, in their order.
  public let items: [Item]
  private unowned let cells: CellRegions

  init(_ session: DropSession, _ destination: CellDestination, _ place: CellDropPlace, _ cells: CellRegions) {
    (self.session, self.destination, self.place, self.cells) = (session, destination, place, cells)
    items = zip(session.items, cells.lifted(in: session)).map { Item($0, $1, cells) }
  }

  /// Moves the cell of an item to a place before the cell that has the index now, and lands the item there. Move the
  /// application's data, too.
  ///
  /// - Returns: the former and the new index; nil if the item comes from elsewhere.
  @discardableResult
  public func move(_ item: Item, before index: Int) -> (from: Int, to: Int)? {
    guard let from = item.sourceIndex else { return nil }
    let to = index > from ? index - 1 : index
    cells.move(from: from, to: to)
    return (from, to)
  }

  /// Loads a value from an item into a placeholder before the cell that has the index now, and lands the item there.
  /// When the value arrives, the placeholder becomes an ordinary cell; if it does not, the placeholder is removed. The
  /// application keeps its data in step: a new entry now, which becomes the value's or is removed in `completion`.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - type: the type of the value.
  ///   - index: 0 to the number of cells; a larger index appends.
  ///   - completion: called on the client's thread with the cell's index, or its former index after a failure; not
  ///     called if the cell has been removed meanwhile.
  /// - Returns: the placeholder, whose `fractionCompleted` the application draws; nil, and no call of `completion`, if
  ///   the item has no representation for such a value.
  public func insert<Object: ItemProviderReading>(
    _ item: Item, as type: Object.Type, at index: Int,
    completion: @escaping (_ index: Int, Result<Object, LoadError>) -> Void
  ) -> CellPlaceholder? {
    var placeholder: CellPlaceholder?
    guard item.dragItem.itemProvider.canLoadObject(of: type) else { return nil }
    let load = item.dragItem.itemProvider.loadObject(of: type) { result in
      let index: Int? =
        switch result {
        case .success: placeholder?.commit()
        case .failure: placeholder?.dismiss()
        }
      placeholder = nil
      if let index { completion(index, result) }
    }
    let unseen = Rect(x: 0, y: 0, width: 0, height: 0)
    guard !load.isFinished, let new = cells.insertPlaceholder(unseen, at: index, for: load) else { return nil }
    placeholder = new
    load.onProgress = { [weak cells] _ in
      guard let cells else { return }
      cells.drops?.delegate?.cellsNeedDisplay(cells)
    }
    if let cell = new.cell { cells.drops?.landings[ObjectIdentifier(item.dragItem)] = cell }
    return new
  }
}

/// The drop target of a list: tells the delegate the place among the cells, and lands the items there.
final class CellDrops: DropInteractionDelegate {
  let region: Region
  private(set) lazy var interaction = DropInteraction(delegate: self)
  private(set) weak var delegate: (any CellDropDelegate)?
  private weak var cells: CellRegions?
  /// The drags above the list.
  private var hovering: [UInt32: (place: CellDropPlace, speed: Point)] = [:]
  /// Where the items of the last drop land, and the place of that drop.
  var landings: [ObjectIdentifier: CellRegions.Cell] = [:]
  private var dropPlace: CellDropPlace?

  init(_ cells: CellRegions, _ frame: Rect, _ delegate: any CellDropDelegate) {
    (self.cells, self.delegate) = (cells, delegate)
    region = Region(client: cells.client, window: cells.window, frame: frame)
    interaction.allowsSimultaneousDropSessions = true
    region.addInteraction(interaction)
  }

  var places: [CellDropPlace] { hovering.values.map(\.place) }

  var scrollSpeed: Point {
    hovering.values.map(\.speed).max { abs($0.x) + abs($0.y) < abs($1.x) + abs($1.y) } ?? Point(x: 0, y: 0)
  }

  private func destination(_ session: DropSession, _ cells: CellRegions) -> CellDestination {
    let p = session.location(in: region)
    return cells.destination(at: Point(x: p.x + Double(region.frame.x), y: p.y + Double(region.frame.y)))
  }

  private func place(_ destination: CellDestination, _ intent: CellDropProposal.Intent) -> CellDropPlace {
    if intent == .into, let cell = destination.cell { .into(cell) } else { .before(destination.insertionIndex) }
  }

  private func hover(_ session: DropSession, _ new: (place: CellDropPlace, speed: Point)?) {
    let old = hovering[session.identifier]
    hovering[session.identifier] = new
    if old?.place != new?.place || old?.speed != new?.speed, let cells { delegate?.cellsNeedDisplay(cells) }
  }

  // MARK: Drop interaction

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    cells.flatMap { delegate?.cells($0, canHandle: session) } ?? false
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    guard let cells, let delegate else { return DropProposal(operation: .cancel) }
    let destination = destination(session, cells)
    let answer = delegate.cells(cells, sessionDidUpdate: session, at: destination)
    let isAccepted = answer.proposal.operation == .copy || answer.proposal.operation == .move
    hover(session, isAccepted ? (place(destination, answer.intent), session.edgeSpeed) : nil)
    return answer.proposal
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) { hover(session, nil) }
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { hover(session, nil) }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    guard let cells else { return }
    let destination = destination(session, cells)
    let place = hovering[session.identifier]?.place ?? .before(destination.insertionIndex)
    landings = [:]
    dropPlace = place
    for (item, cell) in zip(session.items, cells.lifted(in: session)) { landings[ObjectIdentifier(item)] = cell }
    hover(session, nil)
    delegate?.cells(cells, performDropWith: CellDropCoordinator(session, destination, place, cells))
  }

  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    let cell = landings[ObjectIdentifier(item)].flatMap { $0.frame.isEmpty ? nil : $0.frame }
    guard let frame = cell ?? dropPlace.flatMap({ cells?.frame(of: $0) }) else { return defaultPreview }
    return defaultPreview.retargetedPreview(with: DragPreviewTarget(container: region, middleOf: frame))
  }

  func dropInteraction(_ interaction: DropInteraction, concludeDrop session: DropSession) { landings = [:] }
}
