import CarryModel
import CarryWireClient

/// A destination's wish for a representation, until it is answered. On the client's thread.
public final class ItemRequest {
  /// The type that is wanted: the one that was registered.
  public let type: String
  private var answer: ((Result<ItemProvider.Content, any Error>) -> Void)?
  private let provision: WireProvision
  /// Whether nobody waits for it any more: the destination has cancelled, has gone, or was not let wait any longer. An
  /// answer is ignored then.
  public private(set) var isCancelled = false
  /// Called when nobody waits any more: stop what was begun for it.
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

  /// Answers. Once: later answers, and those to a request that is cancelled, are ignored.
  public func answer(_ result: Result<ItemProvider.Content, any Error>) {
    guard let answer else { return }
    self.answer = nil
    onCancelled = nil
    answer(result)
  }

  /// Says that the source is at work, such as fetching what it has promised: call it every few seconds, and the
  /// destination waits for as long as it takes. Without it a load is given up after 30 seconds.
  ///
  /// - Parameter bytes: how much there is so far; 0 where that says nothing.
  public func reportProgress(bytes: Int = 0) {
    if answer != nil { provision.progress(kibibytes: max(0, bytes) / 1024) }
  }
}
