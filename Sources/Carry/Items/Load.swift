import CarryModel
import CarrySystem
import CarryWireClient

/// A running load.
///
/// A load ends once, whatever ends it. The sink is abandoned and the worker is notified before the completion runs,
/// so nothing is written for the load from then on.
public final class Load {
  private weak var transfers: Transfers?
  private var completion: ((Result<Int, LoadError>) -> Void)?
  private var wire: WireLoad?
  private let transfer = TransferState()
  private var sink: (any Sink)?
  /// Whether the source has handed over the data that is being read.
  private var isReceiving = false
  /// Whether the load has to detect an idle source by itself, without an engine.
  private var isWithoutEngine = false
  /// Whether the source is still generating the data, and so reports progress in bytes.
  private var isGenerated = false
  /// The interval of the worker's progress reports.
  private static let reportPause = Interval.milliseconds(200)
  /// How long the load waits without bytes or a sign of life from the source.
  var patience = Interval.seconds(Limits.transferSeconds)
  /// The number of bytes received so far.
  public private(set) var completedBytes = 0
  /// The total number of bytes; nil while unknown.
  public private(set) var totalBytes: Int?
  /// The progress of the load, from 0 to 1: by the bytes received, or as reported by the source before they arrive.
  /// Nil while unknown; 1 at the end of a load that succeeded.
  public var fractionCompleted: Double? {
    if hasSucceeded { return 1 }
    if let totalBytes { return totalBytes > 0 ? min(1, Double(completedBytes) / Double(totalBytes)) : 0 }
    return sourceProgress?.fraction
  }
  /// Whether the load is over, successfully or not.
  public var isFinished: Bool { completion == nil }
  /// Called on the client's thread when the progress changes, a few times a second, and once as the load ends, right
  /// before its completion.
  public var onProgress: ((Load) -> Void)?
  /// Called on the client's thread when the load is cancelled, right before its completion.
  public var cancellationHandler: (() -> Void)?
  /// The progress of the session that the load belongs to.
  weak var session: SessionProgress?
  /// Whether the source deletes the data that has arrived whole.
  var isMove = false
  private var hasSucceeded = false
  private var sourceProgress: TransferProgress?

  /// - Parameter transfers: the transfers of the client; nil for a load that fails at once.
  init(_ transfers: Transfers?, completion: @escaping (Result<Int, LoadError>) -> Void) {
    self.transfers = transfers
    self.completion = completion
  }

  /// Stores the size that the source has declared.
  func announce(_ count: Int?) { totalBytes = count }

  /// - Parameter isWithoutEngine: whether the load itself times out a source that hands nothing over and gives no
  ///   sign of life.
  func start(_ wire: WireLoad, into sink: any Sink, isWithoutEngine: Bool = false) {
    (self.wire, self.isWithoutEngine) = (wire, isWithoutEngine)
    begin(into: sink)
    // The wire object retains the load until the load is over.
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
      // A sign of life without new progress is not reported to the application.
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

  /// Begins the load. From here on the client retains it, until the load is over.
  func begin(into sink: any Sink) {
    self.sink = sink
    transfer.noteLife()
    transfers?.add(self)
    if isWithoutEngine { transfers?.setTimer() }
  }

  /// Reads the data that the source handed over, on a thread of its own, unless reading takes less time than starting
  /// one.
  func receive(_ delivery: Payload) {
    guard !isReceiving else { return delivery.closeAside() }
    if case .memory(let fd) = delivery, let transfers, let sink = sink as? any MemorySink, sink.isMemory, !isFinished,
      SealedMemory.isSmall(fd)
    {
      isReceiving = true
      transfer.noteLife()
      let result = PayloadReader.receive(delivery, into: sink, transfer) { _ in }
      let (this, target) = (OnClientThread(self), OnClientThread(sink))
      // A caller that loads from its own program has not received the `Load` yet.
      return transfers.completions.add { this.value.received(result, target.value) }
    }
    if case .ring = delivery {
      isGenerated = true
      if let total = sourceProgress?.total.map({ Int(clamping: $0) }) ?? totalBytes {
        (sink as? any MemorySink)?.expect(total)
      }
    }
    if !receive({ PayloadReader.receive(delivery, into: $0, $1, progress: $2) }) { delivery.closeAside() }
  }

  /// A function that reads the data and returns the number of bytes.
  typealias Reading = @Sendable (any Sink, TransferState, _ progress: @escaping (Int) -> Void) -> Result<Int, LoadError>

  /// Reads into the sink, on a thread of its own.
  ///
  /// - Returns: false if no thread could be created; the load has failed then.
  func receive(_ reading: @escaping Reading) -> Bool {
    guard let transfers, let sink, !isFinished else { return false }
    isReceiving = true
    transfer.noteLife()
    let completions = transfers.completions
    let transfer = transfer
    let this = OnClientThread(self)
    let target = OnClientThread(sink)
    do {
      try transfer.startWorker {
        // The first report follows soon, as an early sign of progress.
        var reported = MonotonicClock.now() + (.milliseconds(50) - Self.reportPause)
        let result = reading(target.value, transfer) { bytes in
          let now = MonotonicClock.now()
          transfer.noteLife(at: now)
          guard now - reported > Self.reportPause else { return }
          reported = now
          completions.add { this.value.progressed(bytes) }
        }
        return { completions.add { this.value.received(result, target.value) } }
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
      // It was cancelled after all data had been received.
      if isFinished { return (sink as? SavingSink)?.discard() ?? () }
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

  /// The engine has gone. Data that the source has handed over remains readable.
  private func lost() {
    wire = nil
    guard !isReceiving else { return }
    finish(.failure(LoadError(.sourceGone, "the engine went away before the source had handed over the data")))
  }

  /// When the load fails unless data arrives before; nil while the engine watches the time.
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
    // From here on the sink's target belongs to its owner again. The worker, which may be blocked in a read, has
    // nothing more to do.
    sink?.abandon()
    // The source keeps a folder that could not be copied completely.
    let lacksSomething = isMove && (sink as? SavingSink)?.skippedNothing == false
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

  /// Cancels the load: the completion receives an error at once, whatever the source does. A write into a file that
  /// the caller has opened may still be in progress then; nothing more is written to memory.
  public func cancel() { finish(.failure(LoadError(.cancelled, "the load was cancelled"))) }
}
