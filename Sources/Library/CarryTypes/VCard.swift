/// The card of a person, in the exchange format of address books: vCard 4.0 (RFC 6350) and 3.0 (RFC 2426).
///
/// Reading a card skips properties not listed here, such as postal addresses. Control characters are removed from all
/// texts.
public struct VCard: Equatable, Sendable {
  /// The versions that can be written; both can be read.
  public enum Version: String, Sendable {
    /// For older programs: `text/x-vcard`.
    case v3 = "3.0"
    /// `text/vcard`.
    case v4 = "4.0"
  }

  /// The parts of a name. Several names of one part are in one text, separated by commas.
  public struct Name: Equatable, Sendable {
    /// Such as "Lovelace".
    public var family: String
    /// Such as "Ada".
    public var given: String
    /// Middle names.
    public var additional: String
    /// Such as "Dr.".
    public var prefix: String
    /// Such as "M.D.".
    public var suffix: String

    /// Creates a name from its parts.
    public init(
      family: String = "", given: String = "", additional: String = "", prefix: String = "", suffix: String = ""
    ) {
      self.family = family
      self.given = given
      self.additional = additional
      self.prefix = prefix
      self.suffix = suffix
    }

    /// All parts in the English order.
    public var formatted: String {
      [prefix, given, additional, family, suffix].filter { !$0.isEmpty }.joined(separator: " ")
    }

    var isEmpty: Bool { formatted.isEmpty }
  }

  /// A telephone number or a mail address.
  public struct Contact: Equatable, Sendable {
    /// The number or the address as written.
    public var value: String
    /// The kinds, in lower case: `work`, `home`, `cell`, `voice`, … Letters, digits and dashes only.
    public var kinds: [String]
    /// Whether it is preferred over the others.
    public var isPreferred: Bool

    /// Creates a number or an address.
    public init(_ value: String, kinds: [String] = [], isPreferred: Bool = false) {
      self.value = value
      self.kinds = kinds
      self.isPreferred = isPreferred
    }
  }

  /// The full name, for display.
  public var formattedName: String
  /// The parts of the name; nil if the card has none.
  public var name: Name?
  /// Telephone numbers; at most 100 are read.
  public var phones: [Contact]
  /// Mail addresses; at most 100 are read.
  public var emails: [Contact]
  /// A photo embedded in the card, usually `image/jpeg`; at most 8 MiB are read. Photos referred to by address are
  /// skipped.
  public var photo: TypedData?

  /// Creates a card.
  public init(
    formattedName: String, name: Name? = nil, phones: [Contact] = [], emails: [Contact] = [], photo: TypedData? = nil
  ) {
    self.formattedName = formattedName
    self.name = name
    self.phones = phones
    self.emails = emails
    self.photo = photo
  }

  /// Reads the first card in some bytes.
  ///
  /// - Throws: `ItemDataError` if there is none, or it is of another version.
  public init(parsing bytes: [UInt8]) throws {
    guard let card = try VCardReader.cards(bytes, most: 1).first else { throw ItemDataError("there is no vCard") }
    self = card
  }

  /// Reads all cards in some bytes, one after another; at most 10,000.
  ///
  /// - Throws: `ItemDataError` if one of them is of another version, or there are more than 64 MiB.
  public static func cards(parsing bytes: [UInt8]) throws -> [VCard] { try VCardReader.cards(bytes, most: 10_000) }

  /// Returns the card as a file, in UTF-8.
  public func bytes(version: Version = .v4) -> [UInt8] { VCardWriter.write(self, version) }
}

/// `text/vcard` and its older name.
extension VCard {
  /// Version 4.0, then 3.0, then the name as text.
  public static let writableTypesForItemProvider = [
    "text/vcard", "text/x-vcard", "text/plain;charset=utf-8", "text/plain",
  ]
  /// Cards of either version, under all their media types.
  public static let readableTypesForItemProvider = ["text/vcard", "text/x-vcard", "text/directory"]

  /// Returns the card, or the name, numbers and mail addresses as lines of text.
  public func loadRepresentation(forType type: String) -> [UInt8] {
    switch type {
    case "text/vcard": bytes(version: .v4)
    case "text/x-vcard": bytes(version: .v3)
    default:
      Array(([formattedName] + phones.map(\.value) + emails.map(\.value)).joined(separator: "\n").utf8)
    }
  }

  /// Reads the first card.
  ///
  /// - Throws: `ItemDataError` if there is none, or it is of another version.
  public init(itemProviderData data: [UInt8], type: String) throws { try self.init(parsing: data) }
}
