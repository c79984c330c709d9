extension VCardReader {
  /// One line of a card: `group.NAME;PARAMETER=value:VALUE`.
  struct Property {
    private let nameBytes: ArraySlice<UInt8>
    /// Names in lower case; a parameter without a value is a kind, as older programs write it.
    private var parameters: [(name: String, value: ArraySlice<UInt8>)] = []
    private let value: ArraySlice<UInt8>

    private static let maxParameters = 32

    /// - Returns: nil if the line is not a property.
    init?(_ line: ArraySlice<UInt8>) {
      var isQuoted = false
      var parts: [ArraySlice<UInt8>] = []
      var start = line.startIndex
      var colon: Int?
      for i in line.indices {
        switch line[i] {
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: ";") where !isQuoted:
          if parts.count <= Self.maxParameters { parts.append(line[start..<i]) }
          start = i + 1
        case UInt8(ascii: ":") where !isQuoted:
          parts.append(line[start..<i])
          colon = i
        default: break
        }
        if colon != nil { break }
      }
      guard let colon, let first = parts.first else { return nil }
      value = line[(colon + 1)...]
      nameBytes = first[(first.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? first.startIndex)...]
      for part in parts.dropFirst() {
        if let equals = part.firstIndex(of: UInt8(ascii: "=")) {
          guard let name = VCardText.kind(part[..<equals]) else { continue }
          parameters.append((name, part[(equals + 1)...]))
        } else {
          parameters.append(("type", part))
        }
      }
    }

    func isNamed(_ name: StaticString) -> Bool { Self.isEqual(nameBytes, name) }
    func isValue(_ text: StaticString) -> Bool {
      var value = value
      while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
      return Self.isEqual(value, text)
    }

    /// Ignores case.
    private static func isEqual(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
      guard bytes.count == text.utf8CodeUnitCount else { return false }
      return text.withUTF8Buffer { zip(bytes, $0).allSatisfy { $0 & 0xDF == $1 & 0xDF } }
    }

    // MARK: Values

    /// The value as one text; nil if it is too long.
    var text: String? { text(value[...]) }

    private func text(_ bytes: ArraySlice<UInt8>) -> String? {
      guard bytes.count <= 4 * VCardText.maxCharacters else { return nil }
      let raw = Self.unescaped(bytes)
      // Cards are UTF-8; some declare another encoding, and some use one.
      let isLatin = parameters.contains { $0.name == "charset" && Self.isLatin($0.value) }
      let decoded = isLatin ? nil : String(validating: raw, as: UTF8.self)
      let text = VCardText.clean(decoded ?? String.latin(raw))
      return text.utf8.count <= VCardText.maxCharacters ? text : nil
    }

    private static func isLatin(_ charset: ArraySlice<UInt8>) -> Bool {
      isEqual(charset.filter { $0 != UInt8(ascii: "-") }[...], "ISO88591") || isEqual(charset, "latin1")
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var isEscaped = false
      for b in bytes {
        if isEscaped {
          result.append(b == UInt8(ascii: "n") || b == UInt8(ascii: "N") ? 0x0A : b)
          isEscaped = false
        } else if b == UInt8(ascii: "\\") {
          isEscaped = true
        } else {
          result.append(b)
        }
      }
      return result
    }

    /// The parts between separators, except those after a backslash.
    private static func parts(_ bytes: ArraySlice<UInt8>, _ mark: UInt8) -> [ArraySlice<UInt8>] {
      var parts: [ArraySlice<UInt8>] = []
      var start = bytes.startIndex
      var isEscaped = false
      for i in bytes.indices {
        if isEscaped {
          isEscaped = false
        } else if bytes[i] == UInt8(ascii: "\\") {
          isEscaped = true
        } else if bytes[i] == mark {
          parts.append(bytes[start..<i])
          start = i + 1
        }
      }
      return parts + [bytes[start...]]
    }

    /// Family, given and additional names, prefixes and suffixes.
    var name: VCard.Name? {
      guard value.count <= 8 * VCardText.maxCharacters else { return nil }
      let parts = Self.parts(value, UInt8(ascii: ";")).prefix(5).map { part in
        Self.parts(part, UInt8(ascii: ",")).prefix(100).compactMap { text($0) }.joined(separator: ", ")
      }
      func part(_ i: Int) -> String {
        i < parts.count && parts[i].utf8.count <= VCardText.maxCharacters ? parts[i] : ""
      }
      let name = VCard.Name(family: part(0), given: part(1), additional: part(2), prefix: part(3), suffix: part(4))
      return name.isEmpty ? nil : name
    }

    var contact: VCard.Contact? {
      guard let value = text, !value.isEmpty else { return nil }
      var contact = VCard.Contact(value)
      for parameter in parameters {
        if parameter.name == "pref" { contact.isPreferred = true }
        guard parameter.name == "type" else { continue }
        func isBetween(_ b: UInt8) -> Bool { b == UInt8(ascii: ",") || b == UInt8(ascii: "\"") }
        for word in parameter.value.split(maxSplits: 2 * VCardText.maxKinds, whereSeparator: isBetween) {
          guard let kind = VCardText.kind(word) else { continue }
          if kind == "pref" {
            contact.isPreferred = true
          } else if contact.kinds.count < VCardText.maxKinds, !contact.kinds.contains(kind) {
            contact.kinds.append(kind)
          }
        }
      }
      return contact
    }

    /// A photo embedded in the card: `data:image/png;base64,…` in 4.0, or Base64 with parameters in 3.0.
    var photo: TypedData? {
      // With a margin for blanks.
      guard value.count <= VCardText.maxPhotoBytes * 3 / 2 else { return nil }
      let isEncoded = parameters.contains {
        $0.name == "encoding" && (Self.isEqual($0.value, "b") || Self.isEqual($0.value, "base64"))
      }
      if isEncoded {
        let types = parameters.filter { $0.name == "type" }.compactMap { Self.imageType($0.value) }
        return Self.photo(value, types.first)
      }
      let value = Self.unescaped(value)[...]
      guard Self.isEqual(value.prefix(5), "DATA:"), let comma = value.firstIndex(of: UInt8(ascii: ",")),
        comma < 200
      else { return nil }
      let head = value[5..<comma].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      guard let type = head.first, let last = head.last, head.count > 1, Self.isEqual(last, "BASE64"),
        let imageType = Self.imageType(type)
      else { return nil }
      return Self.photo(value[(comma + 1)...], imageType)
    }

    /// `image/jpeg` for `JPEG` and for `image/jpeg`.
    private static func imageType(_ bytes: ArraySlice<UInt8>) -> String? {
      let isWhole = isEqual(bytes.prefix(6), "IMAGE/")
      return VCardText.subtype(isWhole ? bytes.dropFirst(6) : bytes).map { "image/" + $0 }
    }

    private static func photo(_ digits: ArraySlice<UInt8>, _ type: String?) -> TypedData? {
      guard let bytes = Base64.decode(digits), !bytes.isEmpty, bytes.count <= VCardText.maxPhotoBytes else {
        return nil
      }
      let isPNG = bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
      return TypedData(bytes, type: type ?? (isPNG ? "image/png" : "image/jpeg"))
    }
  }
}
