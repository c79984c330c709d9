/// Bytes of any one type, as an item.
public struct TypedData: Equatable, Sendable {
  /// The media type; after reading, the item's best one.
  public var type: String
  /// The bytes.
  public var bytes: [UInt8]

  /// Creates bytes of a type such as `image/png`.
  public init(_ bytes: [UInt8], type: String) {
    self.type = type
    self.bytes = bytes
  }

  /// Empty: each value has its own type.
  public static var writableTypesForItemProvider: [String] { [] }

  /// Every type.
  public static var readableTypesForItemProvider: [String] { ["*/*"] }

  /// The one type.
  public var writableTypesForItemProvider: [String] { [type] }

  /// Returns the bytes unchanged.
  public func loadRepresentation(forType type: String) -> [UInt8] { bytes }

  /// Accepts any data.
  public init(itemProviderData data: [UInt8], type: String) { self.init(data, type: type) }
}
