/// A value of an application's model that can be dragged: it lists the types that it can be written as, and writes
/// itself. Structs and classes can both conform; as any thread may write them, they are `Sendable`.
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
public protocol ItemProviderWriting: Sendable {
  /// The media types that values can be written as, best first: usually the application's own type, which is
  /// lossless, then common types.
  static var writableTypesForItemProvider: [String] { get }

  /// The types that this value can be written as, best first. The default is the list of its Swift type.
  var writableTypesForItemProvider: [String] { get }

  /// Returns which applications see a type: restrict a private type that changes with the application. The default is
  /// all of them, for every type.
  static func itemProviderVisibility(forType type: String) -> ItemProvider.Visibility

  /// The size at which the value would be shown, in pixels; nil, the default, if it has none.
  var preferredPresentationSizeForItemProvider: (width: Int, height: Int)? { get }

  /// Returns the value, written as a type, when a destination requests it. Called on a thread of its own: a large
  /// value may take a while.
  ///
  /// - Parameter type: one of `writableTypesForItemProvider`.
  /// - Throws: why it cannot be written; the destination receives the error's description.
  func loadRepresentation(forType type: String) throws -> [UInt8]

  /// Answers a destination's request, now or later, on the client's thread. Implement this for a value that is a file
  /// or reports progress. The default answers with the result of `loadRepresentation(forType:)`.
  func loadRepresentation(for request: ItemRequest)
}

extension ItemProviderWriting {
  /// The list of the value's Swift type.
  public var writableTypesForItemProvider: [String] { Self.writableTypesForItemProvider }

  /// All applications.
  public static func itemProviderVisibility(forType type: String) -> ItemProvider.Visibility { .all }

  /// None.
  public var preferredPresentationSizeForItemProvider: (width: Int, height: Int)? { nil }

  /// Writes the value on a thread of its own, and answers then.
  public func loadRepresentation(for request: ItemRequest) {
    let type = request.type
    request.answerMaking? { try loadRepresentation(forType: type) }
  }
}
