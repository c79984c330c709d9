import CarryModel
import CarrySystem
import CarryWireClient

/// One load that is under way.
///
/// A load ends once, whatever ends it. The sink is abandoned and the worker is told before the completion runs, so that
/// nothing is written for the load from then on.
public final class Load {
  private weak var transfers: Transfers?
  private var completion: ((Result<Int, LoadError>) -> Void)?
  private var wire: WireLoad?
  private let transfer: TransferState
  private var sink: (any Sink)?
  /// Whether the source has handed over what is being read now.
  private var isReceiving = false
  /// Whether no engine gives a source up that hands nothing over.
  private var isWithoutEngine = false
  /// Whether the source writes what is being read now, and so counts in bytes.
  private var isGenerated = false
  /// How often the worker reports how far it is.
  private static let reportPause = Interval.milliseconds(200)
  /// How long the load waits without bytes or a sign of the source.
  var patience = Interval.seconds(Limits.transferSeconds)
  /// Bytes so far.
  public private(set) var completedBytes = 0
  /// Bytes in all; nil while nobody knows.
  public private(set) var totalBytes: Int?
  /// How far the load is, from 0 to 1: by the bytes that have come, or by what the source says before they come. Nil
  /// while nobody knows. It is 1 at the end of a load that succeeded.
  public var fractionCompleted: Double? {
    if hasSucceeded { return 1 }
    if let totalBytes { return totalBytes > 0 ? min(1, Double(completedBytes) / Double(totalBytes)) : 0 }
    return sourceProgress?.fraction
  }
  /// Whether it is over, successfully or not.
  public var isFinished: Bool { completion == nil }
  /// Called on the client's thread when there is more to tell of the progress, a few times a second, and once as the load
  /// ends, right before its completion.
  public var onProgress: ((Load) -> Void)?
  /// Called on the client's thread when the load is cancelled, right before its completion.
  public var cancellationHandler: (() -> Void)?
  /// The progress of the session that the load belongs to.
  weak var session: SessionProgress?
  /// Whether the source lets go of what has arrived whole.
  var isMove = false
  private var hasSucceeded = false
  private var sourceProgress: TransferProgress?

  /// - Parameters:
  ///   - transfers: of the client; nil for a load that fails at once.
  ///   - leftBehind: the loads from the same source in the same session that do not end; nil for a load that belongs to none.
  init(
    _ transfers: Transfers?, leftBehind: LeftBehind? = nil, completion: @escaping (Result<Int, LoadError>) -> Void
  ) {
    self.transfers = transfers
    transfer = TransferState(leftBehind: leftBehind)
    self.completion = completion
  }

  /// The source has said how large the data is.
  func announce(_ count: Int?) { totalBytes = count }

  /// - Parameter isWithoutEngine: whether the load itself gives a source up that hands nothing over and gives no sign.
  func start(_ wire: WireLoad, into sink: any Sink, isWithoutEngine: Bool = false) {
    (self.wire, self.isWithoutEngine) = (wire, isWithoutEngine)
    begin(into: sink)
    // The wire's object keeps the load alive until the load is over.
    wire.onEvent = { self.heard($0) }
  }

  private func heard(_ event: WireLoadEvent) {
    switch event {
    case .delivery(.failed(let code, let message)):
      wire = nil
      finish(.failure(LoadError(LoadError.Code(rawValue: code) ?? .sourceFailed, message)))
    case .delivery(let delivery): receive(delivery)
    case .sourceProgress(let progress):
      transfer.noteLife()
      // A sign of life with nothing new in it is not the application's.
      guard progress != sourceProgress else { break }
      sourceProgress = progress
      if isGenerated {
        guard let total = progress.total.map({ Int(clamping: $0) }), total != totalBytes else { return }
        totalBytes = max(total, completedBytes)
      }
      tellProgress()
    case .lost: lost()
    }
  }

  /// From here on the client keeps the load, until the load is over.
  func begin(into sink: any Sink) {
    self.sink = sink
    transfer.noteLife()
    transfers?.add(self)
    if isWithoutEngine { transfers?.setTimer() }
  }

