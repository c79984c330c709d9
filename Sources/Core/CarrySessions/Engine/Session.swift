import CarryGestures
import CarryModel

/// One drag from lift to end. Only `SessionEngine` changes it.
///
///     asking ──items──▶ lifting ──moves──▶ dragging ──finger up──▶ releasing ──target accepts──▶ dropping ──▶ gone
///        │                │                   │                        │
///        │ no items,      │ finger up,        │ cancelled              │ no target accepts
///        │ finger up      │ or strays         ▼                        ▼
///        ▼                ▼               cancelling ◀─────────────────┘
///       gone           settling ──▶ gone      └──▶ gone
///
/// If no answer is pending, a release is decided at once. The source may disconnect at any time; its session then
/// ends, unless it is being dropped. Data that only one phase needs is in its case. A class, so that a motion changes
/// it without copying.
final class Session {
  let id: SessionID
  let client: ClientID
  /// The finger that carries the session.
  private(set) var contact: ContactID
  /// The program that the drag comes from: the client, or the program that its region represents.
  let program: ProgramIdentity
  var origin: Origin
  /// The region of the press. A foreign drag has none, so its numbers and rectangles are zero.
  let region: RegionID
  let window: WindowID
  /// The rectangle of the region in its window.
  let sourceRect: Rect
  /// The corner of the region's window at the lift, in screen pixels.
  let sourceCorner: Point
  /// Screen pixels.
  let liftPoint: Point

  var phase: Phase {
    didSet { assert(oldValue.mayBecome(phase), "\(phase.name) after \(oldValue.name)") }
  }
  /// Screen pixels.
  var point: Point
  private(set) var items: [ItemDescription] = []
  /// The types of all items, each once, in the order of the items.
  private(set) var types: [String] = []
  /// The size of the descriptions of all items.
  private(set) var descriptionBytes = 0
  private var knownTypes: Set<String> = []
  /// No other client sees the session until the options are known.
  var sourceOptions = Options.unasked
  /// Open questions about additions. Answers are accepted until the session is gone.
  var additions: [Addition] = []
  /// Whether the source has disconnected and receives no more messages.
  var sourceIsGone = false
  /// What each target may see.
  let views = TargetViews()
  /// Whether the monitors were told that the session began. They are told once the source has said what they may see.
  var hasToldBeginning = false
  /// Whether the monitors were told that a drop ended.
  var hasToldEnd = false
  /// The badge that the stack shows.
  var badge = Badge.none
  var reason: String?

  /// Creates the session of a touch in a region, which lifts items there, or adds them to another session's stack.
  ///
  /// - Parameter corner: the corner of the region's window, in screen pixels.
  init(
    id: SessionID, region: Region, of program: ProgramIdentity, corner: Point, _ event: GestureEvent, phase: Phase
  ) {
    self.id = id
    client = region.client
    self.program = program
    if case .joining(let joining) = phase {
      origin = .guest(of: joining.host)
    } else {
      origin = region.isStandIn ? .lifted() : .client
    }
    contact = event.contact
    self.region = region.id
    window = region.window
    sourceRect = region.rect
    sourceCorner = corner
    (point, liftPoint) = (event.point, event.point)
    self.phase = phase
  }

  /// Creates the session of a foreign drag, which is already under way.
  init(
    id: SessionID, _ foreign: Foreign, by client: ClientID, from program: ProgramIdentity, _ event: GestureEvent,
    _ drag: Drag
  ) {
    self.id = id
    self.client = client
    self.program = program
    origin = .foreign(foreign)
    contact = event.contact
    region = RegionID(0)
    window = WindowID(0)
    (sourceRect, sourceCorner) = (.zero, .zero)
    (point, liftPoint) = (event.point, event.point)
    sourceOptions = .known(SourceOptions(allowsMove: false))
    phase = .dragging(drag)
  }

  /// Whether an event of the carrying finger is possible in the present phase.
  ///
  /// The finger lifts once. Then it either goes up without a drag, or drags and goes up. No event follows after that.
  func expects(_ kind: GestureEvent.Kind) -> Bool {
    let (hasRisen, drags) =
      switch phase {
      case .asking(let asking): (asking.isRisen, asking.wantsDrag)
      case .lifting(let isRisen): (isRisen, false)
      case .dragging: (true, true)
      case .releasing, .settling, .cancelling, .dropping, .joining, .lent, .gone: (true, false)
      }
    let isUp = isOver || isReleasing
    return switch kind {
    case .pressed, .pressFailed, .liftBegan: false
    case .lifted: !hasRisen
    case .liftReversed: !drags && !isUp
    case .dragBegan: hasRisen && !drags && !isUp
    case .dragMoved, .dragEnded, .dragCancelled: drags
    // Before a drag, a tap also reverses the lift, and the reversal follows. During a drag, the tap comes from a
    // finger that has taken over.
    case .tapped: !isUp
    }
  }

