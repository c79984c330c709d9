package import CarryModel
package import CarryXdnd

/// Reads data of other programs through an X selection, in one piece or in parts (INCR).
///
/// Each conversion has its own window, so that one cannot be answered in place of another.
package final class SelectionReader {
  private struct Conversion {
    var data: IncomingData
    /// The source's names for the data that have not been refused; the first is being converted to.
    var sources: ArraySlice<ForeignTypes.Source>
    let bounds: IncomingData.Bounds
    let time: UInt32
    /// The number of bits of each value in the reply.
    let format: UInt8
    var onPart: (Int) -> Void
    let share: DataBudget.Share
    /// Whose data is requested; nil for anyone's.
    let ownership: Ownership?
    /// The serial number of the request.
    var sequence: UInt32
    /// Whether the request may have reached another owner.
    var isMisled = false
    var completion: (Result<ReceivedData, IncomingData.Failure>) -> Void

    /// How many more bytes may be received.
    var room: Int { share.room(data.room) }
  }

  /// Records the owner of the selection from a moment on.
  package struct Ownership {
    package let owner: UInt32
    /// The serial number of the query.
    fileprivate let since: UInt32
  }

  private let x: any SelectionDisplay
  /// The name of the selection.
  private let name: String
  private var conversions: [UInt32: Conversion] = [:]
  private let budget: DataBudget
  /// Called after a request: output may have to be flushed, events may have been read meanwhile, and `nextDeadline`
  /// may have changed.
  package var onAsk: () -> Void = {}
  private var isOver = false
  /// The newest acquisitions of the selection reported by the X server, by connection: the serial number of the last
  /// request handled by then. Bounded by the X server's limit of connections.
  private var ownershipChanges: [UInt32: UInt32] = [:]

  /// - Parameter budget: How much all conversions together may hold.
  package init(_ x: any SelectionDisplay, of name: String, budget: DataBudget = DataBudget()) {
    (self.x, self.name, self.budget) = (x, name, budget)
  }

  /// Creates a group for the conversions of one drag or one paste.
  package func group() -> DataBudget.Group { budget.group() }

  private var selection: UInt32 { x.atom(name) }
  private var property: UInt32 { x.atom("CARRY_DATA") }

  /// The current owner of the selection; 0 for none.
  package var owner: UInt32 { ownership?.owner ?? 0 }

  /// The current owner of the selection, recorded from now on; nil for none.
  package var ownership: Ownership? {
    guard !isOver else { return nil }
    defer { onAsk() }
    let (owner, sequence) = x.ownerAndSequence(of: selection)
    return owner == 0 ? nil : Ownership(owner: owner, since: sequence)
  }

  /// Handles a new owner of the selection, or its loss, as reported by the X server itself, in the order of events.
  ///
  /// - Parameters:
  ///   - owner: The new owner; 0 for none.
  ///   - sequence: The event's serial number, that of the newest request that the X server had handled by then.
  package func ownerChanged(to owner: UInt32, after sequence: UInt32) {
    if owner != 0 { ownershipChanges[x.connection(of: owner)] = sequence }
    for (window, conversion) in conversions {
      guard let ownership = conversion.ownership, !sequence.precedes(ownership.since) else { continue }
      if sequence.precedes(conversion.sequence) { conversions[window]?.isMisled = true }
    }
  }

  /// The selection has lost its owner because the window was destroyed. Pending requests will not be answered.
  ///
  /// - Parameter hasEnded: Whether its connection is also gone. Otherwise transfers in parts that have begun
  ///   continue.
  package func ownerIsGone(hasEnded: Bool, at now: Instant) {
    var isThere: [UInt32: Bool] = [:]
    for (window, conversion) in conversions where hasEnded || !conversion.data.wantsParts {
      guard let owner = conversion.ownership?.owner else { continue }
      let known = isThere[owner] ?? x.isThere(owner)
      isThere[owner] = known
      if !known { handle(window, .failed(.gone), at: now) }
    }
  }

  /// Whether the owner has acquired the selection again since, possibly with another window, and so for other data.
  /// Acquisitions by other programs do not affect the owner's replies.
  package func isReplaced(_ ownership: Ownership) -> Bool {
    ownershipChanges[x.connection(of: ownership.owner)].map { !$0.precedes(ownership.since) } ?? false
  }

  /// Requests data. If the owner refuses one of the names, the next is requested.
  ///
  /// - Parameters:
  ///   - sources: The names to convert to, the best first; at least one.
  ///   - format: The number of bits of each value in the reply; 32 for lists of types.
  ///   - time: The source's timestamp; 0 for the current time.
  ///   - bounds: The limits of size and time.
  ///   - ownership: The recorded owner of the data. A reply after that owner has acquired the selection again belongs
  ///     to other data. Nil for any owner.
  ///   - group: The group of the conversion; nil for a single conversion.
  ///   - onPart: Called with the number of bytes received so far.
  ///   - completion: Called once, with the data or the reason for its absence. Not called after `cancel`.
  /// - Returns: The ID of the conversion.
  package func convert(
    to sources: [ForeignTypes.Source], format: UInt8 = 8, time: UInt32, within bounds: IncomingData.Bounds = .init(),
    during ownership: Ownership? = nil, for group: DataBudget.Group? = nil, at now: Instant,
    onPart: @escaping (Int) -> Void = { _ in },
    completion: @escaping (Result<ReceivedData, IncomingData.Failure>) -> Void
  ) -> UInt32 {
    guard !isOver else {
      completion(.failure(.refused))
      return 0
    }
    let window = x.makeRequestor()
    conversions[window] = Conversion(
      data: IncomingData(at: now, within: bounds), sources: sources[...], bounds: bounds, time: time, format: format,
      onPart: onPart, share: (group ?? self.group()).share(), ownership: ownership,
      sequence: request(sources[0].name, to: window, time: time), completion: completion)
    onAsk()
    return window
  }

  /// - Returns: The serial number of the request.
  private func request(_ name: String, to window: UInt32, time: UInt32) -> UInt32 {
    x.convert(selection, to: x.atom(name), into: property, of: window, time: time)
  }

  /// Requests the data under its next name after a refusal.
  private func requestNext(for window: UInt32, at now: Instant) -> Bool {
    guard var conversion = conversions[window], let next = conversion.sources.dropFirst().first else { return false }
    conversion.sources.removeFirst()
    conversion.data = IncomingData(at: now, within: conversion.bounds)
    conversion.sequence = request(next.name, to: window, time: conversion.time)
    conversions[window] = conversion
    onAsk()
    return true
  }

  /// Ends reading: all conversions fail, now and later.
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

  /// Handles the owner's reply, an event sent by a program.
  ///
  /// - Parameter property: 0 for a refusal.
  package func answered(_ selection: UInt32, to window: UInt32, property: UInt32, at now: Instant) {
    // Some owners name another target than the one requested.
    guard let conversion = conversions[window], selection == self.selection, !conversion.data.wantsParts
    else { return }
    // Parts that follow belong to the current data: an owner that acquires the selection again still sends the rest.
    if conversion.isMisled || conversion.ownership.map(isReplaced) == true {
      return handle(window, .failed(.replaced), at: now)
    }
    let piece = property == self.property ? read(conversion, window) : nil
    handle(window, conversions[window]?.data.answered(piece, at: now), at: now)
    // The timeout restarts for the first part.
    if case .incremental? = piece { conversion.onPart(0) }
  }

  /// Handles a new property value, as reported by the X server itself.
  package func propertySet(_ property: UInt32, of window: UInt32, at now: Instant) {
    guard property == self.property, let piece = part(of: window) else { return }
    let outcome = conversions[window]?.data.part(piece, at: now)
    if outcome == nil, let conversion = conversions[window] { conversion.onPart(conversion.data.count) }
    handle(window, outcome, at: now)
  }

  /// Reads a new value if it is a part. Leaves no copy of the conversion, or appending the part would copy all
  /// previous ones.
  private func part(of window: UInt32) -> IncomingData.Piece? {
    guard let conversion = conversions[window], conversion.data.wantsParts else { return nil }
    return read(conversion, window)
  }

  private func handle(_ window: UInt32, _ outcome: IncomingData.Outcome?, at now: Instant) {
    guard let outcome, let source = conversions[window]?.sources.first else { return }
    let result: Result<[UInt8], IncomingData.Failure>
    switch outcome {
    case .whole(let bytes): result = source.decoded(bytes).map { .success($0) } ?? .failure(.refused)
    case .failed(let why): result = .failure(why)
    }
    if result == .failure(.refused), requestNext(for: window, at: now) { return }
    guard let conversion = conversions.removeValue(forKey: window) else { return }
    x.destroyWindow(window)
    conversion.completion(result.map { ReceivedData(bytes: $0, share: conversion.share) })
  }

  /// Reads and deletes the property, which requests the next part.
  private func read(_ conversion: Conversion, _ window: UInt32) -> IncomingData.Piece {
    let room = max(0, conversion.room)
    guard let value = x.removeProperty(property, of: window, most: room) else { return .unusable }
    if value.type == x.atom("INCR") { return .incremental }
    // A missing property differs from an empty one.
    guard value.type != 0, value.format == conversion.format || value.bytes.isEmpty && !value.isCut
    else { return .unusable }
    guard !value.isCut, value.bytes.count <= room else { return .tooLarge }
    conversion.share.reserve(value.bytes.count)
    return .bytes(value.bytes)
  }

  // MARK: Time

  package var nextDeadline: Instant? { conversions.values.compactMap(\.data.nextDeadline).min() }

  package func advance(to now: Instant) {
    for window in Array(conversions.keys) { handle(window, conversions[window]?.data.advance(to: now), at: now) }
  }
}

extension UInt32 {
  /// Whether a serial number precedes another. They wrap around to 0.
  fileprivate func precedes(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}
