package import CarryModel

/// How previews look and how long their movements take. Lengths are pixels at 96 dpi; `scaled` adapts them to a
/// screen.
package struct StageStyle: Equatable, Sendable {
  /// The factor by which a lifted card grows.
  package var liftedScale = 1.06
  /// The opacity of a carried stack, through which the windows below remain visible.
  package var carriedOpacity = 0.85
  /// The longest side of a card once the drag has begun.
  package var carriedSide = 240.0
  package var cornerRadius = 10.0
  /// The shadow of a fully risen card.
  package var shadow = Shadow(blur: 13, offsetY: 9, opacity: 0.34)
  /// The fraction of the shadow that a card casts while other cards lie on it.
  package var lowerShadow = 0.35
  /// How many cards of a stack are drawn; the cards below are hidden.
  package var visibleCards = 4
  /// Half the height of a badge.
  package var badgeRadius = 13.0
  /// Room to each side of a badge's centre, so that a pill with three digits fits even while it pops.
  package var badgeRoom = 40.0
  /// The room for a few words beside the stack.
  package var labelSize = Size(width: 360, height: 34)
  /// How many batches of a session fly home one by one; older batches lie hidden deep in the stack.
  package var flightsPerSession = 16

  /// Maximum pixels of all windows in which a session's cards fly, or rise elsewhere than under the finger. Cards
  /// that would need more go straight into the stack, or fade in place: sizes come from clients, and each window uses
  /// memory of the X server.
  package var flightPixels = 16 << 20

  package var settle = Interval.milliseconds(220)
  package var flyIn = Interval.milliseconds(380)
  package var catchUp = Interval.milliseconds(140)
  package var badgePop = Interval.milliseconds(260)
  /// The duration of a change of picture.
  package var morph = Interval.milliseconds(250)

  package init() {}

  /// The same look without automatic movements, for reduced motion.
  var withoutMotion: StageStyle {
    var s = self
    (s.settle, s.flyIn, s.catchUp, s.badgePop, s.morph) = (.zero, .zero, .zero, .zero, .zero)
    return s
  }

  /// The same look on a screen with `factor` times 96 dots per inch.
  package func scaled(by factor: Double) -> StageStyle {
    guard factor.isFinite, factor > 0.25, factor < 16 else { return self }
    var s = self
    s.carriedSide *= factor
    s.cornerRadius *= factor
    s.shadow.blur *= factor
    s.shadow.offsetY *= factor
    s.badgeRadius *= factor
    s.badgeRoom *= factor
    s.labelSize = Size(width: s.labelSize.width * factor, height: s.labelSize.height * factor)
    return s
  }
}
