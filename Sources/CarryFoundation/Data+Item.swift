public import Carry
public import FoundationEssentials

/// Bytes of whatever type an item has. To drag bytes, say what they are: `ItemProvider(data:type:)`.
extension Data: ItemProviderReading {
  /// Everything: what is loaded is the item's best representation.
  public static var readableTypesForItemProvider: [String] { TypedData.readableTypesForItemProvider }

  /// Takes anything.
  public init(itemProviderData data: [UInt8], type: String) { self.init(data) }
}

extension ItemProvider {
  /// A provider of bytes of one type.
  public convenience init(data: Data, type: String) { self.init(data: Array(data), type: type) }
}

extension TypedData {
  /// Bytes of a type such as `image/png`.
  public init(_ data: Data, type: String) { self.init(Array(data), type: type) }

  /// The bytes.
  public var data: Data { Data(bytes) }
}
