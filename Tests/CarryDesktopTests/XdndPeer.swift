import CLinux
import CarryTesting
import Testing

/// A program of another toolkit that takes drops, and knows nothing of Carry.
final class XdndPeer {
  enum Toolkit: String, CaseIterable, CustomTestStringConvertible {
    case gtk3 = "GTK 3"
    case gtk4 = "GTK 4"
    case qt6 = "Qt 6"
    var testDescription: String { rawValue }
  }

  let process: ChildProcess

  /// Starts the program, and waits until its window can be seen: 300×300 pixels at a place of the screen.
  ///
  /// - Parameters:
  ///   - type: what it takes; nil for files and text.
  ///   - launcher: a program that starts it, with that program's own arguments.
  ///   - environment: what is otherwise than here in its environment.
  init(
    _ toolkit: Toolkit, on d: Desktop, at x: Int = 850, _ y: Int = 250, type: String? = nil,
    through launcher: [String] = [], environment: [String: String] = [:]
  ) throws {
    process = try Self.start(
      toolkit, "xdnd", d, ["\(x)", "\(y)"] + (type.map { [$0] } ?? []), through: launcher, environment)
  }

  /// Starts a program from which something can be dragged with the mouse: 300×300 pixels on the left.
  ///
  /// - Parameters:
  ///   - what: its arguments, as xdnd-source-gtk.c says.
  ///   - launcher: a program that starts it, with that program's own arguments.
  init(
    draggedFrom toolkit: Toolkit, on d: Desktop, _ what: [String], through launcher: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    process = try Self.start(toolkit, "xdnd-source", d, ["50", "250"] + what, through: launcher, environment)
  }

  private static func start(
    _ toolkit: Toolkit, _ name: String, _ d: Desktop, _ arguments: [String], through launcher: [String] = [],
    _ environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let program = try Self.compile(toolkit, name)
    let process = try ChildProcess(
      launcher + [program] + arguments,
      environment: [
        "DISPLAY": d.server.display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "QT_QPA_PLATFORM": "xcb",
        "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory",
      ].merging(environment) { $1 }, output: .pipe)
    try #require(process.readLine(seconds: 30) { $0 == "ready" } != nil, "\(toolkit.rawValue) did not start")
    return process
  }

  /// The next drop that it reports.
  func drop(seconds: Double = 20) -> String? {
    process.readLine(seconds: seconds) { $0.hasPrefix("got ") || $0.hasPrefix("failed") }
  }

  // MARK: Building it

  private static func compile(_ toolkit: Toolkit, _ name: String) throws -> String {
    let command =
      switch toolkit {
      case .gtk3:
        "gcc -std=c11 -Wall -Wextra -Werror '\(Checkout.peers)/\(name)-gtk.c' $(pkg-config --cflags --libs gtk+-3.0)"
      case .gtk4:
        "gcc -std=c11 -Wall -Wextra -Werror '\(Checkout.peers)/\(name)-gtk.c' $(pkg-config --cflags --libs gtk4 x11)"
      case .qt6:
        "g++ -std=c++17 -fPIC -Wall -Wextra -Werror '\(Checkout.peers)/\(name)-qt.cpp' "
          + "$(pkg-config --cflags --libs Qt6Widgets)"
      }
    return try PeerProgram.build("\(name)-\(toolkit)", command)
  }
}
