package import CarryModel

/// A rectangle of an X window with its interactions: what the reference system calls a view.
package struct Region: Equatable, Sendable {
  package let id: RegionID
  package let client: ClientID
  package let window: WindowID
  /// Pixels, in the window's coordinates.
  package var rect: Rect
  package var roles: RegionRoles
  /// Whether the bridge created it, to represent the application that created the window.
  package let isStandIn: Bool
  /// The width of the zone along each edge in which a drag scrolls, in pixels; 0 for none.
  package var edgeZone = 0.0

  package init(
    id: RegionID, client: ClientID, window: WindowID, rect: Rect, roles: RegionRoles, isStandIn: Bool = false
  ) {
    self.id = id
    self.client = client
    self.window = window
    self.rect = rect
    self.roles = roles
    self.isStandIn = isStandIn
  }
}
