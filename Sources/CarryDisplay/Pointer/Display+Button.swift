import CX11

extension Display {
  /// Releases the left button of the X server's own device for tests, which the bridge presses to lift out of foreign
  /// applications. Does nothing while that button is up, and never touches the button of the user's mouse. Does not
  /// wait.
  package func releaseButton() {
    cx11_press(server.connection, 0)
    XFlush(server.display)
  }
}
