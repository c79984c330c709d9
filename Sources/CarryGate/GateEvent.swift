package import CarryModel

/// The kinds of gates, each a process of its own; the raw value is the option that starts it.
package enum GateKind: String, Sendable {
  case touches = "touch-gate"
  /// The left button's presses, for trackpads.
  case clicks = "click-gate"

  /// As people call it.
  package var name: String {
    switch self {
    case .touches: "touch gate"
    case .clicks: "click gate"
    }
  }

  /// What it holds, in the plural.
  package var held: String {
    switch self {
    case .touches: "touches"
    case .clicks: "clicks"
    }
  }
}

/// What happens to the things that one kind of gate holds.
package protocol GateEvent: Equatable, Sendable {
  /// The gate that reports it.
  static var kind: GateKind { get }

  /// Nil for a message about something else.
  init?(_ message: GateMessage)
}

/// What the touch gate's process reports of touches.
package enum TouchEvent: GateEvent {
  /// The touch is held, in screen pixels.
  case began(touch: UInt32, Point, Instant)
  case moved(touch: UInt32, Point, Instant)
  case ended(touch: UInt32, Point, Instant)
  /// The application has the touch: the gate's patience was over.
  case expired(touch: UInt32)
  /// A touch anywhere on the screen, where its device says; those of guarded windows come in the other way as well.
  case rawBegan(touch: UInt32, device: UInt32, Point, Instant)
  case rawMoved(touch: UInt32, device: UInt32, Point, Instant)
  case rawEnded(touch: UInt32, device: UInt32, Instant)

  package static var kind: GateKind { .touches }

  package init?(_ message: GateMessage) {
    let (touch, time) = (message.id, message.instant)
    switch message.kind {
    case .began: self = .began(touch: touch, message.point, time)
    case .moved: self = .moved(touch: touch, message.point, time)
    case .ended: self = .ended(touch: touch, message.point, time)
    case .expired: self = .expired(touch: touch)
    case .rawBegan: self = .rawBegan(touch: touch, device: message.device, message.point, time)
    case .rawMoved: self = .rawMoved(touch: touch, device: message.device, message.point, time)
    case .rawEnded: self = .rawEnded(touch: touch, device: message.device, time)
    default: return nil
    }
  }
}

/// What the click gate's process reports of clicks.
package enum ClickEvent: GateEvent {
  /// The left button went down in a guarded window and waits: it must be given, kept or taken at once.
  case clicked(UInt32)
  /// The application has the click.
  case expired(UInt32)

  package static var kind: GateKind { .clicks }

  package init?(_ message: GateMessage) {
    switch message.kind {
    case .clicked: self = .clicked(message.id)
    case .clickExpired: self = .expired(message.id)
    default: return nil
    }
  }
}

/// What a gate's process reports: of what it holds, and of itself.
package enum GateReport<Event: GateEvent>: Equatable, Sendable {
  case event(Event)
  /// It sees and holds from now on.
  case ready
  /// What begins in this window is held from now on.
  case guarding(WindowID)
  /// What begins in this window cannot be held: another client does.
  case unguarded(WindowID)
  /// The process is gone, and what it held with it.
  case lost
  /// The process did not answer and was ended; the application has everything that it held.
  case hung
}
