/// Supplies the items of cells, by their index.
///
/// All methods of ``DragInteractionDelegate`` are available as well, with defaults that know the cells: a tap adds
/// the items that a press on the cell would lift, once, and an item looks like its cell.
public protocol CellDragDelegate: DragInteractionDelegate {
  /// The cells; nil while there are none.
  var cells: CellRegions? { get }

  /// Returns the items that the cell lifts, or adds when it is tapped. Check `session.items` for items that are
  /// already there.
  ///
  /// - Parameters:
  ///   - cells: the cells that the cell belongs to.
  ///   - session: the session that begins, which has no items yet, or the one that receives more items.
  ///   - index: the cell.
  /// - Returns: the items, the last one topmost; if there are none, the touch is an ordinary one.
  func cells(_ cells: CellRegions, itemsFor session: DragSession, at index: Int) -> [DragItem]

  /// Returns how the cell's picture is shown: its shape and its background. The default is the whole cell on white.
  func cells(_ cells: CellRegions, previewParametersAt index: Int) -> DragPreviewParameters
}

extension CellDragDelegate {
  /// The whole cell on white.
  public func cells(_ cells: CellRegions, previewParametersAt index: Int) -> DragPreviewParameters {
    DragPreviewParameters()
  }

  /// The items of the cell.
  public func dragInteraction(
    _ interaction: DragInteraction, itemsForBeginning session: DragSession
  ) -> [DragItem] { items(of: interaction, for: session) }

  /// The items of the cell, unless the session already has items of it.
  public func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] {
    guard let cell = cells?.cell(of: interaction), !session.items.contains(where: { $0.cell === cell }) else {
      return []
    }
    return items(of: interaction, for: session)
  }

  private func items(of interaction: DragInteraction, for session: DragSession) -> [DragItem] {
    guard let cells, let i = cells.index(of: interaction), let cell = cells.cell(of: interaction) else { return [] }
    let items = self.cells(cells, itemsFor: session, at: i)
    for item in items { item.cell = cell }
    return items
  }

  /// The cell as it looks.
  public func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    cells.flatMap { cells in cells.index(of: interaction).flatMap { cells.preview(at: $0) } } ?? .usual(.carried)
  }
}
