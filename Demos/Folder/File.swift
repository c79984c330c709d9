import Carry
import DemoKit

/// A file or folder, as it is seen in its folder.
struct File {
  let name: String
  private let path: String
  private let isFolder: Bool
  private let type: String
  private let thumbnail: Picture?
  private let time: Int

  init(_ name: String, in folder: String) {
    self.name = name
    path = "\(folder)/\(name)"
    isFolder = Program.isFolder(path)
    time = Program.changeTime(path)
    type = ItemProvider.type(ofFileAt: path)
    thumbnail =
      type.hasPrefix("image/") && !isFolder
      ? Program.read(path, limit: 16 << 20).flatMap { Picture.decode($0)?.picture.reduced(toWidth: 200) } : nil
  }

  /// Whether the file is still what is seen of it.
  var isCurrent: Bool { Program.changeTime(path) == time }

  func draw(on c: Canvas, in box: Box) {
    let icon = Box(center: Point(x: box.center.x, y: box.y + 45), width: 84, height: 62)
    if isFolder {
      Self.drawFolder(on: c, in: icon.inset(4))
    } else if let thumbnail {
      let k = min(icon.width / Double(thumbnail.width), icon.height / Double(thumbnail.height))
      let place = Box(center: icon.center, width: Double(thumbnail.width) * k, height: Double(thumbnail.height) * k)
      c.shadow(place, radius: 4, blur: 6, drop: 1.5, 0.2)
      c.draw(thumbnail, filling: place, radius: 4)
    } else {
      drawPaper(on: c, in: Box(center: icon.center, width: 46, height: 60))
    }
    c.draw(name, TextStyle(12), centeredIn: Box(box.x + 6, box.y + 84, box.width - 12, 20))
  }

  /// What files of some types are called at their ends.
  static let suffixes: [(type: String, suffix: String)] = [
    ("application/pdf", "pdf"), ("image/png", "png"), ("image/jpeg", "jpg"), ("text/vcard", "vcf"),
    ("message/rfc822", "eml"), ("text/plain", "txt"),
  ]

  /// A file's name with a suffix; nil where the suggested one has a suffix or there is nothing to add.
  static func name(_ suggested: String?, _ type: String) -> String? {
    guard let suggested, !suggested.contains("."), let suffix = suffixes.first(where: { type.hasPrefix($0.type) })
    else { return nil }
    return "\(suggested).\(suffix.suffix)"
  }

  private func drawPaper(on c: Canvas, in box: Box) {
    c.shadow(box, radius: 4, blur: 6, drop: 1.5, 0.2)
    c.fill(box, radius: 4, .white)
    let suffix = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).uppercased() } ?? ""
    for i in 0..<3 { c.fill(Box(box.x + 8, box.y + 11 + Double(i) * 8, i == 2 ? 18 : 30, 3), Color(0xDCDFE4)) }
    c.draw(
      String(suffix.prefix(5)), TextStyle(10.5, .bold, color: Color(0x7A828E)),
      centeredIn: Box(box.x, box.maxY - 20, box.width, 14))
  }

  static func drawFolder(on c: Canvas, in box: Box) {
    c.fill(Box(box.x, box.y, box.width * 0.46, box.height * 0.4), radius: 4, Color(0x5E9BD8))
    c.fill(
      Box(box.x, box.y + box.height * 0.14, box.width, box.height * 0.86), radius: 5, from: Color(0x86BCEE),
      to: Color(0x6AA6E0))
  }
}
