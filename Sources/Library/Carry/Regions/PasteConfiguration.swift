/// The types that a region accepts, by a drop or a paste.
public struct PasteConfiguration: Equatable, Sendable {
  /// Media types such as `image/png` or `text/*`, in order of preference.
  public var acceptableTypes: [String]

  /// Creates a configuration that accepts these types.
  public init(acceptableTypes: [String]) { self.acceptableTypes = acceptableTypes }

  /// Creates a configuration that accepts the types from which values of a type can be created.
  public init(forAccepting type: any ItemProviderReading.Type) {
    acceptableTypes = type.readableTypesForItemProvider
  }
}

/// The drop interaction of a region that has a paste configuration and no drop interaction of its own.
final class PasteTarget: DropInteractionDelegate {
  private(set) var interaction: DropInteraction!
  private unowned let region: Region

  init(_ region: Region) {
    self.region = region
    interaction = DropInteraction(delegate: self)
  }

  func configure(_ configuration: PasteConfiguration) { interaction.acceptedTypes = configuration.acceptableTypes }

  /// The items of a session that the region accepts.
  private func accepted(_ session: DropSession) -> [DragItem] {
    let types = interaction.acceptedTypes
    return session.items.filter { $0.itemProvider.bestType(conformingTo: types) != nil }
  }

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    session.hasItemsConforming(toTypes: interaction.acceptedTypes)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    DropProposal(operation: .copy)
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    let items = accepted(session)
    guard !items.isEmpty else { return }
    region.onPaste?(items.map(\.itemProvider), session)
  }
}
