/// Formatted text as an item: as HTML, and as plain text for those who take no HTML.
///
/// HTML that another application has written may be anything: show it where it runs no script and fetches nothing.
public struct FormattedText: ItemProviderWriting, ItemProviderReading, Equatable, Sendable {
  /// The text with its format.
  public var html: String
  /// The text without it.
  public var plainText: String

  /// Text with a format.
  ///
  /// - Parameters:
  ///   - html: a document, or a part of one.
  ///   - plainText: the same without a format; nil for the HTML's words.
  public init(html: String, plainText: String? = nil) {
    self.html = html
    self.plainText = plainText ?? HTMLText.words(of: html)
  }

  /// Text without a format, which any format can be given.
  public init(plainText: String) {
    html = HTMLText.html(of: plainText)
    self.plainText = plainText
  }

  /// HTML, then plain text.
  public static let writableTypesForItemProvider = ["text/html", "text/plain;charset=utf-8", "text/plain"]
  /// HTML, then plain text in the usual encodings.
  public static var readableTypesForItemProvider: [String] { ["text/html"] + String.readableTypesForItemProvider }

  /// The HTML or the plain text, as UTF-8.
  public func loadRepresentation(forType type: String) -> [UInt8] {
    Array((type == "text/html" ? html : plainText).utf8)
  }

  /// Reads HTML, or plain text, and makes the other one of it. HTML is UTF-16 if it begins as UTF-16 files do, else UTF-8,
  /// else ISO 8859-1.
  ///
  /// - Throws: `ItemDataError` if the bytes are not what the type says.
  public init(itemProviderData data: [UInt8], type: String) throws {
    if type == "text/html" {
      self.init(html: try String(itemProviderData: data, type: "text/plain"))
    } else {
      self.init(plainText: try String(itemProviderData: data, type: type))
    }
  }
}
