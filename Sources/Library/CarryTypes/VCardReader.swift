/// Reads untrusted cards: any bytes result in cards or an error.
enum VCardReader {
  private static let maxBytes = 64 << 20

  static func cards(_ bytes: [UInt8], most: Int) throws -> [VCard] {
    guard bytes.count <= maxBytes else {
      throw ItemDataError("\(bytes.count) bytes are more than the \(maxBytes) that cards may have")
    }
    var cards: [VCard] = []
    var card: Draft?
    // Cards may be nested, as the agent of a person: those are skipped.
    var depth = 0
    var lines = Lines(bytes)
    while cards.count < most, let line = lines.next() {
      guard let property = Property(line) else { continue }
      if property.isNamed("BEGIN"), property.isValue("VCARD") {
        depth += 1
        if depth == 1 { card = Draft() }
      } else if property.isNamed("END"), property.isValue("VCARD") {
        if depth == 1, let card { cards.append(try card.finished()) }
        depth = max(0, depth - 1)
      } else if depth == 1 {
        card?.take(property)
      }
    }
    return cards
  }

  /// Splits lines, and joins continuation lines, which begin with a blank. Lines may be folded within a character.
  private struct Lines {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private mutating func piece() -> ArraySlice<UInt8>? {
      guard position < bytes.count else { return nil }
      let start = position
      while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      var end = position
      if end > start, bytes[end - 1] == 0x0D { end -= 1 }
      position = min(position + 1, bytes.count)
      return bytes[start..<end]
    }

    mutating func next() -> ArraySlice<UInt8>? {
      guard let first = piece() else { return nil }
      guard isContinued else { return first }
      var line = Array(first)
      while isContinued, let more = piece() { line += more.dropFirst() }
      return line[...]
    }

    private var isContinued: Bool { position < bytes.count && (bytes[position] == 0x20 || bytes[position] == 0x09) }
  }

  /// An incomplete card.
  private struct Draft {
    private var version = ""
    private var formattedName = ""
    private var name: VCard.Name?
    private var phones: [VCard.Contact] = []
    private var emails: [VCard.Contact] = []
    private var photo: TypedData?

    mutating func take(_ property: Property) {
      // The first of each is used.
      if property.isNamed("VERSION"), version.isEmpty {
        version = property.text ?? ""
      } else if property.isNamed("FN"), formattedName.isEmpty {
        formattedName = property.text ?? ""
      } else if property.isNamed("N"), name == nil {
        name = property.name
      } else if property.isNamed("TEL"), phones.count < VCardText.maxContacts, var phone = property.contact {
        var number = phone.value[...]
        while number.prefix(4).lowercased() == "tel:" { number = number.dropFirst(4) }
        phone.value = String(number)
        if !number.isEmpty { phones.append(phone) }
      } else if property.isNamed("EMAIL"), emails.count < VCardText.maxContacts, let email = property.contact {
        emails.append(email)
      } else if property.isNamed("PHOTO"), photo == nil {
        photo = property.photo
      }
    }

    func finished() throws -> VCard {
      guard version == "3.0" || version == "4.0" else {
        throw ItemDataError("the vCard is of version '\(version.prefix(8))'; 3.0 and 4.0 are read")
      }
      return VCard(
        formattedName: formattedName.isEmpty ? name?.formatted ?? "" : formattedName, name: name, phones: phones,
        emails: emails, photo: photo)
    }
  }
}
