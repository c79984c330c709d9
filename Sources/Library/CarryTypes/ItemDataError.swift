/// The error for bytes that do not match their type.
public struct ItemDataError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A clause that people can read.
  public let description: String

  /// Creates an error with a clause that says what is wrong with the bytes, such as "the text is not UTF-8".
  public init(_ description: String) { self.description = description }
}
