/// Bytes of any one type, as an item.
public struct TypedData: ItemProviderWriting, ItemProviderReading, Equatable, Sendable {
  /// The media type: when it was read, the item's best one.
  public var type: String
  /// The bytes.
  public var bytes: [UInt8]

  /// Bytes of a type such as `image/png`.
  public init(_ bytes: [UInt8], type: String) {
    self.type = type
    self.bytes = bytes
  }

  /// None: each value has its own.
  public static var writableTypesForItemProvider: [String] { [] }

  /// Everything.
  public static var readableTypesForItemProvider: [String] { ["*/*"] }

  /// The one type.
  public var writableTypesForItemProvider: [String] { [type] }

  /// The bytes as they are.
  public func loadRepresentation(forType type: String) -> [UInt8] { bytes }

  /// Takes anything.
  public init(itemProviderData data: [UInt8], type: String) { self.init(data, type: type) }
}
