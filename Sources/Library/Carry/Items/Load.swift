import CarryModel
import CarrySystem
import CarryWireClient

/// A running load.
///
/// A load ends once, whatever ends it. The sink is abandoned and the worker is notified before the completion runs,
/// so nothing is written for the load from then on.
public final class Load {
  /// What a running load needs; gone once it is over.
  private struct Work {
    var sink: any Sink
    /// Nil once the engine, or the source in this program, has ended the request.
    var wire: WireLoad?
    let reader = TransferState()
  }

  private var machine: LoadMachine
  private var work: Work?
  private var completion: ((Result<Int, LoadError>) -> Void)?
  private weak var transfers: Transfers?
  /// The interval of the reader's progress reports.
  private static let reportPause = Interval.milliseconds(200)

  /// The number of bytes received so far.
  public var completedBytes: Int { machine.completedBytes }
  /// The total number of bytes; nil while unknown.
  public var totalBytes: Int? { machine.totalBytes }
  /// The progress of the load, from 0 to 1: by the bytes received, or as reported by the source before they arrive.
  /// Nil while unknown; 1 at the end of a load that succeeded.
  public var fractionCompleted: Double? { machine.fractionCompleted }
  /// Whether the load is over, successfully or not.
  public var isFinished: Bool { machine.isFinished }
  /// Called on the client's thread when the progress changes, a few times a second, and once as the load ends, right
  /// before its completion.
  public var onProgress: ((Load) -> Void)?
  /// Called on the client's thread when the load is cancelled, right before its completion.
  public var cancellationHandler: (() -> Void)?
  /// The progress of the session that the load belongs to.
  weak var session: SessionProgress?
  /// Whether the source deletes the data that has arrived whole.
  var isMove = false

  /// - Parameters:
  ///   - transfers: the transfers of the client; nil for a load that fails at once.
  ///   - totalBytes: the size that the source has declared.
  ///   - isWithoutEngine: whether the load itself times out a source that hands nothing over and gives no sign of
  ///     life.
  init(
    _ transfers: Transfers?, totalBytes: Int? = nil, isWithoutEngine: Bool = false,
    completion: @escaping (Result<Int, LoadError>) -> Void
  ) {
    self.transfers = transfers
    self.completion = completion
    machine = LoadMachine(totalBytes: totalBytes, isTimed: isWithoutEngine, at: MonotonicClock.now())
  }

  /// - Parameter wire: the request; nil if the source's data comes by `receive`.
  func start(_ wire: WireLoad?, into sink: any Sink) {
    work = Work(sink: sink, wire: wire)
    transfers?.add(self)
    if machine.deadline != nil { transfers?.setTimer() }
    // The wire object retains the load until the load is over.
    wire?.onEvent = { event in
      switch event {
      case .delivery(let payload):
        if case .failed = payload { self.work?.wire = nil }
        self.receive(payload)
      case .sourceProgress(let progress): self.handle(.sourceProgress(progress))
      case .lost:
        self.work?.wire = nil
        self.handle(.engineGone)
      }
    }
  }

  func receive(_ payload: Payload) { handle(.payload(payload)) }

  // MARK: The machine

  func handle(_ input: LoadMachine.Input, of sink: (any Sink)? = nil) {
    perform(machine.handle(input, at: MonotonicClock.now()), sink)
  }

  private func perform(_ actions: [LoadMachine.Action], _ sink: (any Sink)? = nil) {
    for action in actions {
      switch action {
      case .read(let payload, let count): read(payload, expecting: count)
      case .close(let payload): payload.closeAside()
      case .report(let progress):
        if let progress { work?.wire?.progress(progress) }
        onProgress?(self)
        session?.changed()
      case .discard: (sink as? SavingSink)?.discard()
      case .finish(let result): end(with: result)
      }
    }
  }

  private func read(_ payload: Payload, expecting count: Int?) {
    guard let work, let transfers else { return payload.closeAside() }
    if let memory = work.sink as? any MemorySink {
      if case .memory(let fd) = payload, memory.isMemory, SealedMemory.isSmall(fd) {
        let result = PayloadReader.read(payload, into: memory, work.reader) { _, _ in }
        let this = OnClientThread(self)
        // A caller that loads from its own program has not received the `Load` yet.
        return transfers.completions.add { this.value.handle(.ended(result)) }
      }
      if let count { memory.expect(count) }
    }
    let hasStarted = read { sink, reader, progress in
      PayloadReader.read(payload, into: sink, reader, progress: progress)
    }
    if !hasStarted { payload.closeAside() }
  }

  /// A function that reads the data on a thread of its own, and returns the number of bytes.
  typealias Reading =
    @Sendable (
      any Sink, TransferState, _ progress: @escaping (_ bytes: Int, _ total: Int?) -> Void
    ) -> Result<Int, LoadError>

  /// - Returns: false if no thread could be created; the load has failed then.
  func read(_ reading: @escaping Reading) -> Bool {
    guard let transfers, let work else { return false }
    let (completions, reader) = (transfers.completions, work.reader)
    let (this, sink) = (OnClientThread(self), OnClientThread(work.sink))
    do {
      try reader.startWorker {
        // The first report follows soon, as an early sign of progress.
        var reported = MonotonicClock.now() + (.milliseconds(50) - Self.reportPause)
        let result = reading(sink.value, reader) { bytes, total in
          let now = MonotonicClock.now()
          guard now - reported > Self.reportPause else { return }
          reported = now
          completions.add { this.value.handle(.read(bytes: bytes, total: total)) }
        }
        return { completions.add { this.value.handle(.ended(result), of: sink.value) } }
      }
    } catch {
      handle(.refused(error))
      return false
    }
    transfers.setTimer()
    return true
  }

  private func end(with result: Result<Int, LoadError>) {
    guard let completion else { return }
    self.completion = nil
    transfers?.remove(self)
    if let work {
      // From here on the sink's target belongs to its owner again. The reader, which may be blocked, has nothing more
      // to do.
      work.sink.abandon()
      work.reader.end()
      // The source keeps a folder that could not be copied completely.
      let lacksSomething = isMove && (work.sink as? SavingSink)?.skippedNothing == false
      work.wire?.finish(success: machine.hasSucceeded && !lacksSomething)
    }
    work = nil
    if case .failure(let error) = result, error.code == .cancelled { cancellationHandler?() }
    onProgress?(self)
    onProgress = nil
    cancellationHandler = nil
    session?.changed()
    completion(result)
  }

  /// Ends the load before it has begun.
  func refuse(_ error: LoadError) { handle(.refused(error)) }

  /// Cancels the load: the completion receives an error at once, whatever the source does. A write into a file that
  /// the caller has opened may still be in progress then; nothing more is written to memory.
  public func cancel() { handle(.cancelled) }

  // MARK: Time

  var deadline: Instant? { machine.deadline }

  /// How long the load waits without bytes or a sign of life from the source.
  var patience: Interval {
    get { machine.patience }
    set { machine.patience = newValue }
  }

  func advance(to now: Instant) { perform(machine.advance(to: now)) }
}
