import CLinux
import CarrySystem
import CarryTesting
import Testing

/// Toolkits/python: the package, as its examples use it.
@Suite(.serialized, .enabled(if: Paths.library != nil, "LEFT OUT: libcarryabi.so is not built; run 'swift build'"))
struct PythonTests {
  private static let package = Checkout.root + "/Toolkits/python"

  /// Debian's own Python, which has tkinter and gi, with an example. An import of gi warns.
  private static func command(_ example: String) -> [String] {
    ["/usr/bin/python3", "-W", "error", "-W", "ignore::ImportWarning", package + "/examples/" + example]
  }

  private static let environment: [String: String?] = [
    "PYTHONPATH": package + "/src", "PYTHONDONTWRITEBYTECODE": "1", "CARRY_LIBRARY": Paths.library,
    "QT_QPA_PLATFORM": "xcb",
  ]

  private func start(_ example: [String], _ desktop: Desktop, _ more: [String: String] = [:]) throws -> ChildProcess {
    let own: [String: String?] = ["DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket]
    return try ChildProcess(
      Self.command(example[0]) + example.dropFirst(),
      environment: Self.environment.merging(own) { $1 }.merging(more) { $1 }, output: .pipe)
  }

  @Test("Z27: with asyncio a coroutine makes what is requested, and another one awaits the drop") func Z27_asyncio()
    throws
  {
    var script = FingerScript(width: 1280, height: 800)
    script.carry(from: (200, 200), at: 0, .to(550, 200, 700...900), upAt: 1500)
    let desktop = try Desktop(script, compositor: nil)
    let program = try start(["hello_asyncio.py"], desktop)
    #expect(desktop.playToTheEnd() == 0)
    program.stop()
    let lines = program.remainingLines()
    #expect(lines.sorted() == ["dropped: Drag me, made when asked for", "ended: COPY"], "\(lines)")
  }

  private static let loops = ["tk"] + (Files.exists("/usr/lib/python3/dist-packages/PyQt6") ? ["qt"] : [])

  @Test("Z27, Z34: with the main loops of Tk and Qt a function is called with the text", arguments: loops)
  func Z27_Z34_loops(toolkit: String) throws {
    let test = try ScriptTest(
      "hello", before: Self.command("hello_\(toolkit).py"), environment: Self.environment)
    #expect(test.status == 0 && test.output.last == "dropped: Drag me", "\(test.results), \(test.output)")
  }

  /// libcarry-gtk4 with what Python reads of it, built once.
  private func gtk() throws -> [String: String] {
    let build = "\(Checkout.root)/.build/peers/gtk-python"
    let made = try run([
      "sh", "-c",
      """
      mkdir -p '\(build)' && exec 9> '\(build)/lock' && flock 9 && ln -sf '\(try #require(Paths.library))' '\(build)/libcarry.so.0' \
        && ln -sf libcarry.so.0 '\(build)/libcarry.so' \
        && LD_LIBRARY_PATH='\(build)' make -s -C '\(Checkout.root)/Toolkits/gtk' all BUILD='\(build)' \
          LDFLAGS='-Wl,-rpath,\(build)' CARRY_LIBS='-L\(build) -lcarry' \
          CARRY_CFLAGS='-I\(Checkout.headers) -I\(Checkout.root)/Sources/Library/CCarry/glib'
      """,
    ])
    try #require(made.status == 0, "\(made.lines)")
    return [
      "LD_LIBRARY_PATH": build, "GI_TYPELIB_PATH": build, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo",
      "G_DEBUG": "fatal-criticals", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
    ]
  }

  /// A folder with pictures of one colour each, and two albums.
  private func photos(_ folder: TestFolder) throws -> String {
    let photos = folder.path + "/photos"
    let made = try run([
      "sh", "-c",
      "mkdir -p '\(photos)/Home' '\(photos)/Travel' && cd '\(photos)' && for c in blue green red; do "
        + "convert -size 320x240 xc:$c $c.png || exit; done",
    ])
    try #require(made.status == 0, "\(made.lines)")
    return photos
  }

  @Test("Z27: with GTK 4, several pictures of the photo sorter move into an album that springs open under them")
  func Z27_photoSorter() throws {
    let folder = try TestFolder("sorter")
    let photos = try photos(folder)
    var script = FingerScript(width: 1280, height: 800)
    script.carry(
      from: (318, 140), at: 0, .to(500, 300, 700...900), .tap(519, 140, at: 1300), .to(70, 190, 1800...2100),
      .to(600, 400, 4000...4200), upAt: 4600)
    let desktop = try Desktop(script, compositor: nil)
    let program = try start(["photo-sorter.py", photos], desktop, gtk())
    #expect(desktop.playToTheEnd() == 0)
    #expect(Wait.until(seconds: 10) { Files.list(photos + "/Travel").count == 2 })
    #expect(Files.list(photos + "/Travel").sorted() == ["blue.png", "green.png"])
    #expect(Files.list(photos).sorted() == ["Home", "Travel", "red.png"])
    program.stop()
    #expect(program.remainingLines().filter { $0.contains("rror") || $0.contains("CRITICAL") } == [])
  }

  @Test("Z27: pictures go out of the photo sorter to another program, and from another one into an album")
  func Z27_photoSorterAndOthers() throws {
    let folder = try TestFolder("sorter")
    let photos = try photos(folder)
    mkdir(folder.path + "/received", 0o700)
    let paper = try folder.write("no picture", to: "paper.txt")
    let carry = try Checkout.program("carry")
    var script = FingerScript(width: 1280, height: 800)
    script.carry(from: (318, 140), at: 0, .to(1100, 200, 700...900), upAt: 1400)
    script.carry(from: (1040, 480), at: 3000, .to(70, 135, 3700...3900), upAt: 4400)
    script.carry(from: (1180, 480), at: 6000, .to(70, 135, 6700...6900), upAt: 7400)
    let desktop = try Desktop(script, clients: 3, compositor: nil)
    let program = try start(["photo-sorter.py", photos], desktop, gtk())
    let environment = ["DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket]
    let target = try ChildProcess(
      [carry, "drop", "--to", folder.path + "/received", "--geometry", "300x300+970+0"], environment: environment,
      output: .pipe)
    let source = try ChildProcess(
      [carry, "drag", "--geometry", "300x300+970+400", photos + "/red.png", paper], environment: environment,
      output: .pipe)
    #expect(desktop.playToTheEnd() == 0)
    #expect(Wait.until(seconds: 10) { Files.list(photos + "/Home").count == 1 })
    #expect(Files.list(photos + "/Home") == ["red.png"])
    #expect(Files.list(folder.path + "/received") == ["blue.png"])
    #expect(Files.exists(photos + "/blue.png") && Files.exists(photos + "/red.png"))
    for child in [program, target, source] { child.stop() }
  }

  @Test("Z27: without libcarry-gtk4, carry.gtk says what to install") func Z27_withoutGtk() throws {
    let result = try run(
      ["/usr/bin/python3", "-c", "import carry.gtk"],
      environment: [
        "PYTHONPATH": Self.package + "/src", "PYTHONDONTWRITEBYTECODE": "1", "CARRY_LIBRARY": Paths.library,
        "GI_TYPELIB_PATH": "/nowhere",
      ])
    #expect(result.status == 1 && result.lines.last?.contains("gir1.2-carrygtk4-0") == true, "\(result.lines)")
  }

  @Test("Z27: what the package knows of the library is what carry.h says") func Z27_header() throws {
    let result = try run(["/usr/bin/python3", Self.package + "/generate.py", "--check"])
    #expect(result.status == 0, "\(result.lines)")
  }
}
