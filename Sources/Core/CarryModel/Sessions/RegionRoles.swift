/// The interactions of a region; it may have several.
package struct RegionRoles: OptionSet, Hashable, Codable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A press on it may lift items.
  package static let drag = RegionRoles(rawValue: 1)
  /// Drags may be dropped on it.
  package static let drop = RegionRoles(rawValue: 2)
  /// Hovering over it with a drag activates it.
  package static let spring = RegionRoles(rawValue: 4)

  /// The application receives its touches at once, and is told which touches Carry claims.
  package static let cooperative = RegionRoles(rawValue: 8)

  /// Accepts drops of several sessions at the same time. Without this role, the first session has the region to
  /// itself (D4).
  package static let simultaneous = RegionRoles(rawValue: 16)

  /// The application implements drags by mouse and pen itself, so clicks are not held for it.
  package static let ownPointer = RegionRoles(rawValue: 32)

  /// The application is asked whether a press may lift, as the press begins.
  package static let asks = RegionRoles(rawValue: 64)

  /// Presses and drags do not reach the regions beneath.
  package static let obstacle = RegionRoles(rawValue: 128)

  /// The engine frames it while a drag hovers over it, as a spring-loaded region that does not draw that itself.
  package static let framed = RegionRoles(rawValue: 256)

  package static let all: RegionRoles = [
    .drag, .drop, .spring, .cooperative, .simultaneous, .ownPointer, .asks, .obstacle, .framed,
  ]

  /// The roles that are allowed for a region that represents a foreign application.
  package static let ofStandIns: RegionRoles = [.drag, .drop, .spring, .simultaneous]
}
