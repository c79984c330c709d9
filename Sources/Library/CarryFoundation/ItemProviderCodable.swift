public import Carry
import FoundationEssentials

/// A value of an application's model that is written and read as JSON. It only has to declare its type.
///
/// ```swift
/// struct Stroke: ItemProviderCodable {
///   var points: [Double]
///   static let typeForItemProvider = "application/vnd.example.stroke+json"
/// }
/// ```
///
/// A value that can be dropped on other applications as well declares lists of its own: it adds types to
/// `writableTypesForItemProvider` and `readableTypesForItemProvider`, writes them in `loadRepresentation(forType:)`,
/// and leaves the JSON to `json()` and `init(json:)`.
public protocol ItemProviderCodable: Codable, ItemProviderWriting, ItemProviderReading {
  /// The media type of the JSON: the application's own, such as `application/vnd.example.stroke+json`.
  static var typeForItemProvider: String { get }
}

extension ItemProviderCodable {
  /// The JSON alone.
  public static var writableTypesForItemProvider: [String] { [typeForItemProvider] }
  /// The JSON alone.
  public static var readableTypesForItemProvider: [String] { [typeForItemProvider] }

  /// Returns the value as JSON, in UTF-8.
  ///
  /// - Throws: the errors of the value's `encode(to:)`.
  public func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }

  /// Creates a value from its JSON.
  ///
  /// - Throws: `DecodingError` if the bytes are not its JSON.
  public init(json: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(json)) }

  /// Returns the JSON.
  public func loadRepresentation(forType type: String) throws -> [UInt8] { try json() }

  /// Reads the JSON.
  public init(itemProviderData data: [UInt8], type: String) throws { try self.init(json: data) }
}
