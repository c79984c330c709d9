import CarryGestures
import CarryModel

/// The phases of a session, each with the data that only it needs. Every motion copies the phase several times, so data of
/// some size are kept beside it.
extension Session {
  enum Phase {
    /// The lift began; the source has not answered yet which items it lifts.
    indirect case asking(Asking)
    /// The items are known and rising, or risen.
    case lifting(isRisen: Bool)
    /// The finger carries the stack.
    case dragging(Drag)
    /// The finger is up, but the target's newest answer is still on its way.
    indirect case releasing(Drag, until: Instant)
    /// A reversed lift sinks back. The deadline is for the case that nobody reports the end of the animation.
    case settling(until: Instant)
    /// A cancelled stack flies home.
    indirect case cancelling(Cancelling)
    /// Dropped: the target loads, the stack settles.
    indirect case dropping(Drop)
    /// Z23: a tap begins it, which is to add to the stack of another session.
    indirect case joining(Joining)
    /// Z23: the items are in the stack of another session. Where that is cancelled, the end follows once its stack is gone.
    case lent(to: SessionID, ending: DropOperation? = nil)
    /// The session is over, and nothing refers to it.
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

  /// The open question which items the source lifts.
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
    /// The deadline in case nobody reports the end of the animation.
    let until: Instant
    /// The open question how the source's items end, and until when the stack stays in the air for the answer.
    var question: (serial: UInt32, due: Instant)?
  }

  /// A question to the source which items a tap adds.
  struct Addition {
    let serial: UInt32
    /// The region that was tapped, whose picture flies into the stack.
    let region: RegionID
    let window: WindowID
    let rect: Rect
    /// Z23: whose window it is, where that is not the program that drags.
    let program: ProgramIdentity?
    let tap: ContactID
    let deadline: Instant
  }

  /// The open question what a tap adds to the stack of another session, and who may see that.
  struct Joining {
    let host: SessionID
    let serial: UInt32
    /// The touch waits for the answer; nil once the application has it.
    var tap: ContactID?
    let deadline: Instant
  }

  /// Where an item of another session's source comes from.
  struct Borrowed {
    let session: SessionID
    let item: ItemID
  }

  /// The source's options. The source is asked for them when the drag begins.
  enum Options {
    case unasked
    case asked(serial: UInt32)
    case known(SourceOptions)
  }
}
