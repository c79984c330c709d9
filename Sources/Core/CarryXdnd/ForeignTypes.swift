import CarryModel

/// The offer of a program that speaks XDND as media types; the inverse of `XdndOffer`.
package struct ForeignTypes: Equatable, Sendable {
  /// How to decode the source's bytes.
  package enum Decoding: Equatable, Sendable {
    case none
    /// Text in a character set, as `iconv` names it, or in compound text.
    case text(charset: String)
    /// A browser's link; the first line is the address.
    case link(charset: String)
    /// A file manager's copied files: a list of addresses below a line that says what to do with the files.
    case copiedFiles
    /// The key of a FileTransfer portal transfer. It is fetched at the drop, together with the data, since a key is
    /// valid once.
    case portal
    /// The source saves a file at a given location (XDS) and replies with a letter.
    case directSave
  }

  /// One of the names under which the source has the data.
  package struct Source: Equatable, Sendable {
    /// The X type to convert to.
    package var name: String
    package var decoding: Decoding

    package init(_ name: String, _ decoding: Decoding) { (self.name, self.decoding) = (name, decoding) }
  }

  /// One representation.
  package struct Offer: Equatable, Sendable {
    /// The media type that Carry's clients see.
    package var type: String
    /// In order of preference; never empty. A source may refuse one and answer the next.
    package var sources: [Source]

    package init(type: String, sources: [Source]) { (self.type, self.sources) = (type, sources) }

    package var decoding: Decoding { sources[0].decoding }
  }

  /// In the source's order.
  package private(set) var offers: [Offer] = []

  /// How many of a source's types are examined, since each costs a request to the X server. The rest is ignored.
  package static let maxLooked = 256
  /// The maximum number of representations of an item.
  static let most = 32

  package static let text = "text/plain;charset=utf-8"

  /// The charset of plain text with this name, and its place in the order of preference; nil for other types.
  /// Encodings of all characters come first.
  private static func charset(of name: String) -> (name: String, rank: Int)? {
    switch name {
    case text: return ("UTF-8", 0)
    case "UTF8_STRING": return ("UTF-8", 2)
    case "text/unicode": return ("UTF-16", 3)
    case "text/plain": return ("UTF-8", 4)
    case "COMPOUND_TEXT": return (compoundText, 6)
    // The owner chooses the encoding.
    case "TEXT": return (compoundText, 7)
    case "STRING": return ("ISO-8859-1", 8)
    default: break
    }
    let parts = name.uppercased().split(separator: ";").map { $0.filter { !" \"'".contains($0) } }
    guard parts.count == 2, parts[0] == "TEXT/PLAIN", parts[1].hasPrefix("CHARSET=") else { return nil }
    let charset = String(parts[1].dropFirst(8))
    if charset == "UTF-8" || charset == "UTF8" { return ("UTF-8", 1) }
    if ["UTF-16", "UTF-16LE", "UTF-16BE"].contains(charset) { return (charset, 3) }
    // Others keep their type: not every converter of the C library is safe for data of other programs.
    guard charset == "US-ASCII" || ["ISO-8859-", "WINDOWS-125", "KOI8-"].contains(where: charset.hasPrefix)
    else { return nil }
    return (charset, 5)
  }

  /// The encoding of ICCCM's COMPOUND_TEXT.
  package static let compoundText = "COMPOUND_TEXT"

  private static func texts(among names: [String]) -> [Source] {
    let known = names.compactMap { name in charset(of: name).map { (name, $0) } }.enumerated()
    let sorted = known.sorted { ($0.element.1.rank, $0.offset) < ($1.element.1.rank, $1.offset) }
    return sorted.map { Source($0.element.0, .text(charset: $0.element.1.name)) }
  }

  private static let links = [
    Source(XdndOffer.uriList, .none), Source("text/x-moz-url", .link(charset: "UTF-16")),
    Source("_NETSCAPE_URL", .link(charset: "UTF-8")), Source(XdndOffer.copiedFiles, .copiedFiles),
  ]
  /// Types that only the source's own program understands, or that trigger an action.
  private static let privatePrefixes = [
    "application/x-moz-", "text/x-moz-", "text/_moz_", "chromium/", "application/vnd.portal.", "application/x-qt-",
    "application/x-gtk-", "application/x-root", "application/x-kde-", "application/x-gimp-", "gimp/",
  ]

  /// - Parameters:
  ///   - names: The X types, the best first.
  ///   - savedType: The media type of the file that the source can save at a given location; nil if it cannot, or may
  ///     not.
  package init(_ names: [String], savedType: String? = nil) {
    let names = Array(names.prefix(Self.maxLooked))
    let texts = Self.texts(among: names)
    let links = Self.links.filter { names.contains($0.name) }
    for name in names where offers.count < Self.most {
      if texts.contains(where: { $0.name == name }) {
        add(Self.text, texts)
        // Many targets request text by this name only.
        add("text/plain", texts)
      } else if links.contains(where: { $0.name == name }) {
        add(XdndOffer.uriList, links)
      } else if XdndOffer.portalTypes.contains(name), links.isEmpty {
        add(XdndOffer.uriList, [Source(name, .portal)])
      } else if SafeText.isMediaType(name), !MediaType.isPattern(name), !Self.isPrivate(name) {
        // Browsers write HTML in UTF-16, too, with a byte order mark.
        add(name, [Source(name, MediaType.isJust(name, "text/html") ? .text(charset: "UTF-8") : .none)])
      }
    }
    if let savedType, names.contains(XdndOffer.directSave) { offerSaved(savedType) }
  }

  /// If the source offers to save a file, the drag is about that file rather than its other representations, such as
  /// its address on the web. Bytes of the same type are made anew, without the file's name. Addresses of files have
  /// been looked at before.
  private mutating func offerSaved(_ type: String) {
    let same = offers.first { $0.type == type }?.sources ?? []
    offers.removeAll { $0.type == type }
    // Sources offer untyped bytes for targets for which the file could not be saved.
    let isUntyped = type == XdndOffer.anyBytes
    let saved = Source(XdndOffer.directSave, .directSave)
    offers.insert(Offer(type: type, sources: isUntyped ? [saved] : [saved] + same), at: 0)
    if offers.count > Self.most { offers.removeLast() }
  }

  /// Whether one of the types requires the source to save a file.
  package var needsSaving: Bool { offers.contains { $0.decoding == .directSave } }

  private static func isPrivate(_ name: String) -> Bool { privatePrefixes.contains { name.hasPrefix($0) } }

  private mutating func add(_ type: String, _ sources: [Source]) {
    guard offers.count < Self.most, !offers.contains(where: { $0.type == type }) else { return }
    offers.append(Offer(type: type, sources: sources))
  }

  /// The URI list that can be read before the drop.
  package var addresses: Offer? { offers.first { $0.type == XdndOffer.uriList && $0.decoding != .portal } }
}
