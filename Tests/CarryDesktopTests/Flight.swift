import CarryModel
import CarryTesting

/// Where a preview was seen on its way to a place.
///
/// On a busy machine the last picture is seen before the end of the way. So a flight is judged by its way: a straight one, of
/// which more than a half was seen.
struct Flight {
  private(set) var start: CarryModel.Point?
  private(set) var way: [CarryModel.Point] = []
  /// How often it was seen where it is carried, without a movement in between.
  private var rests = 0

  /// - Parameter isFlying: whether it is on its way; until then it is carried.
  mutating func add(_ center: CarryModel.Point?, isFlying: Bool) {
    guard let center else { return }
    guard !isFlying else { return way.append(center) }
    rests = center == start ? rests + 1 : 0
    start = center
  }

  /// Whether it has come to a place, from where it may fly.
  func rests(near place: CarryModel.Point) -> Bool {
    rests > 3 && start.map { $0.distance(to: place) < 100 } == true
  }

  func leads(to goal: CarryModel.Point) -> Bool {
    guard let start, let last = way.last else { return false }
    let (rest, whole) = (last.distance(to: goal), start.distance(to: goal))
    return rest < whole / 2 && rest + last.distance(to: start) - whole < 16
  }
}
