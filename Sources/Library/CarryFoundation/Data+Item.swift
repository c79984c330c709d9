public import Carry
public import FoundationEssentials

/// Bytes of any type of an item. To drag bytes, state their type: `ItemProvider(data:type:)`.
extension Data: ItemProviderReading {
  /// Every type: the item's best representation is loaded.
  public static var readableTypesForItemProvider: [String] { TypedData.readableTypesForItemProvider }

  /// Accepts any data.
  public init(itemProviderData data: [UInt8], type: String) { self.init(data) }
}

extension ItemProvider {
  /// Creates a provider of bytes of one type.
  public convenience init(data: Data, type: String) { self.init(data: Array(data), type: type) }
}

extension TypedData {
  /// Creates bytes of a type such as `image/png`.
  public init(_ data: Data, type: String) { self.init(Array(data), type: type) }

  /// The bytes.
  public var data: Data { Data(bytes) }
}
