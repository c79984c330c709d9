// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "postcards",
  dependencies: [.package(name: "carry", path: "../../..")],
  targets: [
    .systemLibrary(name: "CXlib", pkgConfig: "x11"),
    .executableTarget(name: "Postcards", dependencies: ["CXlib", .product(name: "Carry", package: "carry")]),
    .executableTarget(name: "Tray", dependencies: ["CXlib", .product(name: "Carry", package: "carry")]),
  ]
)
