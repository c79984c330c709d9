import CarryModel

/// The cells of a window that can be lifted one by one: the rows of a list, the pictures of a grid, the words of a
/// text.
///
/// A layer on regions and interactions with the code common to lists and grids. It keeps a region with a
/// ``DragInteraction`` for each visible cell, knows which cell an interaction belongs to, and between which cells a
/// drop goes. ``CellDragDelegate`` supplies the items of cells; ``CellDropDelegate`` handles what is dropped between or
/// into them, after ``acceptDrops(in:edgeZone:_:)``.
public final class CellRegions {
  final class Cell {
    /// In pixels of the window, with what is not visible.
    var frame: Rect
    var region: Region?
    /// Whether its content is still loading: it does not lift.
    var isPlaceholder = false
    let interaction: DragInteraction

    init(_ frame: Rect, _ interaction: DragInteraction) {
      self.frame = frame
      self.interaction = interaction
    }
  }

  /// The client that the regions belong to.
  public let client: Client
  /// The X window that the cells are drawn in.
  public let window: UInt32
  /// Supplies the items. Not retained.
  public private(set) weak var delegate: (any CellDragDelegate)?
  private let configure: (Region, Int) -> Void
  private var cells: [Cell] = []
  private(set) var drops: CellDrops?

  /// Creates an empty set of cells of a window.
  ///
  /// - Parameters:
  ///   - client: the connection.
  ///   - window: an X window of this process that exists on the server.
  ///   - delegate: retained by the caller.
  ///   - configure: called for each new region, with the index of its cell, to set its label and the like.
  public init(
    client: Client, window: UInt32, delegate: any CellDragDelegate,
    configure: @escaping (Region, Int) -> Void = { _, _ in }
  ) {
    self.client = client
    self.window = window
    self.delegate = delegate
    self.configure = configure
  }

  /// The rectangles of the cells, in order, in pixels of the window.
  ///
  /// Set it when the list scrolls or its layout changes. Parts outside ``dropFrame`` are not visible; a cell that is not
  /// visible, or is empty, has no region. Setting it keeps the identity of cells, and adds or removes at the end. If the cells themselves
  /// change, use ``insert(_:at:)``, ``remove(at:)`` and ``move(from:to:)`` first: a running drag then still belongs
  /// to its own cell.
  public var frames: [Rect] {
    get { cells.map(\.frame) }
    set {
      while cells.count > newValue.count { remove(at: cells.count - 1) }
      for (i, frame) in newValue.enumerated() {
        if i == cells.count {
          guard let delegate else { return }
          cells.append(Cell(frame, DragInteraction(delegate: delegate)))
        }
        cells[i].frame = frame
        show(i)
      }
    }
  }

  /// Inserts a cell before the one that has the index now.
  ///
  /// - Parameters:
  ///   - frame: in pixels of the window.
  ///   - index: 0 to the number of cells; a larger index appends.
  public func insert(_ frame: Rect, at index: Int) {
    guard let delegate else { return }
    insert(Cell(frame, DragInteraction(delegate: delegate)), at: index)
  }

  func insert(_ cell: Cell, at index: Int) {
    let i = max(0, min(cells.count, index))
    cells.insert(cell, at: i)
    show(i)
  }

  /// Removes a cell. A drag of it continues.
  public func remove(at index: Int) {
    guard cells.indices.contains(index) else { return }
    cells.remove(at: index).region?.invalidate()
  }

  /// Moves a cell to another index. Its position on the screen changes with ``frames``.
  ///
  /// - Parameters:
  ///   - index: the current index of the cell.
  ///   - other: its new index.
  public func move(from index: Int, to other: Int) {
    guard cells.indices.contains(index), cells.indices.contains(other) else { return }
    cells.insert(cells.remove(at: index), at: other)
  }

  /// Removes all cells and ends the drop target, as deallocation does.
  public func invalidate() {
    frames = []
    drops?.region.invalidate()
    drops = nil
  }

  deinit { invalidate() }

  func show(_ i: Int) {
    let cell = cells[i]
    let frame = drops.map { cell.frame.intersection($0.region.frame) } ?? cell.frame
    guard !frame.isEmpty, !cell.isPlaceholder else {
      cell.region?.invalidate()
      return cell.region = nil
    }
    if let region = cell.region { return region.frame = frame }
    let region = Region(client: client, window: window, frame: frame)
    cell.region = region
    configure(region, i)
    region.addInteraction(cell.interaction)
    if drops?.delegate?.cells(self, canSpringOpenAt: i) == true {
      region.addInteraction(
        SpringLoadedInteraction { [weak self, weak cell] _, _ in
          guard let self, let cell, let i = index(of: cell) else { return }
          drops?.delegate?.cells(self, didSpringOpenAt: i)
        })
    }
  }

  // MARK: Drops

  /// Makes the list a drop target: items are dropped between cells, or into them.
  ///
  /// - Parameters:
  ///   - frame: the visible list, in pixels of the window; see ``dropFrame``.
  ///   - edgeZone: the width of the zone along each edge in which a drag scrolls the list, in pixels.
  ///   - delegate: retained by the caller.
  /// - Returns: the region of the list, to set its label and the like.
  @discardableResult
  public func acceptDrops(in frame: Rect, edgeZone: Int = 0, _ delegate: any CellDropDelegate) -> Region {
    drops?.region.invalidate()
    let new = CellDrops(self, frame, delegate)
    new.interaction.edgeZone = edgeZone
    drops = new
    // Cells that are shown already learn whether they spring open.
    for cell in cells {
      cell.region?.invalidate()
      cell.region = nil
    }
    for i in cells.indices { show(i) }
    return new.region
  }

