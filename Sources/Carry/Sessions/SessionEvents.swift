/// What happens to a session, to be awaited one by one: `for await event in session.events { … }`.
///
/// Each sequence gets every event from when it was asked for. It ends with its session. Await it in code of an actor
/// whose executor is `Client.executor`; nothing is lost while that code is at something else, but that of several moves
/// in a row one is told.
public struct SessionEvents<Element: Sendable>: AsyncSequence {
  fileprivate let queue: EventQueue<Element>

  /// Waits for one event after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let queue: EventQueue<Element>

    /// The next event; nil when the session is over, and in a task that is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while !Task.isCancelled {
        if let event = queue.take() { return event }
        if queue.isOver { return nil }
        await queue.wait(isolation: actor)
      }
      return nil
    }
  }

  /// Begins with the first event that nobody has taken.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: queue) }
}

/// The sequences of one session that are being listened to. On the client's thread.
final class EventHub<Event: Sendable> {
  private var queues: [EventQueue<Event>] = []
  private let completions: CompletionQueue
  private var isOver = false

  init(_ completions: CompletionQueue) { self.completions = completions }

  func makeSequence() -> SessionEvents<Event> {
    let queue = EventQueue<Event>(completions)
    if isOver { queue.finish() } else { queues.append(queue) }
    return SessionEvents(queue: queue)
  }

  /// - Parameter isMove: whether it says no more than the same event before it, if that was not taken yet.
  func tell(_ event: Event, isMove: Bool = false) { for queue in queues { queue.add(event, isMove: isMove) } }

  func finish() {
    isOver = true
    for queue in queues { queue.finish() }
    queues = []
  }
}

/// Events that wait for a task, or a task that waits for events. On the client's thread.
private final class EventQueue<Event: Sendable> {
  /// So many wait. Of a task that takes none, the oldest are forgotten.
  private let most = 1000
  private var events: [Event] = []
  private var endsWithMove = false
  private(set) var isOver = false
  private var gate: Gate?
  private let completions: CompletionQueue

  init(_ completions: CompletionQueue) { self.completions = completions }

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
    // On the way here something may have come, in a task that prefers an executor.
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
  /// A step of a drag that started here; the delegate has been called by then.
  public enum Event: Equatable, Sendable {
    /// The items have risen.
    case lifted
    /// The drag proper has begun.
    case began
    /// The drag moved: `location(in:)` says where it is by now.
    case moved
    /// The finger went up, and this is what will happen.
    case willEnd(DropOperation)
    /// The session is over: after the cancel animation, or at once for copy and move.
    case didEnd(DropOperation)
    /// All data has been delivered, or has failed.
    case transferred
  }

  /// The session's steps from now on.
  public var events: SessionEvents<Event> {
    let hub = hub ?? EventHub(region.client.transfers.completions)
    self.hub = hub
    return hub.makeSequence()
  }
}

extension DropSession {
  /// A step of a drag over a region; the delegate has been called by then.
  public enum Event: Equatable, Sendable {
    /// The drag came over the region.
    case entered
    /// The drag moved or grew: `location(in:)` says where it is by now.
    case updated
    /// The drag left the region; it may come back.
    case exited
    /// The items were dropped here. No more loads can be begun.
    case performed(DropOperation)
    /// The drop's animations are over.
    case concluded
    /// The session is over for the region.
    case ended(DropOperation)
  }

  /// The session's steps from now on.
  public var events: SessionEvents<Event> {
    let hub = hub ?? EventHub(region.client.transfers.completions)
    self.hub = hub
    return hub.makeSequence()
  }
}
