import CLinux
import CarryModel
import CarrySystem
import CarryWireClient
import Synchronization

/// Why a load failed.
public struct LoadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure; the numbers are the protocol's.
  public enum Code: UInt32, Sendable {
    /// Asked for at another time than while performing a drop.
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
    /// Too many loads of one item at once.
    case tooMany = 8
    /// The data could not be read or stored here.
    case local = 100
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence for a person.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

/// One load that is under way.
public final class Load {
  private weak var client: Client?
  private var completion: ((Result<Int, LoadError>) -> Void)?
  private var wire: WireLoad?
  private let cancellation = Cancellation()
  private var sink: (any Sink)?
  /// Bytes so far.
  public private(set) var completedBytes = 0
  /// Whether it is over, successfully or not.
  public var isFinished: Bool { completion == nil }

  init(client: Client?, completion: @escaping (Result<Int, LoadError>) -> Void) {
    self.client = client
    self.completion = completion
  }

  func start(_ wire: WireLoad, into sink: any Sink) {
    self.wire = wire
    self.sink = sink
    client?.loads[ObjectIdentifier(self)] = self
    // The wire's object holds on to the load until it is delivered.
    wire.onDelivery = { delivery in
      if case .failed(let code, let message) = delivery {
        self.wire = nil
        self.finish(.failure(LoadError(LoadError.Code(rawValue: code) ?? .sourceFailed, message)))
        return
      }
      self.receive(delivery, into: sink)
    }
  }

  /// Reads what was handed over, on a thread of its own.
  private func receive(_ delivery: WireLoad.Delivery, into sink: any Sink) {
    guard let completions = client?.completions else { return delivery.close() }
    let cancellation = cancellation
    let this = OnClientThread(self)
    let sink = OnClientThread(sink)
    Worker.start {
      var reported = MonotonicClock.now()
      let result = Receiver.receive(delivery, into: sink.value, unless: cancellation) { bytes in
        let now = MonotonicClock.now()
        guard now - reported > .seconds(1) else { return }
        reported = now
        completions.add { this.value.progressed(bytes) }
      }
      completions.add {
        if case .success(let bytes) = result { this.value.completedBytes = bytes }
        this.value.finish(result)
      }
    }
  }

  private func progressed(_ bytes: Int) {
    completedBytes = bytes
    wire?.progress(kibibytes: bytes / 1024)
  }

  func finish(_ result: Result<Int, LoadError>) {
    guard let completion else { return }
    self.completion = nil
    client?.loads[ObjectIdentifier(self)] = nil
    if case .success = result { wire?.finish(success: true) } else { wire?.finish(success: false) }
    wire = nil
    sink = nil
    completion(result)
  }

  /// Stops the load: the completion gets an error at once, whatever the source does.
  public func cancel() {
    cancellation.cancel()
    sink?.abandon()
    finish(.failure(LoadError(.cancelled, "the load was cancelled")))
  }
}

/// A flag that one thread raises and another sees.
final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)
  func cancel() { flag.store(true, ordering: .relaxed) }
  var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

extension WireLoad.Delivery {
  /// Closes what came with it.
  func close() {
    switch self {
    case .file(let fd), .memory(let fd), .stream(let fd): CLinux.close(fd)
    case .ring(let memory, let socket):
      CLinux.close(memory)
      CLinux.close(socket)
    case .failed: break
    }
  }
}
