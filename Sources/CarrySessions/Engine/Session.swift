import CarryGestures
import CarryModel

/// One drag from lift to end. Only `SessionEngine` changes it.
///
/// An object: a motion changes what concerns it and copies nothing.
final class Session {
  enum Phase: Equatable {
    /// The lift began; the source has not said yet what it lifts.
    case asking
    /// The items are known and rising, or risen.
    case lifting
    /// The finger carries the stack.
    case dragging
    /// The finger is up, but the target's newest answer is still on its way.
    case releasing(until: Instant)
    /// A reversed lift sinks back. Bounded, in case nobody reports the end of the animation.
    case settling(until: Instant)
    /// A cancelled stack flies home.
    case cancelling(DropOperation, until: Instant)
    /// Dropped: the target loads, the stack settles.
    case dropping
    /// Nobody knows it any more.
    case gone
  }

  /// A question to the source that waits for its items.
  struct Question {
    enum Kind: Equatable {
      case beginning
      /// A tap on this region, whose picture flies into the stack.
      case adding(RegionID, window: WindowID, rect: Rect, tap: ContactID)
    }
    var serial: UInt32
    var kind: Kind
    var deadline: Instant
  }

  /// A finger that touched the stack, and goes on with it when the one that carries it lifts (K7).
  struct Helper {
    let contact: ContactID
    /// Screen pixels.
    var point: Point
    /// Until then it may be a tap on what lies under the stack; nil once the touch is taken.
    var mayTapUntil: Instant?
  }

  let id: SessionID
  let client: ClientID
  /// The finger that carries it.
  private(set) var contact: ContactID
  /// Where the press was.
  let region: RegionID
  let window: WindowID
  /// Screen pixels, at the lift.
  let sourceRect: Rect
  let sourceLocal: Rect
  let slopScale: Double
  let liftStart: Instant
  /// Screen pixels.
  let liftPoint: Point

  var phase = Phase.asking
  private(set) var items: [ItemDescription] = []
  /// The types of all items, each once, in the order of the items.
  private(set) var types: [String] = []
  /// Of the descriptions of all items.
  private(set) var descriptionBytes = 0
  private var knownTypes: Set<String> = []
  var options = SourceOptions()
  /// Until the source has said what it allows, nobody sees the session.
  var optionsAreKnown = false
  var optionsSerial: UInt32?
  /// Whether the monitors have heard of its beginning: they do when it is known what they may see.
  var hasToldBeginning = false
  var helpers: [Helper] = []
  /// D2: regions that another session had when this one came over them: ignored until it leaves them.
  var passedOver: [RegionID] = []
  /// V7: once small, never large again.
  var isFullSize = false
  var questions: [Question] = []
  /// Screen pixels.
  var point: Point
  /// The finger moved before the source had answered.
  var dragWanted = false
  var isLifted = false
  /// What its source is told of its motion.
  var motions = OneAtATime()
  var visits = Visits()
  var edge = EdgeDwell()
  var aim = Aim()
  var spring = Spring()
  var hover = Hover()
  var badge = Badge.none
  var reason: String?
  /// A cancelled drag that waits for the source to say how its items end: until then.
  var ending: (serial: UInt32, due: Instant)?
  var drop: Drop?

  init(
    id: SessionID, region: Region, contact: ContactID, sourceRect: Rect, point: Point, scale: Double, liftStart: Instant
  ) {
    self.id = id
    client = region.client
    self.contact = contact
    self.region = region.id
    window = region.window
    self.sourceRect = sourceRect
    sourceLocal = region.rect
    slopScale = scale
    self.point = point
    liftPoint = point
    self.liftStart = liftStart
  }

  var isOver: Bool {
    switch phase {
    case .cancelling, .settling, .dropping, .gone: true
    case .asking, .lifting, .dragging, .releasing: false
    }
  }

  /// Whether this session is the one that a drop region handles now: D13, until the drop there has concluded.
  func holds(_ region: RegionID) -> Bool {
    if let drop { return drop.region == region && drop.isWatched }
    return visits.isTarget(region)
  }

  /// Whether nothing is seen of it any more: it only waits for data.
  var onlyTransfers: Bool { drop?.hasLanded == true }

  /// Whether other clients' regions do not see it: the source has said so, or promises nothing.
  var isForItsClientOnly: Bool { options.isRestricted || types.isEmpty }

  /// Whether only the source may know what the items are.
  var isPrivate: Bool { !optionsAreKnown || options.isRestricted }

  /// K7: the finger that has waited longest takes over.
  func handOff() -> Helper? {
    guard !helpers.isEmpty else { return nil }
    let next = helpers.removeFirst()
    contact = next.contact
    point = next.point
    return next
  }

  /// Whether taps may add to it and targets may be looked for.
  var isCarried: Bool { phase == .dragging }

  func append(_ new: some Sequence<ItemDescription>) {
    for item in new {
      items.append(item)
      descriptionBytes += item.descriptionBytes
      for type in item.types where knownTypes.insert(type.name).inserted { types.append(type.name) }
    }
  }
}

/// K8: a tap that could add to several sessions, while the application is asked which one it means.
struct Choice {
  let serial: UInt32
  let client: ClientID
  let region: RegionID
  let tap: ContactID
  /// In the window's coordinates.
  let point: Point
  let sessions: [SessionID]
  let deadline: Instant
}

/// The drag region under a finger that is down.
struct Press {
  let contact: ContactID
  let region: RegionID
}

/// One load, from the destination's request to its end.
struct Transfer {
  let id: TransferID
  let session: SessionID
  let source: ClientID
  let destination: ClientID
  let item: ItemID
  /// The source handed over the descriptor; the destination reads.
  var isProvided = false
  var deadline: Instant
  /// When the destination was last told that the source is at work.
  var toldOfSource: Instant?
}
