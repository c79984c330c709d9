/// A cell whose content is on its way: it has its place among the others, does not lift, and shows how far its load is.
/// On the client's thread.
public final class CellPlaceholder {
  private weak var cells: CellRegions?
  private weak var cell: CellRegions.Cell?
  /// What it waits for.
  public let load: Load

  init(_ cells: CellRegions, _ cell: CellRegions.Cell, _ load: Load) {
    self.cells = cells
    self.cell = cell
    self.load = load
  }

  /// The cell's index now; nil once it is an ordinary cell, or is gone.
  public var index: Int? { cell.flatMap { cell in cell.isPlaceholder ? cells?.index(of: cell) : nil } }

  /// How far the load is, from 0 to 1; nil while nobody knows.
  public var fractionCompleted: Double? { load.fractionCompleted }

  /// The content has come: from now on the cell is one as the others are, and lifts.
  ///
  /// - Returns: the cell's index; nil when it is gone.
  @discardableResult
  public func commit() -> Int? {
    guard let cells, let cell, let i = index else { return nil }
    cell.isPlaceholder = false
    cells.show(i)
    return i
  }

  /// The content does not come: the cell is removed, and the load cancelled if it is still under way.
  ///
  /// - Returns: the index that the cell had; nil when it was gone already.
  @discardableResult
  public func dismiss() -> Int? {
    guard let cells, let i = index else { return nil }
    cells.remove(at: i)
    if !load.isFinished { load.cancel() }
    return i
  }
}

extension CellRegions {
  /// A place for what a load brings, before the cell that has the index now.
  ///
  /// - Parameters:
  ///   - frame: pixels of the window.
  ///   - index: 0 to the number of cells; beyond, it is the last one.
  ///   - load: what is waited for; `Load.onProgress` tells when there is more to show.
  /// - Returns: the placeholder: commit it when the content is there, or dismiss it. Nil when the delegate is gone.
  public func insertPlaceholder(_ frame: Rect, at index: Int, for load: Load) -> CellPlaceholder? {
    guard let delegate else { return nil }
    let cell = Cell(frame, DragInteraction(delegate: delegate))
    cell.isPlaceholder = true
    insert(cell, at: index)
    return CellPlaceholder(self, cell, load)
  }
}
