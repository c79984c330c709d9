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
  private let transfer = TransferState()
  private var sink: (any Sink)?
  /// Whether the source has handed over what is being read now.
  private var isReceiving = false
  /// How long the load waits without bytes or a sign of the source.
  var patience = Interval.seconds(Limits.transferSeconds)
  /// Bytes so far.
  public private(set) var completedBytes = 0
  /// Whether it is over, successfully or not.
  public var isFinished: Bool { completion == nil }

  /// - Parameter transfers: of the client; nil for a load that fails at once.
  init(_ transfers: Transfers?, completion: @escaping (Result<Int, LoadError>) -> Void) {
    self.transfers = transfers
    self.completion = completion
  }

  func start(_ wire: WireLoad, into sink: any Sink) {
    self.wire = wire
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
    case .sourceProgress: transfer.noteLife()
    case .lost: lost()
    }
  }

  /// From here on the client keeps the load, until the load is over.
  func begin(into sink: any Sink) {
    self.sink = sink
    transfers?.add(self)
  }

  /// Reads what the source handed over, on a thread of its own.
  private func receive(_ delivery: WireLoad.Delivery) {
    guard !isReceiving else { return delivery.closeAside() }
    let isStarted = receive { Receiver.receive(delivery, into: $0, $1, progress: $2) }
    if !isStarted { delivery.closeAside() }
  }

  /// The function that reads; it returns how many bytes there were.
  typealias Reading = @Sendable (any Sink, TransferState, _ progress: (Int) -> Void) -> Result<Int, LoadError>

  /// Reads into the sink, on a thread of its own.
  ///
  /// - Returns: false when there is no thread for it; the load has failed then.
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
        var reported = MonotonicClock.now()
        let result = reading(target.value, transfer) { bytes in
          let now = MonotonicClock.now()
          transfer.noteLife(at: now)
          guard now - reported > .seconds(1) else { return }
          reported = now
          completions.add { this.value.progressed(bytes) }
        }
        completions.add {
          if case .success(let bytes) = result { this.value.completedBytes = bytes }
          this.value.finish(result)
        }
      }
    } catch {
      finish(.failure(error))
      return false
    }
    transfers.watch()
    return true
  }

  private func progressed(_ bytes: Int) {
    guard !isFinished else { return }
    completedBytes = bytes
    wire?.progress(kibibytes: bytes / 1024)
  }

  /// The engine is gone. What the source has handed over can be read without it.
  private func lost() {
    wire = nil
    guard !isReceiving else { return }
    finish(.failure(LoadError(.sourceGone, "the engine went away before the source had handed over the data")))
  }

  /// When the load fails unless something comes before; nil while nothing is read.
  var deadline: Instant? { isReceiving && !isFinished ? transfer.lastSign + patience : nil }

  func expire() {
    finish(
      .failure(LoadError(.timedOut, "nothing came from the source for \(Int(patience.seconds.rounded(.up))) seconds")))
  }

  func finish(_ result: Result<Int, LoadError>) {
    guard let completion else { return }
    self.completion = nil
    transfers?.remove(self)
    // From here on the sink's target belongs to its owner again. The worker, which may be stuck in a read, has nothing
    // more to do.
    sink?.abandon()
    sink = nil
    transfer.end()
    if case .success = result { wire?.finish(success: true) } else { wire?.finish(success: false) }
    wire = nil
    completion(result)
  }

  /// Stops the load: the completion gets an error at once, whatever the source does. One write into a file that the
  /// caller has opened may still be under way then; nothing is written to memory.
  public func cancel() { finish(.failure(LoadError(.cancelled, "the load was cancelled"))) }
}
