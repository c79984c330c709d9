import CarryModel
import CarryWireClient

/// A destination's request for a representation, until the request is answered. On the client's thread.
public final class ItemRequest {
  /// What a destination wants to do with the data.
  public enum Form: Sendable {
    /// It wants bytes. A folder is sent as a zip archive.
    case data
    /// It wants a file or folder of its own.
    case copy
    /// It wants to open the source's own file; a copy will do where that is not allowed.
    case original
  }

  /// The wanted type, as it was registered.
  public let type: String
  /// What the destination wants to do with it. Any content answers any form: it is converted.
  public let form: Form
  /// How far the destination is with what was handed over, in bytes. Called on the client's thread, a few times a second.
  public var onDestinationProgress: ((_ completedBytes: Int, _ totalBytes: Int?) -> Void)?
  /// What the destination may do with a file of the answer: at first what was registered with the type. Set it before the
  /// answer.
  public var fileOptions: ItemProvider.FileOptions
  /// Kept for as long as data of the answer is.
  package var keptUntilSent: (any Sendable)?
  /// Whether the source has said how far it is, in units of its own.
  private var hasReported = false
  private var answer: ((Result<ItemProvider.Content, any Error>, ItemProvider.FileOptions, (any Sendable)?) -> Void)?
  private let provision: WireProvision
  /// Whether nobody waits for the answer any more: the destination has cancelled, has gone, or its time was up. An
  /// answer is ignored then.
  public private(set) var isCancelled = false
  /// Called when nobody waits any more: stop the work that was begun for the request.
  public var onCancelled: (() -> Void)?

  init(
    _ type: String, _ form: Form, _ provision: WireProvision, _ fileOptions: ItemProvider.FileOptions,
    _ answer: @escaping (Result<ItemProvider.Content, any Error>, ItemProvider.FileOptions, (any Sendable)?) -> Void
  ) {
    self.type = type
    self.form = form
    self.provision = provision
    self.fileOptions = fileOptions
    self.answer = answer
  }

  /// Nobody waits any more, or the answer would go through an engine that is gone.
  func cancel() {
    guard answer != nil else { return }
    answer = nil
    isCancelled = true
    onCancelled?()
    onCancelled = nil
  }

  /// Answers the request. Only the first answer counts; answers to a cancelled request are ignored.
  public func answer(_ result: Result<ItemProvider.Content, any Error>) {
    guard let answer else { return }
    // Whoever waits sees how much comes, and makes room for it, before the first byte is there.
    if !hasReported, case .success(.data(let bytes)) = result, bytes.count > ItemProvider.memoryLimit {
      reportProgress(totalUnitCount: bytes.count)
    }
    self.answer = nil
    onCancelled = nil
    answer(result, fileOptions, keptUntilSent)
    keptUntilSent = nil
  }

  /// Says that the request waits for its turn, and how far the source is said to be stays as it is.
  func waits() { if answer != nil { provision.signOfLife() } }

  /// Says that the source is at work, such as fetching what it has promised. Call it every few seconds, and the
  /// destination waits for as long as the answer takes. Without it a load is given up after 30 seconds.
  ///
  /// - Parameters:
  ///   - completedUnitCount: what is done so far, in units of your own: bytes, files, per cent.
  ///   - totalUnitCount: all there is to do, in the same units; nil while that is not known. The destination sees a bar
  ///     once it is.
  public func reportProgress(completedUnitCount: Int = 0, totalUnitCount: Int? = nil) {
    guard answer != nil else { return }
    hasReported = true
    provision.progress(
      TransferProgress(
        completed: UInt64(max(0, completedUnitCount)), total: totalUnitCount.map { UInt64(max(0, $0)) }))
    // Whoever works for long in a callback does not dispatch meanwhile.
    provision.flush()
  }
}
