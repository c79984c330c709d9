import CXcb
package import CarryModel

/// What data is written to before all of it has come.
package enum EarlyWriter {
  case piece(PropertyWriter)
  case parts(PartsWriter)
}

/// Hands data to other programs through a selection of the X server, in one piece or in parts (INCR).
///
/// https://www.x.org/releases/current/doc/xorg-docs/icccm/icccm.html, section 2.
package final class SelectionServer {
  /// A request for data.
  package struct Request {
    package let requestor: UInt32
    package let property: UInt32
    package let target: UInt32
    package let time: UInt32
    package let selection: UInt32
    /// Its place in the order in which they came; nil for one that nothing is compared with.
    fileprivate var number: Int?
    /// The request that this one is a part of (MULTIPLE); nil for one by itself.
    fileprivate var group: Group?
    /// Which part.
    fileprivate var index = 0

    fileprivate var key: RequestedProperty { RequestedProperty(requestor: requestor, property: property) }

    package init(requestor: UInt32, property: UInt32, target: UInt32, time: UInt32, selection: UInt32) {
      // Clients of long ago name no property.
      (self.requestor, self.property) = (requestor, property == 0 ? target : property)
      (self.target, self.time, self.selection) = (target, time, selection)
    }
  }

  /// A request for several types at once, which is answered when all of them are.
  fileprivate final class Group {
    let whole: Request
    var pairs: [UInt32]
    var left: Int

    init(_ whole: Request, _ pairs: [UInt32]) { (self.whole, self.pairs, left) = (whole, pairs, pairs.count / 2) }
  }

  private typealias Key = RequestedProperty

  /// Data that was written in one piece, and that the requestor has not taken yet, or that is being written.
  private struct Piece {
    var count: Int
    /// Nil while it is being written.
    var until: Instant?
    let program: WindowOwner
  }

  private let x: SelectionConnection
  /// The window that owns the selection.
  package let window: UInt32
  private let deliveries: PartedDeliveries
  /// The newest requests, by their properties.
  private var newest: [Key: Int] = [:]
  private var lastNumber = 0
  private var pieces: [Key: Piece] = [:]
  private var writers: [Key: PropertyWriter] = [:]
  /// A part of what does not fit into one request.
  package static let part = PartedDeliveries.part
  /// GTK 3 gives a transfer up after 30 seconds of rest.
  package static let patience = Interval.seconds(30)
  private static let mostParts = 256
  /// A program has one part in so many of each bound: one that takes nothing would have all otherwise, and data for others
  /// be refused, or go in parts, of which GTK 4 and Chromium want none.
  private static let share = 4
  /// How much may lie at one requestor in one piece each, since it lies in the X server's memory; beyond that data goes in
  /// parts. One piece may be as large as a request.
  private let mostLying: Int
  /// From how many bytes on data goes on while it comes. To write one property so takes a connection of its own, and so a millisecond.
  private static let worthBeginning = 1 << 20
  /// How many are written so at a time: each may fill the X server's memory with a request that is not complete.
  private static let mostWriters = 8
  /// Smaller pieces are not counted.
  private static let smallPiece = 1 << 14
  /// How many pieces that are counted may lie at all requestors.
  private static let mostPieces = 256
  /// Of how many properties it is known which request is the newest.
  private static let mostKnown = 4096

  /// - Parameter mostLying: how many bytes may lie at one requestor beside the newest piece.
  package init(_ x: SelectionConnection, mostLying: Int = 16 << 20) {
    (self.x, self.mostLying) = (x, mostLying)
    deliveries = PartedDeliveries(x)
    window = x.makeWindow()
  }

  /// The program that asks.
  package func program(of request: Request) -> WindowOwner { x.makerInTurn(of: request.requestor) }

  // MARK: Answers

  /// Nothing is sent where something else was asked for at the property since.
  package func refuse(_ request: Request) { notify(request, property: 0) }

  /// Whether something was asked for at the request's property meanwhile. The answer would come in the place of that one's.
  private func isPassedOver(_ request: Request) -> Bool {
    guard let number = request.number, let newest = newest[request.key] else { return false }
    return number < newest
  }

  /// Answers with numbers: types, or a time.
  package func answer(_ request: Request, words: [UInt32], as type: UInt32) {
    guard !isPassedOver(request) else { return refuse(request) }
    x.set(words, as: type, request.property, of: request.requestor)
    notify(request, property: request.property)
  }

  /// Answers with data.
  package func answer(_ request: Request, _ bytes: [UInt8], at now: Instant) {
    let key = request.key
    guard !isPassedOver(request) else { return refuse(request) }
    endDelivery(key)
    // Any program can name a window that never was. Of what is noted for one nobody would say that it is gone.
    guard bytes.count <= Self.smallPiece || x.isThere(request.requestor) else { return refuse(request) }
    // In one piece wherever it fits: GTK 4 never ends a drop whose data comes in parts, and Chromium takes the first part
    // for all.
    if mayLie(bytes.count, at: key) {
      note(bytes.count, at: key, until: now + Self.patience)
      x.set(bytes[...], as: request.target, request.property, of: request.requestor)
      return notify(request, property: request.property)
    }
    guard deliveries.begin(bytes, as: request.target, key, until: now + Self.patience) else { return refuse(request) }
    x.selectForNow(Self.watched, on: request.requestor)
    notify(request, property: request.property)
  }

  /// Data of so many bytes will be answered with, and comes by and by: what writes it meanwhile, until `endAnswer`.
  ///
  /// - Parameters:
  ///   - display: the X display's name.
  ///   - onPart: called on any thread when `partIsThere` is to be called.
  /// - Returns: nil where the data is to be answered with when it is there.
  package func beginAnswer(
    _ request: Request, _ count: Int, display: String, at now: Instant,
    onPart: @escaping @Sendable () -> Void
  ) -> EarlyWriter? {
    let key = request.key
    guard count >= Self.worthBeginning, request.group == nil, !isPassedOver(request), x.isThere(request.requestor)
    else { return nil }
    endDelivery(key)
    if count <= x.largestProperty { return beginPiece(request, count, at: key, display: display).map { .piece($0) } }
    guard let writer = deliveries.begin(count, as: request.target, key, until: now + Self.patience, onPart: onPart)
    else { return nil }
    x.selectForNow(Self.watched, on: key.requestor)
    notify(request, property: request.property)
    return .parts(writer)
  }

  /// A request has come, and is to be answered or refused. Who asks anew at a property does not wait for what was asked for there
  /// before: it would come in the place of what is asked for now.
  ///
  /// - Returns: the request, with its place among the others.
  package func begin(_ request: Request) -> Request {
    let key = request.key
    endDelivery(key)
    // What is the same may as well be what comes: who asks a slow source again and again would else never have it.
    if let writer = writers[key], writer.type != request.target, !writer.abandon() { forget(writer, key) }
    if newest.count >= Self.mostKnown { newest = [:] }
    lastNumber += 1
    newest[key] = lastNumber
    var request = request
    request.number = lastNumber
    return request
  }

  private func endDelivery(_ key: Key) { if deliveries.remove(key) { endWatching(key.requestor) } }

  /// What was being written does not come.
  private func forget(_ writer: PropertyWriter, _ key: Key) {
    writers[key] = nil
    // Another answer may lie there by now.
    if let piece = pieces[key], piece.until == nil { pieces[key] = nil }
    endWatching(key.requestor)
  }

  private func beginPiece(_ request: Request, _ count: Int, at key: Key, display: String) -> PropertyWriter? {
    let program = program(of: request)
    guard writers[key] == nil, writers.count < Self.mostWriters,
      writers.keys.count(where: { pieces[$0]?.program == program }) < Self.mostWriters / Self.share,
      mayLie(count, at: key, besideUnwritten: true)
    else { return nil }
    note(count, at: key, until: nil)
    // The writer is another connection: the requestor's window is watched when its first byte comes.
    xcb_flush(x.raw)
    let writer = PropertyWriter(
      display: display, count, as: request.target, request.property, of: request.requestor,
      notice: Self.notice(request, property: request.property))
    writers[key] = writer
    writer.open()
    return writer
  }

  /// What `beginAnswer` has begun is over, or nobody waits for it any more.
  ///
  /// - Parameter hasAllCome: whether its load has succeeded.
  /// - Returns: whether the requestor is told that its data is there, gets the rest of it, is gone, or waits no longer; it is to be
  ///   answered otherwise, or refused: GTK then waits no longer for parts that do not come.
  package func endAnswer(_ request: Request, _ writer: EarlyWriter, hasAllCome: Bool, at now: Instant) -> Bool {
    let key = request.key
    switch writer {
    case .piece(let writer): return endPiece(writer, at: key, now)
    case .parts(let writer):
      let isUnderWay = deliveries.isUnderWay(writer, key)
      deliveries.end(writer, key, hasAllCome: hasAllCome)
      partIsThere(for: request, at: now)
      if !hasAllCome { endWatching(key.requestor) }
      // Who does not wait for it may wait for something else.
      return hasAllCome || !isUnderWay
    }
  }

  /// Something has come of what goes in parts while it comes.
  package func partIsThere(for request: Request, at now: Instant) {
    let key = request.key
    if deliveries.isAwaited(key) { goOn(key, at: now) }
  }

  private func endPiece(_ writer: PropertyWriter, at key: Key, _ now: Instant) -> Bool {
    let isTold = writer.abandon()
    // Its window may have gone, and the number be another's.
    guard writers[key] === writer else { return true }
    guard isTold else {
      forget(writer, key)
      return false
    }
    writers[key] = nil
    if pieces[key] == nil { endWatching(key.requestor) }
    pieces[key]?.until = now + Self.patience
    return true
  }

  /// Whether data may be written in one piece. A request for several types at once, or several requests, would otherwise
  /// fill the X server's memory.
  ///
  /// - Parameter besideUnwritten: whether what is still being written counts, too. It may never come, and Chromium and GTK 4 take
  ///   other data in one piece only.
  private func mayLie(_ count: Int, at key: Key, besideUnwritten: Bool = false) -> Bool {
    guard count <= x.largestProperty else { return false }
    guard count > Self.smallPiece else { return true }
    var lying = 0
    for (other, piece) in pieces where other.requestor == key.requestor && other != key {
      if besideUnwritten || piece.until != nil { lying += piece.count }
    }
    guard lying + count <= max(mostLying, x.largestProperty) else { return false }
    let program = x.makerInTurn(of: key.requestor)
    let own = pieces.values.count { $0.program == program }
    return pieces[key] != nil || pieces.count < Self.mostPieces && own < Self.mostPieces / Self.share
  }

  private func note(_ count: Int, at key: Key, until: Instant?) {
    guard count > Self.smallPiece else { return }
    x.selectForNow(Self.watched, on: key.requestor)
    pieces[key] = Piece(count: count, until: until, program: x.makerInTurn(of: key.requestor))
  }

  /// Stops listening to a requestor that nothing is under way to.
  private func endWatching(_ requestor: UInt32) {
    guard !deliveries.isUnderWay(to: requestor),
      !pieces.keys.contains(where: { $0.requestor == requestor }),
      !writers.keys.contains(where: { $0.requestor == requestor })
    else { return }
    x.endSelecting(on: requestor)
  }

  private static let watched = XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue

  /// The parts of a request for several types at once: each is answered as a request by itself is, and then the whole.
  package func parts(of request: Request) -> [Request] {
    let pairs = x.words(request.property, of: request.requestor, most: Self.mostParts * 2)
    guard pairs.count >= 2, pairs.count % 2 == 0 else {
      refuse(request)
      return []
    }
    // Each property once: else the same data could be written 256 times.
    let properties = Set(stride(from: 1, to: pairs.count, by: 2).map { pairs[$0] })
    guard properties.count == pairs.count / 2 else {
      refuse(request)
      return []
    }
    let group = Group(request, pairs)
    return stride(from: 0, to: pairs.count, by: 2).map { i in
      var part = Request(
        requestor: request.requestor, property: pairs[i + 1], target: pairs[i], time: request.time,
        selection: request.selection)
      part.group = group
      part.index = i
      return part
    }
  }

  private func settle(_ part: Request, of group: Group, isAnswered: Bool) {
    if !isAnswered { group.pairs[part.index + 1] = 0 }
    group.left -= 1
    guard group.left == 0 else { return }
    x.set(group.pairs, as: x.atom("ATOM_PAIR"), group.whole.property, of: group.whole.requestor)
    notify(group.whole, property: group.whole.property)
  }

  private func notify(_ request: Request, property: UInt32) {
    // The others of its group get their answers.
    if let group = request.group { return settle(request, of: group, isAnswered: property != 0) }
    // Who no longer waits for it may take a refusal for that of what it waits for.
    guard !isPassedOver(request) else { return }
    Self.notice(request, property: property).withUnsafeBytes {
      _ = xcb_send_event(x.raw, 0, request.requestor, 0, $0.baseAddress?.assumingMemoryBound(to: CChar.self))
    }
  }

  private static func notice(_ request: Request, property: UInt32) -> [UInt8] {
    var event = xcb_selection_notify_event_t()
    event.response_type = UInt8(XCB_SELECTION_NOTIFY)
    event.time = request.time
    event.requestor = request.requestor
    event.selection = request.selection
    event.target = request.target
    event.property = property
    // The server takes 32 bytes, whatever the event's size.
    var bytes = [UInt8](repeating: 0, count: 32)
    withUnsafeBytes(of: &event) { event in bytes.withUnsafeMutableBytes { $0.copyMemory(from: event) } }
    return bytes
  }

  // MARK: Events

  /// A property was deleted, as the X server itself says: the requestor may have taken a part.
  ///
  /// - Parameter sequence: the event's number, of the newest request that the X server had handled by then.
  package func propertyDeleted(_ property: UInt32, of window: UInt32, after sequence: UInt32, at now: Instant) {
    let key = Key(requestor: window, property: property)
    // What the requestor has not been told of it cannot have taken.
    if writers[key]?.isTold != false, pieces.removeValue(forKey: key) != nil { endWatching(window) }
    if deliveries.isTaken(key, by: sequence) { goOn(key, at: now) }
  }

  /// A window is gone, as the X server itself says.
  package func windowGone(_ window: UInt32) {
    deliveries.windowGone(window)
    pieces = pieces.filter { $0.key.requestor != window }
    // The window's number may be another program's next.
    for (key, writer) in writers where key.requestor == window {
      _ = writer.abandon()
      writers[key] = nil
    }
  }

  /// The requestor has taken the part before, or waits for the one that has come.
  private func goOn(_ key: Key, at now: Instant) {
    if deliveries.goOn(key, until: now + Self.patience) { endWatching(key.requestor) }
  }

  /// Whether data is under way in parts.
  package var isDelivering: Bool { !deliveries.isEmpty }

  package var nextDeadline: Instant? {
    Instant.earliest(deliveries.nextDeadline, pieces.values.compactMap(\.until).min())
  }

  package func advance(to now: Instant) {
    x.endTurn()
    guard let nextDeadline, nextDeadline <= now else { return }
    let late = pieces.filter { $0.value.until.map { $0 <= now } == true }.map(\.key)
    for key in late { pieces[key] = nil }
    for requestor in Set(deliveries.advance(to: now) + late.map(\.requestor)) { endWatching(requestor) }
  }
}
