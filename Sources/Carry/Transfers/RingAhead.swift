import CarrySystem

/// A ring that is made while its items are carried, with its pages: that takes a millisecond, which the first stream of the drop
/// need not wait for.
///
/// Nobody but its source has seen it. It belongs to one stream then, and is as new as any other.
final class RingAhead {
  private var answer: AsideAnswer<RingWriter?>?

  /// Begins to make it, on a thread. Without one, streams make rings of their own.
  func begin() {
    guard answer == nil else { return }
    answer = try? AsideAnswer {
      guard let ring = try? RingWriter() else { return nil }
      try? ring.makeAllPages()
      return ring
    }
  }

  /// The ring, for the first who asks once it is there; nil otherwise.
  func take() -> RingWriter? {
    guard let ring = answer?.get() else { return nil }
    end()
    return ring
  }

  /// Nobody will ask any more.
  func end() { answer = nil }
}
