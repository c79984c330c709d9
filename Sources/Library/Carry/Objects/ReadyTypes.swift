// Values of everyday types are items, such as `ItemProvider(object: picture)` and `loadObject(of: VCard.self)`.
// `CarryTypes` reads and writes them, and knows of no item.
extension String: ItemProviderWriting, ItemProviderReading {}
extension TypedData: ItemProviderWriting, ItemProviderReading {}
extension FormattedText: ItemProviderWriting, ItemProviderReading {}
extension FileLink: ItemProviderWriting, ItemProviderReading {}
extension WebLink: ItemProviderWriting, ItemProviderReading {}
extension ItemColor: ItemProviderWriting, ItemProviderReading {}
extension ItemImage: ItemProviderWriting, ItemProviderReading {
  /// The picture's own size.
  public var preferredPresentationSizeForItemProvider: (width: Int, height: Int)? { (width, height) }
}
extension VCard: ItemProviderWriting, ItemProviderReading {}
