import Carry
import DemoKit

/// A document of some app, or a bookmark, as it is found.
struct Document {
  let reference: String
  /// A document's file, or a bookmark's address.
  private let path: String
  private let type: String
  private let thumbnail: Picture?
  /// The file's name without its suffix.
  private let title: String
  private let app: String

  init?(_ reference: String) {
    guard let path = Documents.path(reference) else { return nil }
    (self.reference, self.path) = (reference, path)
    type = ItemProvider.type(ofFileAt: path)
    let parts = reference.split(separator: "/").map(String.init)
    app = parts[0].prefix(1).uppercased() + parts[0].dropFirst()
    title = parts[1].lastIndex(of: ".").map { String(parts[1][..<$0]) } ?? parts[1]
    thumbnail =
      type.hasPrefix("image/")
      ? Program.read(path, limit: 16 << 20).flatMap {
        Picture.decode($0)?.picture.reduced(toWidth: 360)
      } : nil
  }

  /// Some pages, as a browser would keep them.
  static let bookmarks = [Document(bookmark: "Boats on the lake", "https://www.example.org/lake/boats")]

  private init(bookmark title: String, _ address: String) {
    (reference, path, type) = ("bookmarks/" + title, address, "text/uri-list")
    (self.title, app, thumbnail) = (title, "Bookmarks", nil)
  }

  private var isBookmark: Bool { type == "text/uri-list" }

  private var kind: String {
    switch type {
    case "text/uri-list": "Link"
    case "text/vcard": "Card"
    case _ where type.hasPrefix("image/"): "Picture"
    default: "Document"
    }
  }

  /// Whether a word begins with these letters: of the name, the kind or the app.
  func matches(_ letters: String) -> Bool {
    "\(title) \(kind) \(app)".lowercased().split(separator: " ").contains { $0.hasPrefix(letters) }
  }

  func draw(on c: Canvas, in box: Box) {
    c.fill(box, radius: 12, Color.white.faded(0.85))
    let icon = Box(box.x + 10, box.y + 8, 52, box.height - 16)
    if let thumbnail {
      c.draw(thumbnail, filling: icon, radius: 7)
    } else if isBookmark {
      Self.drawGlobe(on: c, in: icon)
    } else {
      c.fill(icon, radius: 7, from: Color(0x6A8FC0), to: Color(0x47689A))
      c.fill(
        Box(center: Point(x: icon.center.x, y: icon.y + 13), width: 13, height: 13), radius: 6.5,
        .white)
      c.fill(
        Box(center: Point(x: icon.center.x, y: icon.y + 30), width: 26, height: 13), radius: 6.5,
        .white)
    }
    let width = max(40, box.width - 90)
    c.draw(
      TextLayout(title, TextStyle(15, .semibold), width: width, isOneLine: true),
      at: Point(x: icon.maxX + 14, y: box.center.y - 20))
    c.draw(
      TextLayout(
        "\(kind) · \(app)", TextStyle(12, color: Color(0x7A828E)), width: width, isOneLine: true),
      at: Point(x: icon.maxX + 14, y: box.center.y + 2))
  }

  private static func drawGlobe(on c: Canvas, in box: Box) {
    c.fill(box, radius: 7, from: Color(0x5FB3A8), to: Color(0x3A8A86))
    let (p, r) = (box.center, 14.0)
    c.circle(p, radius: r)
    c.strokePath(.white, width: 1.8)
    c.fill(Box(p.x - r, p.y - 0.8, 2 * r, 1.6), .white)
    c.fill(Box(p.x - 0.8, p.y - r, 1.6, 2 * r), .white)
    for k in [-1.0, 1] {
      c.move(p.x, p.y - r)
      c.curve(
        Point(x: p.x + k * r * 0.75, y: p.y - r * 0.5), Point(x: p.x + k * r * 0.75, y: p.y + r * 0.5),
        Point(x: p.x, y: p.y + r))
      c.strokePath(.white, width: 1.4)
    }
  }

  /// What is seen of it while it is carried: a picture as such, anything else as a card.
  func carried(scale: Double) -> Picture? {
    guard let thumbnail else {
      return Picture(units: 240, 56, scale: scale) { c in
        c.fill(Box(0, 0, 240, 56), .white)
        draw(on: c, in: Box(0, 0, 240, 56))
      }
    }
    let k = 200 / Double(max(thumbnail.width, thumbnail.height))
    let (width, height) = (Double(thumbnail.width) * k, Double(thumbnail.height) * k)
    return Picture(units: width, height, scale: scale) { $0.draw(thumbnail, filling: Box(0, 0, width, height)) }
  }

  /// A bookmark's address, or the file itself. Its app's file provider serves the file; Search does so where the system
  /// knows no such provider.
  func provider() -> ItemProvider {
    if isBookmark {
      let provider = ItemProvider()
      if let link = WebLink(path) { provider.registerObject(link) }
      provider.suggestedName = title
      return provider
    }
    let provider = ItemProvider(contentsOf: path, type: type, fileOptions: .openInPlace)
    provider.fileProviderReference = reference
    return provider
  }
}
