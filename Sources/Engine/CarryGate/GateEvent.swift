package import CarryModel

/// The kinds of gates. Each runs as a process of its own; the raw value is the option that starts it.
package enum GateKind: String, Sendable {
  case touches = "touch-gate"
  /// The left button's presses, for trackpads, mice and pens.
  case clicks = "click-gate"

  /// The name to show to people.
  package var name: String {
    switch self {
    case .touches: "touch gate"
    case .clicks: "click gate"
    }
  }

  /// The things that the gate holds, in the plural.
  package var held: String {
    switch self {
    case .touches: "touches"
    case .clicks: "clicks"
    }
  }
}

/// A gate's report about the things that it holds.
package protocol GateEvent: Equatable, Sendable {
  /// The gate that sends the report.
  static var kind: GateKind { get }

  /// Nil for a message about something else.
  init?(_ message: GateMessage)
}

/// The touch gate's reports about touches.
package enum TouchEvent: GateEvent {
  /// The touch is held, in screen pixels.
  case began(touch: UInt32, Point, Instant)
  case moved(touch: UInt32, Point, Instant)
  case ended(touch: UInt32, Point, Instant)
  /// The gate's patience has expired, so the application has the touch.
  case expired(touch: UInt32)
  /// A touch began anywhere on the screen; the position is in the units of its device. Touches in guarded windows are
  /// also reported by `began`.
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

/// How a click was made.
package struct ClickFlags: OptionSet, Equatable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Shift was held.
  package static let shift = ClickFlags(rawValue: 1)
  /// A pen made the click.
  package static let pen = ClickFlags(rawValue: 2)
}

/// The click gate's reports about clicks.
package enum ClickEvent: GateEvent {
  /// The left button went down in a guarded window and waits: the click must be given, kept, followed or taken at
  /// once. The point is in screen pixels.
  case clicked(UInt32, Point, ClickFlags, Instant)
  /// The application has the click.
  case expired(UInt32)
  /// The pointer of a followed click is here, in screen pixels.
  case moved(UInt32, Point, Instant)
  /// The button of a followed click came up.
  case released(UInt32, Point, Instant)
  /// Another button went down while the engine has a followed click.
  case otherPressed(UInt32, Point, Instant)

  package static var kind: GateKind { .clicks }

  package init?(_ message: GateMessage) {
    switch message.kind {
    case .clicked:
      self = .clicked(message.id, message.point, ClickFlags(rawValue: message.device), message.instant)
    case .clickExpired: self = .expired(message.id)
    case .clickMoved: self = .moved(message.id, message.point, message.instant)
    case .clickReleased: self = .released(message.id, message.point, message.instant)
    case .otherPressed: self = .otherPressed(message.id, message.point, message.instant)
    default: return nil
    }
  }
}

/// A report of a gate's process: about the things that it holds, or about itself.
package enum GateReport<Event: GateEvent>: Equatable, Sendable {
  case event(Event)
  /// The gate sees and holds touches or clicks from now on.
  case ready
  /// Everything that begins in this window is held from now on.
  case guarding(WindowID)
  /// Nothing that begins in this window can be held, because another client has grabbed it.
  case unguarded(WindowID)
  /// The process is gone, and everything that it held went to the applications.
  case lost
  /// The process did not answer and was killed; everything that it held went to the applications.
  case hung
}
