package import CarryModel

/// An order of the engine about the things that a gate holds.
protocol GateOrder {
  var message: GateMessage { get }

  /// Nil for a message about something else.
  init?(_ message: GateMessage)
}

/// An order about a touch.
enum TouchOrder: GateOrder {
  /// The touch belongs to the engine: the application never sees it.
  case accept(UInt32)
  /// The touch's lift has begun: hold the touch for longer, in case the lift takes long.
  case liftBegan(UInt32)
  /// The touch belongs to the application, which receives it as if Carry were not there.
  case reject(UInt32)
  /// Report the positions of this touch, which is not held. Its last known position is in the units of its device.
  case observe(UInt32, from: Point)
  case unobserve(UInt32)

  var message: GateMessage {
    switch self {
    case .accept(let touch): GateMessage(kind: .accept, id: touch)
    case .liftBegan(let touch): GateMessage(kind: .liftBegan, id: touch)
    case .reject(let touch): GateMessage(kind: .reject, id: touch)
    case .observe(let touch, let raw): GateMessage(kind: .observe, id: touch, at: raw)
    case .unobserve(let touch): GateMessage(kind: .unobserve, id: touch)
    }
  }

  init?(_ message: GateMessage) {
    switch message.kind {
    case .accept: self = .accept(message.id)
    case .liftBegan: self = .liftBegan(message.id)
    case .reject: self = .reject(message.id)
    case .observe: self = .observe(message.id, from: message.point)
    case .unobserve: self = .unobserve(message.id)
    default: return nil
    }
  }
}

/// An order about a click.
enum ClickOrder: GateOrder {
  /// The click may lift something: hold it for as long as a touch.
  case keep(UInt32)
  /// As `keep`, and report the click's motion and its end.
  case follow(UInt32)
  /// The click belongs to the engine: the application never sees it.
  case take(UInt32)
  /// The click belongs to the application.
  case give(UInt32)

  var message: GateMessage {
    switch self {
    case .keep(let click): GateMessage(kind: .keepClick, id: click)
    case .follow(let click): GateMessage(kind: .followClick, id: click)
    case .take(let click): GateMessage(kind: .takeClick, id: click)
    case .give(let click): GateMessage(kind: .giveClick, id: click)
    }
  }

  init?(_ message: GateMessage) {
    switch message.kind {
    case .keepClick: self = .keep(message.id)
    case .followClick: self = .follow(message.id)
    case .takeClick: self = .take(message.id)
    case .giveClick: self = .give(message.id)
    default: return nil
    }
  }
}

extension Gate where Event == TouchEvent {
  /// Claims the touch for the engine: the application never sees it.
  package func accept(_ touch: UInt32) { send(TouchOrder.accept(touch).message) }

  /// Holds the touch for longer, because its lift has begun.
  package func liftBegan(_ touch: UInt32) { send(TouchOrder.liftBegan(touch).message) }

  /// Passes the touch to the application.
  package func reject(_ touch: UInt32) { send(TouchOrder.reject(touch).message) }

  /// Requests the positions of a touch that is not held. `raw` is its last position, in the units of its device.
  package func observe(_ touch: UInt32, from raw: Point) { send(TouchOrder.observe(touch, from: raw).message) }

  package func unobserve(_ touch: UInt32) { send(TouchOrder.unobserve(touch).message) }
}

extension Gate where Event == ClickEvent {
  /// Keeps the click, which may lift something, for as long as a touch.
  package func keep(_ click: UInt32) { send(ClickOrder.keep(click).message) }

  /// Keeps the click, and follows the pointer until the button comes up.
  package func follow(_ click: UInt32) { send(ClickOrder.follow(click).message) }

  /// Claims the click for the engine: the application never sees it.
  package func claim(_ click: UInt32) { send(ClickOrder.take(click).message) }

  /// Passes the click to the application.
  package func give(_ click: UInt32) { send(ClickOrder.give(click).message) }
}
