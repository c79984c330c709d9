package import CarryModel
package import CarrySystem

/// The life of one load, from the request to its result. Pure: its owner reads the data and carries out the actions.
///
///     requested ──payload──▶ reading ──ended──▶ finished
///         └──────────────────────┴── failed, refused, cancelled, timed out ──▲
package struct LoadMachine {
  package enum Input: Equatable, Sendable {
    /// The source has handed over its data, or failed.
    case payload(Payload)
    /// The source is at work; the progress is in units of its own.
    case sourceProgress(TransferProgress)
    /// So many bytes have been read.
    case read(bytes: Int, total: Int?)
    /// The reader has ended, with the number of bytes.
    case ended(Result<Int, LoadError>)
    /// The load cannot begin or continue.
    case refused(LoadError)
    /// The engine has gone. Data that the source has handed over remains readable.
    case engineGone
    case cancelled
  }

  package enum Action: Equatable, Sendable {
    /// Read the data.
    ///
    /// - Parameter expecting: how many bytes the source is going to write; nil if unknown, or if they are there.
    case read(Payload, expecting: Int?)
    /// Close data that is not wanted any more.
    case close(Payload)
    /// Tell the application of progress; and the source too, if the progress is in bytes.
    case report(TransferProgress?)
    /// Remove what the reader has stored: the load was over before.
    case discard
    /// Tell the application how the load ended. The last action but `close` and `discard`.
    case finish(Result<Int, LoadError>)
  }

  private enum Phase {
    /// - Parameter isTimed: whether the load itself detects a silent source; otherwise the engine does.
    case requested(isTimed: Bool)
    /// - Parameter isGenerated: whether the source is still writing the data, and so reports progress in bytes.
    case reading(isGenerated: Bool)
    case finished(hasSucceeded: Bool)
  }

  private var phase: Phase
  private var sourceProgress: TransferProgress?
  /// When the last bytes, or the last sign of life of the source, arrived.
  private var lastSign: Instant
  /// How long the load waits without bytes or a sign of life from the source.
  package var patience: Interval
  /// The number of bytes received so far.
  package private(set) var completedBytes = 0
  /// The total number of bytes; nil while unknown.
  package private(set) var totalBytes: Int?

  /// - Parameters:
  ///   - totalBytes: the size that the source has declared.
  ///   - isTimed: whether the load itself detects a source that never answers.
  package init(
    totalBytes: Int? = nil, isTimed: Bool = false, patience: Interval = .seconds(Limits.transferSeconds),
    at now: Instant
  ) {
    (phase, self.totalBytes, self.patience, lastSign) = (.requested(isTimed: isTimed), totalBytes, patience, now)
  }

  package var isFinished: Bool { if case .finished = phase { true } else { false } }
  package var hasSucceeded: Bool { if case .finished(true) = phase { true } else { false } }

  /// From 0 to 1: by the bytes received, or as the source reports before they arrive; nil while unknown.
  package var fractionCompleted: Double? {
    if hasSucceeded { return 1 }
    if let totalBytes { return totalBytes > 0 ? min(1, Double(completedBytes) / Double(totalBytes)) : 0 }
    return sourceProgress?.fraction
  }

  /// When the load fails unless data arrives before; nil while the engine watches the time.
  package var deadline: Instant? {
    switch phase {
    case .requested(isTimed: true), .reading: lastSign + patience
    case .requested(isTimed: false), .finished: nil
    }
  }

  /// Ends a load whose deadline has passed.
  package mutating func advance(to now: Instant) -> [Action] {
    guard let deadline, deadline <= now else { return [] }
    let seconds = Int(patience.seconds.rounded(.up))
    return finish(.failure(LoadError(.timedOut, "nothing came from the source for \(seconds) seconds")))
  }

  package mutating func handle(_ input: Input, at now: Instant) -> [Action] {
    switch (input, phase) {
    // The engine may also end a load whose data is being read: the user has cancelled it.
    case (.payload(.failed(let code, let message)), .requested), (.payload(.failed(let code, let message)), .reading):
      return finish(.failure(LoadError(LoadError.Code(rawValue: code) ?? .sourceFailed, message)))
    case (.payload(let payload), .reading), (.payload(let payload), .finished): return [.close(payload)]
    case (.ended(.success), .finished): return [.discard]
    case (_, .finished): return []

    case (.payload(let payload), .requested):
      lastSign = now
      guard case .ring = payload else {
        phase = .reading(isGenerated: false)
        return [.read(payload, expecting: nil)]
      }
      phase = .reading(isGenerated: true)
      return [.read(payload, expecting: sourceProgress?.total.map { Int(clamping: $0) } ?? totalBytes)]

    case (.sourceProgress(let progress), _):
      lastSign = now
      // A sign of life without new progress is not reported to the application.
      guard progress != sourceProgress else { return [] }
      sourceProgress = progress
      if case .reading(isGenerated: true) = phase {
        guard let total = progress.total.map({ Int(clamping: $0) }), total != totalBytes else { return [] }
        totalBytes = max(total, completedBytes)
      }
      return [.report(nil)]

    case (.read(let bytes, let total), _):
      lastSign = now
      completedBytes = bytes
      totalBytes = (total ?? totalBytes).map { max($0, bytes) }
      return [
        .report(TransferProgress(completed: UInt64(max(0, bytes)), total: totalBytes.map { UInt64(max(0, $0)) }))
      ]

    case (.ended(let result), _):
      if case .success(let bytes) = result { completedBytes = bytes }
      return finish(result)
    case (.refused(let error), _): return finish(.failure(error))
    case (.cancelled, _): return finish(.failure(LoadError(.cancelled, "the load was cancelled")))
    case (.engineGone, .requested):
      return finish(
        .failure(LoadError(.sourceGone, "the engine went away before the source had handed over the data")))
    case (.engineGone, .reading): return []
    }
  }

  private mutating func finish(_ result: Result<Int, LoadError>) -> [Action] {
    let completed = completedBytes
    let result = result.mapError { error in
      var error = error
      error.completedBytes = completed
      return error
    }
    phase = .finished(hasSucceeded: (try? result.get()) != nil)
    return [.finish(result)]
  }
}
