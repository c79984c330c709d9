import CX11
import CarryModel
import CarryTesting
import CLinux
import Testing

extension DemoTests {
  /// An app's windows and regions need not all be there at the same moment: recordings begin half a second after the
  /// newest region. So far into it nothing happens but a tap in a corner.
  static let start = 1200
}

extension Desktop {
  /// - Parameters:
  ///   - script: positions are pixels of a screen of 1280×800; nothing before `DemoTests.start`.
  ///   - apps: how many programs are to have a region before it is played.
  ///   - hasManifests: whether the system knows the demos' file provider.
  convenience init(
    demo script: FingerScript, apps: Int = 1, hasManifests: Bool = false, settings: String = ""
  ) throws {
    var script = script
    script.tap(1275, 5, at: 0)
    let folder = try TestFolder("demo")
    var options: [String] = []
    if hasManifests {
      let manifests = folder.path + "/apps"
      let writer = try ChildProcess([try Checkout.program("carry-demo-files"), "--manifests", manifests])
      try #require(writer.waitForExit(seconds: 20) == 0)
      options = ["--manifests", manifests, "--policy", folder.path + "/policy"]
    }
    try self.init(script, clients: apps, settings: settings, options: options, in: folder)
  }

  /// A document of a demo, by its reference.
  func document(_ reference: String) -> String { folder + "/data/carry-demos/" + reference }

  /// Where `receiver` puts what is dropped on it.
  var received: String { folder + "/received" }

  /// A target that takes everything, and keeps it as files.
  func receiver(_ geometry: String) throws -> ChildProcess {
    try #require(mkdir(received, 0o700) == 0)
    return try start("carry", "drop", "--json", "--to", received, "--geometry", geometry)
  }

  /// A PNG file of one colour.
  func makePicture(_ name: String, width: Int32 = 320, height: Int32 = 240, isRed: Bool = false) throws -> String {
    let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)
    let cr = cairo_create(surface)
    cairo_set_source_rgb(cr, isRed ? 0.9 : 0.1, isRed ? 0.2 : 0.4, isRed ? 0.1 : 0.9)
    cairo_paint(cr)
    cairo_destroy(cr)
    let path = folder + "/" + name
    let status = cairo_surface_write_to_png(surface, path)
    cairo_surface_destroy(surface)
    try #require(status == CAIRO_STATUS_SUCCESS)
    return path
  }

  /// A window by its title, wherever a window manager has put it.
  func window(titled title: String) -> WindowID? { client.window { $0 == title } }

  /// Presses a key in a window.
  func press(_ symbol: CInt, in window: WindowID, control: Bool = false, shift: Bool = false) {
    var event = XEvent()
    event.xkey.type = KeyPress
    event.xkey.window = UInt(window.raw)
    event.xkey.root = UInt(client.root.raw)
    event.xkey.display = client.connection
    event.xkey.state = (control ? UInt32(ControlMask) : 0) | (shift ? UInt32(ShiftMask) : 0)
    event.xkey.keycode = UInt32(XKeysymToKeycode(client.connection, UInt(symbol)))
    event.xkey.same_screen = 1
    XSendEvent(client.connection, UInt(window.raw), 1, Int(KeyPressMask), &event)
    client.sync()
  }

  /// Presses and releases the first button of a mouse at a place of a window.
  func click(in window: WindowID, _ x: CInt, _ y: CInt) {
    for (type, mask) in [(ButtonPress, ButtonPressMask), (ButtonRelease, ButtonReleaseMask)] {
      var event = XEvent()
      event.xbutton.type = type
      event.xbutton.window = UInt(window.raw)
      event.xbutton.root = UInt(client.root.raw)
      event.xbutton.display = client.connection
      event.xbutton.button = UInt32(Button1)
      (event.xbutton.x, event.xbutton.y) = (x, y)
      event.xbutton.same_screen = 1
      XSendEvent(client.connection, UInt(window.raw), 1, Int(mask), &event)
    }
    client.sync()
  }

  /// Says how many dots of the screen make an inch, as desktops do for programs that start from now on.
  func setResolution(_ dpi: Int) {
    let text = Array("Xft.dpi:\t\(dpi)\n".utf8)
    XChangeProperty(
      client.connection, UInt(client.root.raw), client.atom("RESOURCE_MANAGER"), client.atom("STRING"), 8,
      PropModeReplace, text, CInt(text.count))
    client.sync()
  }
}

extension ChildProcess {
  /// Waits for an app's line about an event.
  @discardableResult
  func said(_ event: String, _ what: String = "", seconds: Double = 20) -> String? {
    readLine(seconds: seconds) { $0.contains("\"event\": \"\(event)\"") && $0.contains(what) }
  }

  /// What an app says from now on until it has lost its engine.
  func linesToTheEnd() -> [String] {
    var lines: [String] = []
    while let line = readLine(seconds: 20), !line.contains("\"disconnected\"") { lines.append(line) }
    return lines
  }
}
