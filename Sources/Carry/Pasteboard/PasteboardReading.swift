import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// Finds out what another application has put on the clipboard: first the types, then the addresses if there are any.
final class PasteboardReading {
  private let connection: PasteboardConnection
  private unowned let client: Client
  private let owner: UInt32
  /// During which the owner has said which types it has; nil until then.
  private var ownership: Int?
  private var completion: (([ItemProvider]) -> Void)?

  /// How long an application may take to say what it has.
  private static let patience = Interval.seconds(2)
  /// A list of addresses, or of types: so much of it.
  private static let mostBytes = 1 << 20

  init(_ connection: PasteboardConnection, _ client: Client) {
    (self.connection, self.client) = (connection, client)
    owner = connection.reader.owner
  }

  /// - Parameter completion: called once.
  func start(_ completion: @escaping ([ItemProvider]) -> Void) {
    self.completion = completion
    guard owner != 0 else { return fail() }
    convert(to: "TARGETS", format: 32) { [weak self] bytes in
      guard let self else { return }
      guard let bytes else { return fail() }
      ownership = connection.reader.ownership
      read(names(of: bytes))
    }
  }

  func fail() { end([]) }

  private func end(_ items: [DragItem]) {
    let completion = self.completion
    self.completion = nil
    let providers = items.map(\.itemProvider)
    for provider in providers { provider.loadingClient = client }
    completion?(providers)
  }

  private func convert(to type: String, format: UInt8 = 8, _ completion: @escaping ([UInt8]?) -> Void) {
    _ = connection.reader.convert(
      to: type, format: format, time: 0, within: .init(bytes: Self.mostBytes, answer: Self.patience),
      during: ownership, at: MonotonicClock.now()
    ) { completion(try? $0.get().bytes) }
  }

  private func names(of bytes: [UInt8]) -> [String] {
    let atoms = bytes.withUnsafeBytes { bytes in
      (0..<min(bytes.count / 4, ForeignTypes.mostLooked)).map {
        bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)
      }
    }
    return atoms.compactMap { connection.name(of: $0) }
  }

  private func read(_ names: [String]) {
    let types = ForeignTypes(names)
    guard !types.offers.isEmpty else { return fail() }
    let whole = { [connection, client, owner, ownership] in
      [ConversionQueue(connection.reader, client, owner: owner, during: ownership, types.offers).wholeItem()]
    }
    guard let list = types.addresses else { return end(whole()) }
    convert(to: list.source) { [weak self] bytes in
      guard let self else { return }
      guard let bytes else { return end(whole()) }
      let decoded = ForeignTypes.decoded(bytes, list.decoding)
      // A folder of a server that does not answer must not keep the application waiting.
      let paths = ForeignFile.paths(in: decoded)
      let isLooking =
        !paths.isEmpty
        && client.runAside(lookingAt: paths) {
          ForeignFile.all(in: decoded)
        } then: { [weak self] files in
          guard let files, !files.isEmpty else { self?.end(whole()); return }
          self?.end(files.map(\.item))
        }
      if !isLooking { end(whole()) }
    }
  }
}
