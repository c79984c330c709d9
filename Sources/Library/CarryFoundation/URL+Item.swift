public import Carry
public import FoundationEssentials

/// Addresses and files as items: a web address as a link and as text, a file as its location on this machine.
extension URL: ItemProviderWriting, ItemProviderReading {
  /// A URI list, then text.
  public static var writableTypesForItemProvider: [String] { WebLink.writableTypesForItemProvider }
  /// The same types.
  public static var readableTypesForItemProvider: [String] { WebLink.readableTypesForItemProvider }

  /// The location of a file is offered in a URI list only.
  public var writableTypesForItemProvider: [String] {
    isFileURL ? FileLink.writableTypesForItemProvider : WebLink.writableTypesForItemProvider
  }

  /// Returns the address.
  ///
  /// - Throws: `ItemDataError` for an address without a scheme, or one that is too long.
  public func loadRepresentation(forType type: String) throws -> [UInt8] {
    guard let link = WebLink(absoluteURL.absoluteString) else { throw ItemDataError("the address is not a whole one") }
    return link.loadRepresentation(forType: type)
  }

  /// Reads the first address of a URI list, or a text that is an address.
  ///
  /// - Throws: `ItemDataError` if there is no address.
  public init(itemProviderData data: [UInt8], type: String) throws {
    let link = try WebLink(itemProviderData: data, type: type)
    guard let url = URL(string: link.address) else { throw ItemDataError("the address cannot be used") }
    self = url
  }
}
