import CarryModel
import CarrySessions

/// Where sources and targets lie in plays of two applications.
let sourceRect = Rect(x: 50, y: 250, width: 300, height: 300)
let targetRect = Rect(x: 850, y: 250, width: 300, height: 300)

/// A source of application 1 at the left, a target at the right.
func pair(_ client: UInt32 = 2, roles: RegionRoles = .drop) throws -> (Play, RegionID) {
  let p = Play()
  _ = try p.window(1, sourceRect, .drag)
  return (p, try p.window(client, targetRect, roles))
}
