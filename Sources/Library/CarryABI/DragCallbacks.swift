import CCarry
import Carry

/// A C program's callbacks for a drag source.
final class DragCallbacks: DragInteractionDelegate {
  var callbacks: carry_drag_callbacks
  private unowned let client: ClientHandle

  init(_ callbacks: carry_drag_callbacks, _ client: ClientHandle) {
    self.callbacks = callbacks
    self.client = client
  }

  /// Calls one callback, unless it is unset or the client is being destroyed.
  private func call<F, R>(_ callback: F?, _ session: DragSession, _ body: (F, OpaquePointer) -> R) -> R? {
    guard let callback, !client.isDoomed else { return nil }
    let handle = DragSessionHandle.of(session)
    return body(callback, handle.pointer)
  }

  /// Asks about presses only if the program has a callback for that: each question costs it a wake-up.
  func setMayBegin(of interaction: DragInteraction) {
    guard callbacks.may_begin != nil else { return interaction.mayBegin = nil }
    interaction.mayBegin = { [unowned self] point in
      guard let callback = callbacks.may_begin, !client.isDoomed else { return true }
      return callback(callbacks.user_data, point.x, point.y) != 0
    }
  }

  /// Asks for items, which the callback adds to the session.
  private func items(
    _ session: DragSession,
    _ callback: (@convention(c) (UnsafeMutableRawPointer?, OpaquePointer, Double, Double) -> Void)?,
    _ point: Point
  ) -> [DragItem] {
    let handle = DragSessionHandle.of(session)
    handle.adding = []
    call(callback, session) { $0(callbacks.user_data, $1, point.x, point.y) }
    defer { handle.adding = nil }
    return handle.adding ?? []
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    items(session, callbacks.items_for_beginning, session.location(in: session.region))
  }

  func dragInteraction(
    _ interaction: DragInteraction, itemsForAddingTo session: DragSession, withTouchAt point: Point
  ) -> [DragItem] { items(session, callbacks.items_for_adding, point) }

  func dragInteraction(
    _ interaction: DragInteraction, sessionForAddingItems sessions: [DragSession], withTouchAt point: Point
  ) -> DragSession? {
    guard let ask = callbacks.session_for_adding, !client.isDoomed else { return nil }
    let handles = sessions.map { DragSessionHandle.of($0).pointer }
    let index = handles.withUnsafeBufferPointer { list in
      list.baseAddress.map { ask(callbacks.user_data, $0, list.count, point.x, point.y) } ?? -1
    }
    return sessions.indices.contains(Int(index)) ? sessions[Int(index)] : nil
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willAdd items: [DragItem],
    for addingInteraction: DragInteraction
  ) {
    let adding = client.regions.values.first { $0.isSource(addingInteraction) }?.pointer
    let first = session.items.firstIndex { $0 === items.first } ?? session.items.count
    call(callbacks.will_add, session) { $0(callbacks.user_data, $1, Int32(clamping: first), adding) }
  }

  func dragInteraction(
    _ interaction: DragInteraction, previewForLifting item: DragItem, session: DragSession
  ) -> TargetedDragPreview? {
    choice(
      callbacks.preview_for_lifting, item, session, usual: .lifting(item, from: interaction.region ?? session.region))
  }

  func dragInteraction(
    _ interaction: DragInteraction, willAnimateLiftWith animator: any DragAnimating, session: DragSession
  ) {
    let handle = AnimatorHandle(animator)
    handle.keep()
    call(callbacks.will_animate_lift, session) { $0(callbacks.user_data, $1, handle.pointer) }
    handle.invalidate()
  }

  func dragInteraction(
    _ interaction: DragInteraction, previewForCancelling item: DragItem, withDefault defaultPreview: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let session = item.session else { return defaultPreview }
    return choice(callbacks.preview_for_cancelling, item, session, usual: defaultPreview)
  }

  func dragInteraction(
    _ interaction: DragInteraction, item: DragItem, willAnimateCancelWith animator: any DragAnimating
  ) {
    guard let session = item.session, let index = session.items.firstIndex(where: { $0 === item }) else { return }
    let handle = AnimatorHandle(animator)
    handle.keep()
    call(callbacks.will_animate_cancel, session) { $0(callbacks.user_data, $1, Int32(index), handle.pointer) }
    handle.invalidate()
  }

  private func choice(
    _ ask: (
      @convention(c) (UnsafeMutableRawPointer?, OpaquePointer, Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    )?, _ item: DragItem, _ session: DragSession, usual: TargetedDragPreview
  ) -> TargetedDragPreview? {
    guard let index = session.items.firstIndex(where: { $0 === item }) else { return usual }
    var preview: OpaquePointer?
    let answer = call(ask, session) { $0(callbacks.user_data, $1, Int32(index), &preview) } ?? 0
    return PreviewHandle.chosen(by: answer, preview, usual: usual)
  }

  func dragInteraction(_ interaction: DragInteraction, liftDidBegin session: DragSession) {
    call(callbacks.lift_began, session) { $0(callbacks.user_data, $1) }
  }

  func dragInteraction(_ interaction: DragInteraction, didLift session: DragSession) {
    call(callbacks.lifted, session) { $0(callbacks.user_data, $1) }
  }

  func dragInteraction(_ interaction: DragInteraction, prefersFullSizePreviewsFor session: DragSession) -> Bool {
    call(callbacks.prefers_full_size, session) { $0(callbacks.user_data, $1) != 0 } ?? false
  }

  func dragInteraction(
    _ interaction: DragInteraction, liftDidEndAt position: AnimatingPosition, session: DragSession
  ) {
    call(callbacks.lift_ended, session) { $0(callbacks.user_data, $1, position == .end ? 1 : 0) }
  }

  func dragInteraction(_ interaction: DragInteraction, sessionWillBegin session: DragSession) {
    call(callbacks.session_will_begin, session) { $0(callbacks.user_data, $1) }
  }

  func dragInteraction(_ interaction: DragInteraction, sessionAllowsMoveOperation session: DragSession) -> Bool {
    call(callbacks.allows_move, session) { $0(callbacks.user_data, $1) != 0 } ?? true
  }

  func dragInteraction(
    _ interaction: DragInteraction, sessionAllowsMoveToOtherApplications session: DragSession
  ) -> Bool { call(callbacks.allows_move_to_others, session) { $0(callbacks.user_data, $1) != 0 } ?? false }

  func dragInteraction(
    _ interaction: DragInteraction, sessionIsRestrictedToDraggingApplication session: DragSession
  ) -> Bool { call(callbacks.is_restricted, session) { $0(callbacks.user_data, $1) != 0 } ?? false }

  func dragInteraction(_ interaction: DragInteraction, sessionDidMove session: DragSession) {
    call(callbacks.session_did_move, session) { $0(callbacks.user_data, $1) }
  }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, willEndWith operation: DropOperation
  ) { call(callbacks.will_end, session) { $0(callbacks.user_data, $1, Int32(operation.rawValue)) } }

  func dragInteraction(
    _ interaction: DragInteraction, session: DragSession, didEndWith operation: DropOperation
  ) { call(callbacks.did_end, session) { $0(callbacks.user_data, $1, Int32(operation.rawValue)) } }

  func dragInteraction(_ interaction: DragInteraction, sessionDidTransferItems session: DragSession) {
    call(callbacks.did_transfer, session) { $0(callbacks.user_data, $1) }
  }
}
