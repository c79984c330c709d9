import CarryModel

/// Values of an application's model as items, and items as values.
extension ItemProvider {
  // MARK: Source

  /// Creates a provider of a value, in all types that it can be written as, with the size at which it is shown. The
  /// applications that `visibility` names see it, or fewer if the value restricts a type itself.
  public convenience init(object: some ItemProviderWriting, visibility: Visibility = .all) {
    self.init()
    preferredPresentationSize = object.preferredPresentationSizeForItemProvider
    registerObject(object, visibility: visibility)
  }

  /// Promises a value in all types that it can be written as, after earlier registrations. The value is written when
  /// a destination requests it. The applications that `visibility` names see it, or fewer if the value restricts a type
  /// itself.
  public func registerObject<Object: ItemProviderWriting>(_ object: Object, visibility: Visibility = .all) {
    for type in object.writableTypesForItemProvider {
      registerRequests(forType: type, visibility: max(visibility, Object.itemProviderVisibility(forType: type))) {
        object.loadRepresentation(for: $0)
      }
    }
  }

  /// Promises a value that is created when a destination requests it. The handler is called on the client's thread;
  /// it may answer later, on the same thread. The applications that `visibility` names see it, or fewer if the value's
  /// Swift type restricts a type itself.
  public func registerObject<Object: ItemProviderWriting>(
    of _: Object.Type, visibility: Visibility = .all,
    loadHandler: @escaping (_ completion: @escaping (Result<Object, any Error>) -> Void) -> Void
  ) {
    for type in Object.writableTypesForItemProvider {
      registerRequests(forType: type, visibility: max(visibility, Object.itemProviderVisibility(forType: type))) {
        request in
        loadHandler { result in
          switch result {
          case .success(let object): object.loadRepresentation(for: request)
          case .failure(let error): request.answer(.failure(error))
          }
        }
      }
    }
  }

  // MARK: Destination

  /// Returns whether the item has a representation from which values of a type can be created. Loads nothing, so that
  /// a destination can call it during the drag.
  public func canLoadObject<Object: ItemProviderReading>(of type: Object.Type) -> Bool {
    match(Object.readableTypesForItemProvider) != nil
  }

  /// Loads a value from the best suitable representation. Call it within `performDrop` only.
  ///
  /// - Parameters:
  ///   - type: the type of the value, such as `String.self`; its list of readable types determines which
  ///     representation is loaded.
  ///   - limit: the maximum size in bytes; more is an error.
  ///   - completion: called once, on the client's thread. The error is `noSuchType` if the item has no suitable
  ///     representation, and `local` if the bytes cannot be read.
  /// - Returns: the load, to observe or cancel it.
  @discardableResult
  public func loadObject<Object: ItemProviderReading>(
    of type: Object.Type, limit: Int = 1 << 28, completion: @escaping (Result<Object, LoadError>) -> Void
  ) -> Load {
    guard let match = match(Object.readableTypesForItemProvider) else {
      let load = Load(nil) { _ in completion(.failure(.noCommonType)) }
      load.refuse(.noCommonType)
      return load
    }
    return load(match, limit: limit, completion: completion)
  }

  /// A representation, and the type that a reader uses for it.
  struct Match {
    /// One of the item's types.
    var type: String
    /// The readable type.
    var readable: String
  }

  /// The best representation for the first of the readable types that the item has.
  func match(_ readable: [String]) -> Match? {
    for wanted in readable {
      guard let type = bestType(conformingTo: [wanted]) else { continue }
      return Match(type: type, readable: MediaType.isPattern(wanted) ? type : wanted)
    }
    return nil
  }

  func load<Object: ItemProviderReading>(
    _ match: Match, limit: Int, completion: @escaping (Result<Object, LoadError>) -> Void
  ) -> Load {
    let sink = ObjectSink<Object>(match.readable, limit: limit)
    return load(match.type, as: .data, into: sink) { completion($0.flatMap { _ in sink.result() }) }
  }
}

/// Collects the bytes, and makes a value of them on the load's thread.
private final class ObjectSink<Object: ItemProviderReading>: MemorySink {
  private let bytes: ByteSink
  private let type: String
  private var object: Object?

  init(_ type: String, limit: Int) { (self.type, bytes) = (type, ByteSink(limit: limit)) }

  /// Few bytes may make a large picture: never on the client's thread.
  var isMemory: Bool { false }
  func expect(_ count: Int) { bytes.expect(count) }
  func reserve(_ count: Int) throws { try bytes.reserve(count) }
  func append(_ new: UnsafeRawBufferPointer) throws { try bytes.append(new) }
  func fill(_ count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int? { nil }
  func abandon() { bytes.abandon() }

  func finish() throws {
    do { object = try Object(itemProviderData: bytes.removeAll(), type: type) } catch {
      throw LoadError(.local, "the data cannot be used as \(type): \(error)")
    }
  }

  func result() -> Result<Object, LoadError> {
    object.map { .success($0) } ?? .failure(LoadError(.local, "no value was made of the data"))
  }
}

extension LoadError {
  /// The lists of the item and of the reader have nothing in common.
  static var noCommonType: LoadError {
    LoadError(.noSuchType, "the item has no representation that this can be made of")
  }
}
