/// The windows in which a press may lift something, and the outermost windows that contain them, which belong to the
/// window manager.
///
/// Window managers grab buttons, some on applications' windows and some on their own frames, and grab again whenever
/// the focus changes. Of several grabs on one window the X server honours only the newest; of grabs on nested windows
/// it honours all, from the outermost in. Grabbing both windows keeps at least one of Carry's grabs effective, and
/// the manager's too.
package struct DragWindows: Equatable, Sendable {
  /// Windows whose touches have to be held.
  package var touches: Set<WindowID> = []
  /// Windows whose clicks have to be held. A cooperative application, which receives its touches at once, does not
  /// receive its clicks at once: it is told which touches Carry claims, but there is no such message for clicks.
  package var clicks: Set<WindowID> = []

  /// The outermost windows of foreign applications that a press may lift out of. Their touches are held for longer,
  /// because Carry first has to try whether something lifts there (Z23).
  package var trials: Set<WindowID> = []

  package init(touches: Set<WindowID> = [], clicks: Set<WindowID> = []) {
    (self.touches, self.clicks) = (touches, clicks)
  }
}
