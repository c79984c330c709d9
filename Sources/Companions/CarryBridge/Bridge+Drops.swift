import Carry
import CarrySystem

/// Calls from the engine about drags over windows of other programs.
extension Bridge: DeferringDropDelegate {
  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    end(session)
    let window = session.region.window
    // Drops only copy. In the window from which a file was lifted, that would create a second file beside it.
    guard let target = windows[window], session.localDragSession?.region.window != window else { return false }
    return makeDrag(of: session, over: target).hasTypes
  }

  func dropInteraction(
    _ interaction: DropInteraction, sessionDidUpdate session: DropSession, answer: @escaping (DropProposal) -> Void
  ) {
    let now = MonotonicClock.now()
    guard let drag = drag(of: session) else { return answer(DropProposal(operation: .cancel)) }
    drag.moved(at: now, answer: answer)
    arrange(at: now)
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {
    let now = MonotonicClock.now()
    drag(of: session)?.left(at: now)
    arrange(at: now)
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    guard let drag = drag(of: session) else { return }
    // The target requests data when it gets to it.
    session.keepOpen()
    drag.dropped(at: MonotonicClock.now()) { session.finish() }
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) { end(session) }
}
