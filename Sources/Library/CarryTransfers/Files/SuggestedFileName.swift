import CarryModel

/// The file name for a representation.
///
/// An item has one name, and a representation for each type: the PNG picture of `photo.jpg` is not a JPEG file. The
/// desktop's types are in a database of the user, on a file system that a destination must not wait for, so these few
/// types and their extensions are listed here. For all other types the item's name is unchanged.
package enum SuggestedFileName {
  /// - Parameters:
  ///   - name: the item's name, which is safe; nil if it has none.
  ///   - type: the type of the representation.
  package static func of(_ name: String?, for type: String) -> String {
    let type = type.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard let name else { return unnamed(type) }
    guard let own = endings[type], let ending = own.first else { return name }
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return isGeneric(type) ? name : shortened(name, by: ending) + "." + ending
    }
    let current = name[name.index(after: dot)...].lowercased()
    guard let other = endings.first(where: { $0.value.contains(current) })?.key, other != type else { return name }
    if isGeneric(type), isKind(other, of: type) { return name }
    return shortened(String(name[..<dot]), by: ending) + "." + ending
  }

  /// The name for a folder that arrives as a zip archive.
  package static func ofArchive(_ folder: String) -> String { shortened(folder, by: "zip") + ".zip" }

  /// The name for data whose source suggests none.
  private static func unnamed(_ type: String) -> String {
    switch type {
    case "text/plain": "text.txt"
    case "text/uri-list": "links.txt"
    case "text/vcard": "contact.vcf"
    case "image/svg+xml": "drawing.svg"
    case "application/pdf": "document.pdf"
    case "application/zip": "archive.zip"
    case FileType.folder: "folder"
    default:
      switch type.prefix(while: { $0 != "/" }) {
      case "text": "text.\(endings[type]?.first ?? "txt")"
      case "image": "image.\(endings[type]?.first ?? "bin")"
      default: "\(type.hasPrefix("application/vnd.") ? "document" : "data").\(endings[type]?.first ?? "bin")"
      }
    }
  }

  /// Types that files of other types often have, too: source code is text, an office document is a zip archive. A
  /// file without an extension may be of these.
  private static func isGeneric(_ type: String) -> Bool {
    ["text/plain", "application/json", "application/xml", "application/zip"].contains(type)
  }

  /// Whether a file of the one type is also of the other, generic type.
  private static func isKind(_ type: String, of generic: String) -> Bool {
    switch generic {
    case "text/plain":
      type.hasPrefix("text/") || ["application/json", "application/xml", "image/svg+xml"].contains(type)
    case "application/xml": type == "image/svg+xml" || type == "text/html"
    case "application/zip": type.hasPrefix("application/vnd.")
    default: false
    }
  }

  /// Shortens a name so that the extension fits.
  private static func shortened(_ stem: String, by ending: String) -> String {
    var scalars = stem.unicodeScalars
    while String(scalars).utf8.count + 1 + ending.utf8.count > Limits.nameBytes { scalars.removeLast() }
    return String(scalars)
  }

  /// The usual extension first.
  private static let endings: [String: [String]] = [
    "text/plain": ["txt", "text", "asc"],
    "text/html": ["html", "htm", "xhtml"],
    "text/markdown": ["md", "markdown", "mkd"],
    "text/csv": ["csv"],
    "text/rtf": ["rtf"],
    "text/vcard": ["vcf", "vcard"],
    "application/json": ["json"],
    "application/xml": ["xml"],
    "application/pdf": ["pdf"],
    "application/zip": ["zip"],
    "image/png": ["png"],
    "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
    "image/gif": ["gif"],
    "image/webp": ["webp"],
    "image/svg+xml": ["svg"],
    "image/tiff": ["tiff", "tif"],
    "image/bmp": ["bmp", "dib"],
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
    "application/vnd.oasis.opendocument.text": ["odt"],
    "application/vnd.oasis.opendocument.spreadsheet": ["ods"],
    "application/vnd.oasis.opendocument.presentation": ["odp"],
  ]
}
