import Carry
import CarryModel
import CarrySelections
import CarrySystem
import Synchronization

/// Forwards data that is sent in parts while the bridge is still receiving it.
final class EarlyAnswer: DataFollower {
  private struct State {
    var writer: PartsWriter?
    var isOver = false
  }

  private let state = Mutex(State())
  private let begin: OnClientThread<(Int) -> PartsWriter?>
  private let finish: OnClientThread<(PartsWriter, Bool) -> Bool>

  /// - Parameter mayBegin: Whether the request may still be answered when its data arrives.
  init(
    to request: SelectionServer.Request, from selection: SelectionServer, _ client: Client,
    if mayBegin: @escaping () -> Bool
  ) {
    let (later, more) = (
      client.laterOnClientThread,
      OnClientThread { [unowned selection] in selection.partIsThere(for: request, at: MonotonicClock.now()) }
    )
    begin = OnClientThread { [unowned selection] count in
      guard mayBegin() else { return nil }
      return selection.beginAnswer(request, count, at: MonotonicClock.now()) { later { more.value() } }
    }
    finish = OnClientThread { [unowned selection] in
      selection.endAnswer(request, $0, hasAllCome: $1, at: MonotonicClock.now())
    }
  }

  /// Ends the answer: the load has finished or is no longer wanted. Called on the client's thread.
  ///
  /// - Parameter hasAllCome: Whether the load succeeded.
  /// - Returns: Whether the target is receiving parts. If false, the caller has to answer the
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

  private var writer: PartsWriter? { state.withLock { $0.writer } }

  var count: Int? { writer?.count }

  func write(_ part: UnsafeRawBufferPointer) throws { try writer?.write(part) }

  func abandon() { writer?.close() }
}
