import Carry
import CarryModel
import CarrySelections
import CarrySystem
import Synchronization

/// Forwards large data while the bridge is still receiving it. Data sent in one piece is announced to the target once
/// it is complete.
final class EarlyAnswer: DataFollower {
  private struct State {
    var writer: EarlyWriter?
    var isOver = false
  }

  private let state = Mutex(State())
  private let begin: OnClientThread<(Int) -> EarlyWriter?>
  private let finish: OnClientThread<(EarlyWriter, Bool) -> Bool>

  /// - Parameter mayBegin: Whether the request may still be answered when its data arrives.
  init(
    to request: SelectionServer.Request, from selection: SelectionServer, on x: XConnection, _ client: Client,
    if mayBegin: @escaping () -> Bool
  ) {
    let (later, more) = (
      client.laterOnClientThread,
      OnClientThread { [unowned selection] in selection.partIsThere(for: request, at: MonotonicClock.now()) }
    )
    begin = OnClientThread { [unowned selection] count in
      guard mayBegin() else { return nil }
      return selection.beginAnswer(request, count, display: x.name, at: MonotonicClock.now()) { later { more.value() } }
    }
    finish = OnClientThread { [unowned selection] in
      selection.endAnswer(request, $0, hasAllCome: $1, at: MonotonicClock.now())
    }
  }

  /// Ends the answer: the load has finished or is no longer wanted. Called on the client's thread.
  ///
  /// - Parameter hasAllCome: Whether the load succeeded.
  /// - Returns: Whether the target has been notified or is receiving parts. If false, the caller has to answer the
  ///   request.
  func end(hasAllCome: Bool) -> Bool {
    let writer = state.withLock {
      $0.isOver = true
      return $0.writer
    }
    return writer.map { finish.value($0, hasAllCome) } ?? false
  }

  func expect(_ count: Int) -> Bool {
    guard state.withLock({ !$0.isOver && $0.writer == nil }), let new = begin.value(count) else { return false }
    state.withLock { $0.writer = new }
    return true
  }

  private var writer: EarlyWriter? { state.withLock { $0.writer } }
  private var piece: PropertyWriter? { if case .piece(let writer)? = writer { writer } else { nil } }
  private var parts: PartsWriter? { if case .parts(let writer)? = writer { writer } else { nil } }

  /// False for parts: their end marker is sent when the load is over.
  var isTold: Bool { piece?.isTold == true }

  var count: Int? { piece?.count ?? parts?.count }

  /// False for parts: the target may have received some.
  var hasFailed: Bool { piece?.hasFailed == true }

  func take(_ part: UnsafeRawBufferPointer) throws {
    try piece?.write(part)
    try parts?.write(part)
  }

  func complete() throws { try piece?.finish() }

  func abandon() { parts?.close() }
}
