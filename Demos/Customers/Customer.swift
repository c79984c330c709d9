import Carry
import DemoKit

/// A customer of the list: the model, which knows by itself how it is written and read.
struct Customer {
  var card: VCard
  /// The card's photo, decoded.
  let photo: Picture?

  var name: String { card.formattedName }
  var phone: String { card.phones.first?.value ?? "" }

  init(_ card: VCard) {
    self.card = card
    photo = card.photo.flatMap { Picture.decode($0.bytes)?.picture.reduced(toWidth: 96) }
  }

  init(named name: String, phone: String? = nil) {
    self.init(VCard(formattedName: name, phones: phone.map { [.init($0)] } ?? []))
  }

  /// Customers from the start.
  static var samples: [Customer] { Documents.cards.map { Customer($0) } }
}

/// Cards before text: who lists plain text first always gets plain text.
extension Customer: ItemProviderReading {
  static var readableTypesForItemProvider: [String] {
    VCard.readableTypesForItemProvider + String.readableTypesForItemProvider
  }

  init(itemProviderData data: [UInt8], type: String) throws {
    if VCard.readableTypesForItemProvider.contains(type) {
      self.init(try VCard(itemProviderData: data, type: type))
    } else {
      let text = try String(itemProviderData: data, type: type)
      // The first line of a note is its title.
      let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
      self.init(named: String(line.prefix(80)))
    }
  }
}

extension Customer: ItemProviderWriting {
  static var writableTypesForItemProvider: [String] { VCard.writableTypesForItemProvider }

  func loadRepresentation(forType type: String) -> [UInt8] { card.loadRepresentation(forType: type) }
}
