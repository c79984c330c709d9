package import CarryModel

/// One conversion of a selection, in one piece or in parts (INCR), with bounds. Pure.
///
///     asked ──in one piece──▶ over
///       └──INCR──▶ parts ──an empty part──▶ over
package struct IncomingData: Sendable {
  /// What a property that the source has written holds.
  package enum Piece: Equatable, Sendable {
    /// The source says that parts will follow.
    case incremental
    case bytes([UInt8])
    /// It could not be read, or has another format than bytes.
    case unusable
    /// There is no room for it.
    case tooLarge
  }

  package enum Outcome: Equatable, Sendable {
    case whole([UInt8])
    case failed(Failure)
  }

  /// Why there is no data.
  package enum Failure: Error, Equatable {
    /// Refused, unusable, or silent for too long.
    case refused
    case tooLarge
  }

  private enum Phase {
    case asked
    case parts
    case over
  }

  private var phase = Phase.asked
  private var bytes: [UInt8] = []
  private var due: Instant

  /// The most that is taken.
  package static let most = 256 << 20
  /// How long a source may rest before its answer, and between two parts.
  package static let patience = Interval.seconds(30)
  /// And how long all of it may take.
  package static let longest = Interval.seconds(3600)
  private let patience: Interval
  private let atLast: Instant
  private let mostBytes: Int

  package init(at now: Instant, most: Int = IncomingData.most, patience: Interval = IncomingData.patience) {
    due = now + patience
    self.patience = patience
    atLast = now + Self.longest
    mostBytes = most
  }

  package var isOver: Bool { if case .over = phase { true } else { false } }
  /// Whether a new property is a part, and not an early one before the answer.
  package var wantsParts: Bool { if case .parts = phase { true } else { false } }
  package var count: Int { bytes.count }
  /// How many bytes more are taken.
  package var room: Int { mostBytes - bytes.count }

  /// The source has answered the request.
  ///
  /// - Parameter piece: what it has written; nil if it refuses.
  package mutating func answered(_ piece: Piece?, at now: Instant) -> Outcome? {
    guard case .asked = phase else { return nil }
    switch piece {
    case .bytes(let bytes): return end(bytes.count <= mostBytes ? .whole(bytes) : .failed(.tooLarge))
    case .incremental:
      phase = .parts
      due = now + patience
      return nil
    case .tooLarge: return end(.failed(.tooLarge))
    case .unusable, nil: return end(.failed(.refused))
    }
  }

  /// The source has written a part.
  package mutating func part(_ piece: Piece, at now: Instant) -> Outcome? {
    guard case .parts = phase else { return nil }
    guard case .bytes(let part) = piece else { return end(.failed(piece == .tooLarge ? .tooLarge : .refused)) }
    guard bytes.count + part.count <= mostBytes else { return end(.failed(.tooLarge)) }
    guard !part.isEmpty else { return end(.whole(bytes)) }
    bytes += part
    due = now + patience
    return nil
  }

  package var nextDeadline: Instant? { isOver ? nil : min(due, atLast) }

  package mutating func advance(to now: Instant) -> Outcome? {
    guard let nextDeadline, nextDeadline <= now else { return nil }
    return end(.failed(.refused))
  }

  private mutating func end(_ outcome: Outcome) -> Outcome {
    phase = .over
    bytes = []
    return outcome
  }
}
