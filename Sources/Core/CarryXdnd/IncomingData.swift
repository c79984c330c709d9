package import CarryModel

/// One conversion of a selection, in one piece or in parts (INCR), with limits. A pure state machine.
///
///     asked ──in one piece──▶ over
///       └──INCR──▶ parts ──an empty part──▶ over
package struct IncomingData: Sendable {
  /// The contents of a property written by the source.
  package enum Piece: Equatable, Sendable {
    /// Parts will follow.
    case incremental
    case bytes([UInt8])
    /// The property could not be read, or its format is not 8.
    case unusable
    /// The limit is exceeded.
    case tooLarge
  }

  package enum Outcome: Equatable, Sendable {
    case whole([UInt8])
    case failed(Failure)
  }

  /// Why there is no data.
  package enum Failure: Error, Equatable {
    /// Refused, or unusable.
    case refused
    case timedOut
    case tooLarge
    /// The source has exited.
    case gone
    /// The selection has changed since, so the reply belongs to other data.
    case replaced
  }

  private enum Phase {
    case asked
    case parts
    case over
  }

  /// How much a source may send, and how long it may take.
  package struct Bounds: Sendable {
    /// The maximum size in bytes.
    package var bytes: Int
    /// The timeout for the reply.
    package var answer: Interval
    /// The timeout between two parts.
    package var rest: Interval
    /// The timeout for the entire conversion.
    package var whole: Interval

    package init(
      bytes: Int = Limits.incomingBytesPerConversion, answer: Interval = .seconds(30), rest: Interval = .seconds(30),
      whole: Interval = .seconds(3600)
    ) {
      (self.bytes, self.answer, self.rest, self.whole) = (bytes, answer, rest, whole)
    }
  }

  private var phase = Phase.asked
  private var bytes: [UInt8] = []
  private var due: Instant
  private let atLast: Instant
  private let bounds: Bounds

  package init(at now: Instant, within bounds: Bounds = Bounds()) {
    due = now + bounds.answer
    atLast = now + bounds.whole
    self.bounds = bounds
  }

  package var isOver: Bool { if case .over = phase { true } else { false } }
  /// Whether a new property value is a part, and not an early one before the reply.
  package var wantsParts: Bool { if case .parts = phase { true } else { false } }
  package var count: Int { bytes.count }
  /// How many more bytes are accepted.
  package var room: Int { bounds.bytes - bytes.count }

  /// Handles the source's reply.
  ///
  /// - Parameter piece: What the source has written; nil if it refuses.
  package mutating func answered(_ piece: Piece?, at now: Instant) -> Outcome? {
    guard case .asked = phase else { return nil }
    switch piece {
    case .bytes(let bytes): return end(bytes.count <= bounds.bytes ? .whole(bytes) : .failed(.tooLarge))
    case .incremental:
      phase = .parts
      due = now + bounds.rest
      return nil
    case .tooLarge: return end(.failed(.tooLarge))
    case .unusable, nil: return end(.failed(.refused))
    }
  }

  /// The source has written a part.
  package mutating func part(_ piece: Piece, at now: Instant) -> Outcome? {
    guard case .parts = phase else { return nil }
    guard case .bytes(let part) = piece else { return end(.failed(piece == .tooLarge ? .tooLarge : .refused)) }
    guard bytes.count + part.count <= bounds.bytes else { return end(.failed(.tooLarge)) }
    guard !part.isEmpty else { return end(.whole(bytes)) }
    bytes += part
    due = now + bounds.rest
    return nil
  }

  package var nextDeadline: Instant? { isOver ? nil : min(due, atLast) }

  package mutating func advance(to now: Instant) -> Outcome? {
    guard let nextDeadline, nextDeadline <= now else { return nil }
    return end(.failed(.timedOut))
  }

  private mutating func end(_ outcome: Outcome) -> Outcome {
    phase = .over
    bytes = []
    return outcome
  }
}
