import Carry
import DemoKit

/// An image in the letter, or the room for one that is under way.
final class Attachment {
  enum Content {
    case coming(Load?)
    case picture(Picture)
    case failed
  }

  let id: Int
  let name: String?
  var content: Content
  /// Its preview is on the way here: it is not seen twice.
  var isLanding = false
  /// Height for each unit of width: a guess, until the source's size or the image is here.
  var ratio = Animation(0.66)
  var arrival = Animation(1)
  private var reduced: (picture: Picture, width: Double)?

  init(id: Int, name: String?, _ content: Content) { (self.id, self.name, self.content) = (id, name, content) }

  func isMoving(at now: Double) -> Bool {
    if case .coming = content, !isLanding { return true }
    return !ratio.isOver(at: now) || !arrival.isOver(at: now)
  }

  /// The source has said how large the image is, before any data.
  func makeRoom(for size: (width: Int, height: Int)) {
    ratio = Animation(min(1.6, Double(size.height) / Double(max(1, size.width))))
  }

  func take(_ picture: Picture, at now: Double) {
    content = .picture(picture)
    // Nobody wants to scroll past one image for ever.
    ratio.go(to: min(1.6, Double(picture.height) / Double(max(1, picture.width))), at: now, over: 0.3)
    arrival = Animation(0)
    arrival.go(to: 1, at: now, over: 0.3)
  }

  func draw(on c: Canvas, in box: Box, now: Double) {
    guard !isLanding else { return }
    let t = arrival.value(at: now)
    switch content {
    case .picture(let picture):
      if t < 1 { Self.drawRoom(on: c, in: box, now: now) }
      let wanted = (box.width * c.scale).rounded()
      if reduced?.width != wanted { reduced = picture.reduced(toWidth: wanted).map { ($0, wanted) } }
      c.translucent(t) { c.draw(reduced?.picture ?? picture, filling: box, radius: 8) }
    case .coming: Self.drawRoom(on: c, in: box, now: now)
    case .failed:
      c.fill(box, radius: 8, Color(0xF1EFEA))
      c.draw("The image did not arrive", TextStyle(13, color: Color(0x8A8478)), centeredIn: box)
    }
  }

  static func drawRoom(on c: Canvas, in box: Box, now: Double) {
    c.fill(box, radius: 8, from: Color(0xEDEBE6), to: Color(0xE1DED7))
    c.spinner(at: box.center, radius: 14, now: now)
  }
}
