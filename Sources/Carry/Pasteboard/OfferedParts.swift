import CarryModel
import CarrySystem
import CarryXdnd

/// The representations of some items as other programs want them: bytes, or files. Each is made once for all who wait for it, a
/// few at a time, and the others wait for their turn.
final class OfferedParts {
  typealias Part = XdndOffer.Part

  /// Who waits for which parts.
  private struct Line<Made> {
    private var waiting: [Part: [(Made?) -> Void]] = [:]
    /// Those that are to be made later.
    private var later: [Part] = []
    var underWay: Int { waiting.count - later.count }

    func contains(_ part: Part) -> Bool { waiting[part] != nil }

    mutating func append(_ part: Part, _ completion: @escaping (Made?) -> Void) {
      if !contains(part) { later.append(part) }
      waiting[part, default: []].append(completion)
    }

    /// The part is being made, and nobody waits for it here.
    mutating func begin(_ part: Part) { waiting[part] = [] }

    /// The part whose turn it is.
    mutating func popFirst() -> Part? { later.isEmpty ? nil : later.removeFirst() }

    mutating func end(_ part: Part) -> [(Made?) -> Void] { waiting.removeValue(forKey: part) ?? [] }

    mutating func removeAll() -> [(Made?) -> Void] {
      defer { (waiting, later) = ([:], []) }
      return Array(waiting.values.joined())
    }
  }

  private struct Loading {
    let load: Load
    let follower: (any DataFollower)?
  }

  /// In the numbers of the offer.
  var items: [DragItem]
  /// Called when something has come.
  var onWork: () -> Void = {}
  /// Called when more of something has come.
  var onProgress: () -> Void = {}
  /// Files that were made, which others read later.
  private(set) var files: [OpenedFile] = []
  private var hasEnded = false

  private var bytes = Line<[UInt8]>()
  /// What has been loaded: toolkits ask for the same several times.
  private var loaded: [Part: [UInt8]] = [:]
  private var keptBytes = 0
  /// What has gone on while it came, or was to.
  private var handedOn: Set<Part> = []
  /// How much of it goes on right now.
  private var goingOn = 0
  private var paths = Line<String>()
  /// Of the files that were made.
  private var made: [Part: String] = [:]
  private var loads: [ObjectIdentifier: Loading] = [:]

  /// What is larger goes as a file only.
  static let mostBytes = 128 << 20
  /// So many representations are loaded at a time, and so many files are made: each may be a copy, or keep a thread waiting.
  private static let most = 8
  /// What is kept for further requests.
  private static let mostKept = 64 << 20

  init(_ items: [DragItem]) { self.items = items }

  /// Some programs wait for each answer for ever: who still waits gets none.
  func end() {
    hasEnded = true
    loaded = [:]
    let unanswered = (bytes.removeAll(), paths.removeAll())
    for completion in unanswered.0 { completion(nil) }
    for completion in unanswered.1 { completion(nil) }
    // What the target has been told of it may have taken, and its source is to hear so.
    for one in loads.values where one.follower?.isTold != true { one.load.cancel() }
  }

  /// Whether so many bytes more may be kept, which are counted then.
  func takesRoom(_ count: Int) -> Bool {
    guard !hasEnded, keptBytes + count <= Self.mostKept else { return false }
    keptBytes += count
    return true
  }

  /// Loads a representation's bytes.
  ///
  /// - Parameter completion: called once, now or later; nil where there are none.
  func load(_ part: Part, _ completion: @escaping ([UInt8]?) -> Void) {
    if let bytes = loaded[part] { return completion(bytes) }
    guard !hasEnded else { return completion(nil) }
    bytes.append(part, completion)
    beginNext()
  }

  /// Makes a file: the source's own where it may be opened in place, or a copy. A folder is copied.
  ///
  /// - Parameter completion: called once, now or later, with the file's path; nil where there is none.
  func makeFile(_ part: Part, _ completion: @escaping (String?) -> Void) {
    if let path = made[part] { return completion(path) }
    guard !hasEnded else { return completion(nil) }
    paths.append(part, completion)
    beginNext()
  }

  private func beginNext() {
    while bytes.underWay + goingOn < Self.most, let part = bytes.popFirst() {
      keep(
        items[part.item].itemProvider.loadDataRepresentation(forType: part.type, limit: Self.mostBytes) {
          [weak self] in self?.has(part, $0)
        })
    }
    while paths.underWay < Self.most, let part = paths.popFirst() {
      keep(
        items[part.item].itemProvider.loadInPlace(part.type, takesFolders: true) { [weak self] in self?.has(part, $0) })
    }
  }

  /// Whether a representation's bytes can go on as they come.
  func goesOn(_ part: Part) -> Bool {
    loaded[part] == nil && !bytes.contains(part) && bytes.underWay + goingOn < Self.most && !handedOn.contains(part)
  }

  /// Has the data go on as it comes, where its source says how much it is. Nothing of it is kept, so it is loaded once more for
  /// whoever else asks, and kept then.
  func handOn(
    _ part: Part, by follower: any DataFollower, _ completion: @escaping (OfferedAnswer?) -> Void
  ) {
    handedOn.insert(part)
    bytes.begin(part)
    var goesOn = false
    let load = items[part.item].itemProvider.loadDataRepresentation(
      forType: part.type, limit: Self.mostBytes, following: follower
    ) { [weak self] in
      goesOn = true
      guard let self else { return }
      // Whoever takes it may be slow, and may go. The others' load takes the place that this one had.
      for other in bytes.end(part) { self.load(part, other) }
      goingOn += 1
    } completion: { [weak self] result in
      guard goesOn else {
        self?.has(part, result)
        return completion((try? result.get()).map { .bytes($0) })
      }
      self?.goingOn -= 1
      self?.beginNext()
      switch result {
      case .success: completion(follower.count.map { .handedOn($0) })
      case .failure(let error):
        if let self, follower.hasFailed, !hasEnded { return self.load(part) { completion($0.map { .bytes($0) }) } }
        self?.log(error, "data", of: part)
        completion(nil)
      }
    }
    keep(load, follower)
  }

  /// Until it has ended, or the drop has.
  private func keep(_ load: Load, _ follower: (any DataFollower)? = nil) {
    guard !load.isFinished else { return }
    loads[ObjectIdentifier(load)] = Loading(load: load, follower: follower)
    load.onProgress = { [weak self] load in
      if load.isFinished { self?.loads[ObjectIdentifier(load)] = nil } else { self?.onProgress() }
    }
  }

  private func has(_ part: Part, _ result: Result<[UInt8], LoadError>) {
    onWork()
    switch result {
    case .success(let bytes): if loaded[part] == nil, takesRoom(bytes.count) { loaded[part] = bytes }
    case .failure(let error): log(error, "data", of: part)
    }
    for completion in bytes.end(part) { completion(try? result.get()) }
    beginNext()
  }

  private func has(_ part: Part, _ result: Result<OpenedFile, LoadError>) {
    onWork()
    switch result {
    case .success(let file):
      files.append(file)
      made[part] = file.path
    case .failure(let error): log(error, "file", of: part)
    }
    for completion in paths.end(part) { completion(made[part]) }
    beginNext()
  }

  private func log(_ error: LoadError, _ what: String, of part: Part) {
    // Else nobody waits for it any more.
    if !hasEnded { Log.info("the \(what) for another program, \(SafeText.displayable(part.type)): \(error)") }
  }
}
