import CLinux
import CarrySystem
import CarryTesting
import Testing

/// A GTK program below: what its user would see happen comes as lines.
final class GtkPeer {
  /// A widget's place on the screen: the window has no frame, and no window manager moves it.
  struct Place {
    var x = 0.0
    var y = 0.0
    var width = 0.0
    var height = 0.0
    var middle: (x: Double, y: Double) { (x + width / 2, y + height / 2) }
  }

  let process: ChildProcess
  private(set) var left = Place()
  private(set) var right = Place()
  private(set) var list = Place()
  /// What it has said since it was ready, or since `forget`.
  private(set) var lines: [String] = []

  /// - Parameters:
  ///   - version: of GTK, 3 or 4.
  ///   - socket: the engine's; nil for a program that knows nothing of Carry.
  init(gtk version: Int, _ server: TouchServer, socket: String?) throws {
    let program = try Self.compile(version)
    process = try ChildProcess(
      [program] + (socket == nil ? ["--plain"] : []),
      environment: [
        "DISPLAY": server.display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "CARRY_SOCKET": socket,
        "LD_LIBRARY_PATH": try Self.place.get().path, "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
        "GSETTINGS_BACKEND": "memory",
      ], output: .pipe)
    while true {
      let line = try #require(process.readLine(seconds: 20), "GTK \(version) did not start")
      if line == "ready" { break }
      try #require(!line.hasPrefix("failed"), "\(line)")
      let words = line.split(separator: " ")
      guard words.count == 6, words[0] == "place" else { continue }
      let n = words[2...].map { Double($0) ?? 0 }
      let place = Place(x: n[0], y: n[1], width: n[2], height: n[3])
      switch words[1] {
      case "left": left = place
      case "right": right = place
      default: list = place
      }
    }
  }

  private func take(_ seconds: Double) {
    while let line = process.readLine(seconds: seconds) { lines.append(line) }
  }

  /// Waits until one of the lines is this.
  func says(_ line: String, seconds: Double = 5) -> Bool {
    Wait.until(seconds: seconds) {
      take(0.01)
      return lines.contains(line)
    }
  }

  /// Waits until a line begins so.
  func saysSomething(_ prefix: String, seconds: Double = 5) -> Bool {
    Wait.until(seconds: seconds) {
      take(0.01)
      return lines.contains { $0.hasPrefix(prefix) }
    }
  }

  func count(_ prefix: String) -> Int {
    take(0.01)
    return lines.count { $0.hasPrefix(prefix) }
  }

  func forget() {
    take(0.05)
    lines = []
  }

  // MARK: Building it

  private static let place = Result { try TestFolder("gtk") }

  /// Compiles the program once for each version, against the library as it is installed.
  private static func compile(_ version: Int) throws -> String {
    let library = try environment("CARRY_LIBRARY") ?? Checkout.program("libcarryabi.so")
    symlink(library, try place.get().path + "/libcarry.so.0")
    let package = version == 4 ? "gtk4" : "gtk+-3.0"
    return try PeerProgram.build(
      "gtk\(version)",
      "gcc -std=c11 -Wall -Wextra -Werror -I'\(Checkout.headers)' '\(Checkout.peers)/gtk.c' "
        + "'\(library)' $(pkg-config --cflags --libs \(package) gio-unix-2.0 x11)")
  }
}
