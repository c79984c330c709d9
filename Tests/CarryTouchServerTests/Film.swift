import CInputTest
import CX11
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

/// The desk on which the film is played, the fingers that play it, and, when it is wanted, the camera.
final class Film {
  static let letter = """
    A letter from Anna
    At six the mist still lay on the water, and the far shore was only a line. Then the sun came through, and for a \
    moment everything was gold.
    Come before the boats are put away for the winter!
    Anna
    """
  /// The first sentence of the letter's second paragraph, which is selected.
  static let words = String(letter.split(separator: "\n")[1].prefix { $0 != "." }) + "."
  static let draft = "Dear Jonas,\n"

  private let place: TestFolder
  let server: TouchServer
  private let compositor: Compositor
  let engine: Engine
  let monitor: MonitorProcess
  let client: XClient
  let search, dock: ChildProcess
  /// The photos, in the order in which they are gathered.
  let photos: [String]
  let camera: Camera?
  let fingers: FilmFingers

  init() throws {
    place = try TestFolder("film")
    let folder = place.path
    let server = try TouchServer()
    self.server = server
    compositor = try Compositor(
      .picom, onDisplay: server.display,
      [
        "--shadow", "--shadow-radius", "16", "--shadow-opacity", "0.45", "--shadow-offset-x", "-16",
        "--shadow-offset-y", "-10", "--shadow-exclude", "override_redirect = 1", "--shadow-exclude",
        "window_type = 'dock'",
      ])
    try ChildProcess(
      ["hsetroot", "-add", "#46627f", "-add", "#7f8ea3", "-add", "#d9b79a", "-gradient", "165"],
      environment: ["DISPLAY": server.display]
    ).waitForExit(seconds: 20)
    client = try #require(XClient(server.display))
    let engine = try Engine(holdingTouchesOf: server, settings: "[shelf]\nedge = none\n")
    self.engine = engine
    monitor = try MonitorProcess(of: engine)

    func start(_ name: String, _ arguments: String...) throws -> ChildProcess {
      try ChildProcess(
        [try Checkout.program(name)] + arguments,
        environment: [
          "DISPLAY": server.display, "CARRY_SOCKET": engine.socket, "LC_ALL": "C.UTF-8",
          "XDG_DATA_HOME": folder + "/data",
        ], output: .pipe)
    }
    try start("carry-pinboard", "--export", folder).waitForExit(seconds: 20)
    photos = ["Morning mist", "The lake", "Dunes", "Poppies"].map { folder + "/" + $0 + ".png" }
    try place.write(Self.letter, to: "Anna.txt")
    try place.write(Self.draft, to: "Draft.txt")
    let entry = """
      [Desktop Entry]
      Type=Application
      Name=Mail
      Exec=carry-notes --json --letter --geometry 560x700 "\(folder)/Draft.txt"
      StartupWMClass=carry-letter
      """
    try place.write(entry, to: "Mail.desktop")
    search = try start("carry-search", "--json", "--geometry", "460x300+410+110", "lake")
    dock = try start(
      "carry-dock", "--json", "--hides", "Notes=carry-notes --json --geometry 460x440+300+200 \"\(folder)/Anna.txt\"",
      "Pinboard=carry-pinboard --json --geometry 619x758 " + photos.map { "\"\($0)\"" }.joined(separator: " "),
      folder + "/Mail.desktop")
    for app in [search, dock] {
      try #require(app.readLine(seconds: 20) { $0.contains("\"event\": \"connected\"") } != nil)
    }
    camera = try environment("CARRY_FILM").map { try Camera($0, display: server.display) }
    fingers = FilmFingers(server)
  }

  deinit {
    // Before the X server goes.
    for program in [search, dock] { program.stop(SIGKILL) }
    engine.stop(SIGKILL)
  }

  // MARK: What fingers do

  /// Pauses for viewers; without a camera there are none.
  func rest(_ seconds: Double) {
    if camera != nil { Camera.rest(seconds) }
  }

  /// A long press: the finger, once something has risen under it.
  func lift(_ x: Double, _ y: Double) throws -> FilmFingers.Finger {
    let finger = fingers.down(x, y)
    try #require(step("lifted") != nil, "nothing was lifted at \(x), \(y)")
    rest(0.25)
    return finger
  }

  /// A finger that carries nothing swipes the dock up from the edge of the screen.
  func swipeDockUp() throws {
    let finger = fingers.down(590, 795)
    fingers.glide(finger, to: 600, 690, over: 0.3)
    fingers.up(finger)
    try #require(docked("\"event\": \"up\""), "the dock does not come up")
    try #require(Wait.until { self.dockTop == 688 }, "the dock is at \(String(describing: dockTop))")
    rest(0.3)
  }

  /// Where the dock begins.
  private var dockTop: Double? { client.window { $0 == "Dock" }.flatMap { client.facts($0)?.frame.y } }

