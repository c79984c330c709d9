import CXcb
import CarryModel

/// The property of a window in which a requestor wants the data.
struct RequestedProperty: Hashable {
  var requestor: UInt32
  var property: UInt32
}

/// Deliveries in parts (INCR) to other programs: each part is written when the previous one has been read.
///
/// https://www.x.org/releases/current/doc/xorg-docs/icccm/icccm.html, section 2.7.2.
final class IncrementalTransfers {
  private enum Content {
    case whole([UInt8], sent: Int)
    case coming(PartsWriter, hasAllCome: Bool)
  }

  private struct Delivery {
    var content: Content
    let type: UInt32
    /// How many bytes count against the limit.
    let count: Int
    /// The serial number of the request that wrote the newest part, or the announcement.
    var written: UInt32
    /// The deadline for reading the current part; nil while waiting for the source.
    var deadline: Instant?
    let program: WindowOwner
  }

  private let x: SelectionConnection
  private var deliveries: [RequestedProperty: Delivery] = [:]
  /// The reusable buffer of a part that was sent.
  private var spare: [UInt8] = []
  /// The size of a part. It fits into the X server's socket buffer (208 KiB), so that no write blocks halfway.
  /// Measured with 64 MiB to GTK 3, this size took 0.77 to 0.90 of a plain source's time, on a fresh and on a used
  /// server; 104, 120, 132, 160, 256 and 1024 KiB took 0.96 to 1.25 on the used one.
  static let part = 128 << 10
  /// Each program may use this fraction of each limit.
  private static let share = 4

  init(_ x: SelectionConnection) { self.x = x }

  var isEmpty: Bool { deliveries.isEmpty }

  var nextDeadline: Instant? { deliveries.values.compactMap(\.deadline).min() }

  func isUnderWay(to requestor: UInt32) -> Bool { deliveries.keys.contains { $0.requestor == requestor } }

  /// Begins a delivery of complete data. The caller has to notify the requestor and watch its window.
  ///
  /// - Returns: Whether there is room for it.
  func begin(_ bytes: [UInt8], as type: UInt32, _ key: RequestedProperty, until deadline: Instant) -> Bool {
    begin(.whole(bytes, sent: 0), bytes.count, saying: bytes.count, as: type, key, until: deadline)
  }

  /// Begins a delivery of data that is still arriving. The caller has to notify the requestor and watch its window.
  ///
  /// - Parameters:
  ///   - count: The announced number of bytes.
  ///   - onPart: Called on any thread when `goOn` has to be called.
  /// - Returns: The writer for the data, valid until `end`; nil if there is no room.
  func begin(
    _ count: Int, as type: UInt32, _ key: RequestedProperty, until deadline: Instant,
    onPart: @escaping @Sendable () -> Void
  ) -> PartsWriter? {
    let writer = PartsWriter(most: min(Self.part, x.largestProperty), onPart: onPart)
    // Counts the bytes held rather than the size claimed by another program.
    let held = min(count, 2 * Self.part)
    return begin(.coming(writer, hasAllCome: false), held, saying: count, as: type, key, until: deadline) ? writer : nil
  }

  private func begin(
    _ content: Content, _ count: Int, saying size: Int, as type: UInt32, _ key: RequestedProperty,
    until deadline: Instant
  ) -> Bool {
    let underWay = deliveries.values.reduce(0) { $0 + $1.count }
    let program = x.cachedOwner(of: key.requestor)
    let own = deliveries.filter { $0.value.program == program }
    let ownBytes = own.values.reduce(0) { $0 + $1.count }
    guard deliveries.count < Limits.outgoingTransfers, count <= Limits.outgoingBytes - underWay,
      own.count < Limits.outgoingTransfers / Self.share,
      own.isEmpty || count <= Limits.outgoingBytes / Self.share - ownBytes
    else { return false }
    let written = x.set([UInt32(clamping: size)], as: x.atom("INCR"), key.property, of: key.requestor)
    deliveries[key] = Delivery(
      content: content, type: type, count: count, written: written, deadline: deadline, program: program)
    return true
  }

  /// The requestor has read the previous part, or data that it waits for has arrived.
  ///
  /// - Returns: Whether that was the end.
  func sendNextPart(_ key: RequestedProperty, until deadline: Instant) -> Bool {
    guard var delivery = deliveries.removeValue(forKey: key) else { return false }
    switch delivery.content {
    // An empty part marks the end.
    case .whole(let bytes, let sent):
      let end = min(bytes.count, sent + min(Self.part, x.largestProperty))
      delivery.written = x.set(bytes[sent..<end], as: delivery.type, key.property, of: key.requestor)
      if end == sent { return true }
      delivery.content = .whole(bytes, sent: end)
      delivery.deadline = deadline
    case .coming(let writer, let hasAllCome):
      writer.take(into: &spare)
      delivery.deadline = spare.isEmpty ? nil : deadline
      if !spare.isEmpty || hasAllCome {
        delivery.written = x.set(spare[...], as: delivery.type, key.property, of: key.requestor)
      }
      if spare.isEmpty, hasAllCome { return true }
    }
    deliveries[key] = delivery
    return false
  }

  /// Whether the newest part was deleted, and not an earlier value: the target would otherwise miss that the data
  /// comes in parts, and regard the first part as all of it.
  ///
  /// - Parameter sequence: The serial number of the newest request that the X server had handled by then.
  func isTaken(_ key: RequestedProperty, by sequence: UInt32) -> Bool {
    deliveries[key].map { Int32(bitPattern: sequence &- $0.written) >= 0 } ?? false
  }

  /// Whether the requestor has read everything so far and waits for more.
  func isAwaited(_ key: RequestedProperty) -> Bool { deliveries[key].map { $0.deadline == nil } ?? false }

  /// The load of data that was still arriving is over.
  ///
  /// - Parameter hasAllCome: Whether the load succeeded. Otherwise no end marker is sent.
  func end(_ writer: PartsWriter, _ key: RequestedProperty, hasAllCome: Bool) {
    guard isUnderWay(writer, key) else { return }
    if hasAllCome { deliveries[key]?.content = .coming(writer, hasAllCome: true) } else { remove(key) }
  }

  /// Whether the requestor still receives the data of a writer.
  func isUnderWay(_ writer: PartsWriter, _ key: RequestedProperty) -> Bool {
    if case .coming(let own, _)? = deliveries[key]?.content { own === writer } else { false }
  }

  /// Discards a delivery.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ key: RequestedProperty) -> Bool {
    guard let delivery = deliveries.removeValue(forKey: key) else { return false }
    if case .coming(let writer, _) = delivery.content { writer.close() }
    return true
  }

  func windowGone(_ window: UInt32) { for key in deliveries.keys where key.requestor == window { remove(key) } }

  /// Discards deliveries that have timed out.
  ///
  /// - Returns: Their requestors.
  func advance(to now: Instant) -> [UInt32] {
    let late = deliveries.filter { $0.value.deadline.map { $0 <= now } == true }.map(\.key)
    for key in late { remove(key) }
    return late.map(\.requestor)
  }
}
