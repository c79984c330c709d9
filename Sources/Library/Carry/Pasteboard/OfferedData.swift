import CarryModel
import CarrySystem
package import CarryXdnd

/// The answer to another program's request for a type.
package enum OfferedAnswer {
  case bytes([UInt8])
  /// This number of bytes has already been forwarded.
  case handedOn(Int)
}

/// Converts pictures for programs that only know PNG.
package protocol PictureConverter {
  /// Whether pictures can be decoded here.
  var isAvailable: Bool { get }
  /// - Parameter completion: called once, now or later, with the PNG file; nil if the picture cannot be converted.
  func makePNG(of bytes: [UInt8], type: String, completion: @escaping ([UInt8]?) -> Void)
}

/// The data that other programs may request of some items: placeholders while a drag hovers, and the data of a drop
/// or of the clipboard.
package final class OfferedData {
  package private(set) var offer: XdndOffer
  private let parts: OfferedParts
  private var items: [DragItem] { parts.items }
  /// Whether the target has requested any data.
  package private(set) var hasServed = false
  /// The number of pending answers.
  private var conversions = 0
  /// Whether requested data is still pending.
  package var isAwaited: Bool { conversions > 0 }
  /// Called when data was requested, and when it is available.
  package var onWork: (() -> Void)?
  /// Called when more data has arrived.
  package var onProgress: (() -> Void)?
  private var hasEnded = false
  /// The results so far, by type.
  private var converted: [String: [UInt8]] = [:]
  /// The completions waiting for a result, by type: each is produced once for all of them.
  private var waiting: [String: [(OfferedAnswer?) -> Void]] = [:]
  /// The number of bytes that the target has received.
  private var givenBytes = 0
  /// Files created for the target, which reads them later.
  package var files: [OpenedFile] { parts.files }
  /// Converts pictures; nil for no conversion.
  private let pictures: (any PictureConverter)?
  /// The number of requests so far.
  private var requests = 0

  /// Saves the item where the target says; nil if the target must not use that.
  private var saving: DirectSaving?
  private let savesDirectly: Bool
  private let isCopied: Bool

  /// Passes files to a sandboxed target; nil for other targets.
  private let portal: FileTransferPortal?
  private var transfers = 0

  /// The maximum number of file transfers for a target: each key is valid once.
  private static let maxTransfers = 16
  /// A target that exceeds the number of requests, or the number of bytes, is not served any more.
  private let maxRequests: Int
  private var maxGiven: Int { maxRequests == .max ? .max : 4 << 30 }

  /// - Parameters:
  ///   - maxRequests: the maximum number of requests; nil for no limit.
  ///   - portal: passes files to a sandboxed target; nil for other targets.
  ///   - savesDirectly: whether a file may be saved where the target says: only for a target that could open and
  ///     create files by itself.
  ///   - isCopied: whether the items are on the clipboard.
  ///   - pictures: converts pictures of other types to PNG; nil for no conversion.
  package init(
    _ items: [DragItem], maxRequests: Int? = 1024, portal: FileTransferPortal? = nil, savesDirectly: Bool = false,
    isCopied: Bool = false, pictures: (any PictureConverter)? = nil
  ) {
    (self.portal, self.savesDirectly, self.isCopied, self.pictures) = (portal, savesDirectly, isCopied, pictures)
    self.maxRequests = maxRequests ?? .max
    parts = OfferedParts(items)
    offer = XdndOffer([])
    describe()
    parts.onWork = { [weak self] in self?.onWork?() }
    parts.onProgress = { [weak self] in self?.onProgress?() }
  }

  private func describe() {
    let described = items.map { item in
      let provider = item.itemProvider
      let isLarge = provider.publicTypes.contains { provider.byteCount(forType: $0) ?? 0 > Limits.offeredBytes }
      return XdndOffer.Item(
        name: provider.suggestedName ?? "", types: provider.publicTypes, isFile: provider.isOnlyAFile || isLarge)
    }
    // Finding out whether pictures can be decoded loads a library.
    let makesPNG = described.contains { $0.picture != nil } && pictures?.isAvailable == true
    offer = XdndOffer(
      described, usesPortal: portal != nil, savesDirectly: savesDirectly, makesPNG: makesPNG, isCopied: isCopied)
    saving = offer.savedPart.map { DirectSaving(items[$0.item].itemProvider, $0.type) }
  }

  /// Adds items, before anything was converted.
  ///
  /// - Returns: whether they are new.
  package func add(_ all: [DragItem]) -> Bool {
    guard all.count != items.count else { return false }
    parts.items = all
    describe()
    return true
  }

  /// Ends the drop. Some programs wait forever for each answer: pending requests are answered without data.
  package func end() {
    hasEnded = true
    let unanswered = Array(waiting.values.joined())
    (converted, waiting) = ([:], [:])
    saving?.end()
    parts.end()
    for completion in unanswered { completion(nil) }
  }

  /// Loads what all types are made of, as far as there is room to keep it, so that later requests are answered at once.
  ///
  /// - Parameter completion: called once, now or later.
  package func loadAll(completion: @escaping () -> Void) {
    var data: Set<XdndOffer.Part> = []
    var files: Set<XdndOffer.Part> = []
    for type in offer.types {
      switch offer.recipe(for: type) {
      case .bytes(let part)?, .png(let part)?, .link(let part, _, _)?: data.insert(part)
      case .text(let parts, _)?: data.formUnion(parts)
      case .addresses(let addresses)?, .copiedFiles(let addresses)?:
        for address in addresses {
          if case .file(let part) = address { files.insert(part) } else { data.insert(address.part) }
        }
      case .transfer?, .directSave?, .description?, nil: break
      }
    }
    var left = data.count + files.count + 1
    let done = {
      left -= 1
      if left == 0 { completion() }
    }
    for part in data { parts.load(part) { _ in done() } }
    for part in files { parts.openFile(part) { _ in done() } }
    done()
  }

  /// Produces the data of a type.
  ///
  /// - Parameter completion: called once, now or later; nil if there is no such data.
  package func convert(_ type: String, completion: @escaping ([UInt8]?) -> Void) {
    convert(type, following: nil) { if case .bytes(let bytes)? = $0 { completion(bytes) } else { completion(nil) } }
  }

  /// Produces the data of a type, which `follower` may forward as it arrives.
  package func convert(
    _ type: String, following follower: (any ByteStream)?, completion: @escaping (OfferedAnswer?) -> Void
  ) {
    requests += 1
    guard requests <= maxRequests, givenBytes < maxGiven, let recipe = offer.recipe(for: type)
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
      // A key of the portal is valid once.
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

  /// The name of the file that the target can ask to save; nil if it cannot.
  package var savedName: String? { saving?.name }

  /// Saves the item where the target says, instead of `convert`.
  ///
  /// - Parameters:
  ///   - address: the address that the target has written; nil if it cannot be read.
  ///   - completion: called once, now or later, with the answer; nil if the target must not use that.
  package func saveDirectly(to address: [UInt8]?, completion: @escaping ([UInt8]?) -> Void) {
    requests += 1
    guard requests <= maxRequests, !hasEnded, let saving else { return completion(nil) }
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
    // Handled by `saveDirectly`.
    case .directSave: completion(nil)
    case .copiedFiles(let addresses): makeAddresses(addresses) { completion($0.map(XdndData.copiedFiles)) }
    case .description(let bytes): completion(bytes)
    case .transfer(let addresses):
      openFiles(addresses) { [weak self] files in
        guard let self, let files else { return completion(nil) }
        transfer(files, completion)
      }
    }
  }

  /// Opens the files of the addresses; addresses from the source are not among them.
  private func openFiles(_ addresses: [XdndOffer.Address], _ completion: @escaping ([OpenedFile]?) -> Void) {
    gather(addresses.count, completion) { i, deliver in
      guard case .file(let part) = addresses[i] else { return deliver(nil) }
      parts.openFile(part, deliver)
    }
  }

  private func transfer(_ files: [OpenedFile], _ completion: @escaping ([UInt8]?) -> Void) {
    guard let portal, !hasEnded, transfers < Self.maxTransfers else { return completion(nil) }
    transfers += 1
    portal.offer(files) { [weak self] key in
      self?.onWork?()
      completion(key.map { Array($0.utf8) })
    }
  }

  private func loadAll(_ parts: [XdndOffer.Part], _ completion: @escaping ([[UInt8]]?) -> Void) {
    var count = 0
    gather(parts.count, completion) { i, deliver in
      self.parts.load(parts[i]) { bytes in
        count += bytes?.count ?? 0
        // Each may be as large as the limit for all of them together.
        deliver(count <= Limits.offeredBytes ? bytes : nil)
      }
    }
  }

  /// Starts `count` tasks, and completes when all have delivered. The result is nil if one has failed.
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
          deliver(count <= Limits.offeredAddressBytes ? list.map(XdndData.list) : nil)
        }
      case .file(let part):
        parts.openFile(part) { file in
          deliver(file.flatMap { FileLink(path: $0.path) }.map { XdndData.list([$0.address]) })
        }
      }
    }
  }

  private func makePicture(_ part: XdndOffer.Part, _ completion: @escaping ([UInt8]?) -> Void) {
    parts.load(part) { [pictures] bytes in
      guard let bytes, let pictures else { return completion(nil) }
      pictures.makePNG(of: bytes, type: part.type, completion: completion)
    }
  }
}
