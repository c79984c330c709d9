import CLinux
import CarryTesting
import Testing

/// A program with a toolkit that is the source and the target. Qt and Swing wait for the data without returning to their
/// loops, so that the program cannot answer meanwhile.
@Suite(.serialized, .enabled(if: Paths.library != nil, "LEFT OUT: libcarryabi.so is not built; run 'swift build'"))
struct OwnProgramTests {
  enum Toolkit: String, CaseIterable, CustomTestStringConvertible {
    case qt6 = "Qt 6"
    case gtk3 = "GTK 3"
    case gtk4 = "GTK 4"
    case tk = "Tk"
    case swing = "Swing"
    var testDescription: String { rawValue }
  }

  private func compile(_ name: String, _ compiler: String, _ libraries: String) throws -> String {
    try PeerProgram.build(
      "own-\(name)",
      "\(compiler) -fPIC -Wall -Wextra -Werror -I'\(Checkout.headers)' "
        + "'\(try #require(Paths.library))' \(libraries)")
  }

  /// The program and its first arguments; nil if this machine lacks the toolkit.
  private func command(_ toolkit: Toolkit) throws -> [String]? {
    let peers = Checkout.peers
    func runs(_ command: String...) -> Bool {
      (try? run(["sh", "-c", "exec \"$@\" 2>&1", "sh"] + command))?.status == 0
    }
    switch toolkit {
    case .qt6:
      return [try compile("qt", "g++ -std=c++17 '\(peers)/own-qt.cpp'", "$(pkg-config --cflags --libs Qt6Widgets)")]
    case .gtk3:
      return [try compile("gtk3", "gcc -std=c11 '\(peers)/own-gtk.c'", "$(pkg-config --cflags --libs gtk+-3.0)")]
    case .gtk4:
      return [try compile("gtk4", "gcc -std=c11 '\(peers)/own-gtk.c'", "$(pkg-config --cflags --libs gtk4 x11)")]
    case .tk:
      return runs("python3", "-c", "import tkinter; tkinter.Tcl().eval('package ifneeded tkdnd 2')")
        ? ["python3", peers + "/own-tk.py"] : nil
    case .swing:
      guard runs("javac", "-version") else { return nil }
      let java = "\"$(dirname \"$(dirname \"$(readlink -f \"$(command -v javac)\")\")\")/include\""
      let plugin = try compile(
        "swing", "gcc -std=c11 -shared '\(peers)/own-swing.c' -I\(java) -I\(java)/linux", "-lX11")
      return ["java", "-Djava.awt.headless=false", peers + "/OwnSwing.java", plugin]
    }
  }

  private func start(
    _ toolkit: Toolkit, _ desktop: Desktop, _ folder: TestFolder, _ arguments: [String] = []
  ) throws -> ChildProcess? {
    guard let command = try command(toolkit) else {
      print("SKIPPED: \(toolkit.rawValue) is not installed")
      return nil
    }
    symlink(try #require(Paths.library), folder.path + "/libcarry.so.0")
    return try ChildProcess(
      command + arguments,
      environment: [
        "LD_LIBRARY_PATH": folder.path, "DISPLAY": desktop.server.display, "CARRY_SOCKET": desktop.socket,
        "QT_QPA_PLATFORM": "xcb", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "NO_AT_BRIDGE": "1",
        "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory",
      ], output: .pipe)
  }

  @Test("Z1, Z21: a toolkit's program drops its own item on its own window", arguments: Toolkit.allCases)
  func Z1_Z21_ownDrop(toolkit: Toolkit) throws {
    let desktop = try Desktop("press-drag-drop", clients: 1)
    let folder = try TestFolder("abi")
    guard let program = try start(toolkit, desktop, folder) else { return }
    #expect(program.readLine(seconds: 40) { $0.hasPrefix("dropped") } == "dropped soon own words")
  }

  @Test("Z9, Z21: a toolkit's program pastes what it has copied by Carry", arguments: Toolkit.allCases)
  func Z9_Z21_ownPaste(toolkit: Toolkit) throws {
    let desktop = try Desktop("press-drag-drop", clients: 1)
    let folder = try TestFolder("abi")
    guard let program = try start(toolkit, desktop, folder, ["copy"]) else { return }
    #expect(program.readLine(seconds: 40) { $0.hasPrefix("pasted") } == "pasted soon own words")
    #expect(program.waitForExit(seconds: 10) == 0)
  }
}
