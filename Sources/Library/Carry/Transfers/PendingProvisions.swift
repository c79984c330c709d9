import CarryModel
import CarrySystem
import CarryWireClient

/// Loads that their source cannot serve yet, in the order of the requests. Reports to the engine that they are not
/// forgotten, and notices when they are cancelled. Used on the client's thread.
final class PendingProvisions<Content> {
  private struct Waiting {
    let provision: WireProvision?
    let content: Content
    /// The previous listener of the provision.
    let listener: ((WireProvisionEvent) -> Void)?
  }

  /// The engine receives three signs of life before it would time out.
  private static var period: Interval { .seconds(Limits.transferSeconds / 3) }

  /// In order of arrival, starting at `head`.
  private var waiting: [Int: Waiting] = [:]
  private var (head, next) = (0, 0)
  /// When the next sign of life is due; nil if nothing waits.
  private(set) var nextSign: Instant?

  var isEmpty: Bool { waiting.isEmpty }

  /// - Parameters:
  ///   - provision: the load; nil for other work that waits with the loads.
  ///   - giveUp: called if the load is cancelled while it waits.
  func append(_ content: Content, for provision: WireProvision?, giveUp: @escaping () -> Void) {
    let number = next
    next += 1
    let listener = provision?.onEvent
    waiting[number] = Waiting(provision: provision, content: content, listener: listener)
    provision?.onEvent = { [weak self] event in
      listener?(event)
      switch event {
      // Without the engine nothing can be handed over.
      case .cancelled, .lost: if self?.remove(number) != nil { giveUp() }
      case .delivered, .destinationProgress: break
      }
    }
    // Its time may be nearly over already.
    provision?.signOfLife()
    nextSign = nextSign ?? MonotonicClock.now() + Self.period
  }

  private func remove(_ number: Int) -> Waiting? {
    defer { if waiting.isEmpty { (head, nextSign) = (next, nil) } }
    return waiting.removeValue(forKey: number)
  }

  /// The one that has waited longest.
  var first: Content? {
    guard !waiting.isEmpty else { return nil }
    while waiting[head] == nil { head += 1 }
    return waiting[head]?.content
  }

  /// Removes the first load and restores the listener of its provision.
  func popFirst() -> Content? {
    guard first != nil, let one = remove(head) else { return nil }
    one.provision?.onEvent = one.listener
    return one.content
  }

  /// Sends signs of life to the engine when they are due.
  ///
  /// - Parameter isHopeful: whether the loads may get their turn; otherwise the engine times out soon.
  func advance(to now: Instant, isHopeful: Bool = true) {
    guard let due = nextSign, due <= now else { return }
    nextSign = now + Self.period
    if isHopeful { for one in waiting.values { one.provision?.signOfLife() } }
  }

  /// The client is closing.
  func removeAll() { (waiting, nextSign) = ([:], nil) }
}
