import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// Reads the clipboard content of another application: first the types, then the addresses if there are any.
final class PasteboardReading {
  private let connection: PasteboardConnection
  private unowned let client: Client
  /// The ownership whose types are requested.
  private var ownership: SelectionReader.Ownership?
  private var conversion: UInt32?
  private var attempts = 0
  private var completion: (([ItemProvider]) -> Void)?

  /// The timeout for the application's answer, and for its idle time.
  private static let patience = Interval.seconds(2)
  /// The timeout for a complete list of addresses, or of types.
  private static let longest = Interval.seconds(10)
  /// The maximum size of such a list.
  private static let maxBytes = 1 << 20
  /// How often the clipboard may change owners while it is read.
  private static let maxAttempts = 3

  init(_ connection: PasteboardConnection, _ client: Client) { (self.connection, self.client) = (connection, client) }

  /// - Parameter completion: called once.
  func start(_ completion: @escaping ([ItemProvider]) -> Void) {
    self.completion = completion
    begin()
  }

  private func begin() {
    attempts += 1
    ownership = connection.reader.ownership
    guard ownership != nil else { return end([]) }
    convert(to: [.init("TARGETS", .none)], format: 32) { [weak self] bytes in
      guard let self else { return }
      if let bytes { read(names(of: bytes)) } else { readPlainText() }
    }
  }

  /// Reads an owner that cannot list its types: small and old programs have text only.
  private func readPlainText() {
    let types = ForeignTypes(["UTF8_STRING", "STRING"])
    convert(to: types.offers[0].sources) { [weak self] bytes in
      if bytes == nil { self?.complete([]) } else { self?.read(types) }
    }
  }

  /// Ends the query without items.
  func fail() {
    if let conversion { connection.reader.cancel(conversion) }
    end([])
  }

  /// Completes the query, unless something else was copied meanwhile: the earlier content could not be loaded.
  private func complete(_ items: [DragItem]) {
    guard completion != nil else { return }
    let isCurrent = ownership.map { !connection.reader.isReplaced($0) && connection.reader.owner == $0.owner } ?? false
    if isCurrent || attempts == Self.maxAttempts { end(items) } else { begin() }
  }

  private func end(_ items: [DragItem]) {
    let completion = self.completion
    self.completion = nil
    let providers = items.map(\.itemProvider)
    for provider in providers { provider.loadingClient = client }
    completion?(providers)
  }

  /// - Parameter answer: the timeout for the owner's answer.
  private func convert(
    to sources: [ForeignTypes.Source], format: UInt8 = 8, answer: Interval = patience,
    _ completion: @escaping ([UInt8]?) -> Void
  ) {
    conversion = connection.reader.convert(
      to: sources, format: format, time: 0,
      within: .init(bytes: Self.maxBytes, answer: answer, rest: Self.patience, whole: Self.longest),
      during: ownership, at: MonotonicClock.now()
    ) { [weak self] result in
      self?.conversion = nil
      completion(try? result.get().bytes)
    }
  }

  private func names(of bytes: [UInt8]) -> [String] {
    let atoms = bytes.withUnsafeBytes { bytes in
      (0..<min(bytes.count / 4, ForeignTypes.maxLooked)).map {
        bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)
      }
    }
    return connection.names(of: atoms)
  }

  private func read(_ names: [String]) {
    guard names.contains(XdndOffer.carryItem) else { return read(ForeignTypes(names)) }
    convert(to: [.init(XdndOffer.carryItem, .none)]) { [weak self] bytes in
      let item = XdndOffer.Item(bytes ?? [])
      let types = ForeignTypes(item.types.filter(names.contains))
      guard let self, let ownership, !types.offers.isEmpty else { self?.read(ForeignTypes(names)); return }
      // The file is of the best type.
      let fileType = item.types.first { names.contains($0) }
      complete([whole(types, of: ownership, named: try? SafeText.fileName(item.name), fileType: fileType)])
    }
  }

  private func whole(
    _ types: ForeignTypes, of ownership: SelectionReader.Ownership, named name: String? = nil, fileType: String? = nil
  ) -> DragItem {
    let queue = ConversionQueue(
      connection.reader, client, owner: ownership.owner, during: ownership, types.offers, fileType: fileType)
    let item = queue.wholeItem()
    if let name { item.itemProvider.suggestedName = name }
    return item
  }

  private func read(_ types: ForeignTypes) {
    guard !types.offers.isEmpty, let ownership else { return complete([]) }
    let whole = { [unowned self] in [self.whole(types, of: ownership)] }
    guard let list = types.addresses else { return complete(whole()) }
    // The owner may have to create files for it, or to copy a folder.
    convert(to: list.sources, answer: Self.longest) { [weak self] decoded in
      guard let self else { return }
      guard let decoded else { return complete(whole()) }
      // A folder on a server that does not respond must not block the application.
      let paths = ForeignFile.paths(in: decoded)
      let isLooking =
        !paths.isEmpty
        && client.runBlocking(lookingAt: paths) {
          ForeignFile.all(in: decoded)
        } then: { [weak self] files in
          guard let files, !files.isEmpty else { self?.complete(whole()); return }
          self?.complete(files.map(\.item))
        }
      if !isLooking { complete(whole()) }
    }
  }
}
