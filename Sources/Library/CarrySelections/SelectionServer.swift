import CXcb
package import CarryModel

/// Serves data to other programs through an X selection, in one piece or in parts (INCR).
///
/// https://www.x.org/releases/current/doc/xorg-docs/icccm/icccm.html, section 2.
package final class SelectionServer {
  /// A conversion request.
  package struct Request {
    package let requestor: UInt32
    package let property: UInt32
    package let target: UInt32
    package let time: UInt32
    package let selection: UInt32
    /// Its position in the order of arrival; nil if not compared with others.
    fileprivate var number: Int?
    /// The MULTIPLE request that contains this one; nil if there is none.
    fileprivate var group: Group?
    /// The index within the MULTIPLE request.
    fileprivate var index = 0

    fileprivate var key: RequestedProperty { RequestedProperty(requestor: requestor, property: property) }

    package init(requestor: UInt32, property: UInt32, target: UInt32, time: UInt32, selection: UInt32) {
      // Obsolete clients name no property.
      (self.requestor, self.property) = (requestor, property == 0 ? target : property)
      (self.target, self.time, self.selection) = (target, time, selection)
    }
  }

  /// A request for several types (MULTIPLE), answered when all of them are.
  fileprivate final class Group {
    let whole: Request
    var pairs: [UInt32]
    var left: Int

    init(_ whole: Request, _ pairs: [UInt32]) { (self.whole, self.pairs, left) = (whole, pairs, pairs.count / 2) }
  }

  private typealias Key = RequestedProperty

  /// Data written in one piece that the requestor has not read.
  private struct Piece {
    var count: Int
    var until: Instant
    let program: WindowOwner
  }

  private let x: SelectionConnection
  /// The window that owns the selection.
  package let window: UInt32
  private let deliveries: IncrementalTransfers
  /// The newest requests by property.
  private var newest: [Key: Int] = [:]
  private var lastNumber = 0
  private var pieces: [Key: Piece] = [:]
  /// The size of a part of data that does not fit into one request.
  package static let part = IncrementalTransfers.part
  /// GTK 3 cancels a transfer after 30 seconds without progress.
  package static let patience = Interval.seconds(30)
  private static let maxParts = 256
  /// Each program may use this fraction of each limit. A program that reads nothing could otherwise use all, and data
  /// for others would be refused or sent in parts, which GTK 4 and Chromium do not handle.
  private static let share = 4
  /// How many bytes of single pieces may be unread at one requestor, since they occupy the X server's memory. Beyond
  /// this, data is sent in parts. One piece may be as large as a request.
  private let maxUnread: Int
  /// Smaller pieces are not counted.
  private static let smallPiece = 1 << 14
  /// For how many properties the newest request is known.
  private static let maxKnown = 4096

  /// - Parameter maxUnread: How many bytes may be unread at one requestor besides the newest piece.
  package init(_ x: SelectionConnection, maxUnread: Int = Limits.unreadBytesPerWindow) {
    (self.x, self.maxUnread) = (x, maxUnread)
    deliveries = IncrementalTransfers(x)
    window = x.makeWindow()
  }

  /// The program that made a request.
  package func program(of request: Request) -> WindowOwner { x.cachedOwner(of: request.requestor) }

  // MARK: Answers

  /// Refuses a request. Sends nothing if the property has been requested again since.
  package func refuse(_ request: Request) { notify(request, property: 0) }

  /// Whether the property of the request has been requested again. The reply would be mistaken for that of the newer
  /// request.
  private func isSuperseded(_ request: Request) -> Bool {
    guard let number = request.number, let newest = newest[request.key] else { return false }
    return number < newest
  }

  /// Answers with 32-bit values: types, or a time.
  package func answer(_ request: Request, words: [UInt32], as type: UInt32) {
    guard !isSuperseded(request) else { return refuse(request) }
    x.set(words, as: type, request.property, of: request.requestor)
    notify(request, property: request.property)
  }

  /// Answers with data.
  package func answer(_ request: Request, _ bytes: [UInt8], at now: Instant) {
    let key = request.key
    guard !isSuperseded(request) else { return refuse(request) }
    endDelivery(key)
    // Any program can name a window that never existed, whose destruction is never reported.
    guard bytes.count <= Self.smallPiece || x.isThere(request.requestor) else { return refuse(request) }
    // In one piece if it fits: GTK 4 never ends a drop whose data comes in parts, and Chromium regards the first part
    // as all data.
    if fitsAsOneProperty(bytes.count, at: key) {
      record(bytes.count, at: key, until: now + Self.patience)
      x.set(bytes[...], as: request.target, request.property, of: request.requestor)
      return notify(request, property: request.property)
    }
    guard deliveries.begin(bytes, as: request.target, key, until: now + Self.patience) else { return refuse(request) }
    x.selectForNow(Self.watched, on: request.requestor)
    notify(request, property: request.property)
  }

  /// Begins an answer in parts whose data, of known size, is still arriving. The writer is valid until `endAnswer`.
  ///
  /// - Parameter onPart: Called on any thread when `partIsThere` has to be called.
  /// - Returns: Nil if the request has to be answered once the data is complete, such as data that fits into one piece.
  package func beginAnswer(
    _ request: Request, _ count: Int, at now: Instant, onPart: @escaping @Sendable () -> Void
  ) -> PartsWriter? {
    let key = request.key
    guard count > x.largestProperty, request.group == nil, !isSuperseded(request), x.isThere(request.requestor)
    else { return nil }
    endDelivery(key)
    guard let writer = deliveries.begin(count, as: request.target, key, until: now + Self.patience, onPart: onPart)
    else { return nil }
    x.selectForNow(Self.watched, on: key.requestor)
    notify(request, property: request.property)
    return writer
  }

  /// Registers a request that will be answered or refused. A new request for a property supersedes the pending one,
  /// whose reply would be mistaken for the new one's.
  ///
  /// - Returns: The request with its position among the others.
  package func begin(_ request: Request) -> Request {
    let key = request.key
    endDelivery(key)
    if newest.count >= Self.maxKnown { newest = [:] }
    lastNumber += 1
    newest[key] = lastNumber
    var request = request
    request.number = lastNumber
    return request
  }

  private func endDelivery(_ key: Key) { if deliveries.remove(key) { endWatching(key.requestor) } }

  /// Ends an answer begun by `beginAnswer`.
  ///
  /// - Parameter hasAllCome: Whether the load succeeded.
  /// - Returns: Whether the requestor has been notified, receives the rest, is gone, or no longer waits. If false,
  ///   the caller has to answer the request another way or refuse it: GTK then stops waiting for parts.
  package func endAnswer(_ request: Request, _ writer: PartsWriter, hasAllCome: Bool, at now: Instant) -> Bool {
    let key = request.key
    let isUnderWay = deliveries.isUnderWay(writer, key)
    deliveries.end(writer, key, hasAllCome: hasAllCome)
    partIsThere(for: request, at: now)
    if !hasAllCome { endWatching(key.requestor) }
    // A requestor that does not wait for it may wait for another reply.
    return hasAllCome || !isUnderWay
  }

  /// Data for a delivery in parts has arrived.
  package func partIsThere(for request: Request, at now: Instant) {
    let key = request.key
    if deliveries.isAwaited(key) { sendNextPart(key, at: now) }
  }

  /// Whether data may be written in one piece. A MULTIPLE request, or several requests, could otherwise fill the X
  /// server's memory.
  private func fitsAsOneProperty(_ count: Int, at key: Key) -> Bool {
    guard count <= x.largestProperty else { return false }
    guard count > Self.smallPiece else { return true }
    var lying = 0
    for (other, piece) in pieces where other.requestor == key.requestor && other != key {
      lying += piece.count
    }
    guard lying + count <= max(maxUnread, x.largestProperty) else { return false }
    let program = x.cachedOwner(of: key.requestor)
    let own = pieces.values.count { $0.program == program }
    return pieces[key] != nil || pieces.count < Limits.unreadProperties && own < Limits.unreadProperties / Self.share
  }

  private func record(_ count: Int, at key: Key, until: Instant) {
    guard count > Self.smallPiece else { return }
    x.selectForNow(Self.watched, on: key.requestor)
    pieces[key] = Piece(count: count, until: until, program: x.cachedOwner(of: key.requestor))
  }

  /// Deselects events of a requestor without transfers.
  private func endWatching(_ requestor: UInt32) {
    guard !deliveries.isUnderWay(to: requestor),
      !pieces.keys.contains(where: { $0.requestor == requestor })
    else { return }
    x.endSelecting(on: requestor)
  }

  private static let watched = XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue

  /// The parts of a MULTIPLE request. Each is answered like a single request, and then the whole.
  package func parts(of request: Request) -> [Request] {
    let pairs = x.words(request.property, of: request.requestor, most: Self.maxParts * 2 + 1)
    // Each property once, or the same data could be written 256 times.
    let properties = Set(stride(from: 1, to: pairs.count, by: 2).map { pairs[$0] })
    guard (2...Self.maxParts * 2).contains(pairs.count), pairs.count % 2 == 0, properties.count == pairs.count / 2,
      !properties.contains(0)
    else {
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

  private func complete(_ part: Request, of group: Group, isAnswered: Bool) {
    if !isAnswered { group.pairs[part.index + 1] = 0 }
    group.left -= 1
    guard group.left == 0 else { return }
    x.set(group.pairs, as: x.atom("ATOM_PAIR"), group.whole.property, of: group.whole.requestor)
    notify(group.whole, property: group.whole.property)
  }

  private func notify(_ request: Request, property: UInt32) {
    // Part of a MULTIPLE request, which is answered as a whole.
    if let group = request.group { return complete(request, of: group, isAnswered: property != 0) }
    // A requestor that no longer waits for it may mistake a refusal for that of its newer request.
    guard !isSuperseded(request) else { return }
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
    // The server reads 32 bytes, whatever the event's size.
    var bytes = [UInt8](repeating: 0, count: 32)
    withUnsafeBytes(of: &event) { event in bytes.withUnsafeMutableBytes { $0.copyMemory(from: event) } }
    return bytes
  }

  // MARK: Events

  /// Handles a deleted property, as reported by the X server itself: the requestor may have read a part.
  ///
  /// - Parameter sequence: The event's serial number, that of the newest request that the X server had handled by
  ///   then.
  package func propertyDeleted(_ property: UInt32, of window: UInt32, after sequence: UInt32, at now: Instant) {
    let key = Key(requestor: window, property: property)
    if pieces.removeValue(forKey: key) != nil { endWatching(window) }
    if deliveries.isTaken(key, by: sequence) { sendNextPart(key, at: now) }
  }

  /// Handles a destroyed window, as reported by the X server itself.
  package func windowGone(_ window: UInt32) {
    deliveries.windowGone(window)
    pieces = pieces.filter { $0.key.requestor != window }
  }

  /// Continues after the requestor has read the previous part, or data that it waits for has arrived.
  private func sendNextPart(_ key: Key, at now: Instant) {
    if deliveries.sendNextPart(key, until: now + Self.patience) { endWatching(key.requestor) }
  }

  /// Whether a delivery in parts is under way.
  package var isDelivering: Bool { !deliveries.isEmpty }

  package var nextDeadline: Instant? {
    Instant.earliest(deliveries.nextDeadline, pieces.values.map(\.until).min())
  }

  package func advance(to now: Instant) {
    x.endTurn()
    guard let nextDeadline, nextDeadline <= now else { return }
    let late = pieces.filter { $0.value.until <= now }.map(\.key)
    for key in late { pieces[key] = nil }
    for requestor in Set(deliveries.advance(to: now) + late.map(\.requestor)) { endWatching(requestor) }
  }
}
