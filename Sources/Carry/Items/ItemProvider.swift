import CarryModel
import CarryWireClient

/// A promise of data in one or more types, fulfilled when a destination asks.
///
/// A source registers representations, best first. A destination finds one in each dragged item and loads from it.
/// Types are media types: `image/png`, `text/plain;charset=utf-8`, `application/vnd.example.drawing`.
public final class ItemProvider {
  /// What a source hands over when a destination asks.
  public enum Content: Sendable {
    /// Bytes.
    case data([UInt8])
    /// The path of an existing regular file or folder. A destination that wants bytes gets a folder as a zip archive.
    case file(path: String)
    /// A descriptor that is open for reading: of a regular file, or the reading end of a pipe. It still belongs to
    /// the source, which may close it as soon as it has answered.
    case descriptor(Int32)
  }

  /// What destinations may do with a file.
  public struct FileOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Options of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A destination may open the file itself, and change it, instead of a copy.
    public static let openInPlace = FileOptions(rawValue: 1)
  }

  enum Representation {
    case content(FileOptions, (ItemRequest) -> Void)
    case stream(@Sendable (StreamWriter) throws -> Void)
  }

  /// Who sees a representation: which programs find its type, and may load it.
  public enum Visibility: Sendable {
    /// Every application.
    case all
    /// Applications of this one's team. The system's manifests say which they are; see carry-policy(5).
    case team
    /// This process.
    case ownProcess
  }

  enum Side {
    case source([(type: String, visibility: Visibility, representation: Representation)])
    case destination(any ProviderOrigin, index: Int)
  }

  private(set) var side: Side
  /// In a source's provider: whose thread loads from it without a drop, since it is on a pasteboard; nil otherwise.
  weak var loadingClient: Client?
  /// How far the loads of a paste are.
  weak var loadingProgress: SessionProgress?
  /// The types that programs in a sandbox neither see nor load.
  package var typesOutsideSandboxes: Set<String> = []
  /// Whether it has bytes that are too many to be handed over in one piece of memory.
  private(set) var hasLargeData = false
  /// Called when a file that is asked for has gone, on the thread that the load came on.
  var onMissingFile: (() -> Void)?
  /// How many bytes the source's representations have, where it has said so.
  private(set) var byteCounts: [String: Int] = [:]
  /// Whether it was made of a file or folder that is there.
  private var isOfFile = false
  /// Whether a file or folder that is there is all that it has.
  var isJustAFile: Bool { isOfFile && publicTypes.count == 1 }
  /// Whether another program has named its file, whose file system may be made to wait.
  var isForeign = false
  /// How large the item would be shown, in pixels, so that a destination can make room before the data comes. Nil if
  /// the source does not say.
  public var preferredPresentationSize: (width: Int, height: Int)?
  /// The file name to use when the data is saved. In a destination it is always one harmless path component, without
  /// leading dots, or nil. What is saved of another type than its ending's gets the usual ending of that type: the PNG picture
  /// of `photo.jpg` is `photo.png`.
  public var suggestedName: String?
  /// In a destination: why the name that the source suggested is not used, as a clause; nil while all is well.
  public private(set) var suggestedNameProblem: String?

  /// In a destination: the source's name that is not used, made fit to be shown; nil while all is well.
  public private(set) var refusedName: String?

  /// A few bytes about the item that applications of the source's team may read while the drag is over them, before the
  /// drop: at most 8,192 bytes. More than that is left out, with a line on stderr.
  ///
  /// In a destination it is nil for applications of other teams, and until all of the bytes have come. They come before the
  /// destination is asked, unless it is slow to read.
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

  /// By what the application's file provider knows the item: a text of at most 1,024 bytes, such as a document's number.
  /// If the system's manifest of the application names a file provider, the provider is asked for all representations, and
  /// the drag survives the end of the application. The application is not asked then. Without such a manifest this says
  /// nothing. See ``FileProvider``. For a source; a longer text is left out, with a line on stderr.
  public var fileProviderReference: String? {
    didSet {
      guard let reference = fileProviderReference, reference.utf8.count > Limits.referenceBytes else { return }
      Warning.say(
        "a file provider's reference has at most \(Limits.referenceBytes) bytes, not \(reference.utf8.count): it is left out"
      )
      fileProviderReference = nil
    }
  }

  /// A provider without representations yet.
  public init() { side = .source([]) }

  /// A provider of text, as `text/plain;charset=utf-8`, `UTF-8` being what it is in memory too.
  public convenience init(text: String) {
    self.init()
    let bytes = Array(text.utf8)
    for type in ["text/plain;charset=utf-8", "text/plain"] { register(bytes, forType: type) }
  }

  /// A provider of bytes of one type.
  public convenience init(data: [UInt8], type: String) {
    self.init()
    register(data, forType: type)
  }

  /// The type that a file's name suggests, `inode/directory` of a folder, and `application/octet-stream` of a name that
  /// suggests none.
  public static func type(ofFileAt path: String) -> String { FileType.guess(path) }

  /// A provider of an existing file or folder, whose descriptor is handed over: nothing is copied here. Its name is
  /// suggested.
  ///
  /// - Parameters:
  ///   - path: of the file or folder.
  ///   - type: nil for the type that the name suggests; `inode/directory` of a folder.
  ///   - fileOptions: what destinations may do with the file.
  public convenience init(contentsOf path: String, type: String? = nil, fileOptions: FileOptions = []) {
    self.init()
    isOfFile = true
    suggestedName = path.split(separator: "/").last.map(String.init)
    registerFileRepresentation(forType: type ?? FileType.guess(path), fileOptions: fileOptions) { $0(.success(path)) }
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

  /// - Parameter isFile: whether the bytes are a file's, whose content its source may not know any better.
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

  /// Promises bytes. The handler is called on the client's thread once a destination asks; it may answer later, on the
  /// same thread. A type that is registered already is kept. Left out, with a line on stderr, are a type that is no
  /// media type, a type that stands for many as `image/*` does, and an item's 33rd type. A line on stderr also advises
  /// against types that say too little, such as `text/plain` without a charset; files may have them.
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

  /// Promises bytes that are there.
  package func register(_ bytes: [UInt8], forType type: String) {
    if bytes.count > Self.memoryLimit { hasLargeData = true }
    if case .source(let list) = side, !list.contains(where: { $0.type == type }) {
      setByteCount(bytes.count, forType: type)
    }
    registerDataRepresentation(forType: type) { $0(.success(bytes)) }
  }

  /// Promises an existing file or folder. The handler answers with its path; the descriptor goes to the destination, which
  /// can read a file even when it is removed meanwhile. A destination that wants bytes of a folder gets a zip archive.
  public func registerFileRepresentation(
    forType type: String, fileOptions: FileOptions = [], visibility: Visibility = .all,
    loadHandler: @escaping (_ completion: @escaping (Result<String, any Error>) -> Void) -> Void
  ) {
    let handler = { (request: ItemRequest) in loadHandler { request.answer($0.map { .file(path: $0) }) } }
    register(type, visibility, .content(fileOptions, handler), isFile: true)
  }

  /// Promises content whose kind is known only when a destination asks. The handler is called on the client's thread;
  /// it may answer later, on the same thread. Its first answer counts.
  public func registerRepresentation(
    forType type: String, visibility: Visibility = .all,
    loadHandler: @escaping (_ completion: @escaping (Result<Content, any Error>) -> Void) -> Void
  ) { registerRequests(forType: type, visibility: visibility) { request in loadHandler { request.answer($0) } } }

  /// Promises content that may take a while: the request tells the source when nobody waits any more, and the source
  /// can report on it that it is at work. The handler is called on the client's thread, and answers the request there,
  /// now or later.
  ///
  /// - Parameters:
  ///   - type: a media type.
  ///   - fileOptions: what destinations may do with a file that the source answers with.
  ///   - visibility: which applications see it.
  ///   - handler: answers the request.
  public func registerRequests(
    forType type: String, fileOptions: FileOptions = [], visibility: Visibility = .all,
    handler: @escaping (ItemRequest) -> Void
  ) { register(type, visibility, .content(fileOptions, handler)) }

  /// Promises bytes that are made while they are sent, however many. The writer runs on a thread of its own.
  ///
  /// When the writer throws, the load fails. If the error has a description (`CustomStringConvertible`), the destination
  /// sees it, so let it be a sentence for a person.
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

  /// Says who sees a representation that is registered already.
  package func setVisibility(_ visibility: Visibility, ofType type: String) -> Bool {
    guard case .source(var list) = side, let i = list.firstIndex(where: { $0.type == type }) else { return false }
    list[i].visibility = visibility
    side = .source(list)
    return true
  }

  /// Says how large a representation is, so that a destination can show a bar before the first byte comes. For a source,
  /// before the item is lifted. A stream that ends with fewer bytes has failed, unless its writer sets another `totalBytes`.
  public func setByteCount(_ count: Int, forType type: String) { byteCounts[type] = max(0, count) }

  // MARK: Both

  /// How many bytes a representation has, as the source says; nil where it does not. It may be wrong.
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

  /// Whether any representation is of a type or of a kind of it. `image/*` stands for every image.
  public func hasRepresentationConforming(to type: String) -> Bool { bestType(conformingTo: [type]) != nil }

  /// The best type for the first wanted type that the item has; nil when it has none of them. The wanted type itself
  /// comes before kinds of it. Take a message that comes as `message/rfc822` and as text: `text/plain` finds the text,
  /// and finds the message only if there is no text.
  ///
  /// - Parameter wanted: media types in the order of preference; parameters are ignored unless they are given.
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
