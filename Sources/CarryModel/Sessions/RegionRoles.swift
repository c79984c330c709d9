/// What a region takes part in; a region may do several things at once.
package struct RegionRoles: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A press on it may lift items.
  package static let drag = RegionRoles(rawValue: 1)
  /// Drags over it may be dropped.
  package static let drop = RegionRoles(rawValue: 2)
  /// Hovering over it with a drag activates it.
  package static let spring = RegionRoles(rawValue: 4)

  /// The application gets its touches at once, and is told which touches Carry takes.
  package static let cooperative = RegionRoles(rawValue: 8)

  /// D4: takes drops of several sessions at the same time. Without this role, the first session has the region to itself.
  package static let simultaneous = RegionRoles(rawValue: 16)

  /// Z31: the application drags by mouse and pen itself, so that clicks are not held for it.
  package static let ownPointer = RegionRoles(rawValue: 32)

  package static let all: RegionRoles = [.drag, .drop, .spring, .cooperative, .simultaneous, .ownPointer]

  /// What a region can take part in that stands for an application of another protocol.
  package static let ofStandIns: RegionRoles = [.drag, .drop, .spring, .simultaneous]
}