  /// Reads what the source handed over, on a thread of its own, but for what is read sooner than a thread begins.
  func receive(_ delivery: WireLoad.Delivery) {
    guard !isReceiving else { return delivery.closeAside() }
    if case .memory(let fd) = delivery, let transfers, let sink, sink.isMemory, !isFinished, SealedMemory.isSmall(fd) {
      isReceiving = true
      transfer.noteLife()
      let result = Receiver.receive(delivery, into: sink, transfer) { _ in }
      let (this, target) = (OnClientThread(self), OnClientThread(sink))
      // Whoever loads something out of this program itself has not got the load yet.
      return transfers.completions.add { this.value.received(result, target.value) }
    }
    if case .ring = delivery {
      isGenerated = true
      if let total = sourceProgress?.total.map({ Int(clamping: $0) }) ?? totalBytes { sink?.makeRoom(for: total) }
    }
    let isStarted = receive {
      Receiver.receive(delivery, into: $0, $1, progress: $2)
    } last: { [transfer] in
      Receiver.letGo(ofRing: delivery, of: transfer)
    }
    if !isStarted { delivery.closeAside() }
  }

  /// The function that reads; it returns how many bytes there were.
  typealias Reading = @Sendable (any Sink, TransferState, _ progress: @escaping (Int) -> Void) -> Result<Int, LoadError>

  /// Reads into the sink, on a thread of its own.
  ///
  /// - Parameter last: what else there is to do, and nobody waits for.
  /// - Returns: false when there is no thread for it; the load has failed then.
  func receive(_ reading: @escaping Reading, last: @escaping @Sendable () -> Void = {}) -> Bool {
    guard let transfers, let sink, !isFinished else { return false }
    isReceiving = true
    transfer.noteLife()
    let completions = transfers.completions
    let transfer = transfer
    let this = OnClientThread(self)
    let target = OnClientThread(sink)
    do {
      try transfer.startWorker {
        // The first report comes soon: whoever waits sees that something happens.
        var reported = MonotonicClock.now() + (.milliseconds(50) - Self.reportPause)
        let result = reading(target.value, transfer) { bytes in
          let now = MonotonicClock.now()
          transfer.noteLife(at: now)
          guard now - reported > Self.reportPause else { return }
          reported = now
          completions.add { this.value.progressed(bytes) }
        }
        return {
          completions.add { this.value.received(result, target.value) }
          last()
        }
      }
    } catch {
      finish(.failure(error))
      return false
    }
    transfers.setTimer()
    return true
  }

  private func received(_ result: Result<Int, LoadError>, _ sink: any Sink) {
    if case .success(let bytes) = result {
      // It was cancelled when all had been taken.
      if isFinished { return sink.discard() }
      completedBytes = bytes
    }
    finish(result)
  }

  private func progressed(_ bytes: Int) {
    guard !isFinished else { return }
    completedBytes = bytes
    totalBytes = (transfer.expected ?? totalBytes).map { max($0, bytes) }
    wire?.progress(
      TransferProgress(completed: UInt64(max(0, bytes)), total: totalBytes.map { UInt64(max(0, $0)) }))
    tellProgress()
  }

  private func tellProgress() {
    guard !isFinished else { return }
    onProgress?(self)
    session?.changed()
  }

  /// The engine is gone. What the source has handed over can be read without it.
  private func lost() {
    wire = nil
    guard !isReceiving else { return }
    finish(.failure(LoadError(.sourceGone, "the engine went away before the source had handed over the data")))
  }

  /// When the load fails unless something comes before; nil while the engine sees to that.
  var deadline: Instant? { (isReceiving || isWithoutEngine) && !isFinished ? transfer.lastSign + patience : nil }

  func expire() {
    finish(
      .failure(LoadError(.timedOut, "nothing came from the source for \(Int(patience.seconds.rounded(.up))) seconds")))
  }

  func finish(_ result: Result<Int, LoadError>) {
    guard let completion else { return }
    self.completion = nil
    var result = result
    if case .failure(var error) = result {
      error.completedBytes = completedBytes
      result = .failure(error)
    } else {
      hasSucceeded = true
    }
    transfers?.remove(self)
    // From here on the sink's target belongs to its owner again. The worker, which may be stuck in a read, has nothing
    // more to do.
    sink?.abandon()
    // Z32: the source keeps a folder of which something could not be copied.
    let lacksSomething = isMove && sink?.isWhole == false
    sink = nil
    transfer.end()
    wire?.finish(success: hasSucceeded && !lacksSomething)
    wire = nil
    if case .failure(let error) = result, error.code == .cancelled { cancellationHandler?() }
    onProgress?(self)
    onProgress = nil
    cancellationHandler = nil
    session?.changed()
    completion(result)
  }

  /// Stops the load: the completion gets an error at once, whatever the source does. One write into a file that the
  /// caller has opened may still be under way then; nothing is written to memory.
  public func cancel() { finish(.failure(LoadError(.cancelled, "the load was cancelled"))) }
}
