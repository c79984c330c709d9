import CX11
import CarryModel
import CarrySystem

/// Hands data to other programs through a selection of the X server, in one piece or in parts (INCR).
///
/// https://www.x.org/releases/current/doc/xorg-docs/icccm/icccm.html, section 2.
final class SelectionServer {
  /// A request for data.
  struct Request {
    let requestor: UInt32
    let property: UInt32
    let target: UInt32
    let time: UInt32
    fileprivate let selection: UInt32
  }

  private struct Delivery {
    var bytes: [UInt8]
    var sent = 0
    let type: UInt32
    var deadline: Instant
  }

  private struct Key: Hashable {
    var requestor: UInt32
    var property: UInt32
  }

  private let x: XConnection
  /// The window that owns the selection.
  let window: UInt32
  private var deliveries: [Key: Delivery] = [:]
  /// Called for each request; it answers with `answer` or `refuse`, now or later.
  var onRequest: ((Request) -> Void)?

  /// A part of what does not fit into one request.
  static let part = 1 << 20
  /// GTK 3 gives a transfer up after 30 seconds of rest.
  static let patience = Interval.seconds(30)
  /// How many deliveries in parts are under way at a time, and their bytes.
  private static let mostDeliveries = 64
  private static let mostBytes = 512 << 20

  init(_ x: XConnection) {
    self.x = x
    window = x.makeWindow()
  }

  // MARK: Answers

  func refuse(_ request: Request) { notify(request, property: 0) }

  /// Answers with types.
  func answer(_ request: Request, types: [UInt32]) {
    let list = types.map { UInt($0) }
    list.withUnsafeBytes {
      _ = XChangeProperty(
        x.display, Window(request.requestor), Atom(request.property), Atom(XA_ATOM), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt(list.count))
    }
    notify(request, property: request.property)
  }

  /// Answers with data.
  func answer(_ request: Request, _ bytes: [UInt8], at now: Instant) {
    // In one piece wherever it fits: GTK 4 never ends a drop whose data comes in parts, and Chromium takes the first part
    // for all.
    guard bytes.count > x.largestProperty else {
      put(bytes[...], as: request.target, in: Key(requestor: request.requestor, property: request.property))
      return notify(request, property: request.property)
    }
    let key = Key(requestor: request.requestor, property: request.property)
    let underWay = deliveries.values.reduce(0) { $0 + $1.bytes.count }
    guard deliveries.count < Self.mostDeliveries, deliveries[key] == nil, underWay + bytes.count <= Self.mostBytes
    else {
      return refuse(request)
    }
    x.select(PropertyChangeMask | StructureNotifyMask, on: request.requestor)
    deliveries[key] = Delivery(bytes: bytes, type: request.target, deadline: now + Self.patience)
    var size = UInt(min(bytes.count, Int(Int32.max)))
    withUnsafeBytes(of: &size) {
      _ = XChangeProperty(
        x.display, Window(key.requestor), Atom(key.property), Atom(x.atom("INCR")), 32, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), 1)
    }
    notify(request, property: request.property)
  }

  private func put(_ bytes: ArraySlice<UInt8>, as type: UInt32, in key: Key) {
    bytes.withUnsafeBytes {
      _ = XChangeProperty(
        x.display, Window(key.requestor), Atom(key.property), Atom(type), 8, PropModeReplace,
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt($0.count))
    }
  }

  private func notify(_ request: Request, property: UInt32) {
    var event = XEvent()
    event.xselection.type = SelectionNotify
    event.xselection.display = x.display
    event.xselection.requestor = Window(request.requestor)
    event.xselection.selection = Atom(request.selection)
    event.xselection.target = Atom(request.target)
    event.xselection.property = Atom(property)
    event.xselection.time = Time(request.time)
    XSendEvent(x.display, Window(request.requestor), 0, 0, &event)
  }

  // MARK: Events

  /// Takes in an event of the X server's own.
  func take(_ event: inout XEvent, at now: Instant) {
    switch event.type {
    case SelectionRequest:
      let e = event.xselectionrequest
      guard UInt32(truncatingIfNeeded: e.owner) == window else { return }
      let target = UInt32(truncatingIfNeeded: e.target)
      let property = UInt32(truncatingIfNeeded: e.property)
      onRequest?(
        Request(
          requestor: UInt32(truncatingIfNeeded: e.requestor),
          // Clients of long ago name none.
          property: property == 0 ? target : property, target: target, time: UInt32(truncatingIfNeeded: e.time),
          selection: UInt32(truncatingIfNeeded: e.selection)))
    case PropertyNotify:
      let e = event.xproperty
      guard e.state == PropertyDelete else { return }
      goOn(Key(requestor: UInt32(truncatingIfNeeded: e.window), property: UInt32(truncatingIfNeeded: e.atom)), at: now)
    case DestroyNotify:
      let window = UInt32(truncatingIfNeeded: event.xdestroywindow.window)
      deliveries = deliveries.filter { $0.key.requestor != window }
    default: break
    }
  }

  /// The requestor has taken the part before.
  private func goOn(_ key: Key, at now: Instant) {
    guard var delivery = deliveries[key] else { return }
    let rest = delivery.bytes.count - delivery.sent
    let count = min(rest, min(Self.part, x.largestProperty))
    put(delivery.bytes[delivery.sent..<delivery.sent + count], as: delivery.type, in: key)
    // An empty part says that all has come.
    guard rest > 0 else { return deliveries[key] = nil }
    delivery.sent += count
    delivery.deadline = now + Self.patience
    deliveries[key] = delivery
  }

  /// Whether data is under way to the program of a window.
  func isDelivering(where isOf: (UInt32) -> Bool) -> Bool { deliveries.keys.contains { isOf($0.requestor) } }

  var nextDeadline: Instant? { deliveries.values.map(\.deadline).min() }

  func advance(to now: Instant) { deliveries = deliveries.filter { $0.value.deadline > now } }
}
