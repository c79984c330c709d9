import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// The desk of the second film: Pinboard and Notes beside a file manager and a browser that know nothing of Carry.
final class DesktopFilm {
  let scene: ForeignLiftTests.Scene
  let client: XClient
  let camera: Camera
  let fingers: FilmFingers
  let notes: ChildProcess
  /// What the file manager shows.
  let pictures: String
  private let place: TestFolder
  private var programs: [ChildProcess] = []

  /// - Parameter folder: where the film goes.
  init(filmIn film: String) throws {
    place = try TestFolder("film")
    // Short names: the file manager keeps room for each in its window, seen or not.
    let folder = place.path + "/me"
    pictures = folder + "/Pictures"
    try Self.run("sh", "-c", Self.furnish, "sh", Checkout.root + "/docs/demo/desktop", folder)
    let board = try Checkout.program("carry-pinboard")
    try Self.run(board, "--export", folder + "/photos")
    try Self.run("cp", folder + "/photos/Firs.png", folder + "/Pictures")

    var started: [ChildProcess] = []
    let scene = try ForeignLiftTests.Scene("Thunar") { server in
      started += try Self.background(server, folder)
    }
    let client = try #require(XClient(scene.server.display))
    (self.scene, self.client) = (scene, client)
    let own = ["DISPLAY": scene.server.display, "CARRY_SOCKET": scene.socket, "LC_ALL": "C.UTF-8"]
    started.append(
      try ChildProcess(
        [board, "--geometry", "290x752+24+24"]
          + ["Morning mist", "The lake", "Dunes"].map { folder + "/photos/\($0).png" }, environment: own))
    notes = try ChildProcess(
      [
        try Checkout.program("carry-notes"), "--json", "--letter", "--geometry", "348x378+792+398",
        folder + "/Letter.txt",
      ], environment: own, output: .pipe)
    started += try Self.others(scene.server, folder)
    programs = started
    for (title, program) in [("Pictures", "Thunar"), ("Postcards", "Chromium"), ("Letter", "Notes")] {
      try #require(Wait.until(seconds: 60) { client.window { $0.contains(title) } != nil }, "\(program) is not there")
    }
    try #require(scene.isGuarded(), "the file manager's touches are not held")
    camera = try Camera(film, display: scene.server.display)
    fingers = FilmFingers(scene.server)
  }

  deinit { for program in programs { program.stop(SIGKILL) } }

  /// The home of the one who is filmed: $1 is where its files are, $2 where it comes.
  private static let furnish = """
    set -e
    mkdir "$2"
    cd "$2"
    mkdir -p .themes/Film/openbox-3 .config/gtk-3.0 .config/xfce4/xfconf/xfce-perchannel-xml run services photos page \
      Pictures/Summer
    chmod 700 run
    cp "$1/themerc" .themes/Film/openbox-3
    cp "$1/gtk.css" .config/gtk-3.0
    cp "$1/thunar.xml" .config/xfce4/xfconf/xfce-perchannel-xml
    cp "$1/index.html" page
    cp "$1/rc.xml" "$1/bus.conf" .
    cp /usr/share/dbus-1/services/org.xfce.Xfconf.service /usr/share/dbus-1/services/org.xfce.Tumbler.* services
    cp "$1/Plan.txt" Pictures
    printf 'Dear Anna,\\n' > Letter.txt
    """

  private static func run(_ command: String...) throws {
    try #require(try ChildProcess(command).waitForExit(seconds: 20) == 0, "\(command.joined(separator: " "))")
  }

  private static func environment(_ server: TouchServer, _ folder: String) -> [String: String?] {
    [
      "DISPLAY": server.display, "HOME": folder, "XDG_RUNTIME_DIR": folder + "/run", "XDG_CONFIG_HOME": nil,
      "XDG_DATA_HOME": nil, "XDG_CACHE_HOME": nil, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
      "GSETTINGS_BACKEND": "memory", "LC_ALL": "C.UTF-8",
    ]
  }

