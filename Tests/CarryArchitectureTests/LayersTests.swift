import CarrySystem
import CarryModel
import CarryTesting
import CLinux
import Testing

private let root = Checkout.root

/// Who may import whom. SwiftPM accepts imports of what a dependency depends on, so the sources themselves are read.
@Suite struct LayersTests {
  static let pure: Set<String> = [
    "CarryModel", "CarryContacts", "CarryGestures", "CarrySessions", "CarryStage", "CarryXdnd",
  ]

  /// From the ground up, with the floors that each imports from. Engine and library lie beside each other.
  static let floors: [(name: String, below: Set<String>)] = [
    ("Core", []), ("Platform", ["Core"]), ("Engine", ["Core", "Platform"]), ("Library", ["Core", "Platform"]),
    ("Companions", ["Core", "Platform", "Library"]),
    ("Programs", ["Core", "Platform", "Engine", "Library", "Companions"]),
  ]

  static let allowed: [String: Set<String>] = [
    "CarryModel": [],
    "CarryContacts": ["CarryModel"],
    "CarryGestures": ["CarryModel", "CarryContacts"],
    "CarrySessions": ["CarryModel", "CarryGestures"],
    "CarryStage": ["CarryModel"],
    "CarryXdnd": ["CarryModel"],
    "CarrySystem": ["CLinux", "CarryModel", "Synchronization"],
    "CarryEvdev": ["CarryContacts", "CarryModel", "CarrySystem", "CEvdev", "CLinux"],
    "CarryRecordings": [
      "CarryContacts", "CarryEvdev", "CarryModel", "CarrySessions", "CarrySystem", "CLinux", "CYaml",
    ],
    "CarryConfiguration": ["CLinux", "CarryModel", "CarrySystem"],
    "CarryLoop": ["CarryModel", "CarrySystem", "CLinux", "CWaylandServer"],
    "CarryX": ["CarryModel", "CarrySystem", "CLinux", "CX11", "Synchronization"],
    "CarryDisplay": ["CarryModel", "CarryStage", "CarrySystem", "CarryX", "CX11", "CLinux", "Glibc"],
    "CarryGate": ["CarryModel", "CarrySystem", "CarryX", "CX11", "CLinux"],
    "CarryWireServer": ["CarryLoop", "CarryModel", "CarrySystem", "CLinux", "CWayland", "CWaylandServer"],
    "CarryWireClient": ["CarryModel", "CarrySystem", "CLinux", "CWayland", "CWaylandClient"],
    "CarryDirector": ["CarryGestures", "CarryModel", "CarrySessions", "CarryStage", "CarrySystem"],
    "CarryDaemon": [
      "CarryBridge", "CarryConfiguration", "CarryContacts", "CarryDirector", "CarryDisplay", "CarryEvdev", "CarryGate",
      "CarryGestures", "CarryLoop", "CarryModel", "CarryRecordings", "CarryShelf", "CarrySystem", "CarryWireServer",
      "CLinux", "Synchronization",
    ],
    "CarryBridge": [
      "CAtspi", "Carry", "CarryCompanion", "CarryModel", "CarrySelections", "CarrySystem", "CarryX", "CarryXdnd",
      "CLinux", "CPixbuf", "CX11", "Synchronization",
    ],
    "CarryShelf": ["Carry", "CarryCompanion", "CarryModel", "CarrySystem", "CarryX", "CX11"],
    // For the two above, and for nobody else.
    "CarryCompanion": ["Carry", "CarryModel", "CarrySystem", "CarryWireClient"],
    "carryd": ["CarryDaemon"],
    "CarrySelections": ["CarryModel", "CarrySystem", "CarryXdnd", "CLinux", "CXcb", "Synchronization"],
    // Bytes between programs, without a connection or a client.
    "CarryTransfers": ["CArchive", "CarryModel", "CarrySystem", "CLinux", "Synchronization"],
    // Values of everyday types, without items.
    "CarryTypes": ["CarryModel", "CarryXdnd", "CLinux", "CPixbuf"],
    "Carry": [
      "CarryModel", "CarrySelections", "CarrySystem", "CarryTransfers", "CarryTypes", "CarryWireClient", "CarryXdnd",
      "CLinux", "CPortal", "CXcb", "Synchronization",
    ],
    // The only one with Foundation, for programs that have it anyway.
    "CarryFoundation": ["Carry", "FoundationEssentials"],
    "CarryABI": ["Carry", "CCarry", "CarryModel", "CarrySystem", "CLinux", "Synchronization"],
    "CarryLibrary": ["CarryABI"],
    // The windows of demos and tools: like an application's, on the library alone.
    "CarryWindow": ["Carry", "CWindow"],
    "CarryCommand": [
      "Carry", "CarryConfiguration", "CarryContacts", "CarryEvdev", "CarryGestures", "CarryModel", "CarryRecordings",
      "CarrySessions", "CarrySystem", "CarryWindow", "CarryX", "CLinux", "CPixbuf", "CWindow", "CX11",
    ],
    "carry-main": ["CarryCommand"],
    "carry-speak": ["Carry", "CarryModel", "CarrySystem", "CLinux", "CSpeak"],
  ]

