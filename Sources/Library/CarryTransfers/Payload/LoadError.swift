/// Why a load failed.
public struct LoadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure; the numbers are those of the protocol.
  public enum Code: UInt32, Sendable {
    /// The load was started outside `performDrop`.
    case outsidePerformDrop = 1
    /// The item has no such representation.
    case noSuchType = 2
    /// The source reported an error.
    case sourceFailed = 3
    /// The source disappeared before it had handed over the data.
    case sourceGone = 4
    /// The source did not answer, or stopped sending.
    case timedOut = 5
    /// The data that the source handed over is not safe to read.
    case unusableDescriptor = 6
    /// `cancel()` was called.
    case cancelled = 7
    /// More than 64 loads of one item at once, or more than 64 drops waiting for their data.
    case tooMany = 8
    /// The data could not be read or stored here.
    case local = 100
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence that people can read.
  public let description: String
  /// The number of bytes received before the failure.
  public package(set) var completedBytes = 0

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  package static let nothingSaved = LoadError(.local, "nothing was saved")
}
