import Carry
import CarryModel
import CarrySelections
import CarrySystem
import Synchronization

/// Hands large data on while it still comes to the bridge. The target hears of it once all has come.
final class EarlyAnswer: DataFollower {
  private struct State {
    var writer: PropertyWriter?
    var isOver = false
  }

  private let state = Mutex(State())
  private let begin: OnClientThread<(Int) -> PropertyWriter?>
  private let finish: OnClientThread<(PropertyWriter) -> Bool>

  init(to request: SelectionServer.Request, from selection: SelectionServer, on x: XConnection) {
    begin = OnClientThread { [unowned selection] count in
      selection.beginAnswer(request, count, display: x.name, at: MonotonicClock.now())
    }
    finish = OnClientThread { [unowned selection] in
      selection.endAnswer(request, $0, at: MonotonicClock.now())
    }
  }

  /// From the client's thread: the load is over, or nobody waits for it any more. Nothing begins from here on.
  ///
  /// - Returns: whether the target is told that its data is there; it is to be answered otherwise.
  func end() -> Bool {
    let writer = state.withLock {
      $0.isOver = true
      return $0.writer
    }
    return writer.map(finish.value) ?? false
  }

  func expect(_ count: Int) {
    guard state.withLock({ !$0.isOver && $0.writer == nil }), let new = begin.value(count) else { return }
    state.withLock { $0.writer = new }
    new.open()
  }

  private var writer: PropertyWriter? { state.withLock { $0.writer } }

  var isTold: Bool { writer?.isTold == true }

  func take(_ all: UnsafeRawBufferPointer) { writer?.write(all) }

  func complete(_ all: UnsafeRawBufferPointer) { writer?.finish(all) }
}
