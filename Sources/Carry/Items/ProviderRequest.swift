/// A destination's request for an item that a file provider serves. Used on the provider's thread.
public final class ProviderRequest {
  /// The application's identifier of the item, from its `ItemProvider.fileProviderReference`.
  ///
  /// Any application of the manifest may have written it, and a user may run such an application for another purpose:
  /// check it as you check a file name.
  public let reference: String
  /// The underlying request, shared with those of applications.
  package let request: ItemRequest

  init(_ reference: String, _ request: ItemRequest) {
    self.reference = reference
    self.request = request
  }

  /// The wanted type: one that the application has registered.
  public var type: String { request.type }
  /// What the destination wants to do with the data. Any content is a valid answer to any form: it is converted.
  public var form: ItemRequest.Form { request.form }
  /// Whether the answer is no longer wanted. An answer is then ignored.
  public var isCancelled: Bool { request.isCancelled }

  /// Called when the answer is no longer wanted: stop the work that was begun for the request.
  public var onCancelled: (() -> Void)? {
    get { request.onCancelled }
    set { request.onCancelled = newValue }
  }

  /// Reports how many bytes of the handed-over data the destination has received. Called a few times a second.
  public var onDestinationProgress: ((_ completedBytes: Int, _ totalBytes: Int?) -> Void)? {
    get { request.onDestinationProgress }
    set { request.onDestinationProgress = newValue }
  }

  /// Answers the request, now or later. Only the first answer counts.
  ///
  /// - Parameters:
  ///   - result: the content, or the error.
  ///   - fileOptions: what the destination may do with a file.
  public func answer(_ result: Result<ItemProvider.Content, any Error>, fileOptions: ItemProvider.FileOptions = []) {
    request.fileOptions = fileOptions
    request.answer(result)
  }

  /// Reports that the provider is working. Call it every few seconds: the engine ends the provider after 30 seconds
  /// without an answer. See `ItemRequest.reportProgress`.
  public func reportProgress(completedUnitCount: Int = 0, totalUnitCount: Int? = nil) {
    request.reportProgress(completedUnitCount: completedUnitCount, totalUnitCount: totalUnitCount)
  }
}
