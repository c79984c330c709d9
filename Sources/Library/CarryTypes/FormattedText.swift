/// Formatted text as an item: as HTML, and as plain text for applications that do not accept HTML.
///
/// HTML from another application may contain anything: display it where it runs no script and fetches nothing.
public struct FormattedText: Equatable, Sendable {
  /// The formatted text.
  public var html: String
  /// The text without its format.
  public var plainText: String

  /// Creates formatted text.
  ///
  /// - Parameters:
  ///   - html: a document, or a part of one.
  ///   - plainText: the same text without its format; nil to derive it from the HTML.
  public init(html: String, plainText: String? = nil) {
    self.html = html
    self.plainText = plainText ?? HTMLText.words(of: html)
  }

  /// Creates text without a format.
  public init(plainText: String) {
    html = HTMLText.html(of: plainText)
    self.plainText = plainText
  }

  /// HTML, then plain text.
  public static let writableTypesForItemProvider = ["text/html", "text/plain;charset=utf-8", "text/plain"]
  /// HTML, then plain text in the usual encodings.
  public static var readableTypesForItemProvider: [String] { ["text/html"] + String.readableTypesForItemProvider }

  /// Returns the HTML or the plain text, as UTF-8.
  public func loadRepresentation(forType type: String) -> [UInt8] {
    Array((type == "text/html" ? html : plainText).utf8)
  }

  /// Reads HTML or plain text, and derives the other one. HTML is UTF-16 if it begins with a byte order mark, else
  /// UTF-8, else ISO 8859-1.
  ///
  /// - Throws: `ItemDataError` if the bytes do not match the type.
  public init(itemProviderData data: [UInt8], type: String) throws {
    if type == "text/html" {
      self.init(html: try String(itemProviderData: data, type: "text/plain"))
    } else {
      self.init(plainText: try String(itemProviderData: data, type: type))
    }
  }
}
