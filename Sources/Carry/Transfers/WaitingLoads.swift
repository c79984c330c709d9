import CarryModel
import CarrySystem
import CarryWireClient

/// Loads that their source cannot serve yet, in the order in which they were asked for. The engine hears that they are not
/// forgotten, and whoever waits for them may give up. On the client's thread.
final class WaitingLoads<Content> {
  private struct Waiting {
    let provision: WireProvision
    let content: Content
    /// Who listens to the provision otherwise.
    let listener: ((WireProvisionEvent) -> Void)?
  }

  /// The engine hears of them three times before it would give them up.
  private static var period: Interval { .seconds(Limits.transferSeconds / 3) }

  /// By the order in which they came, from `head` on.
  private var waiting: [Int: Waiting] = [:]
  private var (head, next) = (0, 0)
  /// When the engine is to hear of them; nil while there are none.
  private(set) var nextSign: Instant?

  var isEmpty: Bool { waiting.isEmpty }

  /// - Parameter giveUp: called when nobody waits for the load any more.
  func append(_ content: Content, for provision: WireProvision, giveUp: @escaping () -> Void) {
    let number = next
    next += 1
    let listener = provision.onEvent
    waiting[number] = Waiting(provision: provision, content: content, listener: listener)
    provision.onEvent = { [weak self] event in
      listener?(event)
      switch event {
      // Without the engine nothing can be handed over.
      case .cancelled, .lost: if self?.remove(number) != nil { giveUp() }
      case .delivered, .destinationProgress: break
      }
    }
    // Its time may be nearly over already.
    provision.signOfLife()
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

  /// Takes the first out. Its provision has its former listener again.
  func popFirst() -> Content? {
    guard first != nil, let one = remove(head) else { return nil }
    one.provision.onEvent = one.listener
    return one.content
  }

  /// Tells the engine of them when it is time.
  ///
  /// - Parameter isHopeful: whether they may come to their turn; otherwise the engine gives them up soon.
  func advance(to now: Instant, isHopeful: Bool = true) {
    guard let due = nextSign, due <= now else { return }
    nextSign = now + Self.period
    if isHopeful { for one in waiting.values { one.provision.signOfLife() } }
  }

  /// The client is going.
  func removeAll() { (waiting, nextSign) = ([:], nil) }
}
