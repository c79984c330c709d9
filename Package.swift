// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target gets these settings (see the loop at the end): warnings are errors, existentials are
/// spelt `any`, and an import is internal unless it says otherwise.
let swiftSettings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The targets of a floor of the house. They lie in `Sources/<floor>` and import from their own floor and those below:
/// core, platform, then engine and library beside each other, companions on the library, programs. A test checks it.
func floor(_ name: String, _ targets: [Target]) -> [Target] {
  for target in targets where target.path == nil { target.path = "Sources/\(name)/\(target.name)" }
  return targets
}

// Pure: no clocks, threads or system calls. Rounding needs libm; Swift links it only where Glibc or Foundation is
// imported.
let core = floor(
  "Core",
  [
    .target(name: "CarryModel", linkerSettings: [.linkedLibrary("m")]),
    .target(name: "CarryContacts", dependencies: ["CarryModel"]),
    .target(name: "CarryGestures", dependencies: ["CarryModel", "CarryContacts"]),
    .target(name: "CarrySessions", dependencies: ["CarryModel", "CarryGestures"]),
    .target(name: "CarryStage", dependencies: ["CarryModel"]),
    .target(name: "CarryXdnd", dependencies: ["CarryModel"]),
  ])

// System libraries, the C that Swift cannot express, and what Linux and X11 offer.
let platform = floor(
  "Platform",
  [
    .systemLibrary(name: "CEvdevLibs", pkgConfig: "libevdev libudev mtdev"),
    .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1"),
    .systemLibrary(
      name: "CX11Libs",
      pkgConfig: "x11 x11-xcb xcb xcb-shape xext xrender xfixes xcomposite xdamage xrandr xi xpresent xres cairo"),
    .systemLibrary(name: "CXcb", pkgConfig: "xcb"),
    .systemLibrary(name: "CWindow", pkgConfig: "x11 xi cairo"),
    // For screen readers: a program of its own, so that no accessibility library is in the engine.
    .systemLibrary(name: "CSpeakLibs", pkgConfig: "atk-bridge-2.0 atk glib-2.0"),
    .target(name: "CLibrary"),
    .target(name: "CArchive", dependencies: ["CLibrary"], cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CAtspi", dependencies: ["CLibrary"], cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CEvdev", dependencies: ["CEvdevLibs"]),
    .target(name: "CX11", dependencies: ["CLibrary", "CX11Libs"]),
    .target(name: "CPixbuf", dependencies: ["CLibrary"]),
    .target(name: "CPortal", dependencies: ["CLibrary"], cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CSpeak", dependencies: ["CSpeakLibs"]),
    .target(name: "CWayland", exclude: ["protocol", "generate.sh"]),
    .target(name: "CWaylandServer", dependencies: ["CWayland"], linkerSettings: [.linkedLibrary("wayland-server")]),
    .target(name: "CWaylandClient", dependencies: ["CWayland"], linkerSettings: [.linkedLibrary("wayland-client")]),
    .target(name: "CarrySystem", dependencies: ["CLinux", "CarryModel"]),
    .target(name: "CarryX", dependencies: ["CLinux", "CarryModel", "CarrySystem", "CX11"]),
    .target(name: "CarryLoop", dependencies: ["CLinux", "CWaylandServer", "CarryModel", "CarrySystem"]),
    .target(name: "CarryEvdev", dependencies: ["CarryContacts", "CarryModel", "CarrySystem", "CEvdev"]),
    .target(
      name: "CarryRecordings",
      dependencies: [
        "CLinux", "CYaml", "CarryContacts", "CarryEvdev", "CarryModel", "CarrySessions", "CarrySystem",
      ]),
    .target(name: "CarryConfiguration", dependencies: ["CLinux", "CarryModel", "CarrySystem"]),
  ])

// What carryd is made of: holding touches, drawing, talking to clients, carrying out decisions.
let engine = floor(
  "Engine",
  [
    .target(name: "CarryGate", dependencies: ["CarryModel", "CarrySystem", "CarryX", "CLinux", "CX11"]),
    .target(
      name: "CarryDisplay", dependencies: ["CarryModel", "CarryStage", "CarrySystem", "CarryX", "CLinux", "CX11"]),
    .target(
      name: "CarryWireServer",
      dependencies: ["CLinux", "CarryLoop", "CarryModel", "CarrySystem", "CWayland", "CWaylandServer"]),
    .target(
      name: "CarryDirector",
      dependencies: ["CarryGestures", "CarryModel", "CarrySessions", "CarryStage", "CarrySystem"]),
  ])

// What applications use, in Swift and in C.
let library = floor(
  "Library",
  [
    .target(
      name: "CarryWireClient", dependencies: ["CLinux", "CarryModel", "CarrySystem", "CWayland", "CWaylandClient"]),
    .target(name: "CarryTransfers", dependencies: ["CArchive", "CLinux", "CarryModel", "CarrySystem"]),
    .target(name: "CarryTypes", dependencies: ["CLinux", "CPixbuf", "CarryModel", "CarryXdnd"]),
    .target(name: "CarrySelections", dependencies: ["CLinux", "CXcb", "CarryModel", "CarrySystem", "CarryXdnd"]),
    .target(
      name: "Carry",
      dependencies: [
        "CLinux", "CPortal", "CXcb", "CarryModel", "CarrySelections", "CarrySystem", "CarryTransfers", "CarryTypes",
        "CarryWireClient", "CarryXdnd",
      ]),
    .target(name: "CarryFoundation", dependencies: ["Carry"]),
    // The same for programs in C, and all languages that can call it: a header, its implementation, and the leaf that
    // carries the flags of libcarry.so.
    .target(name: "CCarry"),
    .target(name: "CarryABI", dependencies: ["CCarry", "CLinux", "Carry", "CarryModel"]),
    .target(
      name: "CarryLibrary", dependencies: ["CarryABI"], exclude: ["carry.map"],
      linkerSettings: [
        .unsafeFlags([
          "-static-stdlib", "-Xlinker", "-soname=libcarry.so.0", "-Xlinker",
          "--version-script=\(Context.packageDirectory)/Sources/Library/CarryLibrary/carry.map",
        ])
      ]),
  ])

// Clients that the engine starts itself, with rights that applications do not have.
let companions = floor(
  "Companions",
  [
    .target(name: "CarryCompanion", dependencies: ["Carry", "CarryModel", "CarrySystem", "CarryWireClient"]),
    .target(
      name: "CarryBridge",
      dependencies: [
        "CAtspi", "CLinux", "CPixbuf", "CX11", "Carry", "CarryCompanion", "CarryModel", "CarrySelections",
        "CarrySystem", "CarryX",
        "CarryXdnd",
      ]),
    .target(
      name: "CarryShelf",
      dependencies: ["CLinux", "CX11", "Carry", "CarryCompanion", "CarryModel", "CarrySystem", "CarryX"]),
  ])

// carryd, carry with its windows, which the demos share, and announcements for screen readers.
let programs = floor(
  "Programs",
  [
    .target(
      name: "CarryDaemon",
      dependencies: [
        "CLinux", "CarryBridge", "CarryConfiguration", "CarryContacts", "CarryDirector", "CarryDisplay", "CarryEvdev",
        "CarryGate", "CarryGestures", "CarryLoop", "CarryModel", "CarryRecordings", "CarryShelf", "CarrySystem",
        "CarryWireServer",
      ]),
    .executableTarget(name: "carryd", dependencies: ["CarryDaemon"]),
    .target(name: "CarryWindow", dependencies: ["CWindow", "Carry"]),
    .target(
      name: "CarryCommand",
      dependencies: [
        "Carry", "CLinux", "CPixbuf", "CWindow", "CX11", "CarryConfiguration", "CarryContacts", "CarryEvdev",
        "CarryGestures", "CarryModel", "CarryRecordings", "CarrySessions", "CarrySystem", "CarryWindow", "CarryX",
      ]),
    .executableTarget(name: "carry", dependencies: ["CarryCommand"], path: "Sources/Programs/carry-main"),
    .executableTarget(name: "carry-speak", dependencies: ["CLinux", "CSpeak", "Carry", "CarryModel", "CarrySystem"]),
  ])

// The demos, the tutorial and the documentation's program: they use what every application uses.
let demos: [Target] = [
  // The tutorial's program and the documentation's, as docs/examples/swift builds them by themselves.
  .systemLibrary(name: "CTutorialXlib", path: "docs/examples/swift/Sources/CXlib", pkgConfig: "x11"),
  .executableTarget(
    name: "carry-postcards", dependencies: ["CTutorialXlib", "Carry"], path: "docs/examples/swift/Sources/Postcards"),
  .executableTarget(
    name: "carry-tray", dependencies: ["CTutorialXlib", "Carry"], path: "docs/examples/swift/Sources/Tray"),
  .systemLibrary(
    name: "CDemoKitLibs", path: "Demos/CDemoKitLibs", pkgConfig: "pangocairo gdk-pixbuf-2.0"),
  .target(name: "CDemoKit", dependencies: ["CDemoKitLibs"], path: "Demos/CDemoKit"),
  .target(name: "DemoKit", dependencies: ["CDemoKit", "CWindow", "Carry", "CarryWindow"], path: "Demos/Kit"),
  .executableTarget(name: "carry-pinboard", dependencies: ["Carry", "DemoKit"], path: "Demos/Pinboard"),
  .executableTarget(name: "carry-dock", dependencies: ["Carry", "DemoKit"], path: "Demos/Dock"),
  .executableTarget(name: "carry-notes", dependencies: ["Carry", "DemoKit"], path: "Demos/Notes"),
  .executableTarget(name: "carry-drag-source", dependencies: ["Carry", "DemoKit"], path: "Demos/DragSource"),
  .executableTarget(
    name: "carry-drop-destination", dependencies: ["Carry", "DemoKit"], path: "Demos/DropDestination"),
  .executableTarget(name: "carry-customers", dependencies: ["Carry", "DemoKit"], path: "Demos/Customers"),
  .executableTarget(name: "carry-mail", dependencies: ["Carry", "DemoKit"], path: "Demos/Mail"),
  .executableTarget(name: "carry-drawing", dependencies: ["Carry", "DemoKit"], path: "Demos/Drawing"),
  .executableTarget(name: "carry-folder", dependencies: ["Carry", "DemoKit"], path: "Demos/Folder"),
  .executableTarget(name: "carry-map", dependencies: ["Carry", "DemoKit"], path: "Demos/Map"),
  .executableTarget(name: "carry-picture-editor", dependencies: ["Carry", "DemoKit"], path: "Demos/PictureEditor"),
  .executableTarget(name: "carry-search", dependencies: ["Carry", "DemoKit"], path: "Demos/Search"),
  // Their file provider.
  .executableTarget(name: "carry-demo-files", dependencies: ["Carry", "DemoKit"], path: "Demos/Files"),
]

// Benchmarks, what tests stand on, and the tests, roughly from the core up.
let tests: [Target] = [
  // What `make bench` runs.
  .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
  .executableTarget(
    name: "carry-bench",
    dependencies: [
      "CAllocationCount", "CEvdev", "CFakeEvdev", "CLinux", "CX11", "Carry", "CarryContacts", "CarryDisplay",
      "CarryEvdev", "CarryGestures", "CarryModel", "CarryRecordings", "CarrySessions", "CarryStage", "CarrySystem",
      "CarryTesting", "CarryWireClient",
    ],
    path: "Benchmarks",
    exclude: ["CAllocationCount", "Growing", "Touch", "parts", "others.py", "run.py", "explained.md"]),
  .target(
    name: "CarryTesting",
    dependencies: ["CarryContacts", "CarryModel", "CarryRecordings", "CarrySystem", "CarryX", "CLinux", "CX11"],
    path: "Tests/Support/CarryTesting"),
  .target(name: "CFakeEvdev", dependencies: ["CEvdev"], path: "Tests/Support/CFakeEvdev"),
  .target(name: "CPrivileges", path: "Tests/Support/CPrivileges"),
  .target(name: "CCarryProbe", dependencies: ["CCarry"], path: "Tests/Support/CCarryProbe"),
  // An application with a file provider.
  .executableTarget(
    name: "carry-provider-peer", dependencies: ["CCarry", "CTutorialXlib", "Carry", "CarryABI"],
    path: "Tests/Support/ProviderPeer"),
  .target(
    name: "CInputTest", path: "Tests/Support/CInputTest",
    linkerSettings: [.linkedLibrary("X11"), .linkedLibrary("Xi")]),
  .testTarget(name: "CarryModelTests", dependencies: ["CLinux", "CarryModel", "CarryTesting"]),
  .testTarget(name: "CarryContactsTests", dependencies: ["CarryContacts", "CarryModel", "CarryTesting"]),
  .testTarget(name: "CarryGesturesTests", dependencies: ["CarryContacts", "CarryGestures", "CarryModel"]),
  .testTarget(
    name: "CarrySessionsTests",
    dependencies: ["CarrySessions", "CarryGestures", "CarryModel", "CarrySystem", "CarryTesting"]),
  .testTarget(name: "CarryStageTests", dependencies: ["CarryModel", "CarryStage", "CarryTesting"]),
  .testTarget(name: "CarryXdndTests", dependencies: ["CarryModel", "CarryXdnd"]),
  .testTarget(
    name: "CarrySystemTests", dependencies: ["CLinux", "CarryModel", "CarrySystem", "CarryTesting"]),
  .testTarget(
    name: "CarryEvdevTests",
    dependencies: [
      "CFakeEvdev", "CLinux", "CarryContacts", "CarryEvdev", "CarryModel", "CarrySystem", "CarryTesting",
    ]),
  .testTarget(
    name: "CarryRecordingsTests",
    dependencies: [
      "CLinux", "CarryContacts", "CarryEvdev", "CarryGestures", "CarryModel", "CarryRecordings", "CarrySessions",
      "CarrySystem", "CarryTesting",
    ]),
  .testTarget(
    name: "CarryConfigurationTests",
    dependencies: ["CLinux", "CarryConfiguration", "CarryModel", "CarrySystem", "CarryTesting"]),
  .testTarget(
    name: "CarryGateTests", dependencies: ["CLinux", "CarryGate", "CarryModel", "CarrySystem", "CarryTesting"]),
  .testTarget(
    name: "CarryDisplayTests",
    dependencies: ["CLinux", "CarryModel", "CarryStage", "CarrySystem", "CarryDisplay", "CarryTesting", "CX11"],
    exclude: ["Golden"]),
  .testTarget(
    name: "CarryWireServerTests",
    dependencies: ["CLinux", "CPrivileges", "CarryModel", "CarrySystem", "CarryTesting", "CarryWireServer"]),
  .testTarget(
    name: "CarryDirectorTests",
    dependencies: ["CarryDirector", "CarryGestures", "CarryModel", "CarrySessions", "CarryStage", "CarryTesting"]),
  .testTarget(
    name: "CarryTransfersTests",
    dependencies: ["CLinux", "CPrivileges", "CarryModel", "CarrySystem", "CarryTesting", "CarryTransfers"]),
  .testTarget(name: "CarryTypesTests", dependencies: ["CarryModel", "CarryTypes"]),
  .testTarget(
    name: "CarryABITests",
    dependencies: [
      "CCarry", "CCarryProbe", "CLinux", "Carry", "CarryABI", "CarryModel", "CarrySystem", "CarryTesting", "carry",
      "carryd",
    ]),
  .testTarget(
    name: "CarryLibraryTests",
    dependencies: [
      "CLinux", "CPrivileges", "CWayland", "CWaylandClient", "Carry", "CarryFoundation", "CarryModel", "CarrySystem",
      "CarryTesting", "CarryTransfers", "CarryWireClient",
    ]),
  .testTarget(
    name: "CarryBridgeTests",
    dependencies: [
      "CLinux", "Carry", "CarryBridge", "CarryModel", "CarrySelections", "CarrySystem", "CarryTesting", "CarryXdnd",
    ]),
  .testTarget(name: "CarryShelfTests", dependencies: ["CarryModel", "CarryShelf", "CarryX"]),
  .testTarget(
    name: "CarryDaemonTests",
    dependencies: [
      "CLinux", "CPrivileges", "CarryContacts", "CarryDaemon", "CarryDisplay", "CarryEvdev", "CarryGate",
      "CarryGestures",
      "CarryLoop",
      "CarryModel", "CarryRecordings", "CarrySystem", "CarryTesting", "CarryWireServer",
    ]),
  .testTarget(
    name: "CarryCommandTests",
    dependencies: [
      "CLinux", "CarryCommand", "CarryConfiguration", "CarryContacts", "CarryEvdev", "CarryModel", "CarryRecordings",
      "CarrySystem", "CarryTesting", "CarryX", "carry",
    ]),
  .testTarget(
    name: "CarryDesktopTests",
    dependencies: [
      "CLinux", "CX11", "Carry", "CarryModel", "CarrySelections", "CarrySystem", "CarryTesting",
      "CarryWireClient", "CarryXdnd", "carry", "carry-postcards", "carry-provider-peer", "carry-tray", "carryd",
    ]),
  .testTarget(
    name: "CarryDemoTests",
    dependencies: [
      "CLinux", "CX11", "Carry", "CarryModel", "CarrySystem", "CarryTesting", "DemoKit", "carry", "carry-customers",
      "carry-demo-files", "carry-dock", "carry-drag-source", "carry-drop-destination", "carry-mail", "carry-notes",
      "carry-picture-editor", "carry-pinboard", "carry-search", "carryd",
    ]),
  .testTarget(
    name: "CarryTouchServerTests",
    dependencies: [
      "CInputTest", "CLinux", "CX11", "Carry", "CarryDisplay", "CarryGate", "CarryModel", "CarrySystem",
      "CarryTesting", "carry", "carry-dock", "carry-notes", "carry-pinboard", "carry-search", "carry-speak", "carryd",
    ],
    exclude: ["Golden"]),
  .testTarget(
    name: "CarryArchitectureTests",
    dependencies: ["CLinux", "CarryModel", "CarrySystem", "CarryTesting", "carry", "carry-dock", "carryd"]),
]

let package = Package(
  name: "carry",
  products: [
    .executable(name: "carryd", targets: ["carryd"]),
    .executable(name: "carry", targets: ["carry"]),
    .library(name: "Carry", targets: ["Carry"]),
    // For programs that have Foundation anyway.
    .library(name: "CarryFoundation", targets: ["CarryFoundation"]),
    // Becomes libcarry.so.0 when it is installed.
    .library(name: "carryabi", type: .dynamic, targets: ["CarryLibrary"]),
  ],
  targets: core + platform + engine + library + companions + programs + demos + tests
)

// Tests/Fuzz/run.sh builds it, with everything that it stands on made for libFuzzer.
if Context.environment["CARRY_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
    .executableTarget(
      name: "carry-fuzz",
      dependencies: [
        "CLibFuzzer", "CLinux", "Carry", "CarryCommand", "CarryConfiguration", "CarryModel", "CarryRecordings",
        "CarrySelections", "CarryTypes", "CarryXdnd",
      ],
      path: "Tests/Fuzz", exclude: ["CLibFuzzer", "Seeds", "run.sh"]),
  ]
}

// Tests/sanitize.sh builds the tests that need no X server and no engine, and what ThreadSanitizer has to be told.
if Context.environment["CARRY_SANITIZE"] != nil {
  let units = [
    "Bridge", "Configuration", "Contacts", "Director", "Evdev", "Gate", "Gestures", "Library", "Model", "Recordings",
    "Sessions", "Shelf", "Stage", "System", "Transfers", "Types", "WireServer", "Xdnd",
  ].map { "Carry\($0)Tests" }
  package.targets.removeAll { $0.type == .test && !units.contains($0.name) }
  package.targets.append(.target(name: "CTsanMutex", path: "Tests/Support/CTsanMutex"))
  package.targets.first { $0.name == "CarryTesting" }?.dependencies.append("CTsanMutex")
}

for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + swiftSettings
  // Every motion runs through these two modules, and the exclusivity check took a tenth of its time.
  // The debug build checks it, under all tests.
  if ["CarryGestures", "CarrySessions"].contains(target.name) {
    target.swiftSettings?.append(
      .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)))
  }
}
