/// A value of an application's model that can be created from a dropped item. Structs and classes can both conform.
///
/// ```swift
/// extension Note: ItemProviderReading {
///   static let readableTypesForItemProvider = ["application/vnd.example.note", "text/plain"]
///
///   init(itemProviderData data: [UInt8], type: String) throws {
///     if type == "text/plain" { text = try String(itemProviderData: data, type: type) } else { … }
///   }
/// }
///
/// session.items[0].itemProvider.loadObject(of: Note.self) { result in … }
/// ```
public protocol ItemProviderReading: SendableMetatype {
  /// The media types from which values can be created, best first. This order decides: a reader that lists plain text
  /// before vCards always gets plain text. `image/*` matches every image.
  static var readableTypesForItemProvider: [String] { get }

  /// Creates a value from the data of another application. The bytes may be anything: check them. Called on
  /// a thread of the load, which owns the value until the completion receives it.
  ///
  /// - Parameters:
  ///   - data: the whole representation.
  ///   - type: the matching one of `readableTypesForItemProvider`, even if the item has a subtype of it. For a
  ///     pattern such as `image/*` it is the item's type.
  /// - Throws: why no value can be created from the bytes; the load fails with the error's description.
  init(itemProviderData data: [UInt8], type: String) throws
}
