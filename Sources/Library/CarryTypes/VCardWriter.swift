/// Writes cards.
enum VCardWriter {
  static func write(_ card: VCard, _ version: VCard.Version) -> [UInt8] {
    var lines = Lines()
    lines.add("BEGIN:VCARD")
    lines.add("VERSION:\(version.rawValue)")
    lines.add("FN:\(escaped(card.formattedName))")
    // Mandatory in 3.0.
    if card.name != nil || version == .v3 {
      let name = card.name ?? VCard.Name()
      let parts = [name.family, name.given, name.additional, name.prefix, name.suffix].map(escaped)
      lines.add("N:\(parts.joined(separator: ";"))")
    }
    for phone in card.phones { lines.add("TEL\(parameters(phone, version)):\(escaped(phone.value))") }
    for email in card.emails { lines.add("EMAIL\(parameters(email, version)):\(escaped(email.value))") }
    if let photo = card.photo { add(photo, to: &lines, version) }
    lines.add("END:VCARD")
    return lines.bytes
  }

  /// Folded lines of at most 75 bytes, for old programs; characters are not split.
  private struct Lines {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ line: [UInt8]) {
      var rest = line[...]
      var room = 75
      while rest.count > room {
        var cut = rest.startIndex + room
        // A continuation byte of a character.
        while cut > rest.startIndex + 1, rest[cut] & 0xC0 == 0x80 { cut -= 1 }
        bytes += rest[..<cut]
        bytes += [0x0D, 0x0A, 0x20]
        rest = rest[cut...]
        room = 74
      }
      bytes += rest
      bytes += [0x0D, 0x0A]
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for s in VCardText.clean(text).unicodeScalars {
      switch s {
      case "\\", ",", ";": result += ["\\", s]
      case "\n": result += ["\\", "n"]
      default: result.append(s)
      }
    }
    return String(result)
  }

  private static func parameters(_ contact: VCard.Contact, _ version: VCard.Version) -> String {
    var kinds = contact.kinds.compactMap { VCardText.kind($0.utf8) }.prefix(VCardText.maxKinds).filter { $0 != "pref" }
    var text = ""
    switch version {
    case .v3:
      if contact.isPreferred { kinds.append("pref") }
      if !kinds.isEmpty { text += ";TYPE=" + kinds.joined(separator: ",") }
    case .v4:
      if kinds.count == 1 { text += ";TYPE=" + kinds[0] }
      if kinds.count > 1 { text += ";TYPE=\"" + kinds.joined(separator: ",") + "\"" }
      if contact.isPreferred { text += ";PREF=1" }
    }
    return text
  }

  private static func add(_ photo: TypedData, to lines: inout Lines, _ version: VCard.Version) {
    let parts = photo.type.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1)
    guard parts.count == 2, !photo.bytes.isEmpty, let subtype = VCardText.subtype(parts[1]) else { return }
    let head =
      switch version {
      case .v3: "PHOTO;ENCODING=b;TYPE=\(subtype.uppercased()):"
      case .v4: "PHOTO:data:image/\(subtype);base64,"
      }
    lines.add(Array(head.utf8) + Base64.encode(photo.bytes))
  }
}
