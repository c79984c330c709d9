/// A cell whose content is still loading: it has its place among the others, does not lift, and shows the progress of
/// its load. Used on the client's thread.
public final class CellPlaceholder {
  private weak var cells: CellRegions?
  weak var cell: CellRegions.Cell?
  /// The load of the content.
  public let load: Load

  init(_ cells: CellRegions, _ cell: CellRegions.Cell, _ load: Load) {
    self.cells = cells
    self.cell = cell
    self.load = load
  }

  /// The current index of the cell; nil once it is an ordinary cell, or has been removed.
  public var index: Int? { cell.flatMap { cell in cell.isPlaceholder ? cells?.index(of: cell) : nil } }

  /// The progress of the load, from 0 to 1; nil while unknown.
  public var fractionCompleted: Double? { load.fractionCompleted }

  /// Turns the placeholder into an ordinary cell, which lifts. Call it when the content has arrived.
  ///
  /// - Returns: the cell's index; nil if it has been removed.
  @discardableResult
  public func commit() -> Int? {
    guard let cells, let cell, let i = index else { return nil }
    cell.isPlaceholder = false
    cells.show(i)
    return i
  }

  /// Removes the cell, and cancels the load if it is still running. Call it if the content does not arrive.
  ///
  /// - Returns: the former index of the cell; nil if it had been removed already.
  @discardableResult
  public func dismiss() -> Int? {
    guard let cells, let i = index else { return nil }
    cells.remove(at: i)
    if !load.isFinished { load.cancel() }
    return i
  }
}

extension CellRegions {
  /// Inserts a placeholder for the content of a load, before the cell that has the index now.
  ///
  /// - Parameters:
  ///   - frame: in pixels of the window.
  ///   - index: 0 to the number of cells; a larger index appends.
  ///   - load: the load of the content; `Load.onProgress` reports its progress.
  /// - Returns: the placeholder: commit it when the content has arrived, or dismiss it. Nil if the delegate has gone.
  public func insertPlaceholder(_ frame: Rect, at index: Int, for load: Load) -> CellPlaceholder? {
    guard let delegate else { return nil }
    let cell = Cell(frame, DragInteraction(delegate: delegate))
    cell.isPlaceholder = true
    insert(cell, at: index)
    return CellPlaceholder(self, cell, load)
  }
}
