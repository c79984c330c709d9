import CCarry
import Carry

/// A C program's callbacks for a drop destination.
final class DropCallbacks: DropInteractionDelegate {
  var callbacks: carry_drop_callbacks
  private unowned let client: ClientHandle
  /// The session that was dropped last.
  private weak var dropped: DropSession?

  init(_ callbacks: carry_drop_callbacks, _ client: ClientHandle) {
    self.callbacks = callbacks
    self.client = client
  }

  /// Calls one callback, unless it is unset or the client is being destroyed.
  private func call<F, R>(_ callback: F?, _ session: DropSession, _ body: (F, OpaquePointer) -> R) -> R? {
    guard let callback, !client.isDoomed else { return nil }
    let handle = DropSessionHandle.of(session)
    return body(callback, handle.pointer)
  }

  func dropInteraction(_ interaction: DropInteraction, canHandle session: DropSession) -> Bool {
    call(callbacks.can_handle, session) { $0(callbacks.user_data, $1) != 0 } ?? true
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: DropSession) {
    call(callbacks.did_enter, session) { $0(callbacks.user_data, $1) }
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    let handle = DropSessionHandle.of(session)
    handle.proposal = DropProposal(operation: .cancel)
    if callbacks.did_update == nil {
      Warning.say("a drop target has no did_update, so that nothing is ever dropped: return CARRY_OPERATION_COPY there")
    }
    let number = call(callbacks.did_update, session) { $0(callbacks.user_data, $1) } ?? 0
    let operation = UInt32(exactly: number).flatMap { DropOperation(rawValue: $0) }
    if operation == nil {
      Warning.say("did_update returned \(number), which is no carry_operation: it counts as CANCEL")
    }
    var answer = DropProposal(operation: operation ?? .cancel)
    answer.reason = handle.proposal?.reason
    answer.isPrecise = handle.proposal?.isPrecise ?? false
    answer.prefersFullSizePreview = handle.proposal?.prefersFullSizePreview ?? false
    handle.proposal = nil
    return answer
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: DropSession) {
    call(callbacks.did_exit, session) { $0(callbacks.user_data, $1) }
  }

  func dropInteraction(_ interaction: DropInteraction, performDrop session: DropSession) {
    dropped = session
    call(callbacks.perform_drop, session) { $0(callbacks.user_data, $1) }
  }

  func dropInteraction(
    _ interaction: DropInteraction, previewForDropping item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let session = dropped, let index = session.items.firstIndex(where: { $0 === item }) else {
      return defaultPreview
    }
    var preview: OpaquePointer?
    let answer = call(callbacks.preview_for_dropping, session) {
      $0(callbacks.user_data, $1, Int32(index), &preview)
    }
    return PreviewHandle.chosen(by: answer ?? 0, preview, usual: defaultPreview)
  }

  func dropInteraction(
    _ interaction: DropInteraction, item: DragItem, willAnimateDropWith animator: any DragAnimating
  ) {
    guard let session = dropped, let index = session.items.firstIndex(where: { $0 === item }) else { return }
    let handle = AnimatorHandle(animator)
    handle.keep()
    call(callbacks.will_animate_drop, session) { $0(callbacks.user_data, $1, Int32(index), handle.pointer) }
    handle.invalidate()
  }

  func dropInteraction(_ interaction: DropInteraction, concludeDrop session: DropSession) {
    call(callbacks.conclude_drop, session) { $0(callbacks.user_data, $1) }
  }

  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: DropSession) {
    call(callbacks.did_end, session) { $0(callbacks.user_data, $1, Int32(session.operation.rawValue)) }
    session.attachment = nil
  }
}
