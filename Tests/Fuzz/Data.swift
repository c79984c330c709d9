import CarrySelections
import CarryXdnd

@testable import Carry
@testable import CarryTypes

/// Data that other applications have dropped.
extension Main {
  /// What is read of a card is written and read the same.
  static func vcards(_ bytes: [UInt8]) {
    guard let cards = try? VCard.cards(parsing: bytes) else { return }
    for card in cards.prefix(8) {
      for version in [VCard.Version.v3, .v4] {
        let again = try? VCard(parsing: card.bytes(version: version))
        check(again == card, "\(version): \(card) became \(again.map { "\($0)" } ?? "nothing")")
      }
    }
  }

  /// The first byte says of which type the others are.
  static func objects(_ bytes: [UInt8]) {
    guard let kind = bytes.first else { return }
    let data = Array(bytes.dropFirst())
    func read<T: ItemProviderReading>(_ type: T.Type) {
      let types = T.readableTypesForItemProvider
      guard !types.isEmpty else { return }
      _ = try? T(itemProviderData: data, type: types[Int(kind / 8) % types.count])
    }
    switch kind % 8 {
    case 0: read(String.self)
    case 1: read(WebLink.self)
    case 2: read(FileLink.self)
    case 3: read(ItemColor.self)
    case 4: read(FormattedText.self)
    default: read(VCard.self)
    }
  }

  /// What is read of a list is written and read the same.
  static func addresses(_ bytes: [UInt8]) {
    let list = URIList.read(bytes)
    let again = URIList.read(URIList.write(list))
    check(again == list, "\(list) became \(again)")
    _ = ForeignFile.paths(in: bytes)
    _ = ForeignFile.all(in: bytes)
    _ = ForeignSave(named: bytes)
    for address in XdndData.addresses(bytes) { check(!address.contains(0x0A), "an address of two lines") }
    _ = XdndData.copiedFiles(bytes)
  }

  /// The types of a foreign drag, a line each; what is after an empty line is data of each of them.
  static func foreignTypes(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 300, omittingEmptySubsequences: false)
    let names = lines.prefix { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    let data = Array(lines.dropFirst(names.count + 1).joined(separator: [0x0A]))
    let types = ForeignTypes(names)
    check(types.offers.count <= 32, "\(types.offers.count) types")
    for offer in types.offers {
      for source in offer.sources {
        check(!["DELETE", "INSERT_SELECTION", "INSERT_PROPERTY"].contains(source.name), "it asks for \(source.name)")
        guard let decoded = source.decoded(data) else { continue }
        if case .text = source.decoding { check(String(validating: decoded, as: UTF8.self) != nil, "no UTF-8") }
      }
    }
  }
}