  private static func swiftFiles(_ folder: String) -> [String] {
    var found: [String] = []
    for name in Files.list(folder) {
      let path = folder + "/" + name
      if name.hasSuffix(".swift") { found.append(path) } else if !name.contains(".") { found += swiftFiles(path) }
    }
    return found
  }

  private static func imports(_ path: String) throws -> [String] {
    String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self).split(separator: "\n").compactMap { line in
      var words = line.split(separator: " ")
      while let first = words.first,
        first.hasPrefix("@") || ["package", "public", "internal", "private"].contains(first)
      { words.removeFirst() }
      guard words.first == "import", words.count >= 2 else { return nil }
      return String(words[words.count - 1].prefix { $0 != "." })
    }
  }

  /// The modules of each floor, C modules among them.
  private static func modules(of floor: String) -> [String] { Files.list(root + "/Sources/" + floor) }

  @Test func importsPointOneWay() throws {
    #expect(Set(Files.list(root + "/Sources")) == Set(Self.floors.map(\.name) + ["Install"]))
    #expect(Self.modules(of: "Core").contains("CarrySessions"))
    for floor in Self.floors.map(\.name) {
      for module in Self.modules(of: floor) {
        let files = Self.swiftFiles("\(root)/Sources/\(floor)/\(module)")
        if files.isEmpty { continue }
        let allowed = try #require(
          Self.allowed[module], "\(module) is in no layer: add it to this table and to docs/architecture.md")
        for file in files {
          for name in try Self.imports(file) { #expect(allowed.contains(name), "\(file) imports \(name)") }
        }
      }
    }
  }

  @Test func floorsImportFromBelow() throws {
    var floorOf: [String: String] = [:]
    for floor in Self.floors.map(\.name) { for module in Self.modules(of: floor) { floorOf[module] = floor } }
    for floor in Self.floors {
      for module in Self.modules(of: floor.name) {
        for name in Self.allowed[module] ?? [] {
          guard let other = floorOf[name] else { continue }
          #expect(other == floor.name || floor.below.contains(other), "\(module) imports \(name) of \(other)")
        }
      }
    }
  }

  /// The demos are what an application would be: they have the library and their windows, and nothing from within.
  @Test("G11, G15: the demos, the dock among them, are built on what every application has")
  func demosUseWhatApplicationsUse() throws {
    let apps = Files.list(root + "/Demos").filter { !["Kit", "CDemoKit", "CDemoKitLibs"].contains($0) }
    #expect(apps.contains("Pinboard"))
    for app in apps {
      for file in Self.swiftFiles(root + "/Demos/" + app) {
        for name in try Self.imports(file) { #expect(["Carry", "DemoKit"].contains(name), "\(file) imports \(name)") }
      }
    }
    for file in Self.swiftFiles(root + "/Demos/Kit") {
      for name in try Self.imports(file) {
        #expect(["Carry", "CarryWindow", "CDemoKit", "CWindow"].contains(name), "\(file) imports \(name)")
      }
    }
  }

  @Test func theCoreIsPure() {
    for module in Self.pure {
      #expect(Self.allowed[module]?.isSubset(of: Self.pure) == true, "\(module)")
    }
  }

  @Test func nothingThatIsInstalledImportsFoundation() throws {
    for file in Self.swiftFiles(root + "/Sources") where !file.contains("/CarryFoundation/") {
      for name in try Self.imports(file) {
        let isHeavy = ["CarryFoundation", "Foundation", "FoundationEssentials", "Dispatch"].contains(name)
        #expect(!isHeavy, "\(file) imports \(name)")
      }
    }
  }
}

