/// Bytes are not what their type says.
public struct ItemDataError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A clause for a person.
  public let description: String

  /// An error with a clause that says what is wrong with the bytes, such as "the text is not UTF-8".
  public init(_ description: String) { self.description = description }
}
