package import CarryModel
import CarrySessions
import CarryStage

/// The window for slow transfers, and undo after a move: shows the state of the sessions, and forwards requests from
/// fingers, the mouse and keys to them.
extension Director {
  // MARK: Events of the sessions

  func dropBegan(_ session: SessionID) {
    guard let point = engine.place(ofDrop: session) else { return }
    panel.dropBegan(session, at: point, time: clock())
  }

  func showUndo(_ session: SessionID, _ title: String, at point: Point) {
    panel.showUndo(session, title, at: point)
    screen.holdUndoKey(in: engine.undoWindows)
  }

  func hideUndo(_ session: SessionID) {
    panel.hideUndo(session)
    screen.holdUndoKey(in: engine.undoWindows)
  }

  // MARK: Showing

  /// Shows the progress of transfers if it differs from what is shown. Called once a turn.
  func drawPanel(at now: Instant) {
    // Nothing can be shown on a screen that is gone; and while the screen draws, another picture would block this
    // thread.
    guard panel.isShown || panel.deadline != nil || shownPanel != nil, !screen.isBusy else { return }
    panel.advance(
      to: now, status: { engine.transferStatus(of: $0) }, name: { SafeText.displayable(clients.name(of: $0)) })
    guard panel.isShown || shownPanel != nil else { return }
    // The content is not made again while nothing has changed.
    guard panel.takeChanged() || shownPanel == nil else { return }
    let picture = panel.content.map {
      PanelPicture($0, scale: pictures.stage.scale, monitor: screen.monitor(at: $0.anchor))
    }
    guard picture != shownPanel else { return }
    screen.showPanel(picture)
    shownPanel = picture
  }

  // MARK: Requests of the user

  /// The mouse button went down in the window for slow transfers.
  package func pressPanel(at point: Point, time: Instant) { panel.press(session(ofButtonAt: point), at: time) }

  /// The mouse button went up.
  package func releasePanel(at point: Point, time: Instant) {
    guard let wish = panel.release(session(ofButtonAt: point), at: time) else { return }
    carryOut(wish, at: time)
  }

  /// The undo key was pressed in a window.
  package func undo(in window: WindowID) { send(.undoInWindow(window: window), at: clock()) }

  /// Esc was pressed and nothing is dragged: cancels the newest visible transfer.
  func cancelNewestTransfer(at now: Instant) {
    if let session = panel.newestRunning { carryOut(.cancel(session), at: now) }
  }

  private func carryOut(_ wish: TransferPanel.Wish, at now: Instant) {
    switch wish {
    case .cancel(let session):
      panel.cancelled(session, at: now)
      send(.cancelLoads(session: session), at: now)
    case .undo(let session):
      send(.undo(session: session), at: now)
    }
  }

  private func session(ofButtonAt point: Point) -> SessionID? {
    guard let shownPanel, let row = shownPanel.layout.row(ofButtonAt: point) else { return nil }
    return shownPanel.content.rows[row].session
  }

  // MARK: Fingers

  /// Whether a finger that comes down here touches the window for slow transfers.
  func isPanel(at point: Point) -> Bool { shownPanel?.layout.frame.contains(point) ?? false }

  /// Handles the finger that touches the window for slow transfers: it lifts and carries nothing.
  ///
  /// - Returns: whether the touch belongs to such a finger.
  func takeForPanel(_ touch: Touch) -> Bool {
    if touch.phase == .began {
      guard panelFinger == nil, isPanel(at: touch.point) else { return false }
      panelFinger = touch.id
      // A trackpad's click arrives from the X server like the mouse's.
      if touch.isPointer { fingers.ignore(touch.id) } else { pressPanel(at: touch.point, time: touch.time) }
      return true
    }
    guard touch.id == panelFinger else { return false }
    switch touch.phase {
    case .began, .moved: break
    case .ended:
      panelFinger = nil
      if !touch.isPointer { releasePanel(at: touch.point, time: touch.time) }
    case .cancelled:
      panelFinger = nil
      panel.press(nil, at: touch.time)
    }
    return true
  }
}
