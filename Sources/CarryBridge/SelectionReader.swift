import CX11
import CarryModel
import CarryX
import CarryXdnd

/// Gets data from other programs through a selection of the X server, in one piece or in parts (INCR).
///
/// Each conversion has a window of its own, so that nobody can answer one in the place of another.
final class SelectionReader {
  private struct Conversion {
    var data: IncomingData
    let type: UInt32
    var onPart: (Int) -> Void
    var completion: ([UInt8]?) -> Void
  }

  private let x: XConnection
  private var conversions: [UInt32: Conversion] = [:]

  init(_ x: XConnection) { self.x = x }

  private var selection: UInt32 { x.atom("XdndSelection") }
  private var property: UInt32 { x.atom("CARRY_DATA") }

  /// Who offers data by XDND now; 0 for nobody.
  var owner: UInt32 { UInt32(truncatingIfNeeded: XGetSelectionOwner(x.display, Atom(selection))) }

  /// Asks for data.
  ///
  /// - Parameters:
  ///   - time: as the source gave it.
  ///   - most: how many bytes are taken.
  ///   - patience: how long to wait for the first answer.
  ///   - onPart: called with how many bytes have come so far.
  ///   - completion: called once; nil where there is no such data. Not called after `cancel`.
  /// - Returns: the number of the conversion.
  func convert(
    to type: String, time: UInt32, most: Int = IncomingData.most, patience: Interval = IncomingData.patience,
    at now: Instant, onPart: @escaping (Int) -> Void = { _ in }, completion: @escaping ([UInt8]?) -> Void
  ) -> UInt32 {
    let window = x.makeWindow()
    x.select(PropertyChangeMask, on: window)
    let type = x.atom(type)
    conversions[window] = Conversion(
      data: IncomingData(at: now, most: most, patience: patience), type: type, onPart: onPart, completion: completion)
    XConvertSelection(
      x.display, Atom(selection), Atom(type), Atom(property), Window(window), Time(time))
    return window
  }

  func cancel(_ conversion: UInt32) { if conversions.removeValue(forKey: conversion) != nil { forget(conversion) } }

  private func forget(_ window: UInt32) {
    x.forget(window)
    XDestroyWindow(x.display, Window(window))
  }

  // MARK: Events

  /// The answer of a source, which is a program's own event.
  func take(_ event: XSelectionEvent, at now: Instant) {
    let window = UInt32(truncatingIfNeeded: event.requestor)
    guard let conversion = conversions[window], UInt32(truncatingIfNeeded: event.selection) == selection,
      UInt32(truncatingIfNeeded: event.target) == conversion.type, !conversion.data.wantsParts
    else { return }
    let isRefused = UInt32(truncatingIfNeeded: event.property) != property
    let piece = isRefused ? nil : read(window, most: conversion.data.room)
    settle(window, conversions[window]?.data.answered(piece, at: now))
  }

  /// A property has changed. From the X server only.
  func take(_ event: XPropertyEvent, at now: Instant) {
    let window = UInt32(truncatingIfNeeded: event.window)
    guard event.state == PropertyNewValue, UInt32(truncatingIfNeeded: event.atom) == property,
      let data = conversions[window]?.data, data.wantsParts
    else { return }
    let outcome = conversions[window]?.data.part(read(window, most: data.room), at: now)
    if outcome == nil, let conversion = conversions[window] { conversion.onPart(conversion.data.count) }
    settle(window, outcome)
  }

  private func settle(_ window: UInt32, _ outcome: IncomingData.Outcome?) {
    guard let outcome, let conversion = conversions.removeValue(forKey: window) else { return }
    forget(window)
    switch outcome {
    case .whole(let bytes): conversion.completion(bytes)
    case .failed: conversion.completion(nil)
    }
  }

  /// Reads the property and deletes it, which asks for the next part.
  private func read(_ window: UInt32, most: Int) -> IncomingData.Piece {
    let cookie = xcb_get_property(
      x.connection, 1, window, property, UInt32(XCB_GET_PROPERTY_TYPE_ANY.rawValue), 0, UInt32(most / 4 + 1))
    guard let reply = xcb_get_property_reply(x.connection, cookie, nil) else { return .unusable }
    defer { cx11_free(reply) }
    if reply.pointee.type == x.atom("INCR") {
      // Reading has deleted it. To delete it again could delete the first part, which the source writes at once.
      if reply.pointee.bytes_after > 0 { XDeleteProperty(x.display, Window(window), Atom(property)) }
      return .incremental
    }
    // No property at all is not the same as an empty one.
    guard reply.pointee.type != 0 else { return .unusable }
    guard reply.pointee.format == 8 || reply.pointee.value_len == 0, reply.pointee.bytes_after == 0 else {
      return .unusable
    }
    return .bytes(
      Array(
        UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: Int(xcb_get_property_value_length(reply)))))
  }

  // MARK: Time

  var nextDeadline: Instant? { conversions.values.compactMap(\.data.nextDeadline).min() }

  func advance(to now: Instant) {
    for window in Array(conversions.keys) { settle(window, conversions[window]?.data.advance(to: now)) }
  }
}
