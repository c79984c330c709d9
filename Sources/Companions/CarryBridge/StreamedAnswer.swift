import Carry
import CarryModel
import CarrySelections
import CarrySystem
import Synchronization

/// The answer to a request whose data is sent in parts while the bridge is still receiving it.
final class StreamedAnswer: ByteStream {
  private struct State {
    var writer: PartsWriter?
    var isOver = false
  }

  /// Used on the client's thread only.
  private struct Target {
    let request: SelectionServer.Request
    let selection: SelectionServer
    let isStillValid: () -> Bool
  }

  private let state = Mutex(State())
  private let target: OnClientThread<Target>
  private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameter isStillValid: Whether the request may still be answered when its data arrives.
  init(
    to request: SelectionServer.Request, from selection: SelectionServer, _ client: Client,
    isStillValid: @escaping () -> Bool
  ) {
    target = OnClientThread(Target(request: request, selection: selection, isStillValid: isStillValid))
    later = client.laterOnClientThread
  }

  /// Ends the answer: the load has finished or is no longer wanted. Called on the client's thread.
  ///
  /// - Parameter hasAllCome: Whether the load succeeded.
  /// - Returns: Whether the target is receiving parts. If false, the caller has to answer the request.
  func end(hasAllCome: Bool) -> Bool {
    state.withLock { $0.isOver = true }
    guard let writer else { return false }
    let target = target.value
    return target.selection.endAnswer(target.request, writer, hasAllCome: hasAllCome, at: MonotonicClock.now())
  }

  func expect(_ count: Int) -> Bool {
    let (target, later, now) = (target, later, MonotonicClock.now())
    let onPart: @Sendable () -> Void = {
      later { target.value.selection.partIsThere(for: target.value.request, at: MonotonicClock.now()) }
    }
    guard state.withLock({ !$0.isOver && $0.writer == nil }), target.value.isStillValid(),
      let new = target.value.selection.beginAnswer(target.value.request, count, at: now, onPart: onPart)
    else { return false }
    state.withLock { $0.writer = new }
    return true
  }

  private var writer: PartsWriter? { state.withLock { $0.writer } }

  var count: Int? { writer?.count }

  func write(_ part: UnsafeRawBufferPointer) throws { try writer?.write(part) }

  func abandon() { writer?.close() }
}
