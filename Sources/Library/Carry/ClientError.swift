/// An error between the application and the engine.
public struct ClientError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One sentence that people can read, with what to do if anything can be done.
  public let description: String

  init(_ description: String) { self.description = description }
}
