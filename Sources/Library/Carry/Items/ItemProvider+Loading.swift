import CarryModel
import CarrySystem
import CarryWireClient

/// The destination's side of a provider: loads, in the form that the destination wants. Loads begin within
/// `performDrop` only, and continue after it.
extension ItemProvider {
  /// Loads a representation into memory. A folder arrives as a zip archive, which is not unpacked.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - limit: the maximum size in bytes; more is an error. A source may promise any size.
  ///   - completion: called once, on the client's thread.
  /// - Returns: the load, to observe or cancel it.
  @discardableResult
  public func loadDataRepresentation(
    forType type: String, limit: Int = 1 << 30, completion: @escaping (Result<[UInt8], LoadError>) -> Void
  ) -> Load {
    loadDataRepresentation(forType: type, limit: limit, following: nil, completion: completion)
  }

  /// Loads a representation into memory, or into a follower that accepts the bytes as they arrive; the completion
  /// then receives none.
  ///
  /// - Parameter onFollowing: called on the client's thread when the follower begins to accept bytes.
  @discardableResult
  package func loadDataRepresentation(
    forType type: String, limit: Int, following follower: (any ByteStream)?, onFollowing: @escaping () -> Void = {},
    completion: @escaping (Result<[UInt8], LoadError>) -> Void
  ) -> Load {
    let sink = ByteSink(limit: limit, follower: follower, onFollowing: onFollowing)
    return load(type, as: .data, into: sink) { completion($0.map { _ in sink.removeAll() }) }
  }

  /// Loads a representation into a file that the caller has opened for writing, from its current offset.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - descriptor: open for writing; the caller keeps ownership.
  ///   - completion: called once, on the client's thread, with the number of bytes.
  /// - Returns: the load, to observe or cancel it.
  @discardableResult
  public func loadRepresentation(
    forType type: String, intoFile descriptor: Int32, completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    load(type, as: .data, into: FileSink(descriptor), completion: completion)
  }

  /// Loads a representation into memory that the caller owns and keeps valid until the completion.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - buffer: receives the bytes; more than fit are an error.
  ///   - completion: called once, on the client's thread, with the number of bytes.
  /// - Returns: the load, to observe or cancel it.
  @discardableResult
  public func loadRepresentation(
    forType type: String, into buffer: UnsafeMutableRawBufferPointer,
    completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    load(type, as: .data, into: BufferSink(buffer), completion: completion)
  }

  /// Loads a representation in parts of any size, as they arrive.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - part: called with each part, in order, on a thread of the load; the bytes are valid until it returns. An
  ///     error that it throws ends the load. A call in progress may continue briefly after the load is cancelled.
  ///   - completion: called once, on the client's thread, with the number of bytes.
  /// - Returns: the load, to observe or cancel it.
  @discardableResult
  public func loadRepresentation(
    forType type: String, inParts part: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void,
    completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    load(type, as: .data, into: PartSink(part), completion: completion)
  }

  /// Loads a representation as a temporary file or folder, which is deleted when the completion returns: move it to
  /// its final place before.
  ///
  /// It has the suggested name, if that is safe. If the file system supports it, no byte is copied.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - completion: called once, on the client's thread.
  /// - Returns: the load, to observe or cancel it.
  @discardableResult
  public func loadFileRepresentation(
    forType type: String, completion: @escaping (Result<LoadedFile, LoadError>) -> Void
  ) -> Load {
    let name = fileName(for: type)
    let sink = TemporarySink(as: name, archiveName: archiveName(name, for: type))
    return load(type, as: .copy, into: sink) { result in
      completion(result.flatMap { _ in sink.saved.map { .success($0) } ?? .failure(.nothingSaved) })
      sink.remove()
    }
  }

  /// Saves a representation in a directory, as a file or folder.
  ///
  /// It appears there when it is complete, under its name or the next free one such as `photo (2).png`: nothing is
  /// replaced. It has the permissions of the source's file as far as the umask allows, or those of a new file, and is not
  /// executable, unless attributes are kept.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - directory: the path of an existing directory.
  ///   - name: one path component; nil for the suggested name, or else a name derived from the type. A suggested name
  ///     that is not safe is an error. A program in a sandbox receives a folder as an archive; if the name is nil,
  ///     `.zip` is appended.
  ///   - keepsAttributes: whether a file or folder of the source keeps its time and its permissions.
  ///   - completion: called once, on the client's thread.
  /// - Returns: the load, to observe or cancel it.
  @discardableResult
  public func saveRepresentation(
    forType type: String, in directory: String, as name: String? = nil, keepsAttributes: Bool = false,
    completion: @escaping (Result<LoadedFile, LoadError>) -> Void
  ) -> Load {
    func refuse(_ why: String) -> Load {
      let load = Load(nil) { completion($0.flatMap { _ in .failure(.nothingSaved) }) }
      load.refuse(LoadError(.local, why))
      return load
    }
    let safe: String
    if let name {
      do { safe = try SafeText.fileName(name) } catch { return refuse("refused: \(error.sentence)") }
    } else {
      if let suggestedNameProblem { return refuse("refused: \(suggestedNameProblem)") }
      safe = fileName(for: type)
    }
    let archiveName = name == nil ? archiveName(safe, for: type) : nil
    let sink = SavingSink(as: safe, archiveName: archiveName, keepsAttributes: keepsAttributes) {
      try SaveFolder(directory)
    }
    return load(type, as: .copy, into: sink) { result in
      completion(result.flatMap { _ in sink.saved.map { .success($0) } ?? .failure(.nothingSaved) })
    }
  }