  // MARK: Data of single phases

  /// The drag, from its beginning until its end is decided.
  var drag: Drag? {
    switch phase {
    case .dragging(let drag), .releasing(let drag, _): drag
    case .asking, .lifting, .settling, .cancelling, .dropping, .joining, .lent, .gone: nil
    }
  }

  /// The drag while a finger carries it: taps may add items, and motions may change its target.
  var carriedDrag: Drag? { if case .dragging(let drag) = phase { drag } else { nil } }
  var isCarried: Bool { carriedDrag != nil }

  /// Whether the finger is up and the session waits for its target's answer.
  var isReleasing: Bool { if case .releasing = phase { true } else { false } }

  /// The drop, to read and to change.
  var drop: Drop? {
    get { if case .dropping(let drop) = phase { drop } else { nil } }
    set { if case .dropping = phase, let newValue { phase = .dropping(newValue) } }
  }

  /// Whether its items are in the stack of its host.
  var isLent: Bool { if case .lent = phase { true } else { false } }

  var isGone: Bool { if case .gone = phase { true } else { false } }

  /// Whether no finger is part of the session any more.
  var isOver: Bool {
    switch phase {
    case .cancelling, .settling, .dropping, .joining, .lent, .gone: true
    case .asking, .lifting, .dragging, .releasing: false
    }
  }

  /// Whether a drop region handles this session: until the drop there has concluded, or is only kept open.
  func isHandled(by region: RegionID) -> Bool {
    switch phase {
    case .dragging(let drag), .releasing(let drag, _): drag.visits.isTarget(region)
    case .dropping(let drop): drop.region == region && drop.isWatched && !(drop.isKeptOpen && drop.hasLanded)
    case .asking, .lifting, .settling, .cancelling, .joining, .lent, .gone: false
    }
  }

  /// Whether the session is no longer visible and only waits for data.
  var onlyTransfers: Bool { drop?.hasLanded == true }

  // MARK: What the source has said

  var optionsAreKnown: Bool { if case .known = sourceOptions { true } else { false } }
  var options: SourceOptions { if case .known(let options) = sourceOptions { options } else { SourceOptions() } }

  /// Whether a target may see the session at all. A target in the source's process always may; any other may if the
  /// session is not restricted and the target may see at least one type.
  func isShown(to view: TargetView) -> Bool { view.isSameProcess || (!options.isRestricted && view.seesAnyType) }

  /// Whether a target may propose a move.
  ///
  /// - Parameter isLocal: whether the target belongs to the source's process.
  func allowsMove(isLocal: Bool) -> Bool {
    // Without its source, nothing could remove the originals.
    if sourceIsGone { return false }
    return isLocal ? options.allowsMove : options.allowsMoveToOthers
  }

  /// Whether only the source's process may know what the items are.
  var isPrivate: Bool { !optionsAreKnown || options.isRestricted }

  func append(_ new: some Sequence<ItemDescription>) {
    for item in new {
      items.append(item)
      descriptionBytes += item.descriptionBytes
      for type in item.types where knownTypes.insert(type.name).inserted { types.append(type.name) }
    }
    views.learn(items)
  }

  /// Marks the items of a client that is gone as lost: they can no longer be loaded.
  func loseItems(of owner: ClientID) {
    for i in items.indices where items[i].owner == owner { items[i].isLost = true }
  }

  /// Whether the drag can continue without its source, because other clients own items that everyone may see.
  var outlivesItsSource: Bool {
    optionsAreKnown && !options.isRestricted && items.contains { !$0.isLost && !$0.types.isEmpty }
  }

  /// Lets another finger carry the session on (K7).
  func handOff(to helper: Drag.Helper) {
    contact = helper.contact
    point = helper.point
  }
}

extension [Session] {
  func find(_ id: SessionID) -> Session? {
    for session in self where session.id.raw == id.raw { return session }
    return nil
  }

  func find(carriedBy contact: ContactID) -> Session? {
    for session in self where session.contact.raw == contact.raw && !session.isOver { return session }
    return nil
  }
}

/// A tap that could add to several sessions. The application has been asked which session it means (K8).
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
  /// The number of the open question whether it may lift; nil without one.
  var serial: UInt32?
}
