extension DropSession {
  /// What became of one item's load as a value.
  public struct LoadedObject<Object> {
    /// The item: its name, and its place in `items`.
    public let item: DragItem
    /// The type that was loaded: one of the item's types.
    public let type: String
    /// The value, or why there is none.
    public let result: Result<Object, LoadError>
    /// The value; nil when the load failed.
    public var object: Object? { try? result.get() }
  }

  /// Loads a value of each item that such a value can be made of: for content of one kind. Within `performDrop` only.
  ///
  /// - Parameters:
  ///   - type: what to make of the data, such as `String.self`; its list of readable types decides which
  ///     representation of each item is loaded.
  ///   - limit: bytes for each item; more is an error.
  ///   - completion: called once, on the client's thread, with each item that such a value can be made of, in the order
  ///     of `items`: the value, or why there is none. If there is no such item it is called at once.
  /// - Returns: the loads, to watch or cancel.
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

  /// Whether a value of a type can be made of any item.
  public func canLoadObjects<Object: ItemProviderReading>(of type: Object.Type) -> Bool {
    items.contains { $0.itemProvider.canLoadObject(of: type) }
  }
}