  /// What is there before the engine: the colours of the desk, shadows, and the window manager.
  private static func background(_ server: TouchServer, _ folder: String) throws -> [ChildProcess] {
    let compositor = try Compositor(
      .picom, onDisplay: server.display,
      [
        "--shadow", "--shadow-radius", "16", "--shadow-opacity", "0.45", "--shadow-offset-x", "-16",
        "--shadow-offset-y", "-10", "--shadow-exclude", "override_redirect = 1",
      ])
    try ChildProcess(
      ["hsetroot", "-add", "#46627f", "-add", "#7f8ea3", "-add", "#d9b79a", "-gradient", "165"],
      environment: ["DISPLAY": server.display]
    ).waitForExit(seconds: 20)
    let manager = try ChildProcess(
      ["openbox", "--config-file", folder + "/rc.xml"], environment: environment(server, folder))
    return [compositor.process, manager]
  }

  /// The file manager, and the browser with the page and what serves that.
  private static func others(_ server: TouchServer, _ folder: String) throws -> [ChildProcess] {
    let environment = environment(server, folder)
    let bus = try ChildProcess(
      ["dbus-daemon", "--config-file", folder + "/bus.conf", "--nofork", "--print-address"], environment: environment,
      output: .pipe)
    let address = try #require(bus.readLine { $0.hasPrefix("unix:") }, "dbus-daemon did not start")
    let onBus = environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
    // The file manager asks for thumbnails once only: what draws them runs by then.
    try ChildProcess(
      [
        "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.thumbnails.Thumbnailer1",
        "/org/freedesktop/thumbnails/Thumbnailer1", "org.freedesktop.thumbnails.Thumbnailer1.GetSupported",
      ], environment: onBus
    ).waitForExit(seconds: 20)
    let thunar = try ChildProcess(["thunar", folder + "/Pictures"], environment: onBus)
    let pages = try ChildProcess(
      ["python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "-d", folder + "/page", "0"],
      environment: environment, output: .pipe)
    let line = try #require(pages.readLine { $0.contains(" port ") }, "nothing serves the page")
    let port = line.split(separator: " ").drop { $0 != "port" }.dropFirst().first.map(String.init) ?? ""
    let browser = try ChildProcess(
      [
        "chromium", "--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu", "--allow-browser-signin=false",
        "--password-store=basic", "--user-data-dir=\(folder)/browser", "--window-size=802,350",
        "--host-resolver-rules=MAP postcards.localhost:80 127.0.0.1:\(port)", "http://postcards.localhost/",
      ], environment: environment)
    return [bus, thunar, pages, browser]
  }

  /// A long press: the finger, once something has risen under it.
  func lift(_ x: Double, _ y: Double) throws -> FilmFingers.Finger {
    let finger = fingers.down(x, y)
    try #require(scene.step("lifted") != nil, "nothing was lifted at \(x), \(y)")
    Camera.rest(0.25)
    return finger
  }

  /// Where the shelf's card is; nil while it is not seen.
  var shelf: Rect? {
    guard let window = client.window(titled: { $0 == "Carry shelf" }), let facts = client.facts(window), facts.isMapped
    else { return nil }
    // Around it is its shadow.
    let (f, shadow) = (facts.frame, 26.0)
    return Rect(x: f.x + shadow, y: f.y + shadow, width: f.width - 2 * shadow, height: f.height - 2 * shadow)
  }

  /// The shelf, once it is as high as it is with so many items.
  func shelf(with count: Int) throws -> Rect {
    let height = count == 0 ? 148.0 : 76 + 92 * Double(count)
    try #require(Wait.until(seconds: 20) { shelf?.height == height }, "\(count) items: \(String(describing: shelf))")
    return try #require(shelf)
  }

  /// Something that a viewer is to see is there.
  func moment(_ number: Int, _ condition: (Screenshot) -> Bool = { _ in true }) {
    let isSeen = Wait.until(seconds: 10) { client.screenshot().map(condition) ?? false }
    if !isSeen { client.screenshot()?.write(to: "/tmp/carry-film-desktop-\(number).png") }
    #expect(isSeen, "moment \(number): it is in /tmp/carry-film-desktop-\(number).png")
    camera.moment(number)
  }
}
