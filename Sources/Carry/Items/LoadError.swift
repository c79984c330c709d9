/// Why a load failed.
public struct LoadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure; the numbers are the protocol's.
  public enum Code: UInt32, Sendable {
    /// The load was not started while performing a drop.
    case outsidePerformDrop = 1
    /// The item has no such representation.
    case noSuchType = 2
    /// The source gave an error.
    case sourceFailed = 3
    /// The source went away before it had handed over the data.
    case sourceGone = 4
    /// The source did not answer, or stopped sending.
    case timedOut = 5
    /// What the source handed over is not safe to read.
    case unusableDescriptor = 6
    /// `cancel()` was called.
    case cancelled = 7
    /// More than 64 loads of one item at once, or more than 64 drops that wait for their data.
    case tooMany = 8
    /// The data could not be read or stored here.
    case local = 100
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence for a person.
  public let description: String
  /// How many bytes had come.
  public internal(set) var completedBytes = 0

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  static let nothingSaved = LoadError(.local, "nothing was saved")
}
