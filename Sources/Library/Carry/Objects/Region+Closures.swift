/// Closures instead of delegates, for simple regions.
extension Region {
  /// Makes the region a drag source whose items a closure supplies.
  ///
  /// Taps of other fingers add nothing; for that, and for previews, use a `DragInteraction` with a delegate.
  ///
  /// - Parameter items: returns the items that a press lifts. Called on the client's thread; must return at once. The
  ///   point is in pixels of the region. If there are no items, the touch continues as if there were no interaction.
  /// - Returns: the interaction, which has been added, to remove or disable it.
  @discardableResult
  public func onDrag(_ items: @escaping (_ session: DragSession, _ point: Point) -> [DragItem]) -> DragInteraction {
    let delegate = DragClosure(items)
    let interaction = DragInteraction(delegate: delegate)
    interaction.ownDelegate = delegate
    addInteraction(interaction)
    return interaction
  }

  /// Accepts drops that have an item of some types, as copies. Other drags pass over the region as if there were no
  /// interaction. If it is called several times, the last one has precedence.
  ///
  /// - Parameters:
  ///   - types: media types, such as `image/png` or `text/*`.
  ///   - perform: handles the drop. Start loads before returning. Called on the client's thread.
  /// - Returns: the interaction, which has been added, to remove or disable it.
  @discardableResult
  public func onDrop(of types: [String], perform: @escaping (DropSession) -> Void) -> DropInteraction {
    onDrop(of: types, { $0.hasItemsConforming(toTypes: types) }, perform)
  }

  /// Accepts drops that can provide values of a type, as copies. Other drags pass over the region.
  ///
  /// - Parameters:
  ///   - type: the type of the values, such as `VCard.self`.
  ///   - perform: handles the drop. Start loads before returning, for instance with `DropSession.loadObjects`. Called
  ///     on the client's thread.
  /// - Returns: the interaction, which has been added.
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
  // The items were checked when the session entered, and others may have been added.
  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    DropProposal(operation: .copy)
  }
  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) { perform(session) }
}
