/// A load that can be awaited: begun within `performDrop`, awaited whenever its value is needed.
///
/// ```swift
/// let text = session.items[0].itemProvider.loadObject(of: String.self)
/// Task { show(try await text.value) }
/// ```
///
/// Like everything else it belongs to the client's thread: await it in code of an actor whose executor is
/// `Client.executor`, as `ClientExecutor` shows. In code without an actor the task above does not compile.
public final class LoadTask<Value> {
  /// The load, to observe its progress or to cancel it.
  public let load: Load
  private let outcome: Outcome
  private let completions: ClientQueue?

  /// The result, if there is one, and the gate where tasks wait for it.
  private final class Outcome {
    var result: Result<Value, LoadError>?
    var gate: Gate?

    func finish(_ result: Result<Value, LoadError>) {
      self.result = result
      gate?.open()
    }
  }

  /// - Parameters:
  ///   - completions: the queue of the client; nil for a load that has failed at once.
  ///   - begin: begins the load, which calls its parameter once.
  init(_ completions: ClientQueue?, _ begin: (_ finish: @escaping (Result<Value, LoadError>) -> Void) -> Load) {
    let outcome = Outcome()
    self.outcome = outcome
    self.completions = completions
    load = begin { outcome.finish($0) }
  }

  /// The value, once all of the data has arrived. Cancelling a waiting task cancels the load.
  ///
  /// - Throws: the error of the load; `cancelled` if the load was cancelled.
  public nonisolated(nonsending) var value: Value {
    get async throws(LoadError) {
      if outcome.result == nil { await wait() }
      guard let result = outcome.result else { throw LoadError(.local, "the load went on after its end") }
      return try result.get()
    }
  }

  private func wait(isolation: isolated (any Actor)? = #isolation) async {
    // Without a client the load has failed at once. Other loads may have ended meanwhile, in a task with an executor
    // preference.
    guard let completions, outcome.result == nil else { return }
    let gate = outcome.gate ?? Gate(completions)
    outcome.gate = gate
    let load = OnClientThread(load)
    await withTaskCancellationHandler {
      // Unless the isolation is named, the runtime switches to a thread of its pool.
      _ = isolation
      await gate.pass()
    } onCancel: {
      completions.add { load.value.cancel() }
    }
  }
}

extension ItemProvider {
  /// The completion queue of the client that would load; nil in a source's own provider.
  private var completions: ClientQueue? {
    guard case .destination(let origin, _) = side else { return nil }
    return origin.client.transfers.completions
  }

  /// Loads a value from the best suitable representation, to be awaited. Call it within `performDrop` only.
  ///
  /// - Parameters:
  ///   - type: the type of the value, such as `String.self`.
  ///   - limit: the maximum size in bytes; more is an error.
  /// - Returns: the load, which provides the value later.
  public func loadObject<Object: ItemProviderReading>(
    of type: Object.Type, limit: Int = 1 << 28
  ) -> LoadTask<Object> {
    LoadTask(completions) { loadObject(of: type, limit: limit, completion: $0) }
  }

  /// Loads a representation into memory, to be awaited. Call it within `performDrop` only.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - limit: the maximum size in bytes; more is an error.
  /// - Returns: the load, which provides the bytes later.
  public func loadDataRepresentation(forType type: String, limit: Int = 1 << 30) -> LoadTask<[UInt8]> {
    LoadTask(completions) { loadDataRepresentation(forType: type, limit: limit, completion: $0) }
  }

  /// Loads a representation into a file that the caller has opened for writing, to be awaited. Call it within
  /// `performDrop` only.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - descriptor: open for writing; the caller keeps ownership.
  /// - Returns: the load, which provides the number of bytes later.
  public func loadRepresentation(forType type: String, intoFile descriptor: Int32) -> LoadTask<Int> {
    LoadTask(completions) { loadRepresentation(forType: type, intoFile: descriptor, completion: $0) }
  }

  /// Saves a representation in a directory, as a file or folder, to be awaited. Call it within `performDrop` only.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - directory: the path of an existing directory.
  ///   - name: one path component; nil for the suggested name, or else a name derived from the type.
  ///   - keepsAttributes: whether a file or folder of the source keeps its time and its permissions.
  /// - Returns: the load, which provides the saved file or folder later.
  public func saveRepresentation(
    forType type: String, in directory: String, as name: String? = nil, keepsAttributes: Bool = false
  ) -> LoadTask<LoadedFile> {
    LoadTask(completions) {
      saveRepresentation(forType: type, in: directory, as: name, keepsAttributes: keepsAttributes, completion: $0)
    }
  }

  /// Opens the source's own file if the source allows that, otherwise a copy; to be awaited. Call it within
  /// `performDrop` only.
  ///
  /// - Parameter type: one of `registeredTypes`.
  /// - Returns: the load, which provides the file later.
  public func loadInPlaceFileRepresentation(forType type: String) -> LoadTask<OpenedFile> {
    LoadTask(completions) { loadInPlaceFileRepresentation(forType: type, completion: $0) }
  }
}

extension DropSession {
  /// Loads a value from each item that can provide one, each to be awaited separately. Call it within `performDrop`
  /// only.
  ///
  /// - Parameters:
  ///   - type: the type of the values, such as `String.self`.
  ///   - limit: the maximum size of each item in bytes; more is an error.
  /// - Returns: the items that can provide such a value, in the order of `items`, with their loads.
  public func loadObjects<Object: ItemProviderReading>(
    of type: Object.Type, limit: Int = 1 << 28
  ) -> [(item: DragItem, load: LoadTask<Object>)] {
    items.filter { $0.itemProvider.canLoadObject(of: type) }.map { item in
      (item: item, load: item.itemProvider.loadObject(of: type, limit: limit))
    }
  }
}
