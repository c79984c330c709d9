import CarryGestures
import CarryModel

/// One drag from lift to end. Only `SessionEngine` changes it.
///
///     asking ──items──▶ lifting ──moves──▶ dragging ──finger up──▶ releasing ──target takes it──▶ dropping ──▶ gone
///        │                │                   │                        │
///        │ no items,      │ finger up,        │ cancelled              │ nobody takes it
///        │ finger up      │ or strays         ▼                        ▼
///        ▼                ▼               cancelling ◀─────────────────┘
///       gone           settling ──▶ gone      └──▶ gone
///
/// Where nothing is waited for, a release is decided at once. Its source may go at any time, and the session with it, but for
/// a drop. What only one phase knows is in its case. An object: a motion changes what concerns it and copies nothing.
final class Session {
  enum Phase {
    /// The lift began; the source has not said yet what it lifts.
    case asking(Asking)
    /// The items are known and rising, or risen.
    case lifting(isRisen: Bool)
    /// The finger carries the stack.
    case dragging(Drag)
    /// The finger is up, but the target's newest answer is still on its way.
    case releasing(Drag, until: Instant)
    /// A reversed lift sinks back. Bounded, in case nobody reports the end of the animation.
    case settling(until: Instant)
    /// A cancelled stack flies home.
    case cancelling(Cancelling)
    /// Dropped: the target loads, the stack settles.
    case dropping(Drop)
    /// Nobody knows it any more.
    case gone

    /// Whether the one can follow the other. A phase that follows itself knows something else then.
    func mayBecome(_ next: Phase) -> Bool {
      switch (self, next) {
      case (.gone, _): false
      case (_, .gone): true
      case (.asking, .asking), (.asking, .lifting): true
      case (.lifting, .lifting), (.lifting, .dragging), (.lifting, .settling): true
      case (.dragging, .releasing), (.dragging, .cancelling), (.dragging, .dropping): true
      case (.releasing, .releasing), (.releasing, .cancelling), (.releasing, .dropping): true
      case (.cancelling, .cancelling), (.dropping, .dropping): true
      default: false
      }
    }

    var name: String {
      switch self {
      case .asking: "asking"
      case .lifting: "lifting"
      case .dragging: "dragging"
      case .releasing: "releasing"
      case .settling: "settling"
      case .cancelling: "cancelling"
      case .dropping: "dropping"
      case .gone: "gone"
      }
    }
  }

  /// The question to the source which items it lifts.
  struct Asking {
    let serial: UInt32
    let deadline: Instant
    /// The finger has been still for long enough to carry.
    var isRisen = false
    /// The finger moved before the source had answered.
    var wantsDrag = false
  }

  /// A stack that flies home.
  struct Cancelling {
    let operation: DropOperation
    /// In case nobody reports the end of the animation.
    let until: Instant
    /// The question to the source how its items end, and until when the stack stays in the air for that.
    var question: (serial: UInt32, due: Instant)?
  }

  /// A question to the source which items a tap adds.
  struct Addition {
    let serial: UInt32
    /// The region that was tapped, whose picture flies into the stack.
    let region: RegionID
    let window: WindowID
    let rect: Rect
    let tap: ContactID
    let deadline: Instant
  }

  /// What the source allows and wishes, which it is asked when the drag begins.
  enum Options {
    case unasked
    case asked(serial: UInt32)
    case known(SourceOptions)
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

  var phase: Phase {
    didSet { assert(oldValue.mayBecome(phase), "\(phase.name) after \(oldValue.name)") }
  }
  /// Screen pixels.
  var point: Point
  private(set) var items: [ItemDescription] = []
  /// The types of all items, each once, in the order of the items.
  private(set) var types: [String] = []
  /// Of the descriptions of all items.
  private(set) var descriptionBytes = 0
  private var knownTypes: Set<String> = []
  /// Until they are known nobody else sees the session. They count to its end.
  var sourceOptions = Options.unasked
  /// Answers to them may come until the session is gone.
  var additions: [Addition] = []
  /// Whether the monitors have heard of its beginning: they do when it is known what they may see.
  var hasToldBeginning = false
  /// What the stack shows.
  var badge = Badge.none
  var reason: String?

