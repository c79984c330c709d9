package import CarryModel

/// Finds out which touch of the X server is which contact of the device's node. Pure.
///
/// A driver numbers its touches in the order in which fingers come down. The n-th new contact of a device is
/// therefore its n-th new touch, and the positions, as 0…1 of the device, confirm that. The node adds what the X
/// server leaves out: drivers do not report that a touch turned out to be a palm, and such a touch would never end.
package struct ContactMatcher: Sendable {
  private struct Pair {
    let device: UInt32
    var contact: ContactID?
    var touch: UInt32?
    let position: Point
    let time: Instant
    /// Whether the node has reported that the contact is not a finger. Its touch may not have arrived yet.
    var isCancelled = false
  }

  /// Maximum distance between contact and touch, because the X server may see a finger one frame later.
  private static let tolerance = 0.02
  /// How long one side waits for the other.
  private static let patience = Interval.seconds(1)
  private static let capacity = 64

  private var pairs: [Pair] = []

  package init() {}

  package var count: Int { pairs.count }

  /// The touch of a contact.
  package func touch(of contact: ContactID) -> UInt32? { pairs.first { $0.contact == contact }?.touch }

  private mutating func partner(
    _ device: UInt32, _ position: Point, _ time: Instant, _ isFree: (Pair) -> Bool
  ) -> Int? {
    pairs.removeAll { ($0.contact == nil || $0.touch == nil) && time - $0.time > Self.patience }
    return pairs.firstIndex {
      $0.device == device && isFree($0) && $0.position.distance(to: position) <= Self.tolerance
    }
  }

  private mutating func append(_ pair: Pair) {
    if pairs.count >= Self.capacity { pairs.removeFirst() }
    pairs.append(pair)
  }

  /// A touch began.
  ///
  /// - Returns: the touch, if its contact has already turned out not to be a finger.
  package mutating func touchBegan(_ touch: UInt32, device: UInt32, at position: Point, time: Instant) -> UInt32? {
    guard let i = partner(device, position, time, { $0.touch == nil }) else {
      append(Pair(device: device, touch: touch, position: position, time: time))
      return nil
    }
    guard !pairs[i].isCancelled else {
      pairs.remove(at: i)
      return touch
    }
    pairs[i].touch = touch
    return nil
  }

  package mutating func touchEnded(_ touch: UInt32) { pairs.removeAll { $0.touch == touch } }

  /// A contact began.
  package mutating func contactBegan(_ contact: ContactID, device: UInt32, at position: Point, time: Instant) {
    if let i = partner(device, position, time, { $0.contact == nil }) {
      pairs[i].contact = contact
    } else {
      append(Pair(device: device, contact: contact, position: position, time: time))
    }
  }

  /// The finger went up. The touch's own end follows, or has already come.
  package mutating func contactEnded(_ contact: ContactID) {
    pairs.removeAll { $0.contact == contact && $0.touch == nil }
  }

  /// The contact turned out not to be a finger.
  ///
  /// - Returns: the touch to end, if it has arrived.
  package mutating func contactCancelled(_ contact: ContactID, time: Instant) -> UInt32? {
    guard let i = pairs.firstIndex(where: { $0.contact == contact }) else { return nil }
    guard let touch = pairs[i].touch else {
      pairs[i].isCancelled = true
      return nil
    }
    pairs.remove(at: i)
    return touch
  }
}
