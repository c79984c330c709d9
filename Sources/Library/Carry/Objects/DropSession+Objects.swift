extension DropSession {
  /// The result of loading a value from one item.
  public struct LoadedObject<Object> {
    /// The item, with its name and its place in `items`.
    public let item: DragItem
    /// The type that was loaded: one of the item's types.
    public let type: String
    /// The value, or the error.
    public let result: Result<Object, LoadError>
    /// The value; nil if the load failed.
    public var object: Object? { try? result.get() }
  }

  /// Loads a value from each item that can provide one: for content of one kind. Call it within `performDrop` only.
  ///
  /// - Parameters:
  ///   - type: the type of the values, such as `String.self`; its list of readable types determines which
  ///     representation of each item is loaded.
  ///   - limit: the maximum size of each item in bytes; more is an error.
  ///   - completion: called once, on the client's thread, with each item that can provide such a value, in the order
  ///     of `items`: the value, or the error. If there is no such item it is called at once.
  /// - Returns: the loads, to observe or cancel them.
  @discardableResult
  public func loadObjects<Object: ItemProviderReading>(
    of type: Object.Type, limit: Int = 1 << 28, completion: @escaping ([LoadedObject<Object>]) -> Void
  ) -> [Load] {
    let wanted = items.compactMap { item in
      item.itemProvider.match(Object.readableTypesForItemProvider).map { (item: item, match: $0) }
    }
    guard !wanted.isEmpty else {
      completion([])
      return []
    }
    var results = [LoadedObject<Object>?](repeating: nil, count: wanted.count)
    var open = wanted.count
    return wanted.enumerated().map { i, load in
      load.item.itemProvider.load(load.match, limit: limit) { (result: Result<Object, LoadError>) in
        results[i] = LoadedObject(item: load.item, type: load.match.type, result: result)
        open -= 1
        if open == 0 { completion(results.compactMap { $0 }) }
      }
    }
  }

  /// Returns whether any item can provide a value of a type.
  public func canLoadObjects<Object: ItemProviderReading>(of type: Object.Type) -> Bool {
    items.contains { $0.itemProvider.canLoadObject(of: type) }
  }
}
