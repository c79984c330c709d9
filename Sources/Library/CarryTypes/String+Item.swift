/// Text as an item: UTF-8, and plain text for applications that know no better type.
extension String {
  /// UTF-8 first.
  public static var writableTypesForItemProvider: [String] { ["text/plain;charset=utf-8", "text/plain"] }

  /// Plain text in the usual encodings, and the subtypes of text.
  public static var readableTypesForItemProvider: [String] {
    ["text/plain;charset=utf-8", "text/plain;charset=utf-16", "text/plain;charset=iso-8859-1", "text/plain"]
  }

  /// Returns the text as UTF-8.
  public func loadRepresentation(forType type: String) -> [UInt8] { Array(utf8) }

  /// Decodes text. If the type has no charset, the text is UTF-16 if it begins with a byte order mark, else UTF-8,
  /// else ISO 8859-1.
  ///
  /// - Throws: `ItemDataError` if the bytes do not match the type.
  public init(itemProviderData data: [UInt8], type: String) throws {
    let unmarked = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data[3...] : data[...]
    let isWide = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
    if type.hasSuffix("charset=utf-16") || isWide && type == "text/plain" {
      self = try Self.wide(data)
    } else if type.hasSuffix("charset=iso-8859-1") {
      self = Self.latin(data)
    } else if let text = String(validating: unmarked, as: UTF8.self) {
      self = text
    } else if type == "text/plain" {
      self = Self.latin(data)
    } else {
      throw ItemDataError("the text is not UTF-8")
    }
  }

  private static func wide(_ data: [UInt8]) throws -> String {
    guard data.count.isMultiple(of: 2) else { throw ItemDataError("the text is not UTF-16: half a character is left") }
    // Big-endian without a byte order mark.
    let isLittle = data.starts(with: [0xFF, 0xFE])
    let isMarked = isLittle || data.starts(with: [0xFE, 0xFF])
    let units = stride(from: isMarked ? 2 : 0, to: data.count, by: 2).map { i in
      let (a, b) = (UInt16(data[i]), UInt16(data[i + 1]))
      return isLittle ? b << 8 | a : a << 8 | b
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw ItemDataError("the text is not UTF-16") }
    return text
  }

  /// ISO 8859-1, in which each byte is a character.
  static func latin(_ data: some Sequence<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in data { scalars.append(Unicode.Scalar(byte)) }
    return String(scalars)
  }
}
