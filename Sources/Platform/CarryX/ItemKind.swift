/// The name of an item's kind, by its types, for an item without a name.
package enum ItemKind {
  private static let names: [(pattern: String, name: String)] = [
    ("image/*", "Picture"), ("video/*", "Video"), ("audio/*", "Sound"), ("inode/directory", "Folder"),
    ("application/pdf", "PDF"), ("text/vcard", "Contact"), ("text/x-vcard", "Contact"), ("text/x-uri", "Link"),
    ("text/uri-list", "Link"), ("application/x-color", "Colour"), ("text/html", "Text"), ("text/*", "Text"),
  ]

  /// - Parameter types: the item's media types, the best first.
  package static func name(of types: [String]) -> String {
    for type in types {
      let plain = type.prefix { $0 != ";" }
      let kind = names.first { entry in
        entry.pattern.hasSuffix("/*") ? plain.hasPrefix(entry.pattern.dropLast()) : plain == entry.pattern
      }
      if let kind { return kind.name }
    }
    return "Item"
  }
}
