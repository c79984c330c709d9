import CarryGestures
import CarryModel

/// The phases of a session, each with the data that only it needs. Every motion copies the phase several times, so
/// larger data is kept outside it.
extension Session {
  enum Phase {
    /// The lift began; the source has not yet answered which items it lifts.
    indirect case asking(Asking)
    /// The items are known and are rising, or have risen.
    case lifting(isRisen: Bool)
    /// The finger carries the stack.
    case dragging(Drag)
    /// The finger is up, but the target's newest answer is still pending.
    indirect case releasing(Drag, until: Instant)
    /// A reversed lift sinks back. The deadline applies if the end of the animation is never reported.
    case settling(until: Instant)
    /// A cancelled stack flies home.
    indirect case cancelling(Cancelling)
    /// Dropped: the target loads, the stack settles.
    indirect case dropping(Drop)
    /// A guest session: a tap has begun it, to add items to the stack of another session (Z23).
    indirect case joining(Joining)
    /// The guest's items are in its host's stack. If the host is cancelled, the guest ends once that stack is gone.
    case lent(ending: DropOperation? = nil)
    /// The session is over, and nothing refers to it.
    case gone

    /// Whether the phase may be followed by `next`. A phase that follows itself carries new data.
    func mayBecome(_ next: Phase) -> Bool {
      switch (self, next) {
      case (.gone, _): false
      case (_, .gone): true
      case (.asking, .asking), (.asking, .lifting): true
      case (.lifting, .lifting), (.lifting, .dragging), (.lifting, .settling): true
      case (.dragging, .releasing), (.dragging, .cancelling), (.dragging, .dropping): true
      case (.releasing, .releasing), (.releasing, .cancelling), (.releasing, .dropping): true
      case (.cancelling, .cancelling), (.dropping, .dropping): true
      case (.joining, .joining), (.joining, .lent), (.lent, .lent), (.lent, .dropping): true
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
      case .joining: "joining"
      case .lent: "lent"
      case .gone: "gone"
      }
    }
  }

  /// The open question about the items that the source lifts.
  struct Asking {
    let serial: UInt32
    /// When the lift began.
    let start: Instant
    let deadline: Instant
    /// The finger has been still for long enough to carry.
    var isRisen = false
    /// The finger moved before the source had answered.
    var wantsDrag = false
  }

  /// A stack that flies home.
  struct Cancelling {
    let operation: DropOperation
    /// The deadline, in case the end of the animation is never reported.
    let until: Instant
    /// The open question about how the source's items end, and how long the stack waits in the air for the answer.
    var question: (serial: UInt32, due: Instant)?
  }

  /// A question to the source about the items that a tap adds.
  struct Addition {
    let serial: UInt32
    /// The region that was tapped, whose picture flies into the stack.
    let region: RegionID
    let window: WindowID
    let rect: Rect
    /// The program that owns the window, if it is not the one that drags (Z23).
    let program: ProgramIdentity?
    let tap: ContactID
    let deadline: Instant
  }

  /// The open question about what a tap adds to the stack of another session, and who may see it.
  struct Joining {
    let host: SessionID
    let serial: UInt32
    /// The touch waits for the answer; nil once it was passed to the application.
    var tap: ContactID?
    let deadline: Instant
  }

  /// The source's options, which the engine requests when the drag begins.
  enum Options {
    case unasked
    case asked(serial: UInt32)
    case known(SourceOptions)
  }
}
