/// A value of an application's model that can be dragged: it lists the types that it can be written as, and writes
/// itself. Structs and classes can both conform.
///
/// ```swift
/// struct Note: ItemProviderWriting {
///   var text: String
///   static let writableTypesForItemProvider = ["application/vnd.example.note", "text/plain;charset=utf-8"]
///
///   func loadRepresentation(forType type: String) -> [UInt8] {
///     type == "application/vnd.example.note" ? archived() : Array(text.utf8)
///   }
/// }
///
/// let item = DragItem(itemProvider: ItemProvider(object: note))
/// ```
///
/// Conversions are part of the model. A view only names the value.
public protocol ItemProviderWriting {
  /// The media types that values can be written as, best first: usually the application's own type, which is
  /// lossless, then common types.
  static var writableTypesForItemProvider: [String] { get }

  /// The types that this value can be written as, best first. The default is the list of its Swift type.
  var writableTypesForItemProvider: [String] { get }

  /// Returns the value, written as a type. Called on the client's thread, when a destination requests it.
  ///
  /// - Parameter type: one of `writableTypesForItemProvider`.
  /// - Throws: why it cannot be written; the destination receives the error's description.
  func loadRepresentation(forType type: String) throws -> [UInt8]

  /// Answers a destination's request, now or later, on the client's thread. Implement this for a value that takes a
  /// while to write, is a file, or reports progress. The default answers at once with the result of
  /// `loadRepresentation(forType:)`.
  func loadRepresentation(for request: ItemRequest)
}

extension ItemProviderWriting {
  /// The list of the value's Swift type.
  public var writableTypesForItemProvider: [String] { Self.writableTypesForItemProvider }

  /// Answers at once.
  public func loadRepresentation(for request: ItemRequest) {
    request.answer(Result { .data(try loadRepresentation(forType: request.type)) })
  }
}
