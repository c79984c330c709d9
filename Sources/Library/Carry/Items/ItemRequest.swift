import CarryModel
import CarryWireClient

/// A destination's request for a representation, until the request is answered. Used on the client's thread.
public final class ItemRequest {
  /// What a destination wants to do with the data.
  public enum Form: Sendable {
    /// Bytes. A folder is sent as a zip archive.
    case data
    /// A file or folder of its own.
    case copy
    /// The source's own file, opened in place; or a copy, if that is not allowed.
    case original
  }

  /// The wanted type, as it was registered.
  public let type: String
  /// What the destination wants to do with the data. Any content is a valid answer to any form: it is converted.
  public let form: Form
  /// Reports how many bytes of the handed-over data the destination has received. Called on the client's thread, a
  /// few times a second.
  public var onDestinationProgress: ((_ completedBytes: Int, _ totalBytes: Int?) -> Void)?
  /// What the destination may do with a file of the answer; initially the options registered with the type. Set it
  /// before answering.
  public var fileOptions: ItemProvider.FileOptions
  /// Retained for as long as the data of the answer.
  package var retainedUntilSent: (any Sendable)?
  /// Whether the source has reported progress, in units of its own.
  private var hasReported = false
  private var answer: ((Result<ItemProvider.Content, any Error>, ItemProvider.FileOptions, (any Sendable)?) -> Void)?
  private let provision: WireProvision
  /// Whether the answer is no longer wanted: the destination has cancelled or gone, or the request has timed out. An
  /// answer is then ignored.
  public private(set) var isCancelled = false
  /// Called when the answer is no longer wanted: stop the work that was begun for the request.
  public var onCancelled: (() -> Void)?

  /// Makes bytes on a thread of its own, when the drop's turn comes, and answers with them.
  var answerMaking: ((_ bytes: @escaping @Sendable () throws -> [UInt8]) -> Void)?

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

  /// Cancels the request: the answer is no longer wanted, or would go through an engine that has gone.
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
    // The receiver learns the size, and allocates memory for it, before the first byte arrives.
    if !hasReported, case .success(.data(let bytes)) = result, bytes.count > Provision.memoryLimit {
      reportProgress(totalUnitCount: bytes.count)
    }
    self.answer = nil
    onCancelled = nil
    answer(result, fileOptions, retainedUntilSent)
    retainedUntilSent = nil
  }

  /// Reports that the request waits for its turn, without changing the reported progress.
  func waits() { if answer != nil { provision.signOfLife() } }

  /// Reports that the source is working, such as fetching the promised data.
  ///
  /// Call it every few seconds, and the destination waits for as long as the answer takes. Otherwise a load fails
  /// after 30 seconds.
  ///
  /// - Parameters:
  ///   - completedUnitCount: the completed work, in units of your own: bytes, files, per cent.
  ///   - totalUnitCount: the total work, in the same units; nil while unknown. The destination shows a progress bar
  ///     once it is known.
  public func reportProgress(completedUnitCount: Int = 0, totalUnitCount: Int? = nil) {
    guard answer != nil else { return }
    hasReported = true
    provision.progress(
      TransferProgress(
        completed: UInt64(max(0, completedUnitCount)), total: totalUnitCount.map { UInt64(max(0, $0)) }))
    // A long callback does not return to the event loop meanwhile.
    provision.flush()
  }
}
