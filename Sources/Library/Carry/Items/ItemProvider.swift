import CarryModel
import CarryWireClient

/// A promise of data in one or more types, fulfilled when a destination requests it.
///
/// A source registers representations, best first. A destination finds a provider in each dragged item and loads from
/// it. Types are media types: `image/png`, `text/plain;charset=utf-8`, `application/vnd.example.drawing`.
public final class ItemProvider {
  /// The data that a source hands over when a destination requests it.
  public enum Content: Sendable {
    /// Bytes.
    case data([UInt8])
    /// The path of an existing regular file or folder. A destination that wants bytes receives a folder as a zip
    /// archive.
    case file(path: String)
    /// A descriptor open for reading: of a regular file, or the reading end of a pipe. The source keeps ownership,
    /// and may close it as soon as it has answered.
    case descriptor(Int32)
    /// Bytes that are generated while they are sent: the function writes them, on a thread of its own. An error that
    /// it throws makes the load fail.
    case stream(@Sendable (StreamWriter) throws -> Void)
  }

  /// What destinations may do with a file.
  public struct FileOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Options of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A destination may open and change the file itself, instead of a copy.
    public static let openInPlace = FileOptions(rawValue: 1)
  }

  enum Representation {
    /// Bytes that are there already.
    case bytes([UInt8])
    /// An existing file or folder.
    case file(FileOptions, path: String)
    case content(FileOptions, (ItemRequest) -> Void)
    case stream(@Sendable (StreamWriter) throws -> Void)
  }

  /// Which programs see the type of a representation, and may load it.
  public enum Visibility: Comparable, Sendable {
    /// Every application.
    case all
    /// Applications of the same team, as declared in the system's manifests; see carry-policy(5).
    case team
    /// This process.
    case ownProcess
  }

  enum Side {
    case source([(type: String, visibility: Visibility, representation: Representation)])
    case destination(any ProviderOrigin, index: Int)
  }

  private(set) var side: Side
  /// In a source's provider: the client whose thread loads from it without a drop while it is on a pasteboard; nil
  /// otherwise.
  weak var loadingClient: Client?
  /// The progress of the loads of a paste.
  weak var loadingProgress: SessionProgress?
  /// The types that sandboxed programs neither see nor load.
  package var typesOutsideSandboxes: Set<String> = []
  /// Called when a requested file no longer exists, on the thread of the load.
  package var onMissingFile: (() -> Void)?
  /// The sizes in bytes of the source's representations, as far as the source has declared them.
  private(set) var byteCounts: [String: Int] = [:]
  /// Whether it was created from an existing file or folder.
  private var isOfFile = false
  /// Whether an existing file or folder is its only representation.
  var isOnlyAFile: Bool { isOfFile && publicTypes.count == 1 }
  /// Whether another program has named its file, whose file system may block.
  var isForeign = false
  /// The size at which the item would be shown, in pixels, so that a destination can make room before the data
  /// arrives. Nil if the source does not say.
  public var preferredPresentationSize: (width: Int, height: Int)?
  /// The file name to use when the data is saved.
  ///
  /// In a destination it is always one safe path component without leading dots, or nil. Data saved in a type that
  /// does not match the name's extension gets the usual extension of that type: the PNG picture of `photo.jpg` is
  /// `photo.png`.
  public var suggestedName: String?
  /// In a destination: why the name that the source suggested is not used, as a clause; nil if it is used.
  public private(set) var suggestedNameProblem: String?

  /// In a destination: the rejected name, made safe to display; nil if no name was rejected.
  public private(set) var refusedName: String?

  /// A few bytes about the item that applications of the source's team may read while the drag is over them, before
  /// the drop: at most 8,192 bytes. Larger data is omitted, with a line on stderr.
  ///
  /// In a destination it is nil for applications of other teams, and until all of the bytes have arrived. They arrive
  /// before the destination's delegate is called, unless the destination is slow to read.
  public var teamData: [UInt8]? {
    get {
      guard case .destination(let origin, let index) = side else { return ownTeamData }
      return origin.description(ofItem: index).teamData
    }
    set {
      guard case .source = side else { return }
      guard (newValue?.count ?? 0) <= Limits.teamDataBytes else {
        return Warning.say(
          "an item's team data has at most \(Limits.teamDataBytes) bytes, not \(newValue?.count ?? 0): it is left out")
      }
      ownTeamData = newValue
    }
  }

  private var ownTeamData: [UInt8]?

  /// The application's identifier of the item for its file provider: a text of at most 1,024 bytes, such as a
  /// document's number.
  ///
  /// If the system's manifest of the application names a file provider, that provider is asked for all
  /// representations instead of the application, and the drag survives the end of the application. Without such a
  /// manifest the reference has no effect. See ``FileProvider``. For a source; a longer text is omitted, with a line
  /// on stderr.
  public var fileProviderReference: String? {
    didSet {
      guard let reference = fileProviderReference, reference.utf8.count > Limits.referenceBytes else { return }
      Warning.say(
        "a file provider's reference has at most \(Limits.referenceBytes) bytes, not \(reference.utf8.count): it is left out"
      )
      fileProviderReference = nil
    }
  }

  /// Creates a provider without representations.
  public init() { side = .source([]) }

  /// Creates a provider of text, as `text/plain;charset=utf-8` and `text/plain`, both in UTF-8.
  public convenience init(text: String) {
    self.init()
    let bytes = Array(text.utf8)
    for type in ["text/plain;charset=utf-8", "text/plain"] { register(bytes, forType: type) }
  }

  /// Creates a provider of bytes of one type, for the applications that `visibility` names.
  public convenience init(data: [UInt8], type: String, visibility: Visibility = .all) {
    self.init()
    register(data, forType: type, visibility)
  }

  /// Returns the type that a file's name suggests: `inode/directory` for a folder, and `application/octet-stream` if
  /// the name suggests none.
  public static func type(ofFileAt path: String) -> String { FileType.guess(path) }

  /// Creates a provider of an existing file or folder, which also suggests its name. Its descriptor is handed over:
  /// nothing is copied or read here. For a picture whose size is known, set ``preferredPresentationSize``.
  ///
  /// - Parameters:
  ///   - path: the path of the file or folder.
  ///   - type: nil for the type that the name suggests; `inode/directory` for a folder.
  ///   - fileOptions: what destinations may do with the file.
  ///   - visibility: which applications see it.
  public convenience init(
    contentsOf path: String, type: String? = nil, fileOptions: FileOptions = [], visibility: Visibility = .all
  ) {
    self.init()
    isOfFile = true
    suggestedName = path.split(separator: "/").last.map(String.init)
    register(type ?? FileType.guess(path), visibility, .file(fileOptions, path: path), isFile: true)
  }

  init(_ ready: ReadyItem) {
    side = .source([])
    suggestedName = ready.name
    isOfFile = ready.isOfFile
    for (type, content) in ready.representations {
      switch content {
      case .bytes(let bytes): register(bytes, forType: type)
      case .file(let path, let options): register(type, .all, .file(options, path: path), isFile: true)
      }
    }
  }

  /// What every application may see, if all of it is there already; nil if a handler has to be called for it.
  var ready: ReadyItem? {
    guard case .source(let list) = side, !isForeign else { return nil }
    var item = ReadyItem(name: suggestedName, representations: [], isOfFile: isOfFile)
    for entry in list where entry.visibility == .all {
      switch entry.representation {
      case .bytes(let bytes): item.representations.append((entry.type, .bytes(bytes)))
      case .file(let options, let path): item.representations.append((entry.type, .file(path: path, options)))
      case .content, .stream: return nil
      }
    }
    return item
  }

  init(from origin: any ProviderOrigin, index: Int) {
    side = .destination(origin, index: index)
    preferredPresentationSize = origin.description(ofItem: index).size.map { (Int($0.width), Int($0.height)) }
    let name = origin.description(ofItem: index).name
    guard !name.isEmpty else { return }
    do { suggestedName = try SafeText.fileName(name) } catch {
      suggestedNameProblem = error.sentence
      refusedName = SafeText.displayable(name, limit: Limits.nameBytes)
    }
  }

  // MARK: Source

  /// - Parameter isFile: whether the bytes come from a file, whose exact type the source may not know.
  private func register(
    _ type: String, _ visibility: Visibility, _ representation: Representation, isFile: Bool = false
  ) {
    guard case .source(var list) = side else {
      return Warning.say("\(type): a destination's item provider takes no representations; make one of your own")
    }
    guard SafeText.isMediaType(type) else {
      return Warning.say(
        "'\(type)' is no media type such as image/png, of \(Limits.typeBytes) bytes at most: the representation is left out"
      )
    }
    guard !MediaType.isPattern(type) else {
      return Warning.say(
        "'\(type)' stands for many types; promise one such as image/png: the representation is left out")
    }
    guard !list.contains(where: { $0.type == type }) else { return }
    guard list.count < Limits.typesPerItem else {
      return Warning.say("an item has at most \(Limits.typesPerItem) types: \(type) is left out")
    }
    if !isFile, let advice = AbstractTypes.advice(on: type, besides: list.map(\.type)) { Warning.say(advice) }
    list.append((type, visibility, representation))
    side = .source(list)
  }

  /// Promises bytes.
  ///
  /// The handler is called on the client's thread when a destination requests them; it may answer later, on the same
  /// thread. An existing registration of the type is kept. These types are omitted, with a line on stderr: an invalid
  /// media type, a pattern such as `image/*`, and an item's 33rd type. A line on stderr also advises against
  /// imprecise types, such as `text/plain` without a charset, unless the data comes from a file.
  ///
  /// - Parameters:
  ///   - type: a media type.
  ///   - visibility: which applications see it.
  ///   - loadHandler: answers with the bytes.
  public func registerDataRepresentation(
    forType type: String, visibility: Visibility = .all,
    loadHandler: @escaping (_ completion: @escaping (Result<[UInt8], any Error>) -> Void) -> Void
  ) {
    registerRepresentation(forType: type, visibility: visibility) { answer in
      loadHandler { answer($0.map { .data($0) }) }
    }
  }

  /// Promises bytes that are already available.
  package func register(_ bytes: [UInt8], forType type: String, _ visibility: Visibility = .all) {
    if case .source(let list) = side, !list.contains(where: { $0.type == type }) {
      setByteCount(bytes.count, forType: type)
    }
    register(type, visibility, .bytes(bytes))
  }

  /// Promises an existing file or folder.
  ///
  /// The handler answers with its path. The descriptor goes to the destination, which can read a file even if it is
  /// removed meanwhile. A destination that wants bytes receives a folder as a zip archive.
  public func registerFileRepresentation(
    forType type: String, fileOptions: FileOptions = [], visibility: Visibility = .all,
    loadHandler: @escaping (_ completion: @escaping (Result<String, any Error>) -> Void) -> Void
  ) {
    let handler = { (request: ItemRequest) in loadHandler { request.answer($0.map { .file(path: $0) }) } }
    register(type, visibility, .content(fileOptions, handler), isFile: true)
  }

  /// Promises content whose kind is known only when a destination requests it. The handler is called on the client's
  /// thread; it may answer later, on the same thread. Only its first answer counts.
  public func registerRepresentation(
    forType type: String, visibility: Visibility = .all,
    loadHandler: @escaping (_ completion: @escaping (Result<Content, any Error>) -> Void) -> Void
  ) { registerRequests(forType: type, visibility: visibility) { request in loadHandler { request.answer($0) } } }

  /// Promises content that may take a while: the request reports when the destination no longer waits, and the source
  /// can report on it that it is working. The handler is called on the client's thread, and answers the request
  /// there, now or later.
  ///
  /// - Parameters:
  ///   - type: a media type.
  ///   - fileOptions: what destinations may do with a file of the answer.
  ///   - visibility: which applications see it.
  ///   - handler: answers the request.
  public func registerRequests(
    forType type: String, fileOptions: FileOptions = [], visibility: Visibility = .all,
    handler: @escaping (ItemRequest) -> Void
  ) { register(type, visibility, .content(fileOptions, handler)) }

  /// Promises bytes, of any amount, that are generated while they are sent. The writer runs on a thread of its own.
  ///
  /// If the writer throws, the load fails. The destination sees the description of the error, if it has one
  /// (`CustomStringConvertible`): make it a sentence that people can read.
  public func registerStreamRepresentation(
    forType type: String, visibility: Visibility = .all, writer: @escaping @Sendable (StreamWriter) throws -> Void
  ) { register(type, visibility, .stream(writer)) }

  /// The types that the source promises, each with its visibility.
  var promises: [(type: String, visibility: CarryModel.Visibility)] {
    guard case .source(let list) = side else { return [] }
    return list.map { entry in
      let visibility: CarryModel.Visibility =
        switch entry.visibility {
        case .all: .all
        case .team: .team
        case .ownProcess: .ownProcess
        }
      let isHidden = visibility == .all && typesOutsideSandboxes.contains(entry.type)
      return (entry.type, isHidden ? .outsideSandboxes : visibility)
    }
  }

  /// Changes the visibility of a registered representation.
  package func setVisibility(_ visibility: Visibility, ofType type: String) -> Bool {
    guard case .source(var list) = side, let i = list.firstIndex(where: { $0.type == type }) else { return false }
    list[i].visibility = visibility
    side = .source(list)
    return true
  }

  /// Declares the size of a representation in bytes, so that a destination can show progress before the first byte
  /// arrives. For a source, before the item is lifted. A stream that ends with fewer bytes fails, unless its writer
  /// sets another `totalBytes`.
  public func setByteCount(_ count: Int, forType type: String) { byteCounts[type] = max(0, count) }

  // MARK: Both

  /// The size of a representation in bytes, as declared by the source; nil if undeclared. It may be wrong.
  public func byteCount(forType type: String) -> Int? {
    switch side {
    case .source: byteCounts[type]
    case .destination(let origin, let index):
      origin.description(ofItem: index).types.first { $0.name == type }?.byteCount.map { Int(clamping: $0) }
    }
  }

  /// The types of all representations, best first.
  public var registeredTypes: [String] {
    switch side {
    case .source(let list): list.map(\.type)
    case .destination(let origin, let index): origin.description(ofItem: index).types.map(\.name)
    }
  }

  /// The types that every application may see, best first.
  var publicTypes: [String] {
    guard case .source(let list) = side else { return registeredTypes }
    return list.filter { $0.visibility == .all }.map(\.type)
  }

  /// Whether any representation is of a type, or of a subtype of it. `image/*` matches every image.
  public func hasRepresentationConforming(to type: String) -> Bool { bestType(conformingTo: [type]) != nil }

  /// Returns the best available type for the first wanted type that the item has; nil if it has none of them.
  ///
  /// The wanted type itself takes precedence over its subtypes. For a message offered as `message/rfc822` and as
  /// text, `text/plain` finds the text, and finds the message only if there is no text.
  ///
  /// - Parameter wanted: media types in order of preference; parameters are ignored unless they are given.
  public func bestType(conformingTo wanted: [String]) -> String? {
    let all: [OfferedType]
    switch side {
    case .source(let list): all = list.map { OfferedType(name: $0.type, ancestors: TypeDatabase.of($0.type)) }
    case .destination(let origin, let index): all = origin.description(ofItem: index).types
    }
    for w in wanted {
      let match =
        all.first { MediaType.isJust($0.name, w) } ?? all.first { MediaType.conforms($0.name, $0.ancestors, to: w) }
      if let match { return match.name }
    }
    return nil
  }
}
