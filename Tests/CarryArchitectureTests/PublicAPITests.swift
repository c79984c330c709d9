import CarrySystem
import CarryTesting
import CLinux
import Testing

/// That the demos, the dock among them, could be anybody's: they see what `import Carry` gives to a package of its own,
/// and nothing of the engine is in them.
@Suite(.serialized) struct PublicAPITests {
  private static func run(_ arguments: [String]) throws -> (status: CInt?, lines: [String]) {
    let child = try ChildProcess(arguments, output: .pipe)
    var lines: [String] = []
    while let line = child.readLine(seconds: 120) { lines.append(line) }
    return (child.waitForExit(seconds: 20), lines)
  }

  /// Where the build's modules and programs are.
  private static func build() throws -> String {
    String(try Checkout.program("carry-dock").dropLast("/carry-dock".count))
  }

  private static func sources(_ folder: String) -> [String] {
    Files.list(folder).flatMap { name in
      let path = folder + "/" + name
      return name.hasSuffix(".swift") ? [path] : name.contains(".") ? [] : sources(path)
    }
  }

  @Test("G11, G15: the demos compile as a package of their own, which sees of Carry what is public")
  func G11_G15_aPackageOfTheirOwn() throws {
    let (root, build) = (Checkout.root, try Self.build())
    let place = try TestFolder("public")
    let folder = place.path
    let flags = try Self.run(["pkg-config", "--cflags", "x11", "xi", "cairo", "pangocairo", "gdk-pixbuf-2.0"])
    try #require(flags.status == 0)
    let maps =
      ["CArchive", "CLinux", "CPixbuf", "CPortal", "CWayland", "CWaylandClient", "CDemoKit"].map {
        "\(build)/\($0).build/module.modulemap"
      }
      + ["Demos/CDemoKitLibs", "Sources/Platform/CWindow", "Sources/Platform/CXcb"].map {
        "\(root)/\($0)/module.modulemap"
      }
    let headers = flags.lines.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("-I") || $0.hasPrefix("-D") }
    let clang = maps.map { "-fmodule-map-file=" + $0 } + headers.map(String.init)
    // As in Package.swift, but for the package's name.
    let common =
      ["-package-name", "demos", "-swift-version", "6", "-I", folder, "-I", build + "/Modules"]
      + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].flatMap {
        ["-enable-upcoming-feature", $0]
      } + clang.flatMap { ["-Xcc", $0] }
    func compile(_ name: String, _ what: [String]) throws {
      let result = try Self.run(
        ["swiftc", "-module-name", name] + what + common + Self.sources("\(root)/Demos/\(name)"))
      #expect(result.status == 0, "\(name): \(result.lines.filter { $0.contains("error:") })")
    }
    // What their windows are made with comes first.
    for (name, place) in [("CarryWindow", "Sources/Programs/CarryWindow"), ("DemoKit", "Demos/Kit")] {
      let kit = try Self.run(
        ["swiftc", "-emit-module", "-wmo", "-module-name", name, "-o", "\(folder)/\(name).swiftmodule"] + common
          + Self.sources("\(root)/\(place)"))
      try #require(kit.status == 0, "\(name): \(kit.lines.filter { $0.contains("error:") })")
    }
    let apps = Files.list(root + "/Demos").filter { !["Kit", "CDemoKit", "CDemoKitLibs"].contains($0) }
    #expect(apps.contains("Dock"))
    for app in apps { try compile(app, ["-typecheck", "-wmo"]) }
  }

  @Test("G11: the dock contains and links what applications do, and nothing of the engine")
  func G11_whatTheDockContains() throws {
    let program = try Checkout.program("carry-dock")
    let libraries = try Self.run(["readelf", "-d", program]).lines.filter { $0.contains("NEEDED") }
    #expect(libraries.contains { $0.contains("libwayland-client") })
    for library in ["wayland-server", "evdev", "udev", "Xcomposite", "Xdamage", "Xtst"] {
      #expect(!libraries.contains { $0.contains("lib" + library) }, "\(library)")
    }
    // Each module's name is in the names of what is in it, behind its length.
    let symbols = try Self.run(["nm", program]).lines
    func contains(_ module: String) -> Bool {
      let mark = "$s\(module.utf8.count)\(module)"
      return symbols.contains { $0.contains(mark) }
    }
    #expect(contains("Carry") && contains("DemoKit"))
    for module in [
      "CarryDaemon", "CarryDisplay", "CarryStage", "CarrySessions", "CarryGestures", "CarryContacts", "CarryEvdev",
      "CarryWireServer", "CarryCommand", "CarryTesting",
    ] { #expect(!contains(module), "\(module)") }
  }
}
