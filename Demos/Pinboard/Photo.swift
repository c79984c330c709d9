import Carry
import DemoKit

/// A photo, or the place of one that is under way. Where it hangs, the board knows.
final class Photo {
  enum Content {
    /// Its data is under way.
    case coming(Load?)
    case picture(Picture, Original)
    /// It did not come.
    case failed
  }

  /// What it is when it leaves the board.
  enum Original {
    /// The bytes it came as.
    case bytes([UInt8], type: String)
    case file(path: String, type: String)
    /// A drawing of our own: made into a PNG when somebody wants it.
    case drawing
  }

  let id: Int
  let name: String?
  var content: Content
  /// 0.4 while it is being carried.
  var opacity = Animation(1)
  /// From small to its size when it appears.
  var growth = Animation(1)
  /// From the placeholder to the picture.
  var arrival = Animation(1)
  private var reduced: (picture: Picture, width: Double)?

  init(id: Int, name: String?, content: Content) {
    (self.id, self.name, self.content) = (id, name, content)
  }

  /// The longer side of a picture on the board.
  static let longest = 210.0
  private static let border = 9.0
  private static let foot = 30.0

  /// The picture alone, about the middle of the paper.
  var pictureSize: (width: Double, height: Double) {
    guard case .picture(let p, _) = content else { return (Self.longest, Self.longest * 0.75) }
    let k = Self.longest / Double(max(p.width, p.height))
    return (max(60, Double(p.width) * k), max(60, Double(p.height) * k))
  }

  /// The paper, as it would hang straight.
  func paper(at center: Point) -> Box {
    let size = pictureSize
    return Box(
      center: center, width: size.width + 2 * Self.border, height: size.height + Self.border + Self.foot)
  }

  /// The paper's corners on the board, turned as it hangs.
  func corners(_ pin: Board.Pin) -> [Point] {
    let b = paper(at: Point(x: 0, y: 0))
    let (c, s) = (pin.angle.cosine, pin.angle.sine)
    return [(b.x, b.y), (b.maxX, b.y), (b.maxX, b.maxY), (b.x, b.maxY)].map { x, y in
      pin.center + Point(x: x * c - y * s, y: x * s + y * c)
    }
  }

  private func window(in paper: Box) -> Box {
    Box(
      paper.x + Self.border, paper.y + Self.border, paper.width - 2 * Self.border,
      paper.height - Self.border - Self.foot)
  }

  /// The caption: the name without what computers put behind it.
  private var caption: String {
    guard let name else { return "" }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  func isMoving(at now: Double) -> Bool {
    if case .coming = content { return true }
    return ![opacity, growth, arrival].allSatisfy { $0.isOver(at: now) }
  }

  // MARK: Drawing

  func draw(on c: Canvas, _ pin: Board.Pin, isSelected: Bool, isLifted: Bool, now: Double) {
    guard opacity.value(at: now) > 0 else { return }
    let paper = paper(at: Point(x: 0, y: 0))
    c.saved {
      c.translate(pin.center.x, pin.center.y)
      c.rotate(pin.angle)
      c.scale(0.6 + 0.4 * growth.value(at: now))
      c.translucent(opacity.value(at: now)) {
        let rise = isLifted ? 2.0 : 1
        c.shadow(paper, radius: 3, blur: 13 * rise, drop: 4 * rise, 0.34)
        c.fill(paper, radius: 2.5, from: Color(0xFFFFFF), to: Color(0xF8F6F2))
        drawContent(on: c, in: window(in: paper), now: now)
        let foot = Box(paper.x + 12, paper.maxY - Self.foot + 1, paper.width - 24, Self.foot - 4)
        c.draw(caption, TextStyle(12, .medium, color: Color(0x57534C)), centeredIn: foot)
        if isSelected { c.stroke(paper.inset(-3), radius: 6, .accent, width: 2.5) }
        drawPin(on: c, at: Point(x: 0, y: paper.y + 8))
      }
    }
  }

  private func drawContent(on c: Canvas, in window: Box, now: Double) {
    let t = arrival.value(at: now)
    if case .picture(let picture, _) = content, t >= 1 {
      drawPicture(picture, on: c, in: window)
      return
    }
    c.fill(window, from: Color(0xECE8E0), to: Color(0xDFDAD0))
    switch content {
    case .picture(let picture, _): c.translucent(t) { drawPicture(picture, on: c, in: window) }
    case .coming(let load): drawComing(load, on: c, in: window, now: now)
    case .failed:
      c.draw("It did not arrive", TextStyle(13, color: Color(0x8A8478)), centeredIn: window.inset(8))
    }
  }

  private func drawPicture(_ picture: Picture, on c: Canvas, in window: Box) {
    let wanted = window.width * c.scale
    if reduced == nil || reduced?.width != wanted {
      reduced = picture.reduced(toWidth: max(wanted, wanted * Double(picture.width) / Double(max(1, picture.width))))
        .map { ($0, wanted) }
    }
    c.draw(reduced?.picture ?? picture, filling: window)
    c.stroke(window.inset(0.5), Color.black.faded(0.08))
  }

  /// A ring that turns, and what has come so far.
  private func drawComing(_ load: Load?, on c: Canvas, in window: Box, now: Double) {
    let middle = window.center
    c.spinner(at: Point(x: middle.x, y: middle.y - 6), radius: 14, now: now)
    guard let bytes = load?.completedBytes, bytes > 0 else { return }
    let line = Box(window.x, middle.y + 18, window.width, 18)
    c.draw("\(bytes / 1024) kB", TextStyle(11, color: Color(0x8A8478)), centeredIn: line)
  }

  private static let pinColors: [UInt32] = [0xD9503F, 0x3E7CC4, 0x4F9D69, 0xE0A12E]

  private func drawPin(on c: Canvas, at p: Point) {
    let color = Color(Self.pinColors[id % Self.pinColors.count])
    c.fillRadial(Point(x: p.x + 1.5, y: p.y + 4), radius: 9, from: Color.black.faded(0.35), to: Color.black.faded(0))
    c.circle(p, radius: 6)
    c.fillPath(color)
    c.circle(Point(x: p.x - 0.5, y: p.y - 0.8), radius: 3.8)
    c.fillPath(color.mixed(with: .white, 0.22))
    c.circle(Point(x: p.x - 1.8, y: p.y - 2.2), radius: 1.3)
    c.fillPath(Color.white.faded(0.85))
  }

  // MARK: Leaving the board

  /// A promise of the photo; nil while there is none.
  func provider() -> ItemProvider? {
    guard case .picture(let picture, let original) = content else { return nil }
    let provider: ItemProvider
    switch original {
    case .file(let path, let type):
      provider = ItemProvider(contentsOf: path, type: type)
      promisePNG(of: picture, unless: type, by: provider)
    case .bytes(let bytes, let type):
      provider = ItemProvider(data: bytes, type: type)
      promisePNG(of: picture, unless: type, by: provider)
      provider.suggestedName = name
    case .drawing:
      provider = ItemProvider(object: picture)
      provider.suggestedName = name
    }
    // The file need not be read for it: the photo hangs here.
    provider.preferredPresentationSize = (picture.width, picture.height)
    return provider
  }

  /// What everybody can read.
  private func promisePNG(of picture: Picture, unless type: String, by provider: ItemProvider) {
    if type != "image/png" { provider.registerObject(picture) }
  }
}
