/// The windows in which a press may lift something.
package struct DragWindows: Equatable, Sendable {
  /// Those whose touches have to be held.
  package var touches: Set<WindowID> = []
  /// Those whose clicks have to be held. An application that gets its touches at once does not get its clicks so: it hears
  /// of touches that Carry takes, and there is nothing like that for clicks.
  package var clicks: Set<WindowID> = []

  /// Z23: those of applications of another protocol. Their touches have to be held, and for longer, since what lies there
  /// has to be tried. They are the outermost windows, which are window managers': these grab buttons on the windows inside,
  /// and of two grabs of one window the X server heeds the newest only.
  package var trials: Set<WindowID> = []

  package init(touches: Set<WindowID> = [], clicks: Set<WindowID> = []) {
    (self.touches, self.clicks) = (touches, clicks)
  }
}
