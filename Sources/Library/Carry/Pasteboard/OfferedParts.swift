import CarryModel
import CarrySystem
import CarryXdnd

/// The representations of some items in the form that other programs want: bytes, or files. Each is produced once for
/// all requests, a few at a time, and the others wait for their turn.
final class OfferedParts {
  typealias Part = XdndOffer.Part

  /// The completions waiting for each part.
  private struct Line<Made> {
    private var waiting: [Part: [(Made?) -> Void]] = [:]
    /// The parts to be produced later.
    private var later: [Part] = []
    var underWay: Int { waiting.count - later.count }

    func contains(_ part: Part) -> Bool { waiting[part] != nil }

    mutating func append(_ part: Part, _ completion: @escaping (Made?) -> Void) {
      if !contains(part) { later.append(part) }
      waiting[part, default: []].append(completion)
    }

    /// Marks the part as being produced, without a waiting completion.
    mutating func begin(_ part: Part) { waiting[part] = [] }

    /// Removes the part whose turn it is.
    mutating func popFirst() -> Part? { later.isEmpty ? nil : later.removeFirst() }

    mutating func end(_ part: Part) -> [(Made?) -> Void] { waiting.removeValue(forKey: part) ?? [] }

    mutating func removeAll() -> [(Made?) -> Void] {
      defer { (waiting, later) = ([:], []) }
      return Array(waiting.values.joined())
    }
  }

  /// The items, numbered as in the offer.
  var items: [DragItem]
  /// Called when a part is available.
  var onWork: () -> Void = {}
  /// Called when more of a part has arrived.
  var onProgress: () -> Void = {}
  private var hasEnded = false

  private var bytes = Line<[UInt8]>()
  /// The loaded parts: toolkits request the same one several times.
  private var loaded: [Part: [UInt8]] = [:]
  private var keptBytes = 0
  /// The parts that are forwarded as they arrive, or were.
  private var handedOn: Set<Part> = []
  /// The number of parts being forwarded.
  private var goingOn = 0
  private var openings = Line<OpenedFile>()
  private let folder = DropFolder()
  /// Files created for others, which read them later.
  private var opened: [Part: OpenedFile] = [:]
  var files: [OpenedFile] { Array(opened.values) }
  private var loads: [ObjectIdentifier: Load] = [:]

  init(_ items: [DragItem]) { self.items = items }

  /// Some programs wait forever for each answer: pending requests are answered without data.
  func end() {
    hasEnded = true
    loaded = [:]
    let unanswered = (bytes.removeAll(), openings.removeAll())
    for completion in unanswered.0 { completion(nil) }
    for completion in unanswered.1 { completion(nil) }
    for load in loads.values { load.cancel() }
  }

  /// Reserves memory for more bytes; false if they must not be kept.
  func takesRoom(_ count: Int) -> Bool {
    guard !hasEnded, keptBytes + count <= Limits.offeredBytesKept else { return false }
    keptBytes += count
    return true
  }

  /// Loads a representation's bytes.
  ///
  /// - Parameter completion: called once, now or later; nil if there are none.
  func load(_ part: Part, _ completion: @escaping ([UInt8]?) -> Void) {
    if let bytes = loaded[part] { return completion(bytes) }
    guard !hasEnded else { return completion(nil) }
    bytes.append(part, completion)
    beginNext()
  }

  /// Creates a file: the source's own if it may be opened in place, or a copy. A folder is copied.
  ///
  /// - Parameter completion: called once, now or later; nil if there is none.
  func openFile(_ part: Part, _ completion: @escaping (OpenedFile?) -> Void) {
    if let file = opened[part] { return completion(file) }
    guard !hasEnded else { return completion(nil) }
    openings.append(part, completion)
    beginNext()
  }

  private func beginNext() {
    while bytes.underWay + goingOn < Limits.offeredLoads, let part = bytes.popFirst() {
      keep(
        items[part.item].itemProvider.loadDataRepresentation(forType: part.type, limit: Limits.offeredBytes) {
          [weak self] in self?.has(part, $0)
        })
    }
    while openings.underWay < Limits.offeredLoads, let part = openings.popFirst() {
      keep(
        items[part.item].itemProvider.loadInPlace(part.type, takesFolders: true, in: folder) { [weak self] in
          self?.has(part, $0)
        })
    }
  }

  /// Whether a representation's bytes can be forwarded as they arrive.
  func goesOn(_ part: Part) -> Bool {
    loaded[part] == nil && !bytes.contains(part) && bytes.underWay + goingOn < Limits.offeredLoads
      && !handedOn.contains(part)
  }

  /// Forwards the data as it arrives, if its source declares the size. None of it is kept, so it is loaded once more
  /// for further requests, and then kept.
  func handOn(
    _ part: Part, by follower: any ByteStream, _ completion: @escaping (OfferedAnswer?) -> Void
  ) {
    handedOn.insert(part)
    bytes.begin(part)
    var goesOn = false
    let load = items[part.item].itemProvider.loadDataRepresentation(
      forType: part.type, limit: Limits.offeredBytes, following: follower
    ) { [weak self] in
      goesOn = true
      guard let self else { return }
      // The receiver may be slow, and may disappear. The load of the other requests replaces this one.
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
        self?.log(error, "data", of: part)
        completion(nil)
      }
    }
    keep(load)
  }

  /// Retains the load until it has ended, or the drop has.
  private func keep(_ load: Load) {
    guard !load.isFinished else { return }
    loads[ObjectIdentifier(load)] = load
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
    case .success(let file): opened[part] = file
    case .failure(let error): log(error, "file", of: part)
    }
    for completion in openings.end(part) { completion(opened[part]) }
    beginNext()
  }

  private func log(_ error: LoadError, _ what: String, of part: Part) {
    // Otherwise the data is no longer wanted.
    if !hasEnded { Log.info("the \(what) for another program, \(SafeText.displayable(part.type)): \(error)") }
  }
}
