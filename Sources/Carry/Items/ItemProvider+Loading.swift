import CarryModel
import CarrySystem
import CarryWireClient

/// The destination's side of a provider: loads, each in the form that the destination wants. They begin within
/// `performDrop` only, and go on after it.
extension ItemProvider {
  /// Loads a representation into memory. A folder comes as a zip archive, which nobody unpacks.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - limit: bytes; more is an error. A source may promise anything.
  ///   - completion: called once, on the client's thread.
  /// - Returns: the load, to watch or cancel.
  @discardableResult
  public func loadDataRepresentation(
    forType type: String, limit: Int = 1 << 30, completion: @escaping (Result<[UInt8], LoadError>) -> Void
  ) -> Load {
    loadDataRepresentation(forType: type, limit: limit, following: nil, completion: completion)
  }

  /// The same; somebody else may take the bytes as they come, and the completion gets none then.
  ///
  /// - Parameter onFollowing: called on the client's thread when the follower begins to take them.
  @discardableResult
  package func loadDataRepresentation(
    forType type: String, limit: Int, following follower: (any DataFollower)?, onFollowing: @escaping () -> Void = {},
    completion: @escaping (Result<[UInt8], LoadError>) -> Void
  ) -> Load {
    let sink = ByteSink(limit: limit, follower: follower, onFollowing: onFollowing)
    return load(type, as: .data, into: sink) { completion($0.map { _ in sink.take() }) }
  }

  /// Loads a representation into a file that the caller has opened for writing, from its present offset.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - descriptor: open for writing; it still belongs to the caller.
  ///   - completion: called once, on the client's thread, with the number of bytes.
  /// - Returns: the load, to watch or cancel.
  @discardableResult
  public func loadRepresentation(
    forType type: String, intoFile descriptor: Int32, completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    load(type, as: .data, into: FileSink(descriptor), completion: completion)
  }

  /// Loads a representation into memory that the caller owns until the completion.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - buffer: where the bytes go; more than it holds is an error.
  ///   - completion: called once, on the client's thread, with the number of bytes.
  /// - Returns: the load, to watch or cancel.
  @discardableResult
  public func loadRepresentation(
    forType type: String, into buffer: UnsafeMutableRawBufferPointer,
    completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    load(type, as: .data, into: BufferSink(buffer), completion: completion)
  }

  /// Loads a representation in parts as they come, of whatever size.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - part: called with each part, in order, on a thread of the load's; the bytes are valid until it returns. What it
  ///     throws ends the load. After a cancel a call that is under way may still go on for a moment.
  ///   - completion: called once, on the client's thread, with the number of bytes.
  /// - Returns: the load, to watch or cancel.
  @discardableResult
  public func loadRepresentation(
    forType type: String, inParts part: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void,
    completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    load(type, as: .data, into: PartSink(part), completion: completion)
  }

  /// Loads a representation as a file or folder of the destination's own, which is there until the completion returns:
  /// move it to where it is to stay.
  ///
  /// It has the suggested name, if that is safe. Where the file system can, no byte is copied.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - completion: called once, on the client's thread.
  /// - Returns: the load, to watch or cancel.
  @discardableResult
  public func loadFileRepresentation(
    forType type: String, completion: @escaping (Result<LoadedFile, LoadError>) -> Void
  ) -> Load {
    let sink = TemporarySink(as: fileName(for: type))
    return load(type, as: .copy, into: sink) { result in
      completion(result.flatMap { _ in sink.saved.map { .success($0) } ?? .failure(.nothingSaved) })
      sink.remove()
    }
  }

  /// Saves a representation in a directory, as a file or folder. It appears there when it is complete, under its name or
  /// the next free one such as `photo (2).png`: nothing is replaced. Only the user may read it, and it is not executable, unless
  /// attributes are kept.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - directory: the path of a directory that exists.
  ///   - name: one path component; nil for the suggested name, or one by the type. A suggested name that is not safe is an
  ///     error.
  ///   - keepsAttributes: whether a file or folder of the source's keeps its time and its permissions.
  ///   - completion: called once, on the client's thread.
  /// - Returns: the load, to watch or cancel.
  @discardableResult
  public func saveRepresentation(
    forType type: String, in directory: String, as name: String? = nil, keepsAttributes: Bool = false,
    completion: @escaping (Result<LoadedFile, LoadError>) -> Void
  ) -> Load {
    func refuse(_ why: String) -> Load {
      let load = Load(nil) { completion($0.flatMap { _ in .failure(.nothingSaved) }) }
      load.finish(.failure(LoadError(.local, why)))
      return load
    }
    let safe: String
    if let name {
      do { safe = try SafeText.fileName(name) } catch { return refuse("refused: \(error.sentence)") }
    } else {
      if let suggestedNameProblem { return refuse("refused: \(suggestedNameProblem)") }
      safe = fileName(for: type)
    }
    let sink = SavingSink(as: safe, keepsAttributes: keepsAttributes) { try SaveFolder(directory) }
    return load(type, as: .copy, into: sink) { result in
      completion(result.flatMap { _ in sink.saved.map { .success($0) } ?? .failure(.nothingSaved) })
    }
  }

