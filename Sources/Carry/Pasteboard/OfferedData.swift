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
  private let parts: OfferedParts
  private var items: [DragItem] { parts.items }
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
  /// What was made of it, by type.
  private var converted: [String: [UInt8]] = [:]
  /// Who waits for what is being made, by type: it is made once for all of them.
  private var waiting: [String: [(OfferedAnswer?) -> Void]] = [:]
  /// How many bytes the target has been given.
  private var givenBytes = 0
  /// Files that were made for the target, which reads them later.
  package var files: [OpenedFile] { parts.files }
  /// Makes pictures aside; nil where none are made.
  private let pictures: Client?
  /// How many requests have been answered, or are being answered.
  private var requests = 0

  /// Saves the item where the target says; nil where the target cannot have that.
  private var saving: DirectSaving?
  private let savesDirectly: Bool
  private let isCopied: Bool

  /// Hands files to a target in a sandbox; nil for other targets.
  private let portal: FileTransferPortal?
  private var transfers = 0

  /// How many transfers of files a target may have: each key is valid once.
  private static let mostTransfers = 16
  /// Lists of addresses are taken apart, and take many times as much then.
  private static let mostAddresses = 16 << 20
  /// A target that asks more often, or is given more bytes, is not served any more.
  private let mostRequests: Int
  private var mostGiven: Int { mostRequests == .max ? .max : 4 << 30 }

  /// - Parameters:
  ///   - mostRequests: how often the data may be asked for; nil for any number.
  ///   - portal: what hands files to a target in a sandbox; nil for other targets.
  ///   - savesDirectly: whether a file is saved where the target says: for one that could open and make files by itself.
  ///   - isCopied: whether they are on the clipboard.
  ///   - pictures: on whose behalf PNG files are made of other pictures, by processes of this very program; nil to make none.
  package init(
    _ items: [DragItem], mostRequests: Int? = 1024, portal: FileTransferPortal? = nil, savesDirectly: Bool = false,
    isCopied: Bool = false, pictures: Client? = nil
  ) {
    (self.portal, self.savesDirectly, self.isCopied, self.pictures) = (portal, savesDirectly, isCopied, pictures)
    self.mostRequests = mostRequests ?? .max
    parts = OfferedParts(items)
    offer = XdndOffer([])
    describe()
    parts.onWork = { [weak self] in self?.onWork?() }
    parts.onProgress = { [weak self] in self?.onProgress?() }
  }

  private func describe() {
    let described = items.map { item in
      let provider = item.itemProvider
      let isLarge = provider.publicTypes.contains { provider.byteCount(forType: $0) ?? 0 > OfferedParts.mostBytes }
      return XdndOffer.Item(
        name: provider.suggestedName ?? "", types: provider.publicTypes, isFile: provider.isJustAFile || isLarge)
    }
    // To find out whether pictures can be decoded loads a library.
    let makesPNG = pictures != nil && described.contains { $0.picture != nil } && PictureConversion.isThere
    offer = XdndOffer(
      described, usesPortal: portal != nil, savesDirectly: savesDirectly, makesPNG: makesPNG, isCopied: isCopied)
    saving = offer.savedPart.map { DirectSaving(items[$0.item].itemProvider, $0.type) }
  }

  /// Items were added, before anything was converted.
  ///
  /// - Returns: whether they are new.
  package func take(_ all: [DragItem]) -> Bool {
    guard all.count != items.count else { return false }
    parts.items = all
    describe()
    return true
  }

  /// The drop is over. Some programs wait for each answer for ever: who still waits gets none.
  package func end() {
    hasEnded = true
    let unanswered = Array(waiting.values.joined())
    (converted, waiting) = ([:], [:])
    saving?.end()
    parts.end()
    for completion in unanswered { completion(nil) }
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
    if case .bytes(let part) = recipe, let follower, parts.goesOn(part) {
      parts.handOn(part, by: follower, done)
    } else if case .transfer = recipe {
      // A key of the portal's is valid once.
      make(recipe) { done($0.map { .bytes($0) }) }
    } else {
      let isFirst = waiting[type] == nil
      waiting[type, default: []].append(done)
      guard isFirst else { return }
      make(recipe) { [weak self] bytes in
        for done in self?.waiting.removeValue(forKey: type) ?? [] { done(bytes.map { .bytes($0) }) }
      }
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
    if converted[type] == nil, parts.takesRoom(bytes.count) { converted[type] = bytes }
  }

  private func make(_ recipe: XdndOffer.Recipe, _ completion: @escaping ([UInt8]?) -> Void) {
    switch recipe {
    case .bytes(let part): parts.load(part, completion)
    case .text(let parts, let encoding):
      loadAll(parts) { texts in completion(texts.map { XdndData.text($0, encoding) }) }
    case .link(let part, let encoding, let title):
      parts.load(part) { list in completion(list.flatMap { XdndData.link($0, encoding, title: title) }) }
    case .addresses(let addresses): makeAddresses(addresses) { completion($0) }
    case .png(let part): makePicture(part, completion)
    // `saveDirectly` does that.
    case .directSave: completion(nil)
    case .copiedFiles(let addresses): makeAddresses(addresses) { completion($0.map(XdndData.copiedFiles)) }
    case .description(let bytes): completion(bytes)
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
      self.parts.load(parts[i]) { bytes in
        count += bytes?.count ?? 0
        // Each may be as large as all of them together may be.
        deliver(count <= OfferedParts.mostBytes ? bytes : nil)
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

  private func makeAddresses(_ addresses: [XdndOffer.Address], _ completion: @escaping ([UInt8]?) -> Void) {
    var count = 0
    gather(addresses.count, { (lists: [[UInt8]]?) in completion(lists.map { Array($0.joined()) }) }) { i, deliver in
      switch addresses[i] {
      case .list(let part):
        parts.load(part) { list in
          count += list?.count ?? 0
          deliver(count <= Self.mostAddresses ? list.map(XdndData.list) : nil)
        }
      case .file(let part):
        parts.makeFile(part) { path in deliver(path.flatMap { FileLink(path: $0) }.map { XdndData.list([$0.address]) })
        }
      }
    }
  }

  private func makePicture(_ part: XdndOffer.Part, _ completion: @escaping ([UInt8]?) -> Void) {
    parts.load(part) { [pictures] bytes in
      guard let bytes, let pictures else { return completion(nil) }
      let runs = pictures.runAside(lookingAt: [PictureConversion.place], for: PictureConversion.longest) {
        PictureConversion.png(bytes, type: part.type)
      } then: {
        completion($0 ?? nil)
      }
      if !runs { completion(nil) }
    }
  }
}
