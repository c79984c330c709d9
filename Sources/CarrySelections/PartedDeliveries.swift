import CXcb
import CarryModel

/// A property of a window that data is asked for at.
struct RequestedProperty: Hashable {
  var requestor: UInt32
  var property: UInt32
}

/// Data that goes to other programs in parts (INCR): each part is written when the one before it has been taken.
///
/// https://www.x.org/releases/current/doc/xorg-docs/icccm/icccm.html, section 2.7.2.
final class PartedDeliveries {
  private enum Content {
    case whole([UInt8], sent: Int)
    case coming(PartsWriter, hasAllCome: Bool)
  }

  private struct Delivery {
    var content: Content
    let type: UInt32
    /// How many bytes are held for it.
    let count: Int
    /// The number of the request that has written the newest part, or the announcement.
    var written: UInt32
    /// Until when the part that lies there is to be taken; nil while the source is waited for.
    var deadline: Instant?
    let program: WindowOwner
  }

  private let x: SelectionConnection
  private var deliveries: [RequestedProperty: Delivery] = [:]
  /// Memory of a part that was sent.
  private var spare: [UInt8] = []
  /// A part of what does not fit into one request. It fits in the X server's socket (208 KiB), so that nobody waits half-way. 64 MiB
  /// came to GTK 3 in 0.77 to 0.90 of a bare source's time, in a server that had just started and in one that had been at work;
  /// with parts of 104, 120, 132, 160, 256 and 1024 KiB in 0.96 to 1.25, in the latter.
  static let part = 128 << 10
  /// How many deliveries are under way at a time, and their bytes.
  private static let most = 64
  private static let mostBytes = 512 << 20
  /// A program has one part in so many of each bound.
  private static let share = 4

  init(_ x: SelectionConnection) { self.x = x }

  var isEmpty: Bool { deliveries.isEmpty }

  var nextDeadline: Instant? { deliveries.values.compactMap(\.deadline).min() }

  func isUnderWay(to requestor: UInt32) -> Bool { deliveries.keys.contains { $0.requestor == requestor } }

  /// Begins one of data that is there. The requestor is to be told, and its window watched.
  ///
  /// - Returns: whether there is room for it.
  func begin(_ bytes: [UInt8], as type: UInt32, _ key: RequestedProperty, until deadline: Instant) -> Bool {
    begin(.whole(bytes, sent: 0), bytes.count, saying: bytes.count, as: type, key, until: deadline)
  }

  /// Begins one of data that still comes. The requestor is to be told, and its window watched.
  ///
  /// - Parameters:
  ///   - count: how many bytes are said to come.
  ///   - onPart: called on any thread when `goOn` is to be called.
  /// - Returns: what the data is written to, until `end`; nil where there is no room for it.
  func begin(
    _ count: Int, as type: UInt32, _ key: RequestedProperty, until deadline: Instant,
    onPart: @escaping @Sendable () -> Void
  ) -> PartsWriter? {
    let writer = PartsWriter(most: min(Self.part, x.largestProperty), onPart: onPart)
    // What counts is what is held, and not what a stranger says.
    let held = min(count, 2 * Self.part)
    return begin(.coming(writer, hasAllCome: false), held, saying: count, as: type, key, until: deadline) ? writer : nil
  }

  private func begin(
    _ content: Content, _ count: Int, saying size: Int, as type: UInt32, _ key: RequestedProperty,
    until deadline: Instant
  ) -> Bool {
    let underWay = deliveries.values.reduce(0) { $0 + $1.count }
    let program = x.makerInTurn(of: key.requestor)
    let own = deliveries.filter { $0.value.program == program }
    let ownBytes = own.values.reduce(0) { $0 + $1.count }
    guard deliveries.count < Self.most, count <= Self.mostBytes - underWay,
      own.count < Self.most / Self.share, own.isEmpty || count <= Self.mostBytes / Self.share - ownBytes
    else { return false }
    let written = x.set([UInt32(clamping: size)], as: x.atom("INCR"), key.property, of: key.requestor)
    deliveries[key] = Delivery(
      content: content, type: type, count: count, written: written, deadline: deadline, program: program)
    return true
  }

  /// The requestor has taken the part before, or something has come that it waits for.
  ///
  /// - Returns: whether that was the end.
  func goOn(_ key: RequestedProperty, until deadline: Instant) -> Bool {
    guard var delivery = deliveries.removeValue(forKey: key) else { return false }
    switch delivery.content {
    // An empty part says that all has come.
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

  /// Whether it is the newest part that was deleted, and not what lay there before: the target would else miss that the data comes
  /// in parts, and take the first for all.
  ///
  /// - Parameter sequence: the number of the newest request that the X server had handled by then.
  func isTaken(_ key: RequestedProperty, by sequence: UInt32) -> Bool {
    deliveries[key].map { Int32(bitPattern: sequence &- $0.written) >= 0 } ?? false
  }

  /// Whether the requestor has taken all that has come, and waits for more.
  func isAwaited(_ key: RequestedProperty) -> Bool { deliveries[key].map { $0.deadline == nil } ?? false }

  /// The load of data that was still coming is over.
  ///
  /// - Parameter hasAllCome: whether it has succeeded. Else the end is not told.
  func end(_ writer: PartsWriter, _ key: RequestedProperty, hasAllCome: Bool) {
    guard isUnderWay(writer, key) else { return }
    if hasAllCome { deliveries[key]?.content = .coming(writer, hasAllCome: true) } else { remove(key) }
  }

  /// Whether the requestor still gets what is written there.
  func isUnderWay(_ writer: PartsWriter, _ key: RequestedProperty) -> Bool {
    if case .coming(let own, _)? = deliveries[key]?.content { own === writer } else { false }
  }

  /// Nobody waits for it any more.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ key: RequestedProperty) -> Bool {
    guard let delivery = deliveries.removeValue(forKey: key) else { return false }
    if case .coming(let writer, _) = delivery.content { writer.close() }
    return true
  }

  func windowGone(_ window: UInt32) { for key in deliveries.keys where key.requestor == window { remove(key) } }

  /// Gives up what has rested for too long.
  ///
  /// - Returns: the requestors.
  func advance(to now: Instant) -> [UInt32] {
    let late = deliveries.filter { $0.value.deadline.map { $0 <= now } == true }.map(\.key)
    for key in late { remove(key) }
    return late.map(\.requestor)
  }
}
