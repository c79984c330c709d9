/// The windows in which a press may lift something, and with them the outermost windows that they are in, which are window
/// managers'.
///
/// Window managers grab buttons, some on applications' windows and some on their own around these, and do so anew whenever
/// the focus changes. Of two grabs of one window the X server heeds the newest only, and of those of several windows all,
/// from the outermost on. So one grab of Carry's is heeded at least, and the manager's is, too.
package struct DragWindows: Equatable, Sendable {
  /// Those whose touches have to be held.
  package var touches: Set<WindowID> = []
  /// Those whose clicks have to be held. An application that gets its touches at once does not get its clicks so: it hears
  /// of touches that Carry takes, and there is nothing like that for clicks.
  package var clicks: Set<WindowID> = []

  /// Z23: the outermost windows of applications of another protocol. Their touches have to be held, and for longer, since
  /// what lies there has to be tried.
  package var trials: Set<WindowID> = []

  package init(touches: Set<WindowID> = [], clicks: Set<WindowID> = []) {
    (self.touches, self.clicks) = (touches, clicks)
  }
}
