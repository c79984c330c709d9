import Carry
import DemoKit

/// One image of the gallery, or the place of one that is under way.
final class Entry {
  enum Content {
    /// Its data is under way.
    case coming(Load?)
    /// With the bytes as they came; a drawing of our own has none.
    case picture(Picture, bytes: [UInt8]?, type: String)
    /// It did not come, and why.
    case failed(String)
  }

  let id: Int
  let name: String?
  var content: Content
  /// Its preview is on the way here: it is not seen twice.
  var isLanding = false
  /// Lower while it is carried.
  var opacity = Animation(1)
  /// From the placeholder to the picture.
  var arrival = Animation(1)
  private var reduced: (picture: Picture, width: Double)?

  init(id: Int, name: String?, _ content: Content) { (self.id, self.name, self.content) = (id, name, content) }

  static let radius = 10.0
  private static let grey = Color(0x8C877D)

  var state: String {
    switch content {
    case .coming: isLanding ? "landing" : "coming"
    case .picture: isLanding ? "landing" : "shown"
    case .failed: "failed"
    }
  }

  var isPicture: Bool { if case .picture = content { true } else { false } }

  func isMoving(at now: Double) -> Bool {
    if case .coming = content, !isLanding { return true }
    return !opacity.isOver(at: now) || !arrival.isOver(at: now)
  }

  /// The cross that stops or dismisses what is no picture, in its cell.
  static func cross(in box: Box) -> Box { Box(box.maxX - 30, box.y + 6, 24, 24) }

  // MARK: Drawing

  func draw(on c: Canvas, in box: Box, isSelected: Bool, now: Double) {
    guard !isLanding else { return }
    c.translucent(opacity.value(at: now)) {
      let t = arrival.value(at: now)
      if case .picture(let picture, _, _) = content {
        if t < 1 { Self.drawPlaceholder(on: c, in: box, now: now) }
        c.translucent(t) { draw(picture, on: c, in: box) }
      } else {
        Self.drawPlaceholder(on: c, in: box, now: now, hasSpinner: !isFailed)
        drawState(on: c, in: box)
      }
    }
    if isSelected { c.stroke(box.inset(-3), radius: Self.radius + 3, .accent, width: 2.5) }
  }

  var isFailed: Bool { if case .failed = content { true } else { false } }

  private func draw(_ picture: Picture, on c: Canvas, in box: Box) {
    let wanted = (box.width * 1.25 * c.scale).rounded()
    if reduced?.width != wanted { reduced = picture.reduced(toWidth: wanted).map { ($0, wanted) } }
    let picture = reduced?.picture ?? picture
    c.shadow(box, radius: Self.radius, blur: 8, drop: 2, 0.2)
    let (ratio, cell) = (Double(picture.width) / Double(max(1, picture.height)), box.width / box.height)
    // A little may be cut off; of what is much higher or wider, everything is shown.
    guard min(ratio, cell) / max(ratio, cell) < 0.85 else { return c.draw(picture, filling: box, radius: Self.radius) }
    c.fill(box, radius: Self.radius, .white)
    let room = box.inset(8)
    let k = min(room.width / ratio, room.height)
    c.draw(picture, filling: Box(center: box.center, width: k * ratio, height: k), radius: 4)
  }

  /// What stands for an image while it comes, in its cell and on its way there.
  static func drawPlaceholder(on c: Canvas, in box: Box, now: Double, hasSpinner: Bool = true) {
    c.fill(box, radius: radius, from: Color(0xE9E7E2), to: Color(0xDCD9D2))
    if hasSpinner { c.spinner(at: Point(x: box.center.x, y: box.center.y - 4), radius: 13, now: now) }
  }

  private func drawState(on c: Canvas, in box: Box) {
    let line = Box(box.x + 10, box.center.y + 16, box.width - 20, 18)
    switch content {
    case .coming(let load):
      let bytes = load?.completedBytes ?? 0
      let part = load?.fractionCompleted.map { "\(Int($0 * 100)) %" }
      if bytes > 0 { c.draw(part ?? "\(bytes / 1024) kB", TextStyle(11, color: Self.grey), centeredIn: line) }
    case .failed(let why):
      c.draw("It did not arrive", TextStyle(12.5, .medium, color: Color(0x5E594F)), centeredIn: line.moved(0, -30))
      let words = TextLayout(why, TextStyle(10.5, color: Self.grey), width: box.width - 20, isCentered: true)
      c.draw(words, at: Point(x: box.x + 10, y: box.center.y + 6))
    case .picture: return
    }
    let cross = Self.cross(in: box)
    c.circle(cross.center, radius: 9)
    c.fillPath(Color(0x5E594F, 0.55))
    for k in [-1.0, 1] {
      c.move(cross.center.x - 3.2, cross.center.y - 3.2 * k)
      c.line(cross.center.x + 3.2, cross.center.y + 3.2 * k)
      c.strokePath(.white, width: 1.6)
    }
  }

  // MARK: Leaving the gallery

  /// A promise of the image; nil while there is none.
  func provider() -> ItemProvider? {
    guard case .picture(let picture, let bytes, let type) = content else { return nil }
    let provider = bytes.map { ItemProvider(data: $0, type: type) } ?? ItemProvider()
    if bytes == nil || type != "image/png" {
      provider.registerObject(picture)
    }
    provider.suggestedName = name
    provider.preferredPresentationSize = (picture.width, picture.height)
    return provider
  }
}
