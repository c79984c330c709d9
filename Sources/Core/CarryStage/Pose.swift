import CarryModel

/// The place and look of a sprite's cards, as numbers that can be interpolated.
struct Pose: Equatable {
  /// The centre of the fan, in pixels: on the screen, or relative to the touch if the sprite follows one.
  var center: Point
  var scale: Double
  /// 0: full size; 1: every card is small enough to carry.
  var fit: Double
  /// 0: the cards lie exactly on each other; 1: fanned out.
  var spread: Double
  /// 0: flat on the source; 1: risen, with the whole shadow.
  var elevation: Double
  var opacity: Double
  /// Radians, clockwise: the turn of every card about its own centre.
  var turn = 0.0

  /// The pose before a lift, and after the cards have sunk.
  static func flat(at center: Point) -> Pose {
    Pose(center: center, scale: 1, fit: 0, spread: 0, elevation: 0, opacity: 1)
  }

  func mixed(with other: Pose, _ t: Double) -> Pose {
    Pose(
      center: Point(x: mix(center.x, other.center.x, t), y: mix(center.y, other.center.y, t)),
      scale: mix(scale, other.scale, t), fit: mix(fit, other.fit, t), spread: mix(spread, other.spread, t),
      elevation: mix(elevation, other.elevation, t), opacity: mix(opacity, other.opacity, t),
      turn: mix(turn, other.turn, t))
  }
}

/// A motion from one pose to another.
struct Motion: Equatable {
  var from: Pose
  var to: Pose
  var start: Instant
  var duration: Interval
  var curve: Easing
  /// Height of the arc of the centre's flight, in pixels, upwards; 0 is straight.
  var arc = 0.0
  /// The fraction of the time after which the sprite fades away; 1 keeps it.
  var fadesAfter = 1.0

  static func rest(_ pose: Pose, at time: Instant) -> Motion {
    Motion(from: pose, to: pose, start: time, duration: .zero, curve: .smooth)
  }

  func isOver(at time: Instant) -> Bool { progress(from: start, for: duration, at: time) >= 1 }

  func pose(at time: Instant) -> Pose {
    let linear = progress(from: start, for: duration, at: time)
    let t = curve(linear)
    var pose = from.mixed(with: to, t)
    if arc != 0 { pose.center.y -= arc * 4 * t * (1 - t) }
    if fadesAfter < 1, linear > fadesAfter {
      pose.opacity *= 1 - Easing.smooth((linear - fadesAfter) / (1 - fadesAfter))
    }
    return pose
  }
}

/// A card's own place in the fan. Neighbours lie differently, so that a stack is recognisable as a stack.
struct Slot: Equatable {
  /// Pixels at full spread.
  var dx, dy: Double
  /// Radians at full spread, clockwise.
  var rotation: Double

  static let straight = Slot(dx: 0, dy: 0, rotation: 0)

  /// The n-th place of the fan, from 0. Places repeat, but never next to each other.
  static func fanned(_ n: Int) -> Slot {
    switch n % 6 {
    case 0: Slot(dx: 6, dy: -5, rotation: 0.055)
    case 1: Slot(dx: -7, dy: 4, rotation: -0.062)
    case 2: Slot(dx: 5, dy: 7, rotation: 0.028)
    case 3: Slot(dx: -5, dy: -6, rotation: -0.034)
    case 4: Slot(dx: 8, dy: 2, rotation: 0.07)
    default: Slot(dx: -3, dy: 6, rotation: -0.048)
    }
  }
}
