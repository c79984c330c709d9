/// What a destination wants of an item that a file provider serves. On the provider's thread.
public final class ProviderRequest {
  /// What the application has called the item: its `ItemProvider.fileProviderReference`. Any application of the manifest
  /// may have written it, and a user may run such an application for another purpose: check it as you check a file's name.
  public let reference: String
  /// The request, with the parts that it shares with those of applications.
  package let request: ItemRequest

  init(_ reference: String, _ request: ItemRequest) {
    self.reference = reference
    self.request = request
  }

  /// The wanted type: one that the application has registered.
  public var type: String { request.type }
  /// What the destination wants to do with the data. Any content answers any form: it is converted.
  public var form: ItemRequest.Form { request.form }
  /// Whether nobody waits for the answer any more. An answer is ignored then.
  public var isCancelled: Bool { request.isCancelled }

  /// Called when nobody waits any more: stop the work that was begun for the request.
  public var onCancelled: (() -> Void)? {
    get { request.onCancelled }
    set { request.onCancelled = newValue }
  }

  /// How far the destination is with what was handed over, in bytes. Called a few times a second.
  public var onDestinationProgress: ((_ completedBytes: Int, _ totalBytes: Int?) -> Void)? {
    get { request.onDestinationProgress }
    set { request.onDestinationProgress = newValue }
  }

  /// Answers the request, now or later. Only the first answer counts.
  ///
  /// - Parameters:
  ///   - result: the content, or why there is none.
  ///   - fileOptions: what the destination may do with a file.
  public func answer(_ result: Result<ItemProvider.Content, any Error>, fileOptions: ItemProvider.FileOptions = []) {
    request.fileOptions = fileOptions
    request.answer(result)
  }

  /// Says that the provider is at work. Call it every few seconds, or the engine ends the provider after 30 seconds without
  /// an answer. See `ItemRequest.reportProgress`.
  public func reportProgress(completedUnitCount: Int = 0, totalUnitCount: Int? = nil) {
    request.reportProgress(completedUnitCount: completedUnitCount, totalUnitCount: totalUnitCount)
  }
}
