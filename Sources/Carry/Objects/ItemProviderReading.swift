/// A value of an application's model that can be made of what was dropped. Structs and classes alike can be such values.
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
public protocol ItemProviderReading {
  /// The media types that values can be made of, the best first. This order decides: who lists plain text before
  /// vCards always gets plain text. `image/*` stands for every image.
  static var readableTypesForItemProvider: [String] { get }

  /// Makes a value of what another application has written. The bytes may be anything: check them. Called on the client's
  /// thread.
  ///
  /// - Parameters:
  ///   - data: all of the representation.
  ///   - type: the one of `readableTypesForItemProvider` that was found, also when the item has a kind of that type.
  ///     For a pattern such as `image/*` it is the item's type.
  /// - Throws: why no value can be made of the bytes; the load fails with the error's description.
  init(itemProviderData data: [UInt8], type: String) throws
}
