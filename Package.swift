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

let package = Package(
  name: "carry",
  products: [.executable(name: "carry", targets: ["carry"])],
  targets: [
    // System libraries and logic-free C.
    .systemLibrary(name: "CEvdevLibs", pkgConfig: "libevdev mtdev"),
    .systemLibrary(name: "CX11Libs", pkgConfig: "x11 xext xrender xfixes xcomposite xrandr xi xres xft cairo"),
    .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CEvdev", dependencies: ["CEvdevLibs"]),
    .target(name: "CX11", dependencies: ["CX11Libs"]),

    // The pure core.
    // Rounding is in libm, which nothing links unless Glibc or Foundation is imported somewhere.
    .target(name: "CarryModel", linkerSettings: [.linkedLibrary("m")]),
    .target(name: "CarryContacts", dependencies: ["CarryModel"]),
    .target(name: "CarryGestures", dependencies: ["CarryModel", "CarryContacts"]),
    .target(name: "CarrySessions", dependencies: ["CarryModel", "CarryGestures"]),
    .target(name: "CarryStage", dependencies: ["CarryModel"]),

    // The edges.
    .target(name: "CarrySystem", dependencies: ["CLinux", "CarryModel"]),
    .target(name: "CarryEvdev", dependencies: ["CarryContacts", "CarryModel", "CarrySystem", "CEvdev"]),
    .target(name: "CarryDisplay", dependencies: ["CarryModel", "CarryStage", "CarrySystem", "CX11"]),

    // The programs.
    .target(
      name: "CarryCommand",
      dependencies: ["CarryContacts", "CarryEvdev", "CarryGestures", "CarryModel", "CarrySystem"]),
    .executableTarget(name: "carry", dependencies: ["CarryCommand"], path: "Sources/carry-main"),

    .testTarget(name: "CarryModelTests", dependencies: ["CarryModel"]),
    .testTarget(name: "CarryContactsTests", dependencies: ["CarryContacts", "CarryModel"]),
    .testTarget(
      name: "CarryCommandTests", dependencies: ["CarryCommand", "CarryContacts", "CarryModel"]),
    .target(name: "CFakeEvdev", dependencies: ["CEvdev"], path: "Tests/Support/CFakeEvdev"),
    .testTarget(
      name: "CarryEvdevTests",
      dependencies: ["CFakeEvdev", "CLinux", "CarryContacts", "CarryEvdev", "CarryModel", "CarrySystem"]),
    .testTarget(name: "CarryGesturesTests", dependencies: ["CarryGestures", "CarryModel"]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + swiftSettings
}
