import CarryModel
import CarrySystem
import CarryXdnd

/// Saves an item at the place that the target of its drop names (XDS). It saves once, however often the target asks.
final class DirectSaving {
  /// The offered file name.
  let name: String
  private let provider: ItemProvider
  private let type: String
  private var load: Load?
  /// The place of the running or completed save.
  private var place: DirectSavePlace?
  private var isSaved = false
  private var waiting: [(DirectSaveAnswer) -> Void] = []
  private var tries = 0

  /// A target may name another place if the first one did not work.
  private static let maxTries = 8

  init(_ provider: ItemProvider, _ type: String) {
    (self.provider, self.type) = (provider, type)
    name = SuggestedFileName.of(provider.suggestedName, for: type)
  }

  /// - Parameters:
  ///   - address: the address that the target has written; nil if it cannot be read.
  ///   - onProgress: called repeatedly while the file is being saved.
  ///   - completion: called once, now or later.
  func save(
    to address: [UInt8]?, onProgress: @escaping () -> Void, completion: @escaping (DirectSaveAnswer) -> Void
  ) {
    guard let wanted = address.flatMap({ DirectSavePlace($0, offeredAs: name) }) else { return completion(.refused) }
    guard place == nil || place == wanted else { return completion(.failed) }
    if isSaved { return completion(.saved) }
    waiting.append(completion)
    guard place == nil else { return }
    guard tries < Self.maxTries else { return complete(.failed) }
    tries += 1
    place = wanted
    let load = provider.saveRepresentation(forType: type, in: wanted.folder, exactlyAs: wanted.name) { [weak self] in
      self?.ended($0)
    }
    // It may have failed at once.
    guard !load.isFinished else { return }
    load.onProgress = { _ in onProgress() }
    self.load = load
  }

  private func ended(_ error: LoadError?) {
    load = nil
    guard let error else {
      isSaved = true
      return complete(.saved)
    }
    Log.info("saving a file for another program: \(error)")
    place = nil
    // Data that cannot be stored here may still be available as bytes.
    complete(error.code == .local ? .refused : .failed)
  }

  private func complete(_ answer: DirectSaveAnswer) {
    let all = waiting
    waiting = []
    for completion in all { completion(answer) }
  }

  /// Ends the drop: files not saved by now are not saved.
  func end() { load?.cancel() }
}
