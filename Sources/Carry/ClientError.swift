/// Something that went wrong between the application and the engine.
public struct ClientError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence for a person, with what to do where there is something to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