  /// The visible list, in pixels of the window: the target of drops, and the part in which cells are visible. Nil
  /// before ``acceptDrops(in:edgeZone:_:)``.
  public var dropFrame: Rect? {
    get { drops?.region.frame }
    set {
      guard let newValue, let drops else { return }
      drops.region.frame = newValue
      for i in cells.indices { show(i) }
    }
  }

  /// Where the drags above the list would put their items, for each drag whose drop would be accepted.
  public var dropPlaces: [CellDropPlace] { drops?.places ?? [] }

  /// How fast a drag at an edge scrolls the list: -1 is full speed to the left or up, 1 to the right or down.
  public var scrollSpeed: Point { drops?.scrollSpeed ?? Point(x: 0, y: 0) }

  /// The rectangle of a place, in pixels of the window: the cell, or an empty one along the border between two cells.
  /// Nil without cells.
  public func frame(of place: CellDropPlace) -> Rect? {
    func seen(_ i: Int) -> Rect? { cell(at: i).flatMap { $0.frame.isEmpty ? nil : $0.frame } }
    let isGrid = CellDestination.isGrid(frames)
    switch place {
    case .into(let i): return seen(i)
    case .before(let i):
      if let next = seen(i) {
        return Rect(x: next.x, y: next.y, width: isGrid ? 0 : next.width, height: isGrid ? next.height : 0)
      }
      return seen(i - 1).map { last in
        isGrid
          ? Rect(x: last.x + last.width, y: last.y, width: 0, height: last.height)
          : Rect(x: last.x, y: last.y + last.height, width: last.width, height: 0)
      }
    }
  }

  /// The cells that a session's items were lifted from, one for each item; nil for an item from elsewhere.
  func lifted(in session: DropSession) -> [Cell?] {
    let local = session.localDragSession?.items ?? []
    return session.items.indices.map { i in
      guard local.indices.contains(i), let cell = local[i].cell, index(of: cell) != nil else { return nil }
      return cell
    }
  }

  // MARK: Which cell

  func cell(at index: Int) -> Cell? { cells.indices.contains(index) ? cells[index] : nil }

  func index(of cell: Cell) -> Int? { cells.firstIndex { $0 === cell } }

  func cell(of interaction: DragInteraction) -> Cell? { cells.first { $0.interaction === interaction } }

  /// The index of the cell that an interaction belongs to; nil if it belongs to none of these cells, or if its cell
  /// has been removed.
  public func index(of interaction: DragInteraction) -> Int? {
    cells.firstIndex { $0.interaction === interaction }
  }

  /// The cell's region; nil for a cell that is not visible.
  public func region(at index: Int) -> Region? { cells.indices.contains(index) ? cells[index].region : nil }

  /// The middle of the cell, as a target for landing items; nil for a cell that is not visible.
  public func target(at index: Int) -> DragPreviewTarget? {
    region(at: index).map {
      DragPreviewTarget(
        container: $0, center: Point(x: Double($0.frame.width) / 2, y: Double($0.frame.height) / 2))
    }
  }

  /// The live picture of the cell, at its own place; nil for a cell that is not visible.
  public func preview(at index: Int) -> TargetedDragPreview? {
    guard region(at: index) != nil, let delegate else { return nil }
    return TargetedDragPreview(
      window: window, rect: cells[index].frame, parameters: delegate.cells(self, previewParametersAt: index))
  }

  /// The destination at a point.
  ///
  /// - Parameter point: in pixels of the window.
  public func destination(at point: Point) -> CellDestination { CellDestination(at: point, among: frames) }
}

/// The place among cells where a drop goes.
public struct CellDestination: Equatable, Sendable {
  /// The cell at the point, for a drop into a cell; nil between cells.
  public let cell: Int?
  /// For a drop between cells: the index of the first inserted cell, from 0 to the number of cells.
  public let insertionIndex: Int

  /// Finds the place for a point: in the nearest row, at the nearest cell. Whether it is before or after that cell
  /// depends on x if any cells are side by side, as in a grid, and otherwise on y, as in a list.
  ///
  /// - Parameters:
  ///   - point: in the coordinates of the frames.
  ///   - frames: the cells in order; empty ones are not visible and are ignored.
  public init(at point: Point, among frames: [Rect]) {
    func distance(_ v: Double, _ start: Int, _ length: Int) -> Double {
      max(Double(start) - v, 0, v - Double(start) - Double(length))
    }
    func isNearer(_ a: Rect, _ b: Rect) -> Bool {
      let (ay, by) = (distance(point.y, a.y, a.height), distance(point.y, b.y, b.height))
      return ay == by ? distance(point.x, a.x, a.width) < distance(point.x, b.x, b.width) : ay < by
    }
    let seen = frames.indices.filter { !frames[$0].isEmpty }
    guard let nearest = seen.min(by: { isNearer(frames[$0], frames[$1]) }) else {
      (cell, insertionIndex) = (nil, 0)
      return
    }
    let r = frames[nearest]
    func contains(_ r: Rect) -> Bool {
      (Double(r.x)..<Double(r.x) + Double(r.width)).contains(point.x)
        && (Double(r.y)..<Double(r.y) + Double(r.height)).contains(point.y)
    }
    cell = contains(r) ? nearest : nil
    let isAfter =
      Self.isGrid(frames)
      ? point.x > Double(r.x) + Double(r.width) / 2 : point.y > Double(r.y) + Double(r.height) / 2
    insertionIndex = isAfter ? nearest + 1 : nearest
  }

  /// Whether any visible cells are side by side.
  static func isGrid(_ frames: [Rect]) -> Bool {
    let seen = frames.filter { !$0.isEmpty }
    return zip(seen, seen.dropFirst()).contains { abs(Double($0.y) - Double($1.y)) < Double($0.height) / 2 }
  }
}
