import CX11

extension Display {
  /// Z23: lets go of the left button of the X server's own device for tests, which the bridge presses. It does nothing while
  /// that button is up, and never touches the button of the user's mouse. Does not wait.
  package func releaseButton() {
    cx11_press(server.connection, 0)
    XFlush(server.display)
  }
}