@Suite struct GeneratedCodeTests {
  /// The committed protocol code is what the scanner makes of the XML today.
  @Test func theProtocolCodeIsCurrent() throws {
    let place = try TestFolder("generated")
    let folder = place.path
    let script = try ChildProcess([root + "/Sources/Platform/CWayland/generate.sh", folder], output: .pipe)
    let status = script.waitForExit(seconds: 30)
    try #require(status == 0, "wayland-scanner could not run")
    for file in [
      "CWayland/Generated/carry-v1-protocol.c", "CWaylandServer/include/carry-v1-server-protocol.h",
      "CWaylandClient/include/carry-v1-client-protocol.h",
    ] {
      func text(_ path: String) throws -> [Substring] {
        String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self).split(separator: "\n")
          // The scanner writes its own version into the first line.
          .filter { !$0.contains("Generated by wayland-scanner") }
      }
      #expect(
        try text(root + "/Sources/Platform/" + file) == text(folder + "/" + file),
        "\(file) is old: run Sources/Platform/CWayland/generate.sh")
    }
  }

  /// What the limits in the code say, the protocol's text says too.
  @Test func theProtocolStatesItsLimits() throws {
    let path = root + "/Sources/Platform/CWayland/protocol/carry-v1.xml"
    let words = String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self)
      .split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    typealias L = Limits
    func mebi(_ bytes: Int) -> Int { bytes >> 20 }
    let limits: [String] = [
      "at most 4096 bytes", "within \(Int(L.helloSeconds)) seconds",
      "\(L.waitingDescriptorsPerClient) descriptors of a client, and \(L.waitingDescriptors) of all",
      "\(L.unauthenticatedClients) clients that have not sent it yet, \(L.unauthenticatedClientsPerProcess) of a process",
      "\(L.clients) clients, \(L.clientsPerProcess) of a process",
      "\(L.regionsPerClient) regions a client, \(L.regionsPerProcess) a process and \(L.regions) in all",
      "\(L.objectsPerClient) objects a client, whose numbers are at most \(L.objectNumber)",
      "\(L.managersPerClient) managers",
      "\(L.unsettledRequests) requests of a client may wait for the X server",
      "\(L.awaitedWindowsPerClient) windows that are not there yet, \(Int(L.awaitedSeconds)) seconds each",
      "\(L.monitorsPerClient) monitors a client, \(L.monitorsPerProcess) a process and \(L.monitors) in all",
      "\(L.sessions) sessions at once, and \(L.transferringSessions) more that only wait for data",
      "\(L.itemsPerSession) items a session", "\(L.typesPerItem) types an item",
      "\(L.descriptionBytes) bytes of names, types and their ancestors a session",
      "\(L.itemsPerClient) items and \(L.previewsPerClient) previews a client",
      "previews have \(mebi(L.heldBytesPerProcess)) MiB at most", "processes \(mebi(L.heldBytes)) MiB",
      "have \(mebi(L.pictureBytesPerClient)) MiB at most", "of all clients \(mebi(L.pictureBytes)) MiB",
      "the last \(mebi(L.pictureBytesInAnyCase)) MiB of a client",
      "\(L.previewSide) pixels each way",
      "\(mebi(L.previewPixelsPerSession)) Mi pixels in all a session",
      "\(Int(L.picturesAtOnce)) pictures at once", "and \(Int(L.picturesPerSecond)) a second",
      "each \(L.pixelsPerPicture) pixels of a picture",
      "at most \(L.typeBytes) bytes", "a name \(L.nameBytes)", "a path \(L.pathBytes)",
      "waited for \(Int(L.answerSeconds)) seconds", "may rest for \(Int(L.transferSeconds)) seconds",
      "\(L.queuedBytes) bytes beyond what the kernel keeps, and \(L.queuedDescriptors) descriptors among them",
      "\(L.closingFiles) files of a process may wait to be closed",
    ]
    for limit in limits { #expect(words.contains(limit), "\(limit)") }
  }
}
