public import Carry
public import FoundationEssentials

/// Addresses and files as items: a web address as a link and as text, a file as its place on this machine.
extension URL: ItemProviderWriting, ItemProviderReading {
  /// A list of addresses, then text.
  public static var writableTypesForItemProvider: [String] { WebLink.writableTypesForItemProvider }
  /// The same.
  public static var readableTypesForItemProvider: [String] { WebLink.readableTypesForItemProvider }

  /// A file's place is in a list only.
  public var writableTypesForItemProvider: [String] {
    isFileURL ? FileLink.writableTypesForItemProvider : WebLink.writableTypesForItemProvider
  }

  /// The address.
  ///
  /// - Throws: `ItemDataError` for an address without a scheme, or one that is too long.
  public func loadRepresentation(forType type: String) throws -> [UInt8] {
    guard let link = WebLink(absoluteURL.absoluteString) else { throw ItemDataError("the address is not a whole one") }
    return link.loadRepresentation(forType: type)
  }

  /// Reads the first address of a list, or a text that is one.
  ///
  /// - Throws: `ItemDataError` if there is no address.
  public init(itemProviderData data: [UInt8], type: String) throws {
    let link = try WebLink(itemProviderData: data, type: type)
    guard let url = URL(string: link.address) else { throw ItemDataError("the address cannot be used") }
    self = url
  }
}
