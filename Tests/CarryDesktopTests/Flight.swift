import CarryModel
import CarryTesting

/// Where a preview was seen on its way to a place.
///
/// On a busy machine the last picture is seen before the end of the way. So a flight is judged by its way: a straight one, of
/// which more than a half was seen.
struct Flight {
  private(set) var start: CarryModel.Point?
  private(set) var way: [CarryModel.Point] = []

  /// - Parameter isFlying: whether it is on its way; until then it is carried.
  mutating func add(_ center: CarryModel.Point?, isFlying: Bool) {
    guard let center else { return }
    if isFlying { way.append(center) } else { start = center }
  }

  func leads(to goal: CarryModel.Point) -> Bool {
    guard let start, let last = way.last else { return false }
    let (rest, whole) = (last.distance(to: goal), start.distance(to: goal))
    return rest < whole / 2 && rest + last.distance(to: start) - whole < 16
  }
}
