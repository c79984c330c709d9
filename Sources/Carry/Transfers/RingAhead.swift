import CarrySystem

/// A ring created in advance while items are being carried. Allocating its pages takes a millisecond, which the first
/// stream of the drop then need not wait for.
///
/// Only its source has access to it. It then belongs to one stream, like any new ring.
final class RingAhead {
  private var answer: AsideAnswer<RingWriter?>?

  /// Starts creating the ring, on a thread. On failure, streams create rings of their own.
  func begin() {
    guard answer == nil else { return }
    answer = try? AsideAnswer {
      guard let ring = try? RingWriter() else { return nil }
      try? ring.makeAllPages()
      return ring
    }
  }

  /// The ring, for the first caller after it is complete; nil otherwise.
  func take() -> RingWriter? {
    guard let ring = answer?.get() else { return nil }
    end()
    return ring
  }

  /// Discards the ring.
  func end() { answer = nil }
}
