import Carry
import DemoKit

/// A picture in a note. In the note's text it is one character of its own: so it is selected, moved, deleted and taken
/// back like the text about it.
final class Attachment {
  /// Private use characters that only we put into a text.
  static let marks: ClosedRange<UInt32> = 0xF0000...0xFFFFD

  let mark: UnicodeScalar
  let name: String?
  /// As they came, and as they go.
  let bytes: [UInt8]
  let type: String
  private let picture: Picture
  private var reduced: (picture: Picture, width: Double)?
  /// From nothing to itself.
  var arrival = Animation(0)

  init(_ mark: UnicodeScalar, name: String?, _ bytes: [UInt8], type: String, _ picture: Picture) {
    (self.mark, self.name, self.bytes, self.type, self.picture) = (mark, name, bytes, type, picture)
  }

  static func isMark(_ s: UnicodeScalar) -> Bool { marks.contains(s.value) }

  /// Height to width.
  var ratio: Double { Double(picture.height) / Double(max(1, picture.width)) }

  /// What it is, for scripts: its name, its type, how many bytes, and their FNV-1a sum.
  var summary: String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(name ?? "-") \(type) \(bytes.count) \(String(sum, radix: 16))"
  }

  func provider() -> ItemProvider {
    let provider = ItemProvider(data: bytes, type: type)
    provider.suggestedName = name
    provider.preferredPresentationSize = (picture.width, picture.height)
    return provider
  }

  func draw(on c: Canvas, in box: Box, now: Double) {
    c.translucent(arrival.value(at: now)) {
      c.shadow(box, radius: 8, blur: 8, drop: 2, 0.22)
      let wanted = max(box.width, box.height / max(0.01, ratio)) * c.scale
      if reduced?.width != wanted { reduced = picture.reduced(toWidth: wanted).map { ($0, wanted) } }
      c.draw(reduced?.picture ?? picture, filling: box, radius: 8)
      c.stroke(box.inset(0.5), radius: 8, Color.black.faded(0.10))
    }
  }
}
