import CarryModel

/// The offer of a program that speaks XDND as media types; the inverse of `XdndOffer`.
package struct ForeignTypes: Equatable, Sendable {
  /// How to decode the source's bytes.
  package enum Decoding: Equatable, Sendable {
    case none
    case latin1
    /// A browser's link in native byte order; the first line is the address.
    case linkUTF16
    case linkUTF8
    /// The key of a FileTransfer portal transfer. It is fetched at the drop, together with the data, since a key is
    /// valid once.
    case portal
    /// The source saves a file at a given location (XDS) and replies with a letter.
    case directSave
  }

  /// One representation.
  package struct Offer: Equatable, Sendable {
    /// The media type that Carry's clients see.
    package var type: String
    /// The X type to convert to.
    package var source: String
    package var decoding: Decoding
  }

  /// In the source's order.
  package private(set) var offers: [Offer] = []

  /// How many of a source's types are examined, since each costs a request to the X server. The rest is ignored.
  package static let mostLooked = 256
  /// The maximum number of representations of an item.
  static let most = 32

  package static let text = "text/plain;charset=utf-8"

  /// In order of preference. All contain the same text.
  private static let texts: [(name: String, decoding: Decoding)] = [
    (text, .none), ("text/plain;charset=UTF-8", .none), ("UTF8_STRING", .none), ("text/plain", .none),
    ("STRING", .latin1),
  ]
  private static let links: [(name: String, decoding: Decoding)] = [
    (XdndOffer.uriList, .none), ("text/x-moz-url", .linkUTF16), ("_NETSCAPE_URL", .linkUTF8),
  ]
  /// Types that only the source's own program understands, or that trigger an action.
  private static let privatePrefixes = [
    "application/x-moz-", "text/x-moz-", "text/_moz_", "chromium/", "application/vnd.portal.", "application/x-qt-",
    "application/x-gtk-", "application/x-root", "gimp/",
  ]

  /// - Parameters:
  ///   - names: The X types, the best first.
  ///   - savedType: The media type of the file that the source can save at a given location; nil if it cannot, or may
  ///     not.
  package init(_ names: [String], savedType: String? = nil) {
    for name in names.prefix(Self.mostLooked) where offers.count < Self.most {
      if Self.texts.contains(where: { $0.name == name }) {
        guard let best = Self.texts.first(where: { names.contains($0.name) }) else { continue }
        add(Self.text, best.name, best.decoding)
        // Many targets request text by this name only.
        add("text/plain", best.name, best.decoding)
      } else if Self.links.contains(where: { $0.name == name }) {
        guard let best = Self.links.first(where: { names.contains($0.name) }) else { continue }
        add(XdndOffer.uriList, best.name, best.decoding)
      } else if XdndOffer.portalTypes.contains(name), !Self.links.contains(where: { names.contains($0.name) }) {
        add(XdndOffer.uriList, name, .portal)
      } else if SafeText.isMediaType(name), !MediaType.isPattern(name), !Self.isPrivate(name) {
        add(name, name, .none)
      }
    }
    if let savedType, names.contains(XdndOffer.directSave) { offerSaved(savedType) }
  }

  /// If the source offers to save a file, the drag is about that file rather than its other representations. A URI
  /// list is less work, and so are bytes of the same type.
  private mutating func offerSaved(_ type: String) {
    guard !offers.contains(where: { $0.type == XdndOffer.uriList }) else { return }
    // Sources offer untyped bytes for targets for which the file could not be saved.
    if type == XdndOffer.anyBytes { offers.removeAll { $0.type == type } }
    guard !offers.contains(where: { $0.type == type }) else { return }
    offers.insert(Offer(type: type, source: XdndOffer.directSave, decoding: .directSave), at: 0)
    if offers.count > Self.most { offers.removeLast() }
  }

  /// Whether one of the types requires the source to save a file.
  package var needsSaving: Bool { offers.contains { $0.decoding == .directSave } }

  private static func isPrivate(_ name: String) -> Bool { privatePrefixes.contains { name.hasPrefix($0) } }

  private mutating func add(_ type: String, _ source: String, _ decoding: Decoding) {
    guard offers.count < Self.most, !offers.contains(where: { $0.type == type }) else { return }
    offers.append(Offer(type: type, source: source, decoding: decoding))
  }

  /// The URI list that can be read before the drop.
  package var addresses: Offer? { offers.first { $0.type == XdndOffer.uriList && $0.decoding != .portal } }

  /// Converts bytes to those of the media type.
  package static func decoded(_ bytes: [UInt8], _ decoding: Decoding) -> [UInt8] {
    switch decoding {
    case .none, .portal, .directSave: return bytes
    case .latin1: return utf8(ofLatin1: bytes)
    case .linkUTF8: return list(UTF8.self, bytes)
    case .linkUTF16:
      // Limits the search for the address.
      let units = (0..<min(bytes.count / 2, XdndData.mostLinked + 1)).map { i in
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: i * 2, as: UInt16.self) }
      }
      return list(UTF16.self, units)
    }
  }

  private static func utf8(ofLatin1 bytes: [UInt8]) -> [UInt8] {
    let high = bytes.count { $0 >= 0x80 }
    return [UInt8](unsafeUninitializedCapacity: bytes.count + high) { text, count in
      for byte in bytes {
        if byte < 0x80 {
          text[count] = byte
          count += 1
        } else {
          (text[count], text[count + 1]) = (0xC0 | byte >> 6, 0x80 | byte & 0x3F)
          count += 2
        }
      }
    }
  }

  /// The first address. A source may send hundreds of megabytes of lines.
  private static func list<E: Unicode.Encoding>(_ encoding: E.Type, _ units: [E.CodeUnit]) -> [UInt8] {
    var looked = units.prefix(XdndData.mostLinked + 1)
    // A truncated address would be a different one.
    if looked.count > XdndData.mostLinked { looked = looked[..<(looked.lastIndex(of: 0x0A) ?? 0)] }
    let address = XdndData.firstAddress(Array(String(decoding: looked, as: encoding).utf8))
    return address.map { XdndData.list($0) } ?? []
  }
}
