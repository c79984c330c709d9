/// Imprecise types: the receiver of the bytes cannot know what they mean.
enum AbstractTypes {
  /// Types for arbitrary bytes.
  private static let anything: Set<Substring> = [
    "application/octet-stream", "application/binary", "application/x-binary", "application/unknown",
    "application/x-unknown", "binary/octet-stream", "application/data", "application/x-data",
  ]

  /// What to promise instead of a type, as a sentence; nil for a precise type.
  ///
  /// - Parameter others: the types that the item already promises, which are better.
  static func advice(on type: String, besides others: [String]) -> String? {
    if isPlainText(type) {
      if hasCharset(type) || others.contains(where: { isPlainText($0) && hasCharset($0) }) { return nil }
      return "'\(type)' does not say how its characters are written; promise text/plain;charset=utf-8 before it"
    }
    let base = type.lowercased().prefix { $0 != ";" && $0 != " " }
    guard anything.contains(base) || base.hasSuffix("/x-generic") || base.hasSuffix("/unknown") else { return nil }
    return "'\(type)' does not say what the bytes are; promise a type such as image/png, or one of your own such as "
      + "application/vnd.example.drawing"
  }

  private static func isPlainText(_ type: String) -> Bool {
    type.lowercased().prefix { $0 != ";" && $0 != " " } == "text/plain"
  }

  private static func hasCharset(_ type: String) -> Bool {
    type.lowercased().split(separator: ";").dropFirst().contains { $0.drop { $0 == " " }.hasPrefix("charset=") }
  }
}
