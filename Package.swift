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
  products: [],
  targets: [
    // System libraries and logic-free C.
    .systemLibrary(name: "CEvdevLibs", pkgConfig: "libevdev mtdev"),
    .systemLibrary(name: "CX11Libs", pkgConfig: "x11 x11-xcb xcb xcb-shape xext xrender xfixes xcomposite xrandr xi xres xft cairo"),
    .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CEvdev", dependencies: ["CEvdevLibs"]),
    .target(name: "CX11", dependencies: ["CX11Libs"]),

    // The pure core.
    .target(name: "CarryModel"),
    .target(name: "CarryContacts", dependencies: ["CarryModel"]),
    .target(name: "CarryGestures", dependencies: ["CarryModel", "CarryContacts"]),
    .target(name: "CarrySessions", dependencies: ["CarryModel", "CarryGestures"]),
    .target(name: "CarryStage", dependencies: ["CarryModel"]),

    // The edges.
    .target(name: "CarrySystem", dependencies: ["CLinux", "CarryModel"]),
    .target(name: "CarryEvdev", dependencies: ["CarryContacts", "CarryModel", "CarrySystem", "CEvdev"]),
    .target(name: "CarryDisplay", dependencies: ["CarryModel", "CarryStage", "CarrySystem", "CLinux", "CX11"]),

    .target(name: "CarryTesting", dependencies: ["CarryModel", "CarrySystem", "CLinux", "CX11"]),

    .testTarget(name: "CarryModelTests", dependencies: ["CarryModel"]),
    .testTarget(name: "CarryStageTests", dependencies: ["CarryModel", "CarryStage"]),
    .testTarget(
      name: "CarryDisplayTests",
      dependencies: ["CarryModel", "CarryStage", "CarrySystem", "CarryDisplay", "CarryTesting", "CX11"]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + swiftSettings
}
