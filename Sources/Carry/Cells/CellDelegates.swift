/// Supplies the items of cells, by their index. All that ``DragInteractionDelegate`` has is there as well, with defaults
/// that know of cells: a tap adds what the cell's press would lift, once, and an item looks as its cell does.
public protocol CellDragDelegate: DragInteractionDelegate {
  /// The cells, nil while there are none.
  var cells: CellRegions? { get }

  /// Which items does the cell lift, or add when it is tapped? Tell by `session.items` what is there already.
  ///
  /// - Parameters:
  ///   - cells: those that the cell belongs to.
  ///   - session: the one that begins, which has no items yet, or the one that is added to.
  ///   - index: the cell.
  /// - Returns: the items, the last one topmost; none, and the touch is an ordinary one.
  func cells(_ cells: CellRegions, itemsFor session: DragSession, at index: Int) -> [DragItem]

  /// How is the cell's picture shown: its shape, what lies behind it? The default is the whole cell on white.
  func cells(_ cells: CellRegions, previewParametersAt index: Int) -> DragPreviewParameters
}

extension CellDragDelegate {
  /// The whole cell on white.
  public func cells(_ cells: CellRegions, previewParametersAt index: Int) -> DragPreviewParameters {
    DragPreviewParameters()
  }

  /// What the cell has.
  public func dragInteraction(
    _ interaction: DragInteraction, itemsForBeginning session: DragSession
  ) -> [DragItem] { items(of: interaction, for: session) }

  /// What the cell has, unless the session has something of that cell already.
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

/// Answers for a region that holds cells, such as the whole list: what is dropped goes between them, or into one. All
/// that ``DropInteractionDelegate`` has is there as well.
public protocol CellDropDelegate: DropInteractionDelegate {
  /// The cells, in the window of the region; nil while there are none.
  var cells: CellRegions? { get }

  /// What would happen if the items were dropped right here, right now? As
  /// ``DropInteractionDelegate/dropInteraction(_:sessionDidUpdate:)``, with the place among the cells: show it.
  func cells(
    _ cells: CellRegions, sessionDidUpdate session: DropSession, at destination: CellDestination
  ) -> DropProposal

  /// The items were dropped. As ``DropInteractionDelegate/dropInteraction(_:performDrop:)``, with the place among the
  /// cells.
  func cells(_ cells: CellRegions, performDrop session: DropSession, at destination: CellDestination)
}

extension CellDropDelegate {
  /// What is proposed for the place among the cells.
  public func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    guard let (cells, destination) = place(interaction, session) else { return DropProposal(operation: .cancel) }
    return self.cells(cells, sessionDidUpdate: session, at: destination)
  }

  /// Done at the place among the cells.
  public func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    guard let (cells, destination) = place(interaction, session) else { return }
    self.cells(cells, performDrop: session, at: destination)
  }

  private func place(_ interaction: DropInteraction, _ session: DropSession) -> (CellRegions, CellDestination)? {
    guard let cells, let region = interaction.region else { return nil }
    let p = session.location(in: region)
    return (cells, cells.destination(at: Point(x: p.x + Double(region.frame.x), y: p.y + Double(region.frame.y))))
  }
}
