import CX11
import CarryModel

/// The icon of a type without a picture: a few plain shapes in white.
package enum TypeIcon: Equatable, Sendable {
  case folder, text, picture, sound, film, archive
  /// Several files as one item.
  case list
  case other

  /// - Parameter type: a media type.
  package init(type: String) {
    let kind = type.prefix { $0 != "/" }
    let name = type.dropFirst(kind.count + 1).prefix { $0 != ";" }
    let archives = ["zip", "gzip", "x-tar", "x-compressed-tar", "x-xz", "zstd", "x-7z-compressed", "x-bzip2"]
    let texts = ["pdf", "json", "xml", "rtf", "x-shellscript", "msword", "vnd.oasis.opendocument.text"]
    switch kind {
    case "inode": self = name == "directory" ? .folder : .other
    case "image": self = .picture
    case "audio": self = .sound
    case "video": self = .film
    case "text": self = name == "uri-list" ? .list : .text
    case "application" where archives.contains(String(name)): self = .archive
    case "application" where texts.contains(String(name)): self = .text
    default: self = .other
    }
  }

  /// Draws the icon in a square.
  ///
  /// - Parameters:
  ///   - x: the left edge in pixels.
  ///   - y: the upper edge in pixels.
  ///   - side: pixels.
  package func draw(_ c: OpaquePointer, x: Double, y: Double, side: Double) {
    cairo_save(c)
    cairo_translate(c, x, y)
    cairo_scale(c, side / 64, side / 64)
    cairo_set_source_rgba(c, 1, 1, 1, 0.92)
    cairo_set_line_width(c, 3)
    switch self {
    case .folder: Self.drawFolder(c)
    case .list:
      Self.drawPage(c, x: 20, y: 4)
      cairo_set_source_rgba(c, 1, 1, 1, 0.6)
      Self.drawPage(c, x: 8, y: 12)
    case .text, .picture, .sound, .film, .archive, .other:
      Self.drawPage(c, x: 12, y: 4)
      cairo_set_source_rgba(c, 0.13, 0.15, 0.19, 0.6)
      drawSign(c)
    }
    cairo_restore(c)
  }

  private static func drawFolder(_ c: OpaquePointer) {
    let painter = CardPainter(c, scale: 1)
    painter.outline(Rect(x: 4, y: 10, width: 26, height: 20), 4)
    cairo_fill(c)
    painter.outline(Rect(x: 4, y: 17, width: 56, height: 38), 4)
    cairo_fill(c)
  }

  /// A sheet of paper of 40×56 with a folded corner.
  private static func drawPage(_ c: OpaquePointer, x: Double, y: Double) {
    cairo_new_path(c)
    for (dx, dy) in [(0.0, 0.0), (28, 0), (40, 12), (40, 52), (0, 52)] { cairo_line_to(c, x + dx, y + dy) }
    cairo_close_path(c)
    cairo_fill(c)
  }

  /// Draws the content of a page of 40×52 at 12,4.
  private func drawSign(_ c: OpaquePointer) {
    switch self {
    case .text:
      for (i, length) in [14.0, 26, 26, 20].enumerated() {
        cairo_rectangle(c, 19, 18 + 9 * Double(i), length, 3)
      }
    case .picture:
      polygon(c, [(16, 50), (26, 32), (33, 42), (38, 36), (48, 50)])
      cairo_new_sub_path(c)
      cairo_arc(c, 40, 25, 4, 0, 2 * .pi)
    case .sound:
      cairo_arc(c, 26, 44, 6, 0, 2 * .pi)
      cairo_rectangle(c, 29, 18, 3, 26)
      polygon(c, [(29, 18), (43, 23), (43, 30), (29, 25)])
    case .film: polygon(c, [(24, 22), (44, 34), (24, 46)])
    case .archive:
      for i in 0..<6 { cairo_rectangle(c, i % 2 == 0 ? 26 : 31, 10 + 6 * Double(i), 5, 5) }
    case .folder, .list, .other: break
    }
    cairo_fill(c)
  }

  private func polygon(_ c: OpaquePointer, _ points: [(Double, Double)]) {
    cairo_new_sub_path(c)
    for (x, y) in points { cairo_line_to(c, x, y) }
    cairo_close_path(c)
  }
}
