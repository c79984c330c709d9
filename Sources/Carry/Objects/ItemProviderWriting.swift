/// A value of an application's model that can be dragged: it says what it can be written as, and writes itself. Structs
/// and classes alike can be such values.
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
/// Conversions stand in the model. A view only names the value.
public protocol ItemProviderWriting {
  /// The media types that values can be written as, the best first: usually the application's own type, which keeps
  /// everything, then types that everybody knows.
  static var writableTypesForItemProvider: [String] { get }

  /// The types that this value can be written as, the best first. The default is all that its type has.
  var writableTypesForItemProvider: [String] { get }

  /// The value, written as a type. Called on the client's thread, when a destination asks.
  ///
  /// - Parameter type: one of `writableTypesForItemProvider`.
  /// - Throws: why it cannot be written; the destination gets the error's description.
  func loadRepresentation(forType type: String) throws -> [UInt8]

  /// Answers a destination's request. Implement this for a value that takes a while to write, is a file, or reports
  /// progress: the request is answered now or later, on the client's thread. The default answers at once with what
  /// `loadRepresentation(forType:)` returns.
  func loadRepresentation(for request: ItemRequest)
}

extension ItemProviderWriting {
  /// All that the value's type has.
  public var writableTypesForItemProvider: [String] { Self.writableTypesForItemProvider }

  /// Answers at once.
  public func loadRepresentation(for request: ItemRequest) {
    request.answer(Result { .data(try loadRepresentation(forType: request.type)) })
  }
}
