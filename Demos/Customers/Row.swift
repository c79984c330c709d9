import Carry
import DemoKit

/// How rows look.
enum Row {
  static let height = 74.0
  private static let hues: [UInt32] = [0xC96F4A, 0x4A8B7C, 0x6A6FB5, 0xB5893A, 0x8A5A8F, 0x4F7FB0]

  /// A customer, with a photo or initials.
  static func draw(_ customer: Customer, on c: Canvas, in box: Box) {
    let face = Box(center: Point(x: box.x + 44, y: box.center.y), width: 46, height: 46)
    if let photo = customer.photo {
      c.draw(photo, filling: face, radius: 23)
    } else {
      let hue = hues[customer.name.unicodeScalars.reduce(0) { ($0 &* 31 &+ Int($1.value)) & 0xFFFF } % hues.count]
      c.fill(face, radius: 23, Color(hue))
      let initials = customer.name.split(separator: " ").prefix(2).compactMap(\.first).map(String.init).joined()
      c.draw(initials.uppercased(), TextStyle(17, .semibold, color: .white), centeredIn: face)
    }
    let width = max(40, box.maxX - face.maxX - 34)
    let hasPhone = !customer.phone.isEmpty
    let name = TextLayout(customer.name, TextStyle(16, .semibold), width: width, isOneLine: true)
    c.draw(name, at: Point(x: face.maxX + 16, y: box.center.y - (hasPhone ? 22 : 11)))
    guard hasPhone else { return }
    let phone = TextLayout(customer.phone, TextStyle(13, color: Color(0x8A8478)), width: width, isOneLine: true)
    c.draw(phone, at: Point(x: face.maxX + 16, y: box.center.y + 4))
  }

  /// Where a customer will be, whose data is on its way.
  ///
  /// - Parameter fraction: how much of it is there; nil while nobody knows.
  static func placeholder(_ name: String, _ fraction: Double?, on c: Canvas, in box: Box, now: Double) {
    c.spinner(at: Point(x: box.x + 44, y: box.center.y), radius: 11, now: now)
    if let fraction, fraction > 0 {
      let bar = Box(box.x + 83, box.maxY - 16, box.width - 113, 4)
      c.fill(bar, radius: 2, Color(0xE8E4DC))
      c.fill(Box(bar.x, bar.y, max(4, bar.width * fraction), bar.height), radius: 2, Color(0x3F7FD0))
    }
    let text = TextLayout(name, TextStyle(16, color: Color(0x8A8478)), width: max(40, box.width - 110), isOneLine: true)
    c.draw(text, at: Point(x: box.x + 83, y: box.center.y - 11))
  }

  static func icon(on c: Canvas) {
    c.fill(Box(6, 8, 52, 48), radius: 12, from: Color(0x6A8FC0), to: Color(0x47689A))
    c.fill(Box(24, 16, 16, 16), radius: 8, .white)
    c.fill(Box(17, 35, 30, 14), radius: 7, .white)
  }
}
