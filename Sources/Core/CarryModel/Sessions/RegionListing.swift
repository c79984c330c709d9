/// A region as developers see it, for `carry regions`.
package struct RegionListing: Equatable, Sendable {
  package var region: RegionID
  package var client: ClientID
  package var window: WindowID
  /// Screen pixels; nil if the window is not on the screen.
  package var rect: Rect?
  package var roles: RegionRoles
  package var acceptedTypes: [String]
  /// Whether it represents an application that does not use Carry.
  package var isStandIn: Bool
  /// The part of the region that a press or drag reaches, from 0 to 1. Estimated at nine points.
  package var reachable: Double
  /// The window that covers most of the rest. It may be the region's own, if another region lies above.
  package var cover: WindowID?

  package init(
    _ region: RegionID, of client: ClientID, window: WindowID, rect: Rect?, roles: RegionRoles,
    acceptedTypes: [String], isStandIn: Bool, reachable: Double, cover: WindowID?
  ) {
    self.region = region
    self.client = client
    self.window = window
    self.rect = rect
    self.roles = roles
    self.acceptedTypes = acceptedTypes
    self.isStandIn = isStandIn
    self.reachable = reachable
    self.cover = cover
  }
}

/// A region as a client is told of it.
package struct ListedRegion: Equatable, Sendable {
  /// The application's name.
  package var client: String
  /// Nil if it has ended.
  package var process: Int32?
  package var label: String?
  package var window: UInt32
  /// Screen pixels; nil if the window is not on the screen.
  package var rect: Rect?
  package var roles: RegionRoles
  package var acceptedTypes: [String]
  /// Whether the application does not use Carry.
  package var isForeign: Bool
  /// Per cent.
  package var reachable: Int
  /// The window that covers most of the rest.
  package var cover: UInt32?

  package init(
    client: String, process: Int32?, label: String?, window: UInt32, rect: Rect?, roles: RegionRoles,
    acceptedTypes: [String], isForeign: Bool, reachable: Int, cover: UInt32?
  ) {
    (self.client, self.process, self.label, self.window) = (client, process, label, window)
    (self.rect, self.roles, self.acceptedTypes) = (rect, roles, acceptedTypes)
    (self.isForeign, self.reachable, self.cover) = (isForeign, reachable, cover)
  }
}

/// A region that an application was refused, as a client is told of it.
package struct ListedRefusal: Equatable, Sendable {
  /// The application's name.
  package var client: String
  /// Nil if it has ended.
  package var process: Int32?
  package var label: String?
  package var window: UInt32
  package var reason: String

  package init(client: String, process: Int32?, label: String?, window: UInt32, reason: String) {
    (self.client, self.process, self.label) = (client, process, label)
    (self.window, self.reason) = (window, reason)
  }
}

/// The regions of all applications at one moment.
package struct RegionList: Equatable, Sendable {
  package var regions: [ListedRegion] = []
  package var refused: [ListedRefusal] = []
  /// The number of all regions. The engine lists at most 512.
  package var count = 0

  package init() {}
}
