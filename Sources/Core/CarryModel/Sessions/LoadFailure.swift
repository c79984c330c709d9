/// Why a load failed.
package enum LoadFailure: UInt32, Equatable, Codable, Sendable {
  /// The load was requested outside `performDrop`.
  case outsidePerformDrop = 1
  /// The item has no such representation.
  case noSuchType = 2
  /// The source reported an error.
  case sourceFailed = 3
  /// The source went away.
  case sourceGone = 4
  /// The source sent no answer, or no data, in time.
  case timedOut = 5
  /// The source's descriptor was refused: it is not a plain file, sealed memory, a pipe or a ring.
  case unusableDescriptor = 6
  case cancelled = 7
  case tooManyLoads = 8

  /// A sentence to show to a person.
  package var sentence: String {
    switch self {
    case .outsidePerformDrop: "data can only be requested while a drop is being performed"
    case .noSuchType: "the item has no representation of this type"
    case .sourceFailed: "the source could not provide the data"
    case .sourceGone: "the source application went away"
    case .timedOut: "nothing came from the source in time"
    case .unusableDescriptor: "the source handed over something that is not safe to read"
    case .cancelled: "the load was cancelled"
    case .tooManyLoads: "too many loads of one item, or too many drops that wait for data"
    }
  }
}
