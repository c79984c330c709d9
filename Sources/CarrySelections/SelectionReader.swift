import CXcb
package import CarryModel
package import CarryXdnd

/// Gets data from other programs through a selection of the X server, in one piece or in parts (INCR).
///
/// Each conversion has a window of its own, so that nobody can answer one in the place of another.
package final class SelectionReader {
  private struct Conversion {
    var data: IncomingData
    let type: UInt32
    /// The bits of each number in the answer.
    let format: UInt8
    var onPart: (Int) -> Void
    let share: DataBudget.Share
    /// Whose data it asks for; nil where any will do.
    let ownership: Ownership?
    /// The number of the request.
    let sequence: UInt32
    /// Whether it may have gone to another owner.
    var isMisled = false
    var completion: (Result<ReceivedData, IncomingData.Failure>) -> Void

    /// How many bytes more may come.
    var room: Int { share.room(data.room) }
  }

  /// That somebody owned the selection, from one moment on.
  package struct Ownership {
    package let owner: UInt32
    /// The number of the request that found it out.
    fileprivate let since: UInt32
  }

  private let x: SelectionConnection
  /// The name of the selection.
  private let name: String
  private var conversions: [UInt32: Conversion] = [:]
  private let budget: DataBudget
  /// Called when something was asked for: a request may have to be sent, events may have been read meanwhile, and `nextDeadline` is
  /// another one.
  package var onAsk: () -> Void = {}
  private var isOver = false
  /// The newest takings of the selection that the X server has told of, by the takers' connections: the number of the request that it
  /// had handled last by then. There are as many connections as the X server has places for.
  private var takings: [UInt32: UInt32] = [:]

  /// - Parameter budget: how much all conversions together may hold.
  package init(_ x: SelectionConnection, of name: String, budget: DataBudget = DataBudget()) {
    (self.x, self.name, self.budget) = (x, name, budget)
  }

  /// For the conversions of one drag, or of one paste.
  package func group() -> DataBudget.Group { budget.group() }

  private var selection: UInt32 { x.atom(name) }
  private var property: UInt32 { x.atom("CARRY_DATA") }

  /// Who owns the selection now; 0 for nobody.
  package var owner: UInt32 {
    guard !isOver else { return 0 }
    defer { onAsk() }
    return x.owner(of: selection)
  }

  /// Who owns the selection from now on; nil for nobody.
  package var ownership: Ownership? {
    guard !isOver else { return nil }
    defer { onAsk() }
    let (owner, sequence) = x.ownerAndSequence(of: selection)
    return owner == 0 ? nil : Ownership(owner: owner, since: sequence)
  }

  /// The selection was taken, or has no owner any more, as the X server itself says, among the other events.
  ///
  /// - Parameters:
  ///   - owner: whose it is now; 0 for nobody's.
  ///   - sequence: the event's number, of the newest request that the X server had handled by then.
  package func ownerChanged(to owner: UInt32, after sequence: UInt32) {
    if owner != 0 { takings[x.connection(of: owner)] = sequence }
    for (window, conversion) in conversions {
      guard let ownership = conversion.ownership, !sequence.precedes(ownership.since) else { continue }
      if sequence.precedes(conversion.sequence) { conversions[window]?.isMisled = true }
    }
  }

  /// The selection has no owner any more, because its window is gone. What it was asked for does not come.
  ///
  /// - Parameter hasEnded: whether its connection is gone, too. Otherwise what has begun to come in parts still does.
  package func ownerIsGone(hasEnded: Bool) {
    var isThere: [UInt32: Bool] = [:]
    for (window, conversion) in conversions where hasEnded || !conversion.data.wantsParts {
      guard let owner = conversion.ownership?.owner else { continue }
      let known = isThere[owner] ?? x.isThere(owner)
      isThere[owner] = known
      if !known { settle(window, .failed(.gone)) }
    }
  }

  /// Whether the owner has taken the selection anew since, which it does for other data, as far as is known. It may have done so by
  /// another window. That others take it changes nothing about what the owner answers.
  package func isReplaced(_ ownership: Ownership) -> Bool {
    takings[x.connection(of: ownership.owner)].map { !$0.precedes(ownership.since) } ?? false
  }

  /// Asks for data.
  ///
  /// - Parameters:
  ///   - format: the bits of each number in the answer; 32 for lists of types.
  ///   - time: as the source gave it; 0 for now.
  ///   - bounds: how much is taken, and for how long the source is waited for.
  ///   - ownership: whose data it is to be, which was found out before: an answer that comes once the owner has taken the selection
  ///     anew is of something else. Nil where any will do.
  ///   - group: whose data it is; nil for a conversion that stands alone.
  ///   - onPart: called with how many bytes have come so far.
  ///   - completion: called once, with the data, or why there is none. Not called after `cancel`.
  /// - Returns: the number of the conversion.
  package func convert(
    to type: String, format: UInt8 = 8, time: UInt32, within bounds: IncomingData.Bounds = .init(),
    during ownership: Ownership? = nil, for group: DataBudget.Group? = nil, at now: Instant,
    onPart: @escaping (Int) -> Void = { _ in },
    completion: @escaping (Result<ReceivedData, IncomingData.Failure>) -> Void
  ) -> UInt32 {
    guard !isOver else {
      completion(.failure(.refused))
      return 0
    }
    let window = x.makeWindow()
    x.select(XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue, on: window)
    let type = x.atom(type)
    let request = xcb_convert_selection(x.raw, window, selection, type, property, time)
    conversions[window] = Conversion(
      data: IncomingData(at: now, within: bounds), type: type, format: format, onPart: onPart,
      share: (group ?? self.group()).share(), ownership: ownership, sequence: request.sequence, completion: completion)
    onAsk()
    return window
  }

  /// Nothing comes any more: all that is asked for is refused, now and later.
  package func end() {
    isOver = true
    let all = conversions
    conversions = [:]
    for (window, conversion) in all {
      x.destroyWindow(window)
      conversion.completion(.failure(.refused))
    }
  }

  package func cancel(_ conversion: UInt32) {
    if conversions.removeValue(forKey: conversion) != nil { x.destroyWindow(conversion) }
  }

  // MARK: Events

  /// The answer of the owner, which is a program's own event.
  ///
  /// - Parameter property: 0 for a refusal.
  package func answered(_ selection: UInt32, to window: UInt32, _ target: UInt32, property: UInt32, at now: Instant) {
    guard let conversion = conversions[window], selection == self.selection, target == conversion.type,
      !conversion.data.wantsParts
    else { return }
    // What comes in parts from here on is what there was now, and who takes the selection anew still sends the rest of it.
    if conversion.isMisled || conversion.ownership.map(isReplaced) == true {
      return settle(window, .failed(.replaced))
    }
    let piece = property == self.property ? read(conversion, window) : nil
    settle(window, conversions[window]?.data.answered(piece, at: now))
    // The owner has time anew for the first part.
    if case .incremental? = piece { conversion.onPart(0) }
  }

  /// A property has a new value, as the X server itself says.
  package func propertySet(_ property: UInt32, of window: UInt32, at now: Instant) {
    guard property == self.property, let piece = part(of: window) else { return }
    let outcome = conversions[window]?.data.part(piece, at: now)
    if outcome == nil, let conversion = conversions[window] { conversion.onPart(conversion.data.count) }
    settle(window, outcome)
  }

  /// What a new value holds, where it is a part. No copy of the conversion is left when the part is put to the others: all of them
  /// would be copied each time.
  private func part(of window: UInt32) -> IncomingData.Piece? {
    guard let conversion = conversions[window], conversion.data.wantsParts else { return nil }
    return read(conversion, window)
  }

  private func settle(_ window: UInt32, _ outcome: IncomingData.Outcome?) {
    guard let outcome, let conversion = conversions.removeValue(forKey: window) else { return }
    x.destroyWindow(window)
    switch outcome {
    case .whole(let bytes): conversion.completion(.success(ReceivedData(bytes: bytes, share: conversion.share)))
    case .failed(let why): conversion.completion(.failure(why))
    }
  }

  /// Reads the property and deletes it, which asks for the next part.
  private func read(_ conversion: Conversion, _ window: UInt32) -> IncomingData.Piece {
    let room = conversion.room
    let cookie = xcb_get_property(
      x.raw, 1, window, property, UInt32(XCB_GET_PROPERTY_TYPE_ANY.rawValue), 0, UInt32(max(0, room) / 4 + 1))
    guard let reply = xcb_get_property_reply(x.raw, cookie, nil) else { return .unusable }
    defer { cxcb_free(reply) }
    if reply.pointee.type == x.atom("INCR") {
      // Reading has deleted it. To delete it again could delete the first part, which the source writes at once.
      if reply.pointee.bytes_after > 0 { xcb_delete_property(x.raw, window, property) }
      return .incremental
    }
    // No property at all is not the same as an empty one.
    guard reply.pointee.type != 0, reply.pointee.format == conversion.format || reply.pointee.value_len == 0
    else { return .unusable }
    let count = Int(xcb_get_property_value_length(reply))
    guard reply.pointee.bytes_after == 0, count <= max(0, room) else { return .tooLarge }
    conversion.share.take(count)
    return .bytes(Array(UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: count)))
  }

  // MARK: Time

  package var nextDeadline: Instant? { conversions.values.compactMap(\.data.nextDeadline).min() }

  package func advance(to now: Instant) {
    for window in Array(conversions.keys) { settle(window, conversions[window]?.data.advance(to: now)) }
  }
}

extension UInt32 {
  /// Whether one request's number comes before another's. After the largest comes 0.
  fileprivate func precedes(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}
