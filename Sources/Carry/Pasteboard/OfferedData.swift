import CarryModel
import CarrySystem
package import CarryXdnd

/// What other programs get of a type.
package enum OfferedAnswer {
  case bytes([UInt8])
  /// So many bytes have gone on already.
  case handedOn(Int)
}

/// What other programs may convert of some items: placeholders while a drag hovers, and the data of a drop or of the
/// clipboard.
package final class OfferedData {
  package private(set) var offer: XdndOffer
  /// The items in the numbers of the offer.
  private var items: [DragItem]
  /// Whether the target has asked for any data.
  package private(set) var hasServed = false
  /// How many answers are on their way.
  private var conversions = 0
  /// Whether data was asked for that has not come.
  package var isAwaited: Bool { conversions > 0 }
  /// Called when data was asked for, and when it has come.
  package var onWork: (() -> Void)?
  /// Called when more of it has come.
  package var onProgress: (() -> Void)?
  private var hasEnded = false
  /// What has been loaded: toolkits ask for the same several times.
  private var loaded: [XdndOffer.Part: [UInt8]] = [:]
  private var loadedBytes = 0
  /// What has gone on while it came, or was to.
  private var handedOn: Set<XdndOffer.Part> = []
  /// How much of it goes on right now.
  private var goingOn = 0
  /// What was made of it, by type.
  private var converted: [String: [UInt8]] = [:]
  /// How many bytes the target has been given.
  private var givenBytes = 0
  /// Files that were made for the target, which reads them later.
  package private(set) var files: [OpenedFile] = []
  private var paths: [XdndOffer.Part: String] = [:]
  /// Who waits for a file that is being made. A target may ask a hundred times at once, and each file may be a copy.
  private var waitingForFiles: [XdndOffer.Part: [(String?) -> Void]] = [:]
  /// The files that are made later, when some of those that are being made are there.
  private var laterFiles: [XdndOffer.Part] = []
  private var filesUnderWay = 0
  /// Who waits for a part that is being loaded, or is to be.
  private var waiting: [XdndOffer.Part: [([UInt8]?) -> Void]] = [:]
  /// The parts that are loaded later, when some of those that are being loaded are there.
  private var laterParts: [XdndOffer.Part] = []
  private var isBeginning = false
  private var underWay: Int { waiting.count - laterParts.count + goingOn }
  private struct Loading {
    let load: Load
    let follower: (any DataFollower)?
  }

  private var loads: [ObjectIdentifier: Loading] = [:]
  /// Who waits for a PNG file that is being made, each in a process.
  private var waitingForPictures: [XdndOffer.Part: [([UInt8]?) -> Void]] = [:]
  /// Makes pictures aside; nil where none are made.
  private let pictures: Client?
  /// How many requests have been answered, or are being answered.
  private var requests = 0

  /// Saves the item where the target says; nil where the target cannot have that.
  private var saving: DirectSaving?
  private let savesDirectly: Bool

  /// Hands files to a target in a sandbox; nil for other targets.
  private let portal: FileTransferPortal?
  private var transfers = 0

  /// How many transfers of files a target may have: each key is valid once.
  private static let mostTransfers = 16
  /// What is larger goes as a file only.
  private static let mostBytes = 128 << 20
  /// How many representations are being loaded at a time; the others wait for their turn.
  private static let mostLoads = 8
  /// Lists of addresses are taken apart, and take many times as much then.
  private static let mostAddresses = 16 << 20
  /// What is kept for further requests.
  private static let mostKept = 64 << 20
  /// A target that asks more often, or is given more bytes, is not served any more.
  private let mostRequests: Int
  private var mostGiven: Int { mostRequests == .max ? .max : 4 << 30 }

  /// - Parameters:
  ///   - mostRequests: how often the data may be asked for; nil for any number.
  ///   - portal: what hands files to a target in a sandbox; nil for other targets.
  ///   - savesDirectly: whether a file is saved where the target says: for one that could open and make files by itself.
  ///   - pictures: on whose behalf PNG files are made of other pictures, by processes of this very program; nil to make none.
  package init(
    _ items: [DragItem], mostRequests: Int? = 1024, portal: FileTransferPortal? = nil, savesDirectly: Bool = false,
    pictures: Client? = nil
  ) {
    (self.portal, self.savesDirectly, self.pictures) = (portal, savesDirectly, pictures)
    self.mostRequests = mostRequests ?? .max
    self.items = items
    offer = XdndOffer([])
    describe()
  }

  private func describe() {
    let described = items.map {
      XdndOffer.Item(name: $0.itemProvider.suggestedName ?? "", types: $0.itemProvider.publicTypes)
    }
    // To find out whether pictures can be decoded loads a library.
    let makesPNG = pictures != nil && described.contains { $0.picture != nil } && PictureConversion.isThere
    offer = XdndOffer(described, usesPortal: portal != nil, savesDirectly: savesDirectly, makesPNG: makesPNG)
    saving = offer.savedPart.map { DirectSaving(items[$0.item].itemProvider, $0.type) }
  }

  /// Items were added, before anything was converted.
  ///
  /// - Returns: whether they are new.
  package func take(_ all: [DragItem]) -> Bool {
    guard all.count != items.count else { return false }
    items = all
    describe()
    return true
  }

  /// The drop is over. Some programs wait for each answer for ever: who still waits gets none.
  package func end() {
    hasEnded = true
    let unanswered = (
      (Array(waiting.values) + Array(waitingForPictures.values)).flatMap { $0 }, waitingForFiles.values.flatMap { $0 }
    )
    (loaded, converted, waiting, waitingForFiles, waitingForPictures) = ([:], [:], [:], [:], [:])
    laterParts = []
    saving?.end()
    for completion in unanswered.0 { completion(nil) }
    for completion in unanswered.1 { completion(nil) }
    // What the target has been told of it may have taken, and its source is to hear so.
    for one in loads.values where one.follower?.isTold != true { one.load.cancel() }
  }

  /// What the target gets of a type while the drag hovers; nil where there is no such type, or nothing is to be had.
  ///
  /// Any number of times: nothing is loaded for it, and any program can ask in the target's name.
  package func placeholder(_ type: String) -> [UInt8]? { offer.placeholder(for: type) }

  /// Makes the data of a type.
  ///
  /// - Parameter completion: called once, now or later; nil where there is no such data.
  package func convert(_ type: String, completion: @escaping ([UInt8]?) -> Void) {
    convert(type, following: nil) { if case .bytes(let bytes)? = $0 { completion(bytes) } else { completion(nil) } }
  }

  /// The same; `follower` may hand the data on as it comes.
  package func convert(
    _ type: String, following follower: (any DataFollower)?, completion: @escaping (OfferedAnswer?) -> Void
  ) {
    requests += 1
    guard requests <= mostRequests, givenBytes < mostGiven, let recipe = offer.recipe(for: type)
    else { return completion(nil) }
    hasServed = true
    if let bytes = converted[type] {
      onWork?()
      givenBytes += bytes.count
      return completion(.bytes(bytes))
    }
    conversions += 1
    onWork?()
    let done = { [weak self] (answer: OfferedAnswer?) in
      self?.conversions -= 1
      self?.onWork?()
      switch answer {
      case .handedOn(let count)?: self?.givenBytes += count
      case .bytes(let bytes)?: if case .transfer = recipe {} else { self?.keep(bytes, as: type) }
      case nil: break
      }
      completion(answer)
    }
    if case .bytes(let part) = recipe, let follower, loaded[part] == nil, waiting[part] == nil,
      underWay < Self.mostLoads, !handedOn.contains(part)
    {
      handOn(part, by: follower, done)
    } else {
      make(recipe) { done($0.map { .bytes($0) }) }
    }
  }

  /// The name of the file that the target can have saved; nil where it cannot.
  package var savedName: String? { saving?.name }

  /// Saves the item where the target says, in place of `convert`.
  ///
  /// - Parameters:
  ///   - address: what the target has written; nil where it cannot be read.
  ///   - completion: called once, now or later, with the answer; nil where the target cannot have that.
  package func saveDirectly(to address: [UInt8]?, completion: @escaping ([UInt8]?) -> Void) {
    requests += 1
    guard requests <= mostRequests, !hasEnded, let saving else { return completion(nil) }
    hasServed = true
    conversions += 1
    onWork?()
    saving.save(to: address) { [weak self] in
      self?.onWork?()
    } completion: { [weak self] answer in
      self?.conversions -= 1
      self?.onWork?()
      completion([answer.rawValue])
    }
  }

  private func keep(_ bytes: [UInt8], as type: String) {
    guard !hasEnded else { return }
    givenBytes += bytes.count
    guard converted[type] == nil, loadedBytes + bytes.count <= Self.mostKept else { return }
    loadedBytes += bytes.count
    converted[type] = bytes
  }

  private func make(_ recipe: XdndOffer.Recipe, _ completion: @escaping ([UInt8]?) -> Void) {
    switch recipe {
    case .bytes(let part): load(part, completion)
    case .text(let parts, let encoding):
      loadAll(parts) { texts in completion(texts.map { XdndData.text($0, encoding) }) }
    case .link(let part, let encoding, let title):
      load(part) { list in completion(list.map { XdndData.link($0, encoding, title: title) }) }
    case .addresses(let addresses): makeAddresses(addresses) { completion($0) }
    case .png(let part): makePicture(part, completion)
    // `saveDirectly` does that.
    case .directSave: completion(nil)
    case .transfer(let addresses):
      makeAddresses(addresses) { [weak self] list in
        guard let self, let list else { return completion(nil) }
        transfer(ForeignFile.paths(in: list), completion)
      }
    }
  }

  private func transfer(_ paths: [String], _ completion: @escaping ([UInt8]?) -> Void) {
    guard let portal, !hasEnded, transfers < Self.mostTransfers else { return completion(nil) }
    transfers += 1
    portal.offer(paths) { [weak self] key in
      self?.onWork?()
      completion(key.map { Array($0.utf8) })
    }
  }

  private func loadAll(_ parts: [XdndOffer.Part], _ completion: @escaping ([[UInt8]]?) -> Void) {
    var count = 0
    gather(parts.count, completion) { i, deliver in
      load(parts[i]) { bytes in
        count += bytes?.count ?? 0
        // Each may be as large as all of them together may be.
        deliver(count <= Self.mostBytes ? bytes : nil)
      }
    }
  }

  /// Starts `count` tasks, and completes when all have delivered, or one has failed.
  private func gather<T>(
    _ count: Int, _ completion: @escaping ([T]?) -> Void, _ start: (Int, @escaping (T?) -> Void) -> Void
  ) {
    var results = [T?](repeating: nil, count: count)
    var left = count
    for i in 0..<count {
      start(i) { result in
        results[i] = result
        left -= 1
        guard left == 0 else { return }
        completion(results.contains { $0 == nil } ? nil : results.compactMap { $0 })
      }
    }
  }

  private func load(_ part: XdndOffer.Part, _ completion: @escaping ([UInt8]?) -> Void) {
    if let bytes = loaded[part] { return completion(bytes) }
    guard !hasEnded else { return completion(nil) }
    let isFirst = waiting[part] == nil
    waiting[part, default: []].append(completion)
    guard isFirst else { return }
    laterParts.append(part)
    loadLaterParts()
  }

  private func loadLaterParts() {
    // Data that is there at once comes within the call that asks for it.
    guard !isBeginning else { return }
    isBeginning = true
    defer { isBeginning = false }
    while underWay < Self.mostLoads, !laterParts.isEmpty {
      let part = laterParts.removeFirst()
      keep(
        items[part.item].itemProvider.loadDataRepresentation(forType: part.type, limit: Self.mostBytes) {
          [weak self] result in
          self?.has(part, result)
          self?.loadLaterParts()
        })
    }
  }

  /// Has the data go on as it comes, where its source says how much it is. Nothing of it is kept, so it is loaded once more for
  /// whoever else asks, and kept then.
  private func handOn(
    _ part: XdndOffer.Part, by follower: any DataFollower, _ completion: @escaping (OfferedAnswer?) -> Void
  ) {
    handedOn.insert(part)
    waiting[part] = []
    var goesOn = false
    let load = items[part.item].itemProvider.loadDataRepresentation(
      forType: part.type, limit: Self.mostBytes, following: follower
    ) { [weak self] in
      goesOn = true
      guard let self else { return }
      // Whoever takes it may be slow, and may go. The others' load takes the place that this one had.
      for other in waiting.removeValue(forKey: part) ?? [] { self.load(part, other) }
      goingOn += 1
    } completion: { [weak self] result in
      defer { self?.loadLaterParts() }
      guard goesOn else {
        self?.has(part, result)
        return completion((try? result.get()).map { .bytes($0) })
      }
      self?.goingOn -= 1
      switch result {
      case .success: completion(follower.count.map { .handedOn($0) })
      case .failure(let error):
        if let self, follower.hasFailed, !hasEnded { return self.load(part) { completion($0.map { .bytes($0) }) } }
        self?.log(error, of: part)
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
      if load.isFinished { self?.loads[ObjectIdentifier(load)] = nil } else { self?.onProgress?() }
    }
  }

  private func has(_ part: XdndOffer.Part, _ result: Result<[UInt8], LoadError>) {
    onWork?()
    switch result {
    case .success(let bytes): keep(bytes, of: part)
    case .failure(let error): log(error, of: part)
    }
    for completion in waiting.removeValue(forKey: part) ?? [] { completion(try? result.get()) }
  }

  private func keep(_ bytes: [UInt8], of part: XdndOffer.Part) {
    guard !hasEnded, loaded[part] == nil, loadedBytes + bytes.count <= Self.mostKept else { return }
    loaded[part] = bytes
    loadedBytes += bytes.count
  }

  private func log(_ error: LoadError, of part: XdndOffer.Part) {
    // Else nobody waits for it any more.
    if !hasEnded { Log.info("the data for another program, \(SafeText.displayable(part.type)): \(error)") }
  }

  private func makeAddresses(_ addresses: [XdndOffer.Address], _ completion: @escaping ([UInt8]?) -> Void) {
    var count = 0
    gather(addresses.count, { (lists: [[[UInt8]]]?) in completion(lists.map { XdndData.list($0.flatMap { $0 }) }) }) {
      i, deliver in
      switch addresses[i] {
      case .list(let part):
        load(part) { list in
          count += list?.count ?? 0
          deliver(count <= Self.mostAddresses ? list.map(XdndData.addresses) : nil)
        }
      case .file(let part):
        makeFile(part) { path in deliver(path.flatMap { FileLink(path: $0) }.map { [Array($0.address.utf8)] }) }
      }
    }
  }

  private func makePicture(_ part: XdndOffer.Part, _ completion: @escaping ([UInt8]?) -> Void) {
    let isFirst = waitingForPictures[part] == nil
    waitingForPictures[part, default: []].append(completion)
    guard isFirst else { return }
    load(part) { [weak self] bytes in
      let done = { (png: [UInt8]?) in
        for completion in self?.waitingForPictures.removeValue(forKey: part) ?? [] { completion(png) }
      }
      guard let self, let bytes, let pictures else { return done(nil) }
      let runs = pictures.runAside(lookingAt: [PictureConversion.place], for: PictureConversion.longest) {
        PictureConversion.png(bytes, type: part.type)
      } then: {
        done($0 ?? nil)
      }
      if !runs { done(nil) }
    }
  }

  /// The source's own file where it may be opened in place, or a copy.
  private func makeFile(_ part: XdndOffer.Part, _ completion: @escaping (String?) -> Void) {
    if let path = paths[part] { return completion(path) }
    let isFirst = waitingForFiles[part] == nil
    waitingForFiles[part, default: []].append(completion)
    guard isFirst else { return }
    laterFiles.append(part)
    makeLaterFiles()
  }

  /// A drop may be of many files, each of which may keep a thread waiting.
  private func makeLaterFiles() {
    while filesUnderWay < Self.mostLoads, !laterFiles.isEmpty, !hasEnded {
      let part = laterFiles.removeFirst()
      filesUnderWay += 1
      keep(
        items[part.item].itemProvider.loadInPlaceFileRepresentation(forType: part.type) { [weak self] result in
          self?.filesUnderWay -= 1
          self?.has(part, result)
          self?.makeLaterFiles()
        })
    }
  }

  private func has(_ part: XdndOffer.Part, _ result: Result<OpenedFile, LoadError>) {
    onWork?()
    switch result {
    case .success(let file):
      files.append(file)
      paths[part] = file.path
    case .failure where hasEnded: break
    case .failure(let error):
      Log.info("the file for another program, \(SafeText.displayable(part.type)): \(error)")
    }
    for completion in waitingForFiles.removeValue(forKey: part) ?? [] { completion(paths[part]) }
  }
}