  /// Saves a representation as a file under just this name. Nothing is saved where something has the name already.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - folder: the path of a directory, which is not in a hidden one.
  ///   - name: one safe path component.
  ///   - completion: called once, on the client's thread.
  /// - Returns: the load, to watch or cancel.
  package func saveRepresentation(
    forType type: String, in folder: String, exactlyAs name: String, completion: @escaping (LoadError?) -> Void
  ) -> Load {
    let sink = SavingSink(as: name, isExact: true) { try SaveFolder(notHidden: folder) }
    return load(type, as: .data, into: sink) { result in
      if case .failure(let error) = result { completion(error) } else { completion(nil) }
    }
  }

  /// Opens the source's own file, where the source allows that; otherwise a copy of what it provides.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - completion: called once, on the client's thread. The file is open until the destination lets go of it.
  /// - Returns: the load, to watch or cancel.
  @discardableResult
  public func loadInPlaceFileRepresentation(
    forType type: String, completion: @escaping (Result<OpenedFile, LoadError>) -> Void
  ) -> Load {
    loadInPlace(type, takesFolders: false, completion: completion)
  }

  /// - Parameter takesFolders: whether a folder comes as a copy: for an application that is told the place.
  func loadInPlace(
    _ type: String, takesFolders: Bool, completion: @escaping (Result<OpenedFile, LoadError>) -> Void
  ) -> Load {
    let sink = OpeningSink(as: fileName(for: type), takesFolders: takesFolders)
    return load(type, as: .original, into: sink) { result in
      completion(
        result.flatMap { _ in
          do throws(LoadError) { return .success(try sink.open()) } catch { return .failure(error) }
        })
    }
  }

  /// What is moved keeps its name: it stays the same file. Of other types than its first it is another one.
  private func fileName(for type: String) -> String {
    if let suggestedName, case .destination(let origin, _) = side, origin.isMove, type == registeredTypes.first {
      return suggestedName
    }
    return SuggestedFileName.of(suggestedName, for: type)
  }

  private func load(
    _ type: String, as form: LoadForm, into sink: any Sink, completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    guard case .destination(let origin, let index) = side else {
      return loadFromItself(type, as: form, into: sink, completion)
    }
    let leftBehind = origin.progress.leftBehind(ofOwner: origin.description(ofItem: index).owner)
    let load = Load(origin.client.transfers, leftBehind: leftBehind, completion: completion)
    // X2: refused here at once. The engine refuses too, for clients that ask it directly.
    guard origin.mayLoad, let wire = origin.makeLoad(ofItem: index, type: type, as: form) else {
      load.finish(
        .failure(LoadError(.outsidePerformDrop, "data can only be requested while a drop is being performed")))
      return load
    }
    load.announce(byteCount(forType: type))
    load.isMove = origin.isMove
    if origin.isMove { sink.expectMove() }
    origin.progress.add(load)
    load.start(wire, into: sink)
    return load
  }

  /// Loads from the provider of this program's own, or of the clipboard's, without the engine.
  private func loadFromItself(
    _ type: String, as form: LoadForm, into sink: any Sink, _ completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    guard let client = loadingClient, !client.isClosed else {
      let load = Load(nil, completion: completion)
      load.finish(
        .failure(LoadError(.noSuchType, "a source's own provider can be loaded from only while it is on a pasteboard")))
      return load
    }
    let load = Load(client.transfers, completion: completion)
    load.announce(byteCount(forType: type))
    loadingProgress?.add(load)
    let (wire, provision) = WireLoad.local()
    load.start(wire, into: sink, isWithoutEngine: true)
    provide(type, as: form, to: provision, client: client, streams: nil)
    return load
  }
}
