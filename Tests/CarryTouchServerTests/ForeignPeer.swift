import CLinux
import CarryTesting
import Testing

/// A program that knows nothing of Carry: 300×300 pixels, at 50,250 or another place where it is a source.
final class ForeignPeer {
  enum Toolkit: String, CaseIterable {
    case gtk3, gtk4, qt6
  }

  let process: ChildProcess

  /// - Parameters:
  ///   - what: its arguments; of a source without the place, as xdnd-source-gtk.c says.
  ///   - name: of the program, and so the instance of its windows.
  ///   - environment: of the program, instead of one without accessibility.
  init(
    _ server: TouchServer, _ what: [String], _ toolkit: Toolkit = .gtk3, named name: String? = nil,
    source: String = "xdnd-source", at place: (x: Int, y: Int) = (50, 250), environment: [String: String?] = [:]
  ) throws {
    let program = try PeerProgram.build(
      name ?? "liftable-\(toolkit.rawValue)", Self.command("\(Checkout.peers)/\(source)", toolkit))
    process = try ChildProcess(
      [program] + (source == "xdnd-source" ? ["\(place.x)", "\(place.y)"] : []) + what,
      environment: [
        "DISPLAY": server.display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "QT_QPA_PLATFORM": "xcb",
        "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory",
      ].merging(environment) { $1 }, output: .pipe)
    try #require(process.readLine(seconds: 30) { $0 == "ready" } != nil, "the program did not start")
  }

  /// What compiles it.
  private static func command(_ source: String, _ toolkit: Toolkit) -> String {
    let (compiler, packages) =
      switch toolkit {
      case .gtk3: ("gcc -std=c11 '\(source)-gtk.c'", "gtk+-3.0")
      case .gtk4: ("gcc -std=c11 '\(source)-gtk.c'", "gtk4 x11")
      case .qt6: ("g++ -std=c++17 -fPIC '\(source)-qt.cpp'", "Qt6Widgets")
      }
    return "\(compiler) -Wall -Wextra -Werror $(pkg-config --cflags --libs \(packages))"
  }

  /// Whether a target takes its data. A press that was too late to be a lift, as on a busy machine, has failed before.
  func isDropped() -> Bool { says(["dropped"]) != nil }

  /// The next of some lines.
  func says(_ lines: [String]) -> String? { process.readLine(seconds: 10) { lines.contains($0) } }
}
