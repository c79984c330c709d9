package import CarryModel

/// What the engine decides about the things that one kind of gate holds.
protocol GateOrder {
  var message: GateMessage { get }

  /// Nil for a message about something else.
  init?(_ message: GateMessage)
}

/// What is to become of a touch.
enum TouchOrder: GateOrder {
  /// The touch is the engine's: the application never sees it.
  case accept(UInt32)
  /// The touch is the application's: it gets it as if nobody had been there.
  case reject(UInt32)
  /// How this touch moves is wanted, though it is not held. It is there now, as its device says.
  case observe(UInt32, from: Point)
  case unobserve(UInt32)

  var message: GateMessage {
    switch self {
    case .accept(let touch): GateMessage(kind: .accept, id: touch)
    case .reject(let touch): GateMessage(kind: .reject, id: touch)
    case .observe(let touch, let raw): GateMessage(kind: .observe, id: touch, at: raw)
    case .unobserve(let touch): GateMessage(kind: .unobserve, id: touch)
    }
  }

  init?(_ message: GateMessage) {
    switch message.kind {
    case .accept: self = .accept(message.id)
    case .reject: self = .reject(message.id)
    case .observe: self = .observe(message.id, from: message.point)
    case .unobserve: self = .unobserve(message.id)
    default: return nil
    }
  }
}

/// What is to become of a click.
enum ClickOrder: GateOrder {
  /// The click may lift something: it is held for as long as a touch.
  case keep(UInt32)
  /// The click is the engine's: the application never sees it.
  case take(UInt32)
  /// The click is the application's.
  case give(UInt32)

  var message: GateMessage {
    switch self {
    case .keep(let click): GateMessage(kind: .keepClick, id: click)
    case .take(let click): GateMessage(kind: .takeClick, id: click)
    case .give(let click): GateMessage(kind: .giveClick, id: click)
    }
  }

  init?(_ message: GateMessage) {
    switch message.kind {
    case .keepClick: self = .keep(message.id)
    case .takeClick: self = .take(message.id)
    case .giveClick: self = .give(message.id)
    default: return nil
    }
  }
}

extension Gate where Event == TouchEvent {
  /// The touch is the engine's.
  package func accept(_ touch: UInt32) { send(TouchOrder.accept(touch).message) }

  /// The touch is the application's.
  package func reject(_ touch: UInt32) { send(TouchOrder.reject(touch).message) }

  /// How this touch moves is wanted, though it is not held. `raw` is where it is, as its device says.
  package func observe(_ touch: UInt32, from raw: Point) { send(TouchOrder.observe(touch, from: raw).message) }

  package func unobserve(_ touch: UInt32) { send(TouchOrder.unobserve(touch).message) }
}

extension Gate where Event == ClickEvent {
  /// The click may lift something.
  package func keep(_ click: UInt32) { send(ClickOrder.keep(click).message) }

  /// The click is the engine's: the application never sees it.
  package func take(_ click: UInt32) { send(ClickOrder.take(click).message) }

  /// The click is the application's.
  package func give(_ click: UInt32) { send(ClickOrder.give(click).message) }
}
