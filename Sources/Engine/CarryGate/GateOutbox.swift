/// Buffers a gate's messages to an engine that is not reading, because it is stopped, stuck or slow. Pure.
///
/// The engine must learn the end of each touch that it knows, or it would believe for ever that a carrying finger is
/// down. The outbox therefore drops only what the engine can do without: it keeps only the newest position of each
/// touch and click, and does not report touches or clicks that begin meanwhile. Its size is bounded by the touches
/// and clicks that the engine knows.
struct GateOutbox {
  private var waiting: [GateMessage] = []
  /// Touches whose raw begin was not reported.
  private var unreportedTouches: Set<UInt32> = []

  var isEmpty: Bool { waiting.isEmpty }
  var count: Int { waiting.count }

  /// Passes the message to `put`, now or in a later `flush`; false when the message is dropped.
  mutating func send(_ message: GateMessage, _ put: (GateMessage) -> Bool) -> Bool {
    switch message.kind {
    case .rawMoved where unreportedTouches.contains(message.id): return false
    case .rawEnded where unreportedTouches.remove(message.id) != nil: return false
    default: break
    }
    if waiting.isEmpty, put(message) { return true }
    switch message.kind {
    case .began, .clicked, .otherPressed: return false
    case .rawBegan:
      unreportedTouches.insert(message.id)
      return false
    case .moved, .rawMoved, .clickMoved: waiting.removeAll { $0.kind == message.kind && $0.id == message.id }
    default: break
    }
    waiting.append(message)
    return true
  }

  /// Passes the waiting messages to `put`, until `put` returns false.
  mutating func flush(_ put: (GateMessage) -> Bool) {
    var sent = 0
    while sent < waiting.count, put(waiting[sent]) { sent += 1 }
    waiting.removeFirst(sent)
  }
}