  /// A finger carries an icon of the dock to the right half of the screen, where its window opens.
  ///
  /// - Parameter body: looks at the icon above that half.
  func split(iconAt x: Double, _ title: String, _ body: () throws -> Void) throws {
    try swipeDockUp()
    let icon = try lift(x, 731)
    fingers.glide(icon, to: 1050, 520, over: 0.9)
    try #require(step("began") != nil)
    try body()
    rest(0.4)
    fingers.up(icon)
    try #require(step("ended")?.contains("\"operation\": \"move\"") == true)
    try #require(Wait.until(seconds: 20) { self.frame(title) == Rect(x: 647, y: 14, width: 619, height: 758) })
  }

  func frame(_ title: String) -> Rect? { client.window { $0.hasSuffix(title) }.flatMap { client.facts($0)?.frame } }

  /// A second finger comes down on what another one carries, which then is raised.
  func handOver(from finger: FilmFingers.Finger, at x: Double, _ y: Double) -> FilmFingers.Finger {
    let next = fingers.down(x, y)
    // A tap would be over by then.
    Camera.rest(0.6)
    fingers.up(finger)
    return next
  }

  /// Selects the words in the letter that Notes shows.
  func selectWords() throws {
    let window = try #require(client.window { $0.hasSuffix("Notes") })
    for _ in 0..<12 { press(XK_Up, in: window) }
    press(XK_Home, in: window)
    let before = Self.letter.prefix { $0 != "\n" }.count + 1
    for _ in 0..<before { press(XK_Right, in: window) }
    for _ in Self.words { press(XK_Right, in: window, shift: true) }
  }

  /// Search goes once its result has been carried away.
  func closeSearch() throws {
    press(XK_q, in: try #require(client.window { $0 == "Search" }), control: true)
    #expect(search.waitForExit(seconds: 20) == 0)
  }

  private func press(_ symbol: CInt, in window: WindowID, shift: Bool = false, control: Bool = false) {
    var event = XEvent()
    event.xkey.type = KeyPress
    event.xkey.window = UInt(window.raw)
    event.xkey.root = UInt(client.root.raw)
    event.xkey.display = client.connection
    event.xkey.state = (shift ? UInt32(ShiftMask) : 0) | (control ? UInt32(ControlMask) : 0)
    event.xkey.keycode = UInt32(XKeysymToKeycode(client.connection, UInt(symbol)))
    event.xkey.same_screen = 1
    XSendEvent(client.connection, UInt(window.raw), 1, Int(KeyPressMask), &event)
    client.sync()
  }

  // MARK: What is to be seen of it

  func step(_ event: String) -> String? { monitor.step(event) }

  /// Waits for a line of the dock, or of a program that it has started.
  func docked(_ event: String, _ facts: String = "") -> Bool { line(event, facts) != nil }

  func line(_ event: String, _ facts: String = "") -> String? {
    dock.readLine(seconds: 20) { $0.contains(event) && $0.contains(facts) }
  }

  /// Something that a viewer is to see is there: it stays for a while.
  ///
  /// The screen is compared with one that a person found good, coarsely: fonts and the flashing of icons do not count.
  /// `CARRY_GOLDEN=write` makes what is shown the one to compare with.
  ///
  /// - Parameter condition: what counts, exactly.
  func moment(_ number: Int, _ condition: (Screenshot) -> Bool) throws {
    let golden = Checkout.root + "/Tests/CarryTouchServerTests/Golden/film-\(number).png"
    let isWriting = environment("CARRY_GOLDEN") != nil
    let wanted = Screenshot(png: golden)
    try #require(isWriting || wanted != nil, "\(golden) is missing: CARRY_GOLDEN=write makes it")
    var last: Screenshot?
    var difference = 1.0
    // A picture to compare with is of things at rest, but for an icon that flashes.
    var restful = 0
    let isSeen = Wait.until(seconds: 10) {
      guard let shot = client.screenshot() else { return false }
      let isAtRest = last.map { shot.reduced(by: 8).share(differingFrom: $0.reduced(by: 8), byMoreThan: 20) < 0.006 }
      restful = isAtRest == true ? restful + 1 : 0
      last = shot
      guard condition(shot) else { return false }
      difference = wanted.map { shot.reduced(by: 8).share(differingFrom: $0, byMoreThan: 40) } ?? 1
      return isWriting ? restful >= 5 : difference < 0.01
    }
    camera?.moment(number)
    if let folder = environment("CARRY_SHOTS") { last?.write(to: folder + "/film-\(number).png") }
    if isWriting { last?.reduced(by: 8).write(to: golden) }
    if !isSeen { last?.write(to: "/tmp/carry-film-\(number).png") }
    #expect(
      isSeen, "moment \(number): \(difference * 100) % of the picture differ; it is in /tmp/carry-film-\(number).png")
    rest(0.6)
  }

  /// Ends what the camera films, if one does.
  func finish() throws { try camera?.finish(fingers.script, from: fingers.start, lead: 0.5) }
}
