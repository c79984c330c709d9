import CarryModel

/// Cells of a window that lift one by one: a list's rows, a grid's pictures, a text's words.
///
/// A layer on regions and interactions for what lists and grids would all write again. It keeps a region with a
/// ``DragInteraction`` for each cell that can be seen, knows which cell an interaction is, and between which cells a drop
/// would go. Its delegates, ``CellDragDelegate`` and ``CellDropDelegate``, are the interactions' own with questions by
/// index; everything else about a drag is as ever.
public final class CellRegions {
  final class Cell {
    var frame: Rect
    var region: Region?
    /// Whether its content is still on its way: it does not lift.
    var isPlaceholder = false
    let interaction: DragInteraction

    init(_ frame: Rect, _ interaction: DragInteraction) {
      self.frame = frame
      self.interaction = interaction
    }
  }

  /// Whose regions these are.
  public let client: Client
  /// The X window that the cells are drawn in.
  public let window: UInt32
  /// Supplies the items. Not kept alive.
  public private(set) weak var delegate: (any CellDragDelegate)?
  private let configure: (Region, Int) -> Void
  private var cells: [Cell] = []

  /// Cells of a window, none yet.
  ///
  /// - Parameters:
  ///   - client: the connection.
  ///   - window: an X window of this process that exists on the server.
  ///   - delegate: the caller keeps it alive.
  ///   - configure: called for each region that is made, with the index of its cell, for its label and the like.
  public init(
    client: Client, window: UInt32, delegate: any CellDragDelegate,
    configure: @escaping (Region, Int) -> Void = { _, _ in }
  ) {
    self.client = client
    self.window = window
    self.delegate = delegate
    self.configure = configure
  }

  /// Where the cells are, in their order, in pixels of the window. Set it when the list scrolls or is laid out anew; an
  /// empty rectangle stands for a cell that cannot be seen, which has no region.
  ///
  /// Setting it leaves cells what they are and adds or removes at the end. Use ``insert(_:at:)``, ``remove(at:)`` and
  /// ``move(from:to:)`` first where the cells themselves change: a drag under way is then still that of its own cell.
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

  /// A new cell, before the one that has the index now.
  ///
  /// - Parameters:
  ///   - frame: pixels of the window.
  ///   - index: 0 to the number of cells; beyond, it is the last one.
  public func insert(_ frame: Rect, at index: Int) {
    guard let delegate else { return }
    insert(Cell(frame, DragInteraction(delegate: delegate)), at: index)
  }

  func insert(_ cell: Cell, at index: Int) {
    let i = max(0, min(cells.count, index))
    cells.insert(cell, at: i)
    show(i)
  }

  /// The cell is no more. A drag of it goes on.
  public func remove(at index: Int) {
    guard cells.indices.contains(index) else { return }
    cells.remove(at: index).region?.invalidate()
  }

  /// The cell has another place in the order. Where it is seen changes with ``frames``.
  ///
  /// - Parameters:
  ///   - index: the cell's.
  ///   - other: its index afterwards.
  public func move(from index: Int, to other: Int) {
    guard cells.indices.contains(index), cells.indices.contains(other) else { return }
    cells.insert(cells.remove(at: index), at: other)
  }

  /// Takes all cells away, as the end of this object does.
  public func invalidate() { frames = [] }

  deinit { invalidate() }

  func show(_ i: Int) {
    let cell = cells[i]
    guard cell.frame.width > 0, cell.frame.height > 0, !cell.isPlaceholder else {
      cell.region?.invalidate()
      return cell.region = nil
    }
    if let region = cell.region { return region.frame = cell.frame }
    let region = Region(client: client, window: window, frame: cell.frame)
    cell.region = region
    configure(region, i)
    region.addInteraction(cell.interaction)
  }

  // MARK: Which cell

  func index(of cell: Cell) -> Int? { cells.firstIndex { $0 === cell } }

  func cell(of interaction: DragInteraction) -> Cell? { cells.first { $0.interaction === interaction } }

  /// The cell that an interaction belongs to; nil when it is none of these, or its cell is no more.
  public func index(of interaction: DragInteraction) -> Int? {
    cells.firstIndex { $0.interaction === interaction }
  }

  /// The cell's region; nil for a cell that cannot be seen.
  public func region(at index: Int) -> Region? { cells.indices.contains(index) ? cells[index].region : nil }

  /// The cell's middle, for what lands there; nil for a cell that cannot be seen.
  public func target(at index: Int) -> DragPreviewTarget? {
    region(at: index).map {
      DragPreviewTarget(
        container: $0, center: Point(x: Double($0.frame.width) / 2, y: Double($0.frame.height) / 2))
    }
  }

  /// The cell as it looks, live, off its own place; nil for a cell that cannot be seen.
  public func preview(at index: Int) -> TargetedDragPreview? {
    guard region(at: index) != nil, let delegate else { return nil }
    return TargetedDragPreview(
      window: window, rect: cells[index].frame, parameters: delegate.cells(self, previewParametersAt: index))
  }

  /// What lies at a point.
  ///
  /// - Parameter point: pixels of the window.
  public func destination(at point: Point) -> CellDestination { CellDestination(at: point, among: frames) }
}

/// Where among cells a drop would go.
public struct CellDestination: Equatable, Sendable {
  /// The cell at the point, for what is dropped into a cell; nil between cells.
  public let cell: Int?
  /// For what is put between cells: the index that the first of it would have, from 0 to the number of cells.
  public let insertionIndex: Int

  /// The nearest row counts, and in it the nearest cell. Before or after it is told from left to right where cells
  /// stand beside one another, as in a grid, and from above to below where none do, as in a list.
  ///
  /// - Parameters:
  ///   - point: in the coordinates of the frames.
  ///   - frames: the cells in their order; empty ones cannot be seen and do not count.
  public init(at point: Point, among frames: [Rect]) {
    func distance(_ v: Double, _ start: Int, _ length: Int) -> Double {
      max(Double(start) - v, 0, v - Double(start) - Double(length))
    }
    func isNearer(_ a: Rect, _ b: Rect) -> Bool {
      let (ay, by) = (distance(point.y, a.y, a.height), distance(point.y, b.y, b.height))
      return ay == by ? distance(point.x, a.x, a.width) < distance(point.x, b.x, b.width) : ay < by
    }
    let seen = frames.indices.filter { frames[$0].width > 0 && frames[$0].height > 0 }
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
    func areBeside(_ a: Rect, _ b: Rect) -> Bool { abs(Double(a.y) - Double(b.y)) < Double(a.height) / 2 }
    let isGrid = zip(seen, seen.dropFirst()).contains { areBeside(frames[$0], frames[$1]) }
    let isAfter =
      isGrid
      ? point.x > Double(r.x) + Double(r.width) / 2 : point.y > Double(r.y) + Double(r.height) / 2
    insertionIndex = isAfter ? nearest + 1 : nearest
  }
}
