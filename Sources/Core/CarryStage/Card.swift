package import CarryModel

/// The description of one item's card, from the owner of the pictures.
package struct CardSource: Equatable, Sendable {
  /// The item's position in its session, counted from the first that was lifted.
  package var item: Int
  /// The picture; 0 means no picture, which is drawn as a neutral card.
  package var image: ImageID
  /// Unscaled, in pixels.
  package var size: Size
  /// The card's place before it rises, and its destination when the drag is cancelled, in screen pixels. Nil for a
  /// card without a visible place, which fades when the drag is cancelled.
  package var home: Rect?
  /// Whether the picture has an outline of its own. Other pictures are drawn with rounded corners.
  package var isShaped: Bool

  package init(item: Int, image: ImageID, size: Size, home: Rect?, isShaped: Bool = false) {
    self.item = item
    self.image = image
    self.size = size
    self.home = home
    self.isShaped = isShaped
  }
}

/// How one item ends, if not in the usual way.
package struct Landing: Equatable, Sendable {
  package enum Way: Equatable, Sendable {
    /// Shrinks and fades in place.
    case fade
    /// Moves its centre to a place while it scales and turns, and stays visible until the end.
    case place(center: Point, scale: Double, turn: Double)
  }
  package var item: Int
  package var way: Way
  /// Another picture that the card changes to on its way; nil keeps the carried picture.
  package var picture: CardSource?

  package init(item: Int, way: Way, picture: CardSource? = nil) {
    self.item = item
    self.way = way
    self.picture = picture
  }
}

/// One item of a drag as a card.
struct Card: Equatable {
  /// The card's former look while it changes to the present one.
  struct Morph: Equatable {
    var image: ImageID
    var size: Size
    var fit: Double
    var isShaped: Bool
    var start: Instant
    var duration: Interval
  }

  let item: Int
  private(set) var image: ImageID
  /// Unscaled, in pixels.
  private(set) var size: Size
  /// Where the card flies when the drag is cancelled, in screen pixels; nil lets it fade in place.
  var home: Rect?
  /// Cards that came together fly home together.
  var batch: UInt32
  var slot: Slot
  /// The factor that makes the card small enough to carry: at most 1.
  private(set) var fit: Double
  private(set) var isShaped: Bool
  private(set) var morph: Morph?

  init(_ source: CardSource, batch: UInt32, slot: Slot, style: StageStyle) {
    item = source.item
    image = source.image
    home = source.home
    isShaped = source.isShaped
    self.batch = batch
    self.slot = slot
    size = Card.size(source.size)
    fit = Card.fit(size, style)
  }

  /// Changes to another picture within `duration`; the place in the stack and the way home stay.
  mutating func become(_ source: CardSource, at time: Instant, duration: Interval, style: StageStyle) {
    let now = look(at: time)
    morph = Morph(
      image: image, size: now.size, fit: now.fit, isShaped: isShaped, start: time, duration: duration)
    image = source.image
    isShaped = source.isShaped
    size = Card.size(source.size)
    fit = Card.fit(size, style)
  }

  /// Forgets the card's former look once the change is over.
  ///
  /// - Returns: whether the change has just ended.
  mutating func forgetMorph(at time: Instant) -> Bool {
    guard let morph, progress(from: morph.start, for: morph.duration, at: time) >= 1 else { return false }
    self.morph = nil
    return true
  }

  /// The size and the fit at `time`, and the fraction of the new picture.
  func look(at time: Instant) -> (size: Size, fit: Double, share: Double) {
    guard let morph else { return (size, fit, 1) }
    let t = Easing.smooth(progress(from: morph.start, for: morph.duration, at: time))
    return (
      Size(width: mix(morph.size.width, size.width, t), height: mix(morph.size.height, size.height, t)),
      mix(morph.fit, fit, t), t
    )
  }

  /// The larger of the card's former and present size, to reserve room for it.
  var largest: Size {
    guard let morph else { return size }
    return Size(width: max(size.width, morph.size.width), height: max(size.height, morph.size.height))
  }

  func scale(in pose: Pose) -> Double { pose.scale * mix(1, fit, pose.fit) }

  func center(in pose: Pose) -> Point {
    Point(x: pose.center.x + slot.dx * pose.spread, y: pose.center.y + slot.dy * pose.spread)
  }

  /// The card's picture, and its former picture during a change.
  var images: [ImageID] { [image] + (morph.map { [$0.image] } ?? []) }

  /// Sizes come from clients: nothing below one pixel, nothing larger than a screen.
  private static func size(_ s: Size) -> Size { Size(width: side(s.width), height: side(s.height)) }
  private static func side(_ v: Double) -> Double { v.isNaN ? 1 : max(1, min(4096, v)) }
  private static func fit(_ size: Size, _ style: StageStyle) -> Double {
    min(1, style.carriedSide / (style.liftedScale * max(size.width, size.height)))
  }
}
