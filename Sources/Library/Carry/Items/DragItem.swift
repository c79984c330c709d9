import CarryModel
package import CarryWireClient

/// One thing being dragged: a promise of data, in one or more types.
///
/// An item that has a `localObject`, and whose provider promises nothing, is for the application itself: other
/// applications do not see the item.
public final class DragItem {
  /// The promise.
  public let itemProvider: ItemProvider
  /// Anything the source wants to keep with the item; destinations in the same application see it.
  public var localObject: Any?
  /// The region that shows the item, and that the item rises from; nil for the region that was pressed. Set it where one
  /// press lifts several things that each have a region of their own, such as a selection.
  public weak var region: Region?
  /// Makes what the item looks like while it is carried. It is called when the item can be seen, and only then: of many
  /// items, most cannot. Set it again for another picture, but not at every move: setting it is not free. Nil leaves
  /// the item as it looks. If the provider returns nil, the item is not seen any more, until another provider is set.
  public var previewProvider: (() -> DragPreview?)? {
    didSet { if previewProvider != nil { session?.offerPreview(of: self) } }
  }
  /// Z15: what the item stands for, if it is the shelf's.
  package var keptItem: WireKeptItem?
  /// The session that it is carried in.
  package internal(set) weak var session: DragSession?
  /// The cell that it was lifted from.
  weak var cell: CellRegions.Cell?
  /// The part of a text that it was lifted from.
  var textPart: TextRegion.Part?
  private(set) var promise: WireItemProxy?
  private weak var promisee: Client?
  /// How many bytes of team data the engine holds for the promise.
  private var teamDataBytes = 0
  /// How many sessions hold the promise: an application may lift the same item again while it is still being dragged.
  private var uses = 0

  /// An item that promises what `itemProvider` can provide.
  public init(itemProvider: ItemProvider) { self.itemProvider = itemProvider }

  /// Whether the item holds nothing for any destination.
  package var isEmpty: Bool { itemProvider.registeredTypes.isEmpty && localObject == nil }

  /// Describes the item to the engine. A second call returns the same object, so that one item is not in a session
  /// twice.
  ///
  /// - Returns: nil while a session of another client holds the item, and when there is no memory.
  package func promise(to client: Client) -> WireItemProxy? {
    if let promise {
      guard promisee === client else { return nil }
      uses += 1
      return promise
    }
    guard let proxy = client.wire?.makeItem() else { return nil }
    // A longer name would be an offence against the protocol.
    if let name = itemProvider.suggestedName, name.utf8.count <= Limits.nameBytes { proxy.setName(name) }
    if let reference = itemProvider.fileProviderReference { proxy.setReference(reference) }
    if let size = itemProvider.preferredPresentationSize {
      func pixels(_ v: Int) -> UInt32 { UInt32(max(1, min(65_535, v))) }
      proxy.setPresentationSize(width: pixels(size.width), height: pixels(size.height))
    }
    for promise in itemProvider.promises {
      proxy.addType(promise.type, promise.visibility)
      if let count = itemProvider.byteCounts[promise.type] { proxy.setByteCount(UInt64(count), of: promise.type) }
    }
    teamDataBytes = 0
    if let bytes = itemProvider.teamData, client.teamDataBytes + bytes.count <= Limits.teamDataPerClient {
      proxy.setTeamData(bytes)
      teamDataBytes = bytes.count
      client.teamDataBytes += bytes.count
    }
    keptItem?.lend(proxy)
    let provider = itemProvider
    proxy.onEvent = { [weak self] event in
      guard case .load(let provision, let type, let form, let session) = event else { return }
      // The item may have been lifted again meanwhile.
      let dropped = client.dragSessions[session] ?? self?.session
      provider.provide(type, by: Provision(provision, as: form, client, dropped?.streams))
    }
    promise = proxy
    promisee = client
    uses = 1
    return proxy
  }

  package func endPromise() {
    uses -= 1
    guard uses == 0 else { return }
    promise?.withdraw()
    promise = nil
    promisee?.teamDataBytes -= teamDataBytes
    teamDataBytes = 0
  }
}
