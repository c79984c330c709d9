import Carry
import CarryModel
import CarrySelections
import CarrySystem
import Synchronization

/// Hands large data on while it still comes to the bridge. The target hears of what goes in one piece once all has come.
final class EarlyAnswer: DataFollower {
  private struct State {
    var writer: EarlyWriter?
    var isOver = false
  }

  private let state = Mutex(State())
  private let begin: OnClientThread<(Int) -> EarlyWriter?>
  private let finish: OnClientThread<(EarlyWriter, Bool) -> Bool>

  /// - Parameter mayBegin: whether the request may be answered, when its data comes.
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

  /// From the client's thread: the load is over, or nobody waits for it any more. Nothing begins from here on.
  ///
  /// - Parameter hasAllCome: whether the load has succeeded.
  /// - Returns: whether the target is told that its data is there, or gets it in parts; it is to be answered otherwise.
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

  /// Who takes all parts still misses the end, which goes when the load is over.
  var isTold: Bool { piece?.isTold == true }

  var count: Int? { piece?.count ?? parts?.count }

  /// Of what goes in parts the target may have had some.
  var hasFailed: Bool { piece?.hasFailed == true }

  func take(_ part: UnsafeRawBufferPointer) throws {
    try piece?.write(part)
    try parts?.write(part)
  }

  func complete() throws { try piece?.finish() }

  func abandon() { parts?.close() }
}
