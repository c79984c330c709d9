import Carry
import CarryModel
import CarrySelections
import CarrySystem
import Synchronization

/// Hands large data on while it still comes to the bridge. The target hears of it once all has come.
final class EarlyAnswer: DataFollower {
  private let writer = Mutex<PropertyWriter?>(nil)
  private let begin: OnClientThread<(Int) -> PropertyWriter?>

  init(to request: SelectionServer.Request, from selection: SelectionServer, on x: XConnection) {
    begin = OnClientThread { [unowned selection] count in
      selection.beginAnswer(request, count, display: x.name, at: MonotonicClock.now())
    }
  }

  /// From the client's thread: the load is over, or nobody waits for it any more.
  ///
  /// - Returns: whether the target is told that its data is there.
  func end() -> Bool { writer.withLock { $0 }?.abandon() ?? false }

  func expect(_ count: Int) {
    guard writer.withLock({ $0 }) == nil else { return }
    let new = begin.value(count)
    writer.withLock { $0 = new }
  }

  func take(_ bytes: UnsafeRawBufferPointer) { writer.withLock { $0 }?.write(bytes) }

  func complete() { writer.withLock { $0 }?.finish() }
}