  /// Saves a representation as a file with exactly this name. Nothing is saved if the name is in use.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - folder: the path of a directory that is not inside a hidden one.
  ///   - name: one safe path component.
  ///   - completion: called once, on the client's thread.
  /// - Returns: the load, to observe or cancel it.
  package func saveRepresentation(
    forType type: String, in folder: String, exactlyAs name: String, completion: @escaping (LoadError?) -> Void
  ) -> Load {
    let sink = SavingSink(as: name, isExact: true) { try SaveFolder(notHidden: folder) }
    return load(type, as: .data, into: sink) { result in
      if case .failure(let error) = result { completion(error) } else { completion(nil) }
    }
  }

  /// Opens the source's own file if the source allows that; otherwise a copy of the data.
  ///
  /// - Parameters:
  ///   - type: one of `registeredTypes`.
  ///   - completion: called once, on the client's thread. The file stays open until the destination releases it.
  /// - Returns: the load, to observe or cancel it.
  @discardableResult
  public func loadInPlaceFileRepresentation(
    forType type: String, completion: @escaping (Result<OpenedFile, LoadError>) -> Void
  ) -> Load {
    loadInPlace(type, takesFolders: false, completion: completion)
  }

  /// - Parameters:
  ///   - takesFolders: whether a folder arrives as a copy, for an application that is given the path.
  ///   - drop: where the copies of the drop are; nil for a folder of its own.
  func loadInPlace(
    _ type: String, takesFolders: Bool, in drop: DropFolder? = nil,
    completion: @escaping (Result<OpenedFile, LoadError>) -> Void
  ) -> Load {
    let sink = OpeningSink(as: fileName(for: type), takesFolders: takesFolders, in: drop)
    return load(type, as: .original, into: sink) { result in
      completion(
        result.flatMap { _ in
          do throws(LoadError) { return .success(try sink.open()) } catch { return .failure(error) }
        })
    }
  }

  /// A moved file keeps its name: it is the same file. A type other than its first is another file.
  private func fileName(for type: String) -> String {
    if let suggestedName, case .destination(let origin, _) = side, origin.isMove, type == registeredTypes.first {
      return suggestedName
    }
    return SuggestedFileName.of(suggestedName, for: type)
  }

  /// A program in a sandbox receives a folder as a zip archive, and other programs need to see that.
  private func archiveName(_ name: String, for type: String) -> String? {
    type == FileType.folder ? SuggestedFileName.ofArchive(name) : nil
  }

  func load(
    _ type: String, as form: LoadForm, into sink: any Sink, completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    guard case .destination(let origin, let index) = side else {
      return loadFromItself(type, as: form, into: sink, completion)
    }
    let load = Load(origin.client.transfers, totalBytes: byteCount(forType: type), completion: completion)
    // Refused here at once. The engine refuses too, for clients that ask it directly.
    guard origin.mayLoad, let wire = origin.makeLoad(ofItem: index, type: type, as: form) else {
      load.refuse(
        LoadError(.outsidePerformDrop, "data can only be requested while a drop is being performed"))
      return load
    }
    load.isMove = origin.isMove
    (sink as? any FileReceivingSink)?.isMove = origin.isMove
    origin.progress.add(load)
    load.start(wire, into: sink)
    return load
  }

  /// Loads from a provider of this program, or of the clipboard, without the engine.
  private func loadFromItself(
    _ type: String, as form: LoadForm, into sink: any Sink, _ completion: @escaping (Result<Int, LoadError>) -> Void
  ) -> Load {
    guard let client = loadingClient, !client.isClosed else {
      let load = Load(nil, completion: completion)
      load.refuse(
        LoadError(.noSuchType, "a source's own provider can be loaded from only while it is on a pasteboard"))
      return load
    }
    let load = Load(
      client.transfers, totalBytes: byteCount(forType: type), isWithoutEngine: true, completion: completion)
    loadingProgress?.add(load)
    let (wire, provision) = WireLoad.local()
    load.start(wire, into: sink)
    provide(type, by: Provision(provision, as: form, client, nil))
    return load
  }
}
