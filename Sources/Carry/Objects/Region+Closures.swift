/// Closures in place of delegates, for regions that need no more.
extension Region {
  /// Lifts what a closure returns: for a region with one thing to drag. Taps of other fingers add nothing; for that, and
  /// for previews, give a `DragInteraction` a delegate.
  ///
  /// - Parameter items: which items does this press lift? Called on the client's thread; must return at once. The point
  ///   is in pixels of the region. If there are no items, the touch goes on as if there were no interaction.
  /// - Returns: the interaction, which is added already: to remove it, or switch it off.
  @discardableResult
  public func onDrag(_ items: @escaping (_ session: DragSession, _ point: Point) -> [DragItem]) -> DragInteraction {
    let delegate = DragClosure(items)
    let interaction = DragInteraction(delegate: delegate)
    interaction.ownDelegate = delegate
    addInteraction(interaction)
    return interaction
  }

  /// Takes drops that have an item of some types, and copies. Other drags pass over the region as if there were no
  /// interaction. If it is called several times, what was said last is asked first.
  ///
  /// - Parameters:
  ///   - types: media types, such as `image/png` or `text/*`.
  ///   - perform: the items were dropped here. Start loads before returning. Called on the client's thread.
  /// - Returns: the interaction, which is added already: to remove it, or switch it off.
  @discardableResult
  public func onDrop(of types: [String], perform: @escaping (DropSession) -> Void) -> DropInteraction {
    onDrop(of: types, { $0.hasItemsConforming(toTypes: types) }, perform)
  }

  /// Takes drops of which values of a type can be made, and copies. Other drags pass over the region.
  ///
  /// - Parameters:
  ///   - type: what can be made of the items, such as `VCard.self`.
  ///   - perform: the items were dropped here. Start loads before returning, such as with `DropSession.loadObjects`.
  ///     Called on the client's thread.
  /// - Returns: the interaction, which is added already.
  @discardableResult
  public func onDrop<Object: ItemProviderReading>(
    of type: Object.Type, perform: @escaping (DropSession) -> Void
  ) -> DropInteraction {
    onDrop(of: Object.readableTypesForItemProvider, { $0.canLoadObjects(of: type) }, perform)
  }

  private func onDrop(
    of types: [String], _ takes: @escaping (DropSession) -> Bool, _ perform: @escaping (DropSession) -> Void
  ) -> DropInteraction {
    let delegate = DropClosures(takes, perform)
    let interaction = DropInteraction(delegate: delegate)
    interaction.ownDelegate = delegate
    interaction.acceptedTypes = types
    addInteraction(interaction)
    return interaction
  }
}

private final class DragClosure: DragInteractionDelegate {
  private let items: (DragSession, Point) -> [DragItem]

  init(_ items: @escaping (DragSession, Point) -> [DragItem]) { self.items = items }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    guard let region = interaction.region else { return [] }
    return items(session, session.location(in: region))
  }
}

private final class DropClosures: DropInteractionDelegate {
  private let takes: (DropSession) -> Bool
  private let perform: (DropSession) -> Void

  init(_ takes: @escaping (DropSession) -> Bool, _ perform: @escaping (DropSession) -> Void) {
    self.takes = takes
    self.perform = perform
  }

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool { takes(session) }
  // The items were looked at when the session came, and others may have been added.
  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    DropProposal(operation: .copy)
  }
  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) { perform(session) }
}
