/// The events of a session, to be awaited one by one: `for await event in session.events { … }`.
///
/// Each sequence delivers every event from its creation to the end of the session. Await it in code of an actor whose
/// executor is `Client.executor`. Events are queued while that code is busy, except that several moves in a row
/// become one.
public struct SessionEvents<Element: Sendable>: AsyncSequence {
  fileprivate let queue: EventQueue<Element>

  /// Waits for one event after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let queue: EventQueue<Element>

    /// Returns the next event; nil when the session is over, and in a cancelled task.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while !Task.isCancelled {
        if let event = queue.take() { return event }
        if queue.isOver { return nil }
        await queue.wait(isolation: actor)
      }
      return nil
    }
  }

  /// Creates an iterator that begins with the first unread event.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: queue) }
}

/// The event sequences of one session. Used on the client's thread.
final class EventHub<Event: Sendable> {
  private var queues: [EventQueue<Event>] = []
  private let completions: ClientQueue
  private var isOver = false

  init(_ completions: ClientQueue) { self.completions = completions }

  func makeSequence() -> SessionEvents<Event> {
    let queue = EventQueue<Event>(completions)
    if isOver { queue.finish() } else { queues.append(queue) }
    return SessionEvents(queue: queue)
  }

  /// - Parameter isMove: whether to omit it if the same event before it has not been read yet.
  func send(_ event: Event, isMove: Bool = false) { for queue in queues { queue.add(event, isMove: isMove) } }

  func finish() {
    isOver = true
    for queue in queues { queue.finish() }
    queues = []
  }
}

/// Events that wait for a task, or a task that waits for events. Used on the client's thread.
private final class EventQueue<Event: Sendable> {
  /// The maximum number of queued events. If the task reads none, the oldest are discarded.
  private let most = 1000
  private var events: [Event] = []
  private var endsWithMove = false
  private(set) var isOver = false
  private var gate: Gate?
  private let completions: ClientQueue

  init(_ completions: ClientQueue) { self.completions = completions }

  func add(_ event: Event, isMove: Bool) {
    if isMove, endsWithMove, !events.isEmpty { return }
    endsWithMove = isMove
    if events.count == most { events.removeFirst() }
    events.append(event)
    open()
  }

  func take() -> Event? { events.isEmpty ? nil : events.removeFirst() }

  func finish() {
    isOver = true
    open()
  }

  private func open() {
    let gate = gate
    self.gate = nil
    gate?.open()
  }

  func wait(isolation: isolated (any Actor)?) async {
    // In a task with an executor preference, an event may have arrived meanwhile.
    guard events.isEmpty, !isOver else { return }
    let gate = gate ?? Gate(completions)
    self.gate = gate
    let this = OnClientThread(self)
    let completions = completions
    await withTaskCancellationHandler {
      _ = isolation
      await gate.pass()
    } onCancel: {
      completions.add { this.value.open() }
    }
  }
}

extension DragSession {
  /// A step of a drag that started here, delivered after the delegate has been called.
  public enum Event: Equatable, Sendable {
    /// The items have risen.
    case lifted
    /// The drag has begun.
    case began
    /// The drag moved: `location(in:)` returns the current location.
    case moved
    /// The finger was lifted, and this operation will follow.
    case willEnd(DropOperation)
    /// The session is over: after the cancel animation, or at once for copy and move.
    case didEnd(DropOperation)
    /// All data has been delivered, or has failed.
    case transferred
  }

  /// The events of the session from now on.
  public var events: SessionEvents<Event> {
    let hub = hub ?? EventHub(region.client.transfers.completions)
    self.hub = hub
    return hub.makeSequence()
  }
}

extension DropSession {
  /// A step of a drag over a region, delivered after the delegate has been called.
  public enum Event: Equatable, Sendable {
    /// The drag entered the region.
    case entered
    /// The drag moved or received more items: `location(in:)` returns the current location.
    case updated
    /// The drag left the region; it may come back.
    case exited
    /// The items were dropped here. No more loads can begin.
    case performed(DropOperation)
    /// The drop's animations are over.
    case concluded
    /// The session is over for the region.
    case ended(DropOperation)
  }

  /// The events of the session from now on.
  public var events: SessionEvents<Event> {
    let hub = hub ?? EventHub(region.client.transfers.completions)
    self.hub = hub
    return hub.makeSequence()
  }
}
