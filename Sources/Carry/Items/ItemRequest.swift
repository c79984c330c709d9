import CarryModel
import CarryWireClient

/// A destination's request for a representation, until the request is answered. On the client's thread.
public final class ItemRequest {
  /// The wanted type, as it was registered.
  public let type: String
  private var answer: ((Result<ItemProvider.Content, any Error>) -> Void)?
  private let provision: WireProvision
  /// Whether nobody waits for the answer any more: the destination has cancelled, has gone, or its time was up. An
  /// answer is ignored then.
  public private(set) var isCancelled = false
  /// Called when nobody waits any more: stop the work that was begun for the request.
  public var onCancelled: (() -> Void)?

  init(
    _ type: String, _ provision: WireProvision, _ answer: @escaping (Result<ItemProvider.Content, any Error>) -> Void
  ) {
    self.type = type
    self.provision = provision
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
    self.answer = nil
    onCancelled = nil
    answer(result)
  }

  /// Says that the source is at work, such as fetching what it has promised. Call it every few seconds, and the
  /// destination waits for as long as the answer takes. Without it a load is given up after 30 seconds.
  ///
  /// - Parameter bytes: how many bytes there are so far; 0 if the number means nothing.
  public func reportProgress(bytes: Int = 0) {
    if answer != nil { provision.progress(kibibytes: max(0, bytes) / 1024) }
  }
}