  init(
    id: SessionID, region: Region, contact: ContactID, sourceRect: Rect, point: Point, scale: Double,
    liftStart: Instant, asking: Asking
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
    phase = .asking(asking)
  }

  /// Whether the finger that carries it can do this as things are.
  ///
  /// It rises once, and then either goes up without a drag or drags and goes up; from then on nothing more is heard of it.
  func expects(_ kind: GestureEvent.Kind) -> Bool {
    let (hasRisen, drags) =
      switch phase {
      case .asking(let asking): (asking.isRisen, asking.wantsDrag)
      case .lifting(let isRisen): (isRisen, false)
      case .dragging: (true, true)
      case .releasing, .settling, .cancelling, .dropping, .gone: (true, false)
      }
    let isUp = isOver || isReleasing
    return switch kind {
    case .pressed, .pressFailed, .liftBegan: false
    case .lifted: !hasRisen
    case .liftReversed: !drags && !isUp
    case .dragBegan: hasRisen && !drags && !isUp
    case .dragMoved, .dragEnded, .dragCancelled: drags
    // Before a drag a tap is also the reversal of a lift, which follows. In one it is a finger that has taken over.
    case .tapped: !isUp
    }
  }

  // MARK: What is known in some phases

  /// The drag, from its beginning until it is decided how it ends.
  var drag: Drag? {
    switch phase {
    case .dragging(let drag), .releasing(let drag, _): drag
    case .asking, .lifting, .settling, .cancelling, .dropping, .gone: nil
    }
  }

  /// The drag while a finger carries it: taps may add to it and targets be looked for.
  var carriedDrag: Drag? { if case .dragging(let drag) = phase { drag } else { nil } }
  var isCarried: Bool { carriedDrag != nil }

  /// Whether the finger is up and an answer is waited for.
  var isReleasing: Bool { if case .releasing = phase { true } else { false } }

  /// The drop, for looking and for changing it.
  var drop: Drop? {
    get { if case .dropping(let drop) = phase { drop } else { nil } }
    set { if case .dropping = phase, let newValue { phase = .dropping(newValue) } }
  }

  var isGone: Bool { if case .gone = phase { true } else { false } }

  /// Whether no finger is part of it any more.
  var isOver: Bool {
    switch phase {
    case .cancelling, .settling, .dropping, .gone: true
    case .asking, .lifting, .dragging, .releasing: false
    }
  }

  /// Whether this session is the one that a drop region handles now: D13, until the drop there has concluded.
  func holds(_ region: RegionID) -> Bool {
    switch phase {
    case .dragging(let drag), .releasing(let drag, _): drag.visits.isTarget(region)
    case .dropping(let drop): drop.region == region && drop.isWatched
    case .asking, .lifting, .settling, .cancelling, .gone: false
    }
  }

  /// Whether nothing is seen of it any more: it only waits for data.
  var onlyTransfers: Bool { drop?.hasLanded == true }

  // MARK: What the source has said

  var optionsAreKnown: Bool { if case .known = sourceOptions { true } else { false } }
  var options: SourceOptions { if case .known(let options) = sourceOptions { options } else { SourceOptions() } }

  /// Whether other clients' regions do not see it: the source has said so, or promises nothing.
  var isForItsClientOnly: Bool { options.isRestricted || types.isEmpty }

  /// Whether only the source may know what the items are.
  var isPrivate: Bool { !optionsAreKnown || options.isRestricted }

  func append(_ new: some Sequence<ItemDescription>) {
    for item in new {
      items.append(item)
      descriptionBytes += item.descriptionBytes
      for type in item.types where knownTypes.insert(type.name).inserted { types.append(type.name) }
    }
  }

  /// K7: another finger carries it on.
  func handOff(to helper: Drag.Helper) {
    contact = helper.contact
    point = helper.point
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
