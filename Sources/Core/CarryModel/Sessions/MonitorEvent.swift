/// One step of a session, for `carry monitor` and for logs.
package struct MonitorEvent: Equatable, Sendable {
  /// The words are part of the command line's contract.
  package enum Kind: String, Equatable, Sendable, CaseIterable {
    case liftBegan = "lift-began"
    case lifted = "lifted"
    case liftReversed = "lift-reversed"
    case began = "began"
    case itemsAdded = "items-added"
    case entered = "entered"
    case updated = "updated"
    case exited = "exited"
    case springActivated = "spring-activated"
    /// A window was raised.
    case windowRaised = "window-raised"
    case handedOff = "handed-off"
    case dropped = "dropped"
    /// The target has received a representation of an item: its type is the only one of the event.
    case received = "received"
    case cancelled = "cancelled"
    case dataDelivered = "data-delivered"
    case ended = "ended"
  }

  /// The drop region that lies nearest to where a drag was released without one.
  package struct Nearest: Equatable, Sendable {
    package var region: RegionID
    package var client: ClientID
    /// From the point of the release to the region, in pixels; zero for a region that lies there and refused, or is covered.
    package var offset: Point
    package init(_ region: RegionID, of client: ClientID, offset: Point) {
      (self.region, self.client, self.offset) = (region, client, offset)
    }
  }

  package var kind: Kind
  package var time: Instant
  package var session: SessionID
  package var contact: ContactID
  package var items: Int
  /// The types of all items, each once, in order. This list is never sent: `seen` holds what each monitor may see of
  /// it.
  package var types: [String]
  /// The types that each client with a monitor may see. A client without an entry may see none.
  package var seen: [ClientID: [String]]
  /// Screen pixels.
  package var point: Point
  package var operation: DropOperation?
  package var source: ClientID
  package var target: ClientID?
  /// The region of the press; of a foreign drag, a number that no region has.
  package var sourceRegion: RegionID
  /// The target's region, where there is one.
  package var targetRegion: RegionID?
  /// Of a `cancelled` drag that was released beside the drop regions; nil where there are none.
  package var nearest: Nearest?
  /// Whether only the source's process may see the types, because the session is restricted or may turn out to be.
  package var isPrivate: Bool

  package init(
    kind: Kind, time: Instant, session: SessionID, contact: ContactID, items: Int, types: [String],
    seen: [ClientID: [String]] = [:], point: Point,
    operation: DropOperation?, source: ClientID, target: ClientID?, sourceRegion: RegionID = RegionID(0),
    targetRegion: RegionID? = nil, nearest: Nearest? = nil, isPrivate: Bool
  ) {
    self.kind = kind
    self.time = time
    self.session = session
    self.contact = contact
    self.items = items
    self.types = types
    self.seen = seen
    self.point = point
    self.operation = operation
    self.source = source
    self.target = target
    self.sourceRegion = sourceRegion
    self.targetRegion = targetRegion
    self.nearest = nearest
    self.isPrivate = isPrivate
  }
}
