/// What a gate has to say to an engine that does not read for a while: stopped, stuck or slow. Pure.
///
/// The engine must learn the end of each touch that it knows of, or a carrying finger would stay on the screen for it
/// forever. So nothing is lost but what it can do without: of positions only the newest is kept, and a touch or a click
/// that begins meanwhile is not spoken of at all. That bounds it by those that the engine knows.
struct GateOutbox {
  private var waiting: [GateMessage] = []
  /// Touches whose raw begin was left out.
  private var unspoken: Set<UInt32> = []

  var isEmpty: Bool { waiting.isEmpty }
  var count: Int { waiting.count }

  /// Hands the message to `put`, now or in a later `flush`; false when it is left out.
  mutating func send(_ message: GateMessage, _ put: (GateMessage) -> Bool) -> Bool {
    switch message.kind {
    case .rawMoved where unspoken.contains(message.id): return false
    case .rawEnded where unspoken.remove(message.id) != nil: return false
    default: break
    }
    if waiting.isEmpty, put(message) { return true }
    switch message.kind {
    case .began, .clicked: return false
    case .rawBegan:
      unspoken.insert(message.id)
      return false
    case .moved, .rawMoved: waiting.removeAll { $0.kind == message.kind && $0.id == message.id }
    default: break
    }
    waiting.append(message)
    return true
  }

  /// Hands over what waits, until `put` says that it takes no more.
  mutating func flush(_ put: (GateMessage) -> Bool) {
    var sent = 0
    while sent < waiting.count, put(waiting[sent]) { sent += 1 }
    waiting.removeFirst(sent)
  }
}
